"""Rounds at tables of many, as the standings count them: who came where for what, and who had no table."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from uuid import UUID

from tournaments.formats.format import PairingOutcome, PlayedRound, RoundPairing
from tournaments.projections.rounds.course import Key, PlayedMatch, StageHistory
from tournaments.projections.rounds.ranking import annulled_of
from tournaments.projections.standings_inputs import StandingsInputs


@dataclass(frozen=True, slots=True)
class RoundAway:
    """A round without a table, and its points: left over by the draw, as asked, before one came, or after one
    had left (`is_gone`).

    No points while they don't count: with the first result of the round they do, by cards with the last.
    """

    round: int
    points: Fraction | None
    on_request: bool = False
    is_late: bool = False
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class RoundAtTable:
    """A table that is over, as one who sat there sees it; `others` by their places, but for those against
    whom no result counts.

    `place` is None where the sides aren't ranked, or nobody played for it; `points` are None where it doesn't
    count for this one. `gives_mean`: it was broken off, and everybody has the mean. `is_absent`: this one
    wasn't there.
    """

    game: UUID
    round: int
    wave: int
    table: int
    place: int | None
    is_shared: bool
    points: Fraction | None
    is_forfeit: bool
    gives_mean: bool
    others: tuple[Key, ...]
    is_absent: bool = False

    @property
    def sides(self) -> int:
        """How many have a place there."""
        return len(self.others) + 1


def rounds_at_tables(read_in: StandingsInputs) -> dict[Key, list[RoundAtTable]]:
    """The tables that are over, of each who sat there, in the order of play."""
    found: dict[Key, list[RoundAtTable]] = defaultdict(list)
    for course, played, matches in _rounds(read_in):
        annulled = annulled_of(course)
        all_counted = course.format.counted(played, annulled)
        points_absent = course.format.points_absent(played, annulled)
        for match, (pairing, outcome), counted in zip(matches, played.matches(), all_counted, strict=True):
            if outcome is None:
                continue
            for side in pairing.sides:
                place, points = _of_side(side, counted)
                is_absent = side in outcome.absent and side not in annulled
                if is_absent:
                    points = points_absent
                counts_for = pairing.sides if points is None or counted is None else counted[0].sides
                places = {one: _of_side(one, counted)[0] for one in counts_for if one != side}
                in_order = sorted(places, key=lambda one: places[one] or len(pairing.sides))
                found[course.key(side)].append(
                    RoundAtTable(
                        match.games[0].id,
                        course.rounds_before + played.plan.number,
                        match.wave,
                        match.table,
                        place,
                        place is not None and place in places.values(),
                        points,
                        outcome.walkover and bool(outcome.places),
                        outcome.walkover and not outcome.places,
                        tuple(map(course.key, in_order)),
                        is_absent,
                    )
                )
    return found


def _of_side(
    side: int, counted: tuple[RoundPairing, PairingOutcome | None] | None
) -> tuple[int | None, Fraction | None]:
    """A side's place and points, where the table counts for it."""
    if counted is None or counted[1] is None or side not in counted[0].sides:
        return None, None
    at = counted[0].sides.index(side)
    return counted[1].place(at), counted[1].points[at]


def rounds_away(read_in: StandingsInputs) -> dict[Key, list[RoundAway]]:
    """The rounds without a table, of each who had none."""
    found: dict[Key, list[RoundAway]] = defaultdict(list)
    for course, played, _matches in _rounds(read_in):
        number = played.plan.number
        points = {
            each.contestant: each.points
            for each in course.format.points_unplayed(course.progress, played.plan)
            if any(played.outcomes)
        }
        taking_part = set(played.plan.taking_part())
        for one in course.progress.contestants:
            is_late, is_asked = number < one.since, number in one.sits_out
            is_gone = not is_late and not is_asked and one.number not in taking_part
            if is_late or is_asked or is_gone or one.number in played.plan.byes:
                found[course.key(one.number)].append(
                    RoundAway(
                        course.rounds_before + number,
                        points.get(one.number),
                        is_asked and not is_late,
                        is_late,
                        is_gone,
                    )
                )
    return found


def _rounds(read_in: StandingsInputs) -> Iterator[tuple[StageHistory, PlayedRound, list[PlayedMatch]]]:
    """The rounds of the stages in which points at tables add up, with their matches."""
    for course in read_in.courses:
        if course.choice.adds_points:
            for played in course.progress.rounds:
                yield course, played, [each for each in course.matches if each.round == played.plan.number]
