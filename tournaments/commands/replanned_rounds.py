"""Rounds planned in advance, and what becomes of them when somebody leaves, comes or is back.

Nobody moves in a round of which a match is called or begun, nor in those before it. Later rounds stay, too,
as long as enough are at each table and there is a free seat for who comes. Otherwise they are planned anew.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.actors import Actor
from people.refusals import Refused
from tournaments.commands.decision_recording import OpenDecision, command, decide
from tournaments.commands.round_draws import begun_matches, course_of
from tournaments.facts import stages
from tournaments.facts.reasons import CAME, FREE_SEAT, LEFT, ON_REQUEST
from tournaments.formats import CannotDraw
from tournaments.formats.format import RoundPlan
from tournaments.models import Call, Place, Tournament
from tournaments.projections.drawn_rows import apply_places
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.drawing import cannot_draw
from tournaments.queries.round_names import spoken_numbers
from tournaments.settings.tournament import TournamentSettings


@dataclass(frozen=True, slots=True)
class RoundsChange:
    """What becomes of planned rounds: those that change as they become, and why (of `PLAN_REASONS`).

    `moved`: how many of those who were there before sit at another table in one of them or more.
    `met_again`: the second meetings of those who stay, in all rounds, before the change and after it. Two who
    meet three times count as three.
    """

    plans: tuple[RoundPlan, ...]
    reason: str
    moved: int = 0
    met_again: tuple[int, int] = (0, 0)

    @property
    def is_new_plan(self) -> bool:
        """Whether rounds are planned anew, and not only free seats taken."""
        return self.reason != FREE_SEAT

    def numbers(self) -> list[int]:
        """The numbers of the rounds."""
        return [plan.number for plan in self.plans]

    def tables(self, number: int) -> list[tuple[int, int]]:
        """The round and the table, counted in it, of each free seat that a contestant takes."""
        return [
            (plan.number, at)
            for plan in self.plans
            for at, pairing in enumerate(plan.pairings, start=1)
            if number in pairing.sides
        ]


def kept_rounds(course: StageHistory) -> int:
    """How many rounds stay as they are, whoever comes or goes.

    Of those that are drawn together these are all up to the last of which a match is called or begun.
    """
    if not course.choice.is_predetermined:
        return len(course.progress.rounds)
    called = Call.objects.filter(match__in=[match.id for match in course.matches], called_at__isnull=False)
    held = begun_matches(course).union(called.values_list("match", flat=True))
    return max((match.round for match in course.matches if match.id in held), default=0)


def after_leaving(course: StageHistory) -> RoundsChange | None:
    """What changes in planned rounds now that somebody is gone; None where all can stay, or nothing else can
    be planned.
    """
    if not course.format.replans:
        return None
    later = _later(course)
    if all(course.format.stays_without(plan, course.progress.gone) for plan in later):
        return None
    return _planned_anew(course, LEFT)


def after_coming(course: StageHistory, number: int) -> RoundsChange | None:
    """What changes in planned rounds for a contestant who is there now. None where it has a seat in each, or
    nothing else can be planned. Raises CannotDraw where none is free and they can't be planned anew.
    """
    if not course.format.replans:
        return None
    progress = course.progress
    taken = []
    for plan in _later(course):
        if number in plan.taking_part():
            continue
        seat = course.format.free_seat(progress, plan, number)
        if seat is None:
            return _planned_anew(course, CAME)
        taken.append(plan.with_taken(seat))
        rounds = (replace(each, plan=taken[-1]) if each.plan == plan else each for each in progress.rounds)
        progress = replace(progress, rounds=tuple(rounds))
    return RoundsChange(tuple(taken), FREE_SEAT) if taken else None


def on_request(course: StageHistory) -> RoundsChange | None:
    """What it would change to plan anew the rounds that nobody has begun; None where nothing. Raises
    CannotDraw.
    """
    return _planned_anew(course, ON_REQUEST) if course.format.replans else None


def expect_no_new_plan(change: RoundsChange) -> None:
    """Raise `Refused("would-plan-anew")`, with the rounds and how many would change table, where rounds would
    be planned anew.
    """
    if change.is_new_plan:
        numbers = change.numbers()
        told = ngettext(
            "Round %(rounds)s would be planned anew, and others would change table. Nothing is stored.",
            "Rounds %(rounds)s would be planned anew, and others would change table. Nothing is stored.",
            len(numbers),
        )
        raise Refused(
            "would-plan-anew",
            told % {"rounds": spoken_numbers(numbers)},
            rounds=numbers,
            moved=change.moved,
        )


def preview_new_plan(tournament: Tournament) -> tuple[StageHistory, RoundsChange | None]:
    """The stage that is on, and what `plan_rounds_anew` would change now; None where nothing. Raises as it
    does.
    """
    course = course_of(tournament)
    if not course.format.replans:
        raise Refused("not-planned", _("Only rounds at tables that are planned in advance are planned anew."))
    try:
        return course, on_request(course)
    except CannotDraw as error:
        raise cannot_draw(error) from error


def with_removed(course: StageHistory, number: int) -> StageHistory:
    """The stage as it is once a contestant is gone."""
    return replace(course, progress=replace(course.progress, gone=course.progress.gone | {number}))


def with_back(course: StageHistory, number: int) -> StageHistory:
    """The stage as it is once a contestant is back."""
    return replace(course, progress=replace(course.progress, gone=course.progress.gone - {number}))


def _later(course: StageHistory) -> list[RoundPlan]:
    return [each.plan for each in course.progress.rounds[kept_rounds(course) :]]


def _planned_anew(course: StageHistory, reason: str) -> RoundsChange | None:
    kept = kept_rounds(course)
    before = {each.plan.number: each.plan for each in course.progress.rounds[kept:]}
    progress = replace(course.progress, rounds=course.progress.rounds[:kept])
    plans = course.format.coming_rounds(progress, course.seed)
    if not before or plans == list(before.values()):
        return None
    kept_plans = [each.plan for each in progress.rounds]
    met_again = (
        _second_meetings([*kept_plans, *before.values()], course.progress.gone),
        _second_meetings([*kept_plans, *plans], course.progress.gone),
    )
    return RoundsChange(tuple(plans), reason, _moved(before.values(), plans), met_again)


def _second_meetings(plans: Iterable[RoundPlan], gone: Collection[int]) -> int:
    met = Counter(
        pair
        for plan in plans
        for pairing in plan.pairings
        for pair in combinations(sorted(set(pairing.sides).difference(gone)), 2)
    )
    return sum(comb(times, 2) for times in met.values())


def _moved(before: Iterable[RoundPlan], after: Iterable[RoundPlan]) -> int:
    """How many sit at another table in any round, of those who have a seat in it before and after."""
    was, becomes = _tables(before), _tables(after)
    return len({one for (number, one), table in was.items() if becomes.get((number, one), table) != table})


def _tables(plans: Iterable[RoundPlan]) -> dict[tuple[int, int], str]:
    return {
        (plan.number, side): pairing.slot
        for plan in plans
        for pairing in plan.pairings
        for side in pairing.sides
    }


def change_rounds(
    tournament: Tournament,
    actor: Actor,
    course: StageHistory,
    change: RoundsChange,
    squad: Mapping[str, Any],
) -> None:
    """Record what becomes of planned rounds, in the caller's transaction; `squad` (its `team` and number)
    has left or come. Tables keep their hours.
    """
    decide(tournament, "rounds_redrawn", {**_body(tournament, course, change), "for": squad}, actor)
    _keep_hours(tournament, course, change)


def _body(tournament: Tournament, course: StageHistory, change: RoundsChange) -> dict[str, Any]:
    tables = TournamentSettings.from_json(tournament.settings).tables
    rounds = [stages.round_body(plan, course.kind, tables) for plan in change.plans]
    return {"stage": str(course.stage), "rounds": rounds, "reason": change.reason}


def _keep_hours(tournament: Tournament, course: StageHistory, change: RoundsChange) -> None:
    """Give the places in the timetable of matches that others take part in now to these."""
    before = {match.pairing.slot: match.id for match in course.matches}
    moved: dict[UUID, UUID] = {
        before[pairing.slot]: stages.match_id(course.stage, pairing.slot, pairing.sides)
        for plan in change.plans
        for pairing in plan.pairings
        if pairing.slot in before
    }
    places = Place.objects.filter(tournament=tournament, pk__in=moved)
    there = [place for place in places if moved[place.pk] != place.pk]
    for place in there:
        Place.objects.filter(pk=place.pk).update(match=moved[place.pk])
    if there:
        apply_places(tournament)


@command("rounds_redrawn", Tournament.Status.PUBLISHED, locks_games=True)
def plan_rounds_anew(decision: OpenDecision, tournament: Tournament) -> None:
    """Plan the rounds anew that nobody has begun, for who is there now.

    Raises `Refused("nothing-moves")` where nothing would be otherwise, and `Refused("not-planned")` where
    none are planned in advance.
    """
    course, change = preview_new_plan(tournament)
    if change is None:
        raise Refused("nothing-moves", _("Planned anew, these rounds would be the same."))
    decision.record(_body(tournament, course, change))
    _keep_hours(tournament, course, change)
