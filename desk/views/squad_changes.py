"""Pages on who plays in a tournament: who leaves, comes back, or comes late."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from desk.forms.squad_changes import LateForm, RemovalForm
from desk.page import caller, done, names, number_in, organizer, organizer_post, page
from desk.planned_rounds_text import anew, coming, coming_back, leaving
from desk.rounds import RoundsState, rounds_state
from desk.stage_squads import of_course
from desk.standings_impact import RemovedSide, of_removal
from desk.views.rounds import expect_by_round
from people.access import EventRequest
from people.actors import Actor
from people.display_names import NameBook
from people.entries import reinstate
from people.models import Entry, Team
from people.refusals import Refused
from tournaments.commands.decision_recording import Caller, expect_status
from tournaments.commands.replanned_rounds import kept_rounds, plan_rounds_anew, preview_new_plan
from tournaments.commands.squad_changes import (
    add_squad,
    bring_back_squad,
    bring_back_team,
    expect_place_for_late,
    preview_late,
    remove_squad,
    remove_team,
    request_bye,
    rounds_to_sit_out,
    usual_place,
    withdraw_bye_request,
)
from tournaments.models import Squad, SquadMember, Tournament
from tournaments.projections.removed_squads import REMOVED_PLACES, Removal, removed
from tournaments.projections.rounds.course import Key, StageHistory
from tournaments.projections.standings_inputs import StandingsInputs, courses_as_entered, inputs_now
from tournaments.queries.stage import may_be_drawn
from tournaments.standings import RemovedPlace


@dataclass(frozen=True, slots=True)
class RemovableSide:
    """A squad, or a team of mini-tournaments with its `squads`.

    `open` counts its drawn matches that aren't decided; of a team none are counted. `is_gone`: it has left,
    and `place` says in words why and what becomes of its place. `can_sit_out` are the rounds that it could
    ask to sit out, `sits_out` those not drawn yet that it has asked for. `plays_on`: a round may follow in
    which it has a part.
    """

    pk: UUID
    team: Team
    number: int | None
    players: str
    open: int = 0
    is_gone: bool = False
    place: str = ""
    can_sit_out: tuple[int, ...] = ()
    sits_out: tuple[int, ...] = ()
    plays_on: bool = False
    squads: tuple["RemovableSide", ...] = ()


def _page(request: EventRequest, tournament: Tournament, **more: Any) -> HttpResponse:
    """The squads of the tournament, each with what it is and what can be done; who could come late."""
    state = rounds_state(tournament)
    context: dict[str, Any] = {"tournament": tournament, "here": tournament.slug, "state": state}
    book = names(request.event)
    if state is None and tournament.status == Tournament.Status.PUBLISHED:
        context["teams"] = _teams(tournament, book)
    if state is not None:
        context |= {
            "rows": _squads(request, tournament, state, book),
            "adds_points": state.course.choice.adds_points,
            "replans": state.course.format.replans,
            "can_replan": _has_later_rounds(state.course),
            "is_played": state.course.choice.is_played,
            "late_form": _late_form(request, tournament, state, book),
            "late_refusal": _late_refusal(state),
        }
    return page(request, "desk/squads.html", context | more, 422 if "wrong" in more else 200)


squads = organizer(_page)


def _has_later_rounds(course: StageHistory) -> bool:
    """Whether rounds were planned in advance that nobody has begun."""
    return course.format.replans and kept_rounds(course) < len(course.progress.rounds)


def _squads(
    request: EventRequest, tournament: Tournament, state: RoundsState, book: NameBook
) -> list[RemovableSide]:
    """The squads of the stage that is on, and those that went out before and are removed or can be."""
    now = inputs_now(tournament)
    teams = request.event.teams.in_bulk()
    found: dict[Key, RemovableSide] = {}
    # What is entered isn't open, whether or not it is confirmed.
    entered = {course.stage: course for course in courses_as_entered(tournament)}
    has_later = _has_later_rounds(now.courses[-1])
    for course in reversed(now.courses):
        open_ = Counter(
            side
            for match in entered[course.stage].matches
            if match.state.outcome is None
            for side in match.pairing.sides
        )
        for number, one in of_course(course, teams, book).items():
            key = course.key(number)
            removal = now.removals.squads.get(key)
            asked = course.progress.contestants[number - 1].sits_out
            open_rounds = rounds_to_sit_out(course, number) if course is now.courses[-1] else ()
            found.setdefault(
                key,
                RemovableSide(
                    course.squad_id(number),
                    one.team,
                    one.number,
                    one.players,
                    open_[number],
                    now.stages.is_gone(key),
                    _place(removal),
                    tuple(each for each in open_rounds if each not in asked),
                    tuple(each for each in open_rounds if each in asked),
                    has_later or may_be_drawn(now, key),
                ),
            )
    return list(found.values())


def _teams(tournament: Tournament, book: NameBook) -> list[RemovableSide]:
    """The teams of a draw of mini-tournaments with their squads; four queries."""
    now = inputs_now(tournament)
    rows = (
        Squad.objects.filter(stage__tournament=tournament)
        .select_related("team")
        .prefetch_related(Prefetch("members", SquadMember.objects.order_by("position")))
        .order_by("team__number", "number")
    )
    found = []
    for team, of_team in groupby(rows, key=lambda row: row.team):
        squads = []
        for row in of_team:
            removal = now.removals.squads.get((str(team.pk), row.number))
            players = ", ".join(book[member.entry_id] for member in row.members.all())
            squads.append(
                RemovableSide(row.pk, team, row.number, players, 0, removal is not None, _place(removal))
            )
        removal = now.removals.teams.get(str(team.pk))
        left = (removal is not None, _place(removal))
        found.append(RemovableSide(team.pk, team, None, "", 0, *left, squads=tuple(squads)))
    return found


def _place(removal: Removal | None) -> str:
    return removed(removal.to_json(), str(REMOVED_PLACES[removal.place])) if removal else ""


def _inputs_with(tournament: Tournament, team: Team) -> StandingsInputs:
    """What the standings are computed from; `Http404` where this team isn't ranked."""
    now = inputs_now(tournament)
    if team.pk not in now.team_of():
        raise Http404
    return now


def _late_form(
    request: EventRequest, tournament: Tournament, state: RoundsState, book: NameBook, data: Any = None
) -> LateForm | None:
    """The form for who comes late; None where nobody could be taken in."""
    if _late_refusal(state):
        return None
    playing = {UUID(entry) for squad in state.course.squads for entry in squad["entries"]}
    entered = Entry.objects.filter(team__event=request.event, status=Entry.Status.ENTERED)
    rows = entered.select_related("team__event").order_by("team__number", "number")
    free = [entry for entry in rows if entry.pk not in playing]
    return LateForm(free, tournament.settings["squad_size"], book, data) if free else None


def _late_refusal(state: RoundsState) -> str:
    """Why nobody who comes late could be taken in; empty where somebody could."""
    try:
        expect_place_for_late(state.course)
    except Refused as refused:
        return str(refused)
    return ""


def _squad(request: EventRequest, tournament: Tournament, squad_id: UUID) -> Squad:
    return get_object_or_404(Squad, stage__tournament=tournament, pk=squad_id)


@organizer
def gone(request: EventRequest, tournament: Tournament, squad_id: UUID) -> HttpResponse:
    """A squad doesn't turn up, withdraws or is disqualified; first what it would change, then for good."""
    squad = _squad(request, tournament, squad_id)
    now = inputs_now(tournament)
    key = (str(squad.team_id), squad.number)
    book = names(request.event)
    players = squad.members.order_by("position").values_list("entry", flat=True)
    return _removal(
        request,
        tournament,
        key,
        f"{squad.team.name} {squad.number}: {', '.join(book[entry] for entry in players)}",
        now.places_offered(key),
        now.removals.squads.get(key),
        lambda by, reason, place: remove_squad(tournament, by, squad, reason, place),
        _leaving(now, key),
    )


def _leaving(now: StandingsInputs, key: Key) -> str:
    """What becomes of the rounds of the stage that is on if a squad leaves, where more than two meet."""
    number = now.courses[-1].number_of(key)
    return "" if number is None or now.stages.is_gone(key) else leaving(now.courses[-1], number)


@organizer
def team_gone(request: EventRequest, tournament: Tournament, team: Team) -> HttpResponse:
    """The same of a whole team, in a draw of mini-tournaments."""
    now = _inputs_with(tournament, team)
    return _removal(
        request,
        tournament,
        (str(team.pk), None),
        team.name,
        now.places_offered(),
        now.removals.teams.get(str(team.pk)),
        lambda by, reason, place: remove_team(tournament, by, team, reason, place),
    )


def _removal(
    request: EventRequest,
    tournament: Tournament,
    side: RemovedSide,
    name: str,
    offered: Sequence[RemovedPlace],
    before: Removal | None,
    remove: Callable[[Actor | Caller, str, str | None], Tournament],
    leaves: str = "",
) -> HttpResponse:
    """The page on which a side is removed; `remove` takes who asks, why, and what becomes of the place.
    `leaves` says what becomes of its tables, where more than two meet.
    """
    expect_status(tournament, Tournament.Status.PUBLISHED)
    form = RemovalForm(offered, request.POST if request.method == "POST" else None, before)
    context: dict[str, Any] = {"tournament": tournament, "here": tournament.slug, "form": form, "name": name}
    if form.is_valid():
        reason, place = form.chosen()
        if "confirm" in request.POST:
            remove(caller(request), reason, place)
            if inputs_now(tournament).annuls(*side):
                told = _(
                    "It doesn’t play on. Nothing that it has played counts, and its open games are struck."
                )
            elif leaves:
                told = _("It doesn’t play on.") + " " + leaves
            else:
                told = _("It doesn’t play on; its open games are won by the others.")
            return done(request, told, "squads", tournament.slug)
        chosen = usual_place(reason, offered) if place is None else RemovedPlace(place)
        act = partial(remove, request.actor, reason, place)
        context["consequences"] = of_removal(tournament, side, act, names(request.event))
        context["leaves"] = leaves
        context["becomes"] = _place(Removal(reason, chosen))
    return page(request, "desk/removal.html", context, 422 if form.errors else 200)


@organizer_post
def back(request: EventRequest, tournament: Tournament, squad_id: UUID) -> HttpResponse:
    """A squad that had left plays again, from the next round on if one follows."""
    squad = _squad(request, tournament, squad_id)
    now = inputs_now(tournament)
    key = (str(squad.team_id), squad.number)
    course = now.courses[-1]
    number = course.number_of(key)
    seats, change = "", None
    if number is not None and course.format.replans:
        seats, change = coming_back(course, number)
    if change is not None and change.is_new_plan and "confirm" not in request.POST:
        return _ask(request, tournament, _("It is back"), seats, _("It is back: plan these rounds anew"))
    with transaction.atomic():
        bring_back_squad(tournament, caller(request), squad)
        for entry in Entry.objects.filter(squad_memberships__squad=squad).exclude(
            status=Entry.Status.ENTERED
        ):
            reinstate(entry, request.actor)
    if seats:
        return done(request, _("It is back.") + " " + seats, "squads", tournament.slug)
    if may_be_drawn(inputs_now(tournament), key):
        told = _("It plays again from the next round on.")
    else:
        told = _("It is back; no round follows in which it could play.")
    return done(request, told, "squads", tournament.slug)


def _ask(request: EventRequest, tournament: Tournament, title: str, told: str, action: str) -> HttpResponse:
    """What would move others, before it is done; the form brings along what was sent."""
    own = ("csrfmiddlewaretoken", "client_id", "expected_version")
    context = {
        "tournament": tournament,
        "here": tournament.slug,
        "title": title,
        "told": told,
        "action": action,
        "fields": [(name, value) for name, value in request.POST.items() if name not in own],
    }
    return page(request, "desk/plan_change.html", context)


@organizer
def plan_anew(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Plan the rounds anew that nobody has begun; first how many would change table, then for good."""
    expect_by_round(tournament)
    if "confirm" in request.POST:
        plan_rounds_anew(tournament, caller(request))
        return done(request, _("The later rounds are planned anew."), "squads", tournament.slug)
    _course, change = preview_new_plan(tournament)
    if change is None:
        told = _("Planned anew, these rounds would be the same.")
        return done(request, told, "squads", tournament.slug)
    return _ask(request, tournament, _("Plan the later rounds anew"), anew(change), _("Plan them anew"))


@organizer_post
def bye(request: EventRequest, tournament: Tournament, squad_id: UUID) -> HttpResponse:
    """A squad asks to sit out a round of a Swiss that isn't drawn yet, or plays in it after all."""
    expect_by_round(tournament)
    withdrawn = "withdraw" in request.POST
    squad = _squad(request, tournament, squad_id)
    change = withdraw_bye_request if withdrawn else request_bye
    change(tournament, caller(request), squad, number_in(request, "round"))
    told = _("It plays in that round.") if withdrawn else _("It sits out that round.")
    return done(request, told, "squads", tournament.slug)


@organizer_post
def team_back(request: EventRequest, tournament: Tournament, team: Team) -> HttpResponse:
    """A team that had left takes part again."""
    _inputs_with(tournament, team)
    bring_back_team(tournament, caller(request), team)
    return done(request, _("It takes part again."), "squads", tournament.slug)


@organizer_post
def add(request: EventRequest, tournament: Tournament) -> HttpResponse:
    """Take in a squad that comes late."""
    expect_by_round(tournament)
    state = rounds_state(tournament)
    form = _late_form(request, tournament, state, names(request.event), request.POST) if state else None
    if form is None:
        if state is not None:
            expect_place_for_late(state.course)
        raise Refused("stage-over", _("Nobody can be taken in any more."))
    if not form.is_valid():
        return _page(request, tournament, late_form=form, wrong="late")
    seats = ""
    if inputs_now(tournament).courses[-1].format.replans:
        change, number = preview_late(tournament, form.chosen())
        seats = coming(change, number)
        if change.is_new_plan and "confirm" not in request.POST:
            action = _("Take the squad in: plan these rounds anew")
            return _ask(request, tournament, _("Who comes late"), seats, action)
    add_squad(tournament, caller(request), form.chosen())
    told = " ".join(filter(None, [_("The squad is taken in."), seats]))
    return done(request, told, "squads", tournament.slug)
