"""Who plays in a tournament that is drawn round by round: who leaves, comes back, or comes late."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from desk.contestants import of_course, squad_pk
from desk.forms.rounds import GoneForm, LateForm
from desk.page import client_id, done, expected_version, find, names, organizer, page
from desk.rounds import RoundsState, rounds_state
from desk.views.rounds import find_by_round, teams_of
from people.access import EventRequest
from people.models import Entry
from people.naming import NameBook
from tournaments.actions.squads import add_squad, bring_back_squad, remove_squad
from tournaments.models import Squad, Tournament
from tournaments.refusals import Refused


@organizer
def squads(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """The squads of the stage that is on, each with what it is and what can be done; who could come late."""
    return _page(request, find_by_round(request, tournament_slug))


def _page(request: EventRequest, tournament: Tournament, **more: Any) -> HttpResponse:
    state = rounds_state(tournament)
    context: dict[str, Any] = {"tournament": tournament, "state": state, "here": tournament.slug}
    if state is not None:
        book = names(request.event)
        course = state.course
        who = of_course(course, teams_of(request), book)
        open_ = dict.fromkeys(who, 0)
        for match in course.matches:
            if match.state.outcome is None:
                for side in match.pairing.sides:
                    open_[side] += 1
        context |= {
            "rows": [(squad_pk(course, number), one, open_[number]) for number, one in who.items()],
            "gone_form": GoneForm(),
            "adds_points": course.choice.adds_points,
            "is_played": course.choice.is_played,
            "late_form": _late_form(request, tournament, state, book),
        }
    return page(request, "desk/squads.html", context | more, 422 if "wrong" in more else 200)


def _late_form(
    request: EventRequest, tournament: Tournament, state: RoundsState, book: NameBook, data: Any = None
) -> LateForm | None:
    """The form for who comes late; None where nobody could, or it is too late."""
    if state.course.number > 1:
        return None
    playing = {UUID(entry) for squad in state.course.squads for entry in squad["entries"]}
    entered = Entry.objects.filter(team__event=request.event, status=Entry.Status.ENTERED)
    free = [
        entry
        for entry in entered.select_related("team__event").order_by("team__number", "number")
        if entry.pk not in playing
    ]
    return LateForm(free, tournament.settings["squad_size"], book, data) if free else None


def _squad(request: EventRequest, tournament: Tournament, squad_id: UUID) -> Squad:
    found: Squad = find(Squad.objects.filter(stage__tournament=tournament), pk=squad_id)
    return found


@organizer
@require_POST
def gone(request: EventRequest, event_slug: str, tournament_slug: str, squad_id: UUID) -> HttpResponse:
    """A squad doesn't turn up, withdraws or is disqualified."""
    tournament = find_by_round(request, tournament_slug)
    squad = _squad(request, tournament, squad_id)
    form = GoneForm(request.POST)
    if not form.is_valid():
        return _page(request, tournament, gone_form=form, wrong=squad_id)
    remove_squad(
        tournament,
        request.actor,
        squad,
        form.cleaned_data["reason"],
        expected_version=expected_version(request),
        client_id=client_id(request),
    )
    return done(
        request, _("It doesn’t play on; its open games are won by the others."), "squads", tournament.slug
    )


@organizer
@require_POST
def back(request: EventRequest, event_slug: str, tournament_slug: str, squad_id: UUID) -> HttpResponse:
    """A squad that had left plays again, from the next round on."""
    tournament = find_by_round(request, tournament_slug)
    bring_back_squad(
        tournament,
        request.actor,
        _squad(request, tournament, squad_id),
        expected_version=expected_version(request),
        client_id=client_id(request),
    )
    return done(request, _("It plays again from the next round on."), "squads", tournament.slug)


@organizer
@require_POST
def add(request: EventRequest, event_slug: str, tournament_slug: str) -> HttpResponse:
    """Take in a squad that comes late."""
    tournament = find_by_round(request, tournament_slug)
    state = rounds_state(tournament)
    form = _late_form(request, tournament, state, names(request.event), request.POST) if state else None
    if form is None:
        raise Refused("stage-over", _("Nobody can be taken in any more."))
    if not form.is_valid():
        return _page(request, tournament, late_form=form, wrong="late")
    add_squad(
        tournament,
        request.actor,
        form.chosen(),
        expected_version=expected_version(request),
        client_id=client_id(request),
    )
    return done(request, _("The squad is taken in."), "squads", tournament.slug)
