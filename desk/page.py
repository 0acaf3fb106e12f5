"""Base of all pages of an event's desk: permission, rendering, refusals."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from desk.address_lookup import NotDrawnError, find_rows, tournaments_of
from desk.game_outcome_text import now_decided
from desk.guided import guide
from games.engine import ImpossibleStateError, Refusal
from games.engine import sentence as rule_sentence
from games.engine.telling import card_words
from games.models import Game
from ledger.errors import ClientIdReusedError, ConflictError, OtherStreamError
from people.access import EventRequest, event_by_slug, organizes, page_of_form, requires
from people.display_names import NameBook, Reader, Viewer
from people.held_erasures import announced_for, held_now
from people.input_problems import BadInputError
from people.input_sentences import full_sentence
from people.models import Account, Event
from people.number_parsing import whole_number
from people.pairings import waiting
from people.refusals import Refused, id_is_taken
from rendering.text.active_language import reader_language
from tournaments.commands.decision_recording import Caller
from tournaments.commands.results import not_followed
from tournaments.models import Match, MatchGame, Palio, Tournament

REFUSALS = (Refused, Refusal, ConflictError, ClientIdReusedError, OtherStreamError, ImpossibleStateError)
"""By a rule of the service (a `BadInputError` among them), by a rule of the game, by the ledger; and what
the engine can't follow.
"""
PRIVATE = {"Cache-Control": "private, no-store"}


def organizer(view: Callable[..., HttpResponseBase]) -> Any:
    """A page for the organizers of the event in the address; a refusal becomes a page that says why.

    For what else the address names the view is given rows, by `desk.address_lookup`.
    """
    return _for_organizers(_with_rows(view))


def organizer_post(view: Callable[..., HttpResponseBase]) -> Any:
    """As `organizer`, for what is only asked by a form."""
    return _for_organizers(require_POST(_with_rows(view)))


def _with_rows(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    @wraps(view)
    def answer(request: EventRequest, event_slug: str, **address: Any) -> HttpResponseBase:
        return view(request, **find_rows(request.event, address))

    return answer


def _for_organizers(view: Callable[..., HttpResponseBase]) -> Any:
    @wraps(view)
    def answer(request: EventRequest, **address: Any) -> HttpResponseBase:
        try:
            return view(request, **address)
        except NotDrawnError:
            return _not_drawn(request)
        except REFUSALS as refusal:
            slug = address.get("tournament_slug")
            now = now_decided(get_object_or_404(tournaments_of(request.event), slug=slug)) if slug else None
            return refused(request, refusal, now)

    return requires(organizes, event_by_slug)(answer)


def page(request: EventRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """A page of the event's desk, in the event's time zone. It holds names, so nobody keeps it, nor this
    browser: after signing out, going back shows nothing.

    Templates find the event, its tournaments (for the tabs), and how many phones ask to be let in (`asking`).
    `new_id` is a fresh client id at each use. Pages of the guided path have its bar (`guide`). Where the page
    answers a form, its other language is that of the page with the form.
    """
    event = request.event
    listed = tabs(event)
    held = held_for(event)
    given = {"event": event, "tabs": listed, "asking": waiting(event).count(), "new_id": uuid4, **held}
    if context.get("here") in ("event", "people", "entries"):
        # What goes by itself within a day; one query on these.
        given["going"] = announced_for(event, timezone.now(), held.get("held"))
        if any(getattr(each, "has_game_set_aside", False) for each in listed):
            given["set_aside"] = games_set_aside(event)
    if request.resolver_match is not None:
        given["guide"] = guide(event, request.resolver_match.url_name or "", listed)
    if request.method == "POST":
        given["path"] = back_to(request)
    with timezone.override(event.time_zone):
        response = render(request, template, given | context, status=status)
    patch_cache_control(response, private=True, no_store=True)
    return response


def private_pdf(made: bytes, name: str) -> HttpResponse:
    """A PDF with names or codes in it: nobody keeps it but who saves it."""
    headers = PRIVATE | {"Content-Disposition": f'inline; filename="{name}.pdf"'}
    return HttpResponse(made, content_type="application/pdf", headers=headers)


def held_for(event: Event | None) -> dict[str, Any]:
    """What waits until somebody confirms the date on a page of this event, for the banner; one query."""
    held = held_now()
    return {"held": held, "held_event": event, "clock": timezone.now()} if held and event else {}


def tabs(event: Event) -> list[Tournament]:
    """The event's tournaments for the tabs; each knows whether the event has a palio, and a game that is set
    aside. One query.
    """
    has_palio = Exists(Palio.objects.filter(event=OuterRef("event")))
    set_aside = Exists(Game.objects.filter(scope=OuterRef("event"), fault__isnull=False))
    rows = event.tournaments.annotate(has_palio=has_palio, has_game_set_aside=set_aside)
    return list(rows.order_by("name"))


def games_set_aside(event: Event) -> list[MatchGame]:
    """The games that the engine can't follow, with their matches; one query."""
    games = MatchGame.objects.filter(game__scope=event.pk, game__fault__isnull=False)
    return list(
        games.select_related("game", "match__table", "match__stage__tournament").order_by(
            "match__stage__tournament__name", "match__round", "match__table__number", "number"
        )
    )


def refused(
    request: EventRequest,
    refusal: Exception,
    now: list[str] | None = None,
    name_of: Callable[[int], str] | None = None,
) -> HttpResponse:
    """The page for what can't be done: what was wrong, what is there `now`, and that nothing was stored.

    `name_of` gives the name of who sits at a seat, where a game is spoken of.
    """
    context = {
        "sentences": sentences(refusal, name_of),
        "now": now,
        "stale": isinstance(refusal, ConflictError),
        "back": back_to(request),
    }
    return page(request, "desk/refused.html", context, status_of(refusal))


def _not_drawn(request: EventRequest) -> HttpResponse:
    """The page for a match or game that the draws don't have (any more); 404. A form of `desk/of_round.html`
    says which round it was drawn in: the way leads there.
    """
    slug, number = (request.POST.get(name, "") for name in ("tournament", "round"))
    tournament = next((each for each in tabs(request.event) if each.slug == slug), None)
    numbers = set()
    if tournament is not None:
        rounds = Match.objects.filter(stage__tournament=tournament).order_by()
        numbers = {str(each) for each in rounds.values_list("round", flat=True).distinct()}
    context = {
        "tournament": tournament if numbers else None,
        "round": int(number) if number in numbers else None,
        "here": "board",
    }
    return page(request, "desk/not_drawn.html", context, 404)


def status_of(refusal: Exception) -> int:
    """The HTTP status that fits: 409 where the present state stands against it, 422 for a wrong input."""
    if isinstance(refusal, Refused):
        return refusal.status
    against_stored = ConflictError | ClientIdReusedError | OtherStreamError | ImpossibleStateError
    return 409 if isinstance(refusal, against_stored) else 422


def sentences(refusal: Exception, name_of: Callable[[int], str] | None = None) -> list[str]:
    """A refusal in the reader's language; with `name_of` who sits at a seat is told by name."""
    match refusal:
        case BadInputError():
            return [full_sentence(problem) for problem in refusal.problems]
        case Refusal():
            language = reader_language()
            told = refusal.expected(language, seat=name_of, card=partial(card_words, language=language))
            return [rule_sentence(refusal.code, language), told]
        case ConflictError():
            return [_("Somebody else has changed this meanwhile. Nothing of yours was stored.")]
        case ClientIdReusedError():
            return [
                _("This form was sent before with something else in it. Open the page anew and try again.")
            ]
        case OtherStreamError():
            return [id_is_taken()]
        case ImpossibleStateError():
            return [str(not_followed())]
    return [str(refusal)]


def back_to(request: EventRequest) -> str:
    """The page that a refused form was on: where the browser says it came from, else the event's."""
    return page_of_form(request) or reverse("desk:event", args=[request.event.slug])


def done(request: EventRequest, sentence: str, name: str, *args: object) -> HttpResponseRedirect:
    """Say what was done, and go on to a page of this event; `args` follow the event's slug."""
    messages.success(request, sentence)
    return redirect(f"desk:{name}", request.event.slug, *args)


def caller(request: EventRequest) -> Caller:
    """Who sends a form, with the version that it was made from and the form's own id."""
    return Caller(request.actor, expected_version(request), client_id(request))


def client_id(request: EventRequest) -> UUID:
    """The form's own id, by which a form that is sent twice is one fact."""
    return id_in(request, "client_id")


def expected_version(request: EventRequest) -> int:
    """How far what the form changes had come when the page was made."""
    return number_in(request, "expected_version")


def id_in(request: EventRequest, name: str) -> UUID:
    """An id that the form brings along in a hidden field."""
    return id_of(request.POST.get(name, ""))


def id_of(text: str) -> UUID:
    """An id that a form has written."""
    try:
        return UUID(text)
    except ValueError as error:
        raise BadRequest("a form without its id") from error


def number_in(request: EventRequest, name: str) -> int:
    """A version that the form brings along in a hidden field."""
    number = whole_number(request.POST.get(name, ""))
    if number is None:
        raise BadRequest("a form without a version")
    return number


def names(event: Event, entry_ids: Any = None) -> NameBook:
    """Full names by entry id, of all entries of the event or of some; one query. Only for who was admitted by
    `organizer`.
    """
    return NameBook(Viewer(Reader.DESK, event), entry_ids)


def account_of(request: EventRequest) -> Account:
    """Whose account it is that asks; the permission of the page has asked for one."""
    if request.actor.account is None:
        raise Http404
    return request.actor.account
