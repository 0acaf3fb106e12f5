"""The draw: previewed as often as one likes, made with a seed, published."""

from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from desk import draws_shown
from desk.draw_edits import edits_shown
from desk.page import caller, done, names, organizer, organizer_post, page, sentences
from people.access import EventRequest
from people.refusals import Refused
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.models import Tournament
from tournaments.queries.first_stage_draws import new_seed

SET_UP = (Tournament.Status.SET_UP, Tournament.Status.DRAWN)


@organizer
def draw(request: EventRequest, tournament: Tournament) -> HttpResponseBase:
    """What a seed would give; the seed stands in the address, so that a reload shows the same draw.

    Without one, the draw that was kept, or a fresh seed.
    """
    stage = tournament.stages.first()
    seed = request.GET.get("seed")
    if seed is None and stage is None:
        address = reverse("desk:draw", args=[request.event.slug, tournament.slug])
        return redirect(f"{address}?{urlencode({'seed': new_seed()})}")
    is_kept = stage is not None and seed in (None, stage.seed)
    book = names(request.event)
    context: dict[str, Any] = {
        "tournament": tournament,
        "stage": stage,
        "is_kept": is_kept,
        "can_draw": tournament.status in SET_UP,
        "new_seed_address": f"?{urlencode({'seed': new_seed()})}",
        "seed": stage.seed if stage is not None and seed is None else seed,
        "here": tournament.slug,
    }
    if is_kept:
        context |= edits_shown(tournament, book)
    try:
        if not is_kept:
            shown = draws_shown.show_previewed_draw(tournament, context["seed"], book)
        elif context["can_draw"]:
            shown = draws_shown.show_kept_draw(tournament, book)
        else:
            shown = draws_shown.show_played_draw(tournament, book)
    except Refused as refused:
        return page(request, "desk/draw.html", context | {"wrong": sentences(refused)}, refused.status)
    return page(request, "desk/draw.html", context | {"shown": shown})


@organizer_post
def make(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Keep the draw of this seed; before publication it replaces the former one."""
    make_draw(tournament, caller(request), request.POST.get("seed", ""))
    return done(request, _("The draw is kept. It isn’t published yet."), "draw", tournament.slug)


@organizer_post
def publish(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Publish the draw: from then on results are entered and it isn't drawn again."""
    publish_draw(tournament, caller(request))
    return done(request, _("The draw is published. Results can be entered."), "board")
