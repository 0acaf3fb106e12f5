"""Commands: remove and reinstate squads and teams, and take in squads that come late."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from people.actors import Actor
from people.models import Entry, Team
from people.refusals import Refused
from tournaments.commands.decision_recording import OpenDecision, command
from tournaments.commands.removed_squad_games import end_open_matches
from tournaments.commands.replanned_rounds import (
    RoundsChange,
    after_coming,
    after_leaving,
    change_rounds,
    expect_no_new_plan,
    kept_rounds,
)
from tournaments.commands.round_draws import course_of
from tournaments.commands.substitute import forfeit_open_games
from tournaments.commands.table_absences import note_open_tables, rise_for_absences
from tournaments.facts import stages
from tournaments.facts.reasons import CAME, GONE_REASONS, check_reason
from tournaments.formats import CannotDraw
from tournaments.models import Squad, Tournament
from tournaments.projections.removed_squads import Removal
from tournaments.projections.rounds.course import Key, StageHistory
from tournaments.projections.rounds.drawing import cannot_draw
from tournaments.projections.standings_inputs import StandingsInputs, inputs_now
from tournaments.standings import RemovedPlace

DISQUALIFIED = "disqualified"

_FULL: Final[Mapping[str, str]] = {
    "no_place": gettext_noop(
        "The groups have no place for another squad: one is free where a group is odd, or somebody has left, "
        "as long as it has rounds to play."
    ),
    "no_free_bye": gettext_noop(
        "The bracket has no place for another squad: one is free where somebody has a bye, until the second "
        "round is drawn."
    ),
}
"""Why a format has no place for who comes late, by the code of its refusal."""


def _as_fact(squad: Squad) -> dict[str, Any]:
    """A squad as facts name it: by its team, and its number in it."""
    return {"team": str(squad.team_id), "squad": squad.number}


# Whether others may move is no part of a decision: sent again with another answer, the request is the same.
def _return_sent(squad: Squad, asks_first: bool = False) -> dict[str, Any]:
    return _as_fact(squad)


def _late_sent(entries: Sequence[Entry], asks_first: bool = False) -> dict[str, Any]:
    return {"entries": [str(entry.pk) for entry in entries]}


def _removal_sent(
    squad: Squad, reason: str, place: str | None = None, asks_first: bool = False
) -> dict[str, Any]:
    sent = {**_as_fact(squad), "reason": reason}
    return sent if place is None else {**sent, "place": place}


@command(
    "squad_gone",
    Tournament.Status.PUBLISHED,
    locks_games=True,
    sent=_removal_sent,
    before=rise_for_absences,
)
def remove_squad(
    decision: OpenDecision,
    tournament: Tournament,
    squad: Squad,
    reason: str,
    place: str | None = None,
    asks_first: bool = False,
) -> None:
    """The squad plays no further and isn't paired again. What is drawn and open is won by its opponents, or
    by nobody if no result counts against it.

    `reason` is one of `GONE_REASONS`. `place` says what becomes of its place and its results: one of
    `StandingsInputs.places_offered`, None for `usual_place`. At a table of more than two the others play on
    without it: it isn't at its tables (`note_open_tables`). Rounds that were planned stay where they can
    (`after_leaving`). Removing it again with another reason or place corrects that. With `asks_first` it
    raises `Refused("would-plan-anew")` where rounds would be planned anew.
    """
    check_reason(reason, GONE_REASONS)
    now = inputs_now(tournament)
    key = _key(now, squad)
    chosen = _chosen_place(reason, place, now.places_offered(key))
    if now.stages.is_gone(key) and now.removals.squads.get(key) == Removal(reason, chosen):
        raise Refused("gone-already", _("This squad doesn’t play any more already."))
    decision.record({**_as_fact(squad), "reason": reason, "place": chosen.value})
    if now.settings.choice.ranks_teams:
        forfeit_open_games(tournament, decision.actor, squad)
    else:
        end_open_matches(tournament, decision.actor, key, reason)
        _change_planned(
            tournament,
            decision.actor,
            key,
            lambda course, _number: after_leaving(course),
            asks_first=asks_first,
        )
        note_open_tables(tournament, decision.actor, key, is_there=False)


@command("team_gone", Tournament.Status.PUBLISHED, locks_games=True)
def remove_team(
    decision: OpenDecision,
    tournament: Tournament,
    team: Team,
    reason: str,
    place: str | None = None,
) -> None:
    """A whole team plays no further in a draw of mini-tournaments: the others win what is open, or nobody if
    no result counts against it.

    `reason` and `place` as for a squad. Where squads are ranked they are removed one by one.
    """
    check_reason(reason, GONE_REASONS)
    now = inputs_now(tournament)
    now.expect_team(team.pk)
    chosen = _chosen_place(reason, place, now.places_offered())
    if now.removals.teams.get(str(team.pk)) == Removal(reason, chosen):
        raise Refused("gone-already", _("This team doesn’t play any more already."))
    decision.record({"team": str(team.pk), "reason": reason, "place": chosen.value})
    for squad in Squad.objects.filter(stage__tournament=tournament, team=team).order_by("number"):
        forfeit_open_games(tournament, decision.actor, squad)


def usual_place(reason: str, offered: Sequence[RemovedPlace]) -> RemovedPlace:
    """What becomes of the place where nobody says it: a disqualified one comes last, another keeps it."""
    return RemovedPlace.LAST if reason == DISQUALIFIED and RemovedPlace.LAST in offered else offered[0]


def _chosen_place(reason: str, place: str | None, offered: Sequence[RemovedPlace]) -> RemovedPlace:
    if place is None:
        return usual_place(reason, offered)
    if place not in offered:
        raise Refused(
            "unknown-place",
            _("What becomes of the place is one of: %(places)s.") % {"places": ", ".join(offered)},
            status=422,
            places=list(offered),
        )
    return RemovedPlace(place)


@command("squad_back", Tournament.Status.PUBLISHED, locks_games=True, sent=_return_sent)
def bring_back_squad(
    decision: OpenDecision, tournament: Tournament, squad: Squad, asks_first: bool = False
) -> None:
    """The squad plays again from the next round on; games that were forfeited are corrected one by one. In
    rounds that were planned it has its seat, or a free one (`after_coming`). With `asks_first` it raises
    `Refused("would-plan-anew")` where rounds would be planned anew.
    """
    now = inputs_now(tournament)
    key = _key(now, squad)
    if not now.stages.is_gone(key):
        raise Refused("not-gone", _("This squad hasn’t left."))
    decision.record(_as_fact(squad))
    _change_planned(tournament, decision.actor, key, after_coming, asks_first=asks_first)
    note_open_tables(tournament, decision.actor, key, is_there=True)


def _change_planned(
    tournament: Tournament,
    actor: Actor,
    key: Key,
    change_of: Callable[[StageHistory, int], RoundsChange | None],
    *,
    asks_first: bool,
) -> None:
    """Change the rounds that were planned, if that has to be; they stay where nothing else can be planned."""
    courses = inputs_now(tournament).by_round
    number = courses[-1].number_of(key) if courses else None
    if number is None:
        return
    try:
        change = change_of(courses[-1], number)
    except CannotDraw:
        return
    if change is None:
        return
    if asks_first:
        expect_no_new_plan(change)
    change_rounds(tournament, actor, courses[-1], change, {"team": key[0], "squad": key[1]})


@command("team_back", Tournament.Status.PUBLISHED)
def bring_back_team(decision: OpenDecision, tournament: Tournament, team: Team) -> None:
    """The team takes part again, and has its place; games that were forfeited are corrected one by one."""
    now = inputs_now(tournament)
    now.expect_team(team.pk)
    if str(team.pk) not in now.removals.teams:
        raise Refused("not-gone", _("This team hasn’t left."))
    decision.record({"team": str(team.pk)})


def _bye_sent(squad: Squad, number: int) -> dict[str, Any]:
    return {**_as_fact(squad), "round": number}


@command("bye_requested", Tournament.Status.PUBLISHED, sent=_bye_sent)
def request_bye(decision: OpenDecision, tournament: Tournament, squad: Squad, number: int) -> None:
    """The squad sits out a round of a Swiss that isn't drawn yet, and has what the settings give for it."""
    course, has_asked = _expect_undrawn(tournament, squad, number)
    if has_asked:
        raise Refused("bye-as-asked", _("It sits out that round already."))
    decision.record({"stage": str(course.stage), **_bye_sent(squad, number)})


@command("bye_request_withdrawn", Tournament.Status.PUBLISHED, sent=_bye_sent)
def withdraw_bye_request(decision: OpenDecision, tournament: Tournament, squad: Squad, number: int) -> None:
    """The squad plays in that round after all, as long as it isn't drawn."""
    course, has_asked = _expect_undrawn(tournament, squad, number)
    if not has_asked:
        raise Refused("bye-as-asked", _("It hasn’t asked to sit out that round."))
    decision.record({"stage": str(course.stage), **_bye_sent(squad, number)})


def _expect_undrawn(tournament: Tournament, squad: Squad, number: int) -> tuple[StageHistory, bool]:
    """The stage that is on, in which the squad could sit out that round, and whether it has asked to.

    Raises `Refused` otherwise.
    """
    now = inputs_now(tournament)
    course = now.courses[-1] if now.courses else None
    if course is None or not course.choice.grants_byes:
        told = _("In this format a squad can’t ask to sit out a round.")
        raise Refused("no-bye-on-request", told)
    key = _key(now, squad)
    at = course.number_of(key)
    if at is None or now.stages.is_gone(key):
        raise Refused("gone-already", _("This squad doesn’t play any more already."))
    open_rounds = rounds_to_sit_out(course, at)
    if number not in open_rounds:
        told = ", ".join(map(str, open_rounds)) or "–"
        raise Refused(
            "round-drawn",
            _("A squad can sit out a round that isn’t drawn yet: %(rounds)s.") % {"rounds": told},
            rounds=list(open_rounds),
        )
    return course, number in course.progress.contestants[at - 1].sits_out


def rounds_to_sit_out(course: StageHistory, number: int) -> tuple[int, ...]:
    """The rounds that a contestant could ask to sit out: not drawn yet, once it is there; none where the
    format grants no byes.
    """
    if not course.choice.grants_byes:
        return ()
    contestants = course.progress.contestants
    total = course.format.rounds_for(sum(one.since <= 1 for one in contestants)) or 0
    first = max(len(course.progress.rounds) + 1, contestants[number - 1].since)
    return tuple(range(first, total + 1))


@command("squad_added", Tournament.Status.PUBLISHED, locks_event=True, locks_games=True, sent=_late_sent)
def add_squad(
    decision: OpenDecision, tournament: Tournament, entries: Sequence[Entry], asks_first: bool = False
) -> None:
    """Take in a squad that comes late, from the next round on.

    Where all rounds are drawn together and the format has seats, it takes a free one in each that nobody has
    begun. Without seats these are drawn anew with it. Raises `Refused("cannot-draw")` where the format has no
    place for it any more. With `asks_first` raises `Refused("would-plan-anew")` where a format that has seats
    would plan rounds anew.
    """
    course = course_of(tournament)
    _expect_first_stage(course)
    _check_entries(tournament, course, entries, tournament.settings["squad_size"])
    body = _late_body(course, entries)
    change = change_for_late(course, body)
    if asks_first and course.format.replans:
        expect_no_new_plan(change)
    decision.record({"stage": str(course.stage), "squad": body})
    if course.choice.is_predetermined and change.plans:
        squad = {"team": body["team"], "squad": body["number"]}
        change_rounds(tournament, decision.actor, course, change, squad)


def preview_late(tournament: Tournament, entries: Sequence[Entry]) -> tuple[RoundsChange, int]:
    """What `add_squad` would change in drawn rounds, and the number that the squad would have as a
    contestant; raises as it does.
    """
    course = course_of(tournament)
    _expect_first_stage(course)
    _check_entries(tournament, course, entries, tournament.settings["squad_size"])
    return change_for_late(course, _late_body(course, entries)), len(course.squads) + 1


def _late_body(course: StageHistory, entries: Sequence[Entry]) -> dict[str, Any]:
    team = str(entries[0].team_id)
    return {
        "team": team,
        "number": 1 + max((each["number"] for each in course.squads if each["team"] == team), default=0),
        "entries": [str(entry.pk) for entry in entries],
        "labels": [],
        "since": kept_rounds(course) + 1,
    }


def expect_place_for_late(course: StageHistory) -> None:
    """Raise `Refused` where nobody who comes late could be taken in any more: why, in a sentence."""
    _expect_first_stage(course)
    since = kept_rounds(course) + 1
    change_for_late(course, {**course.squads[0], "number": 0, "entries": [], "labels": [], "since": since})


def _expect_first_stage(course: StageHistory) -> None:
    if course.number > 1:
        raise Refused("stage-over", _("The first stage is over; nobody can come into a later one."))


def change_for_late(course: StageHistory, body: dict[str, Any]) -> RoundsChange:
    """What changes in the drawn rounds for one squad more; raises `Refused("cannot-draw")`."""
    contestants = stages.contestants_of([*course.squads, body])
    with_late = replace(course, progress=replace(course.progress, contestants=contestants))
    kept = body["since"] - 1
    try:
        change = after_coming(with_late, len(contestants))
        if change is not None:
            return change
        progress = replace(with_late.progress, rounds=course.progress.rounds[:kept])
        plans = course.format.coming_rounds(progress, course.seed)
    except CannotDraw as error:
        if error.code == "results_missing":
            return RoundsChange((), CAME)
        if error.code in _FULL:
            raise Refused("cannot-draw", _(_FULL[error.code]), status=422, why=error.code) from error
        raise cannot_draw(error) from error
    if not plans:
        raise Refused("all-drawn", _("Nothing is left to draw in this stage."))
    return RoundsChange(tuple(plans), CAME)


def _check_entries(tournament: Tournament, course: StageHistory, entries: Sequence[Entry], size: int) -> None:
    playing = {entry for squad in course.squads for entry in squad["entries"]}
    fits = (
        len(entries) == size == len({entry.pk for entry in entries})
        and len({entry.team_id for entry in entries}) == 1
        and all(entry.team.event_id == tournament.event_id for entry in entries)
        and all(entry.status == Entry.Status.ENTERED for entry in entries)
    )
    if not fits or any(str(entry.pk) in playing for entry in entries):
        raise Refused(
            "wrong-entries",
            ngettext(
                "A squad is %(size)d entered player who doesn’t play yet.",
                "A squad is %(size)d entered players of one team who don’t play yet.",
                size,
            )
            % {"size": size},
            status=422,
        )


def _key(now: StandingsInputs, squad: Squad) -> Key:
    """A squad through all stages; `Refused("unknown-squad")` for one that no stage ever had."""
    key = (str(squad.team_id), squad.number)
    if all(course.number_of(key) is None for course in now.courses):
        raise Refused("unknown-squad", _("This squad isn’t in the tournament."), status=422)
    return key
