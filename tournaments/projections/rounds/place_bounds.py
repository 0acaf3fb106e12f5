"""Places that a bracket or points still allow, before anything is played out."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from uuid import UUID

from tournaments.projections.rounds.course import Key, StageHistory
from tournaments.projections.rounds.played_out import Rest, across_groups
from tournaments.projections.rounds.ranking import group_tables, rank_stages, squad_ids
from tournaments.standings.outlook import places_of
from tournaments.standings.rules import DECIDING


def place_bounds(rest: Rest) -> dict[UUID, set[int]]:
    """What can't be ruled out: the places that a bracket leaves open, or those that points allow."""
    in_bracket, _ = places_in_bracket(rest)
    if in_bracket:
        return in_bracket
    course = rest.courses[-1]
    is_first = len(rest.courses) == len(rest.stages) == 1
    if is_first and not course.choice.has_places and rest.rules.metrics[:1] == ("points",):
        return _by_points(rest, course, squad_ids(rest.courses))
    return rest.anywhere()


def places_in_bracket(rest: Rest) -> tuple[dict[UUID, set[int]], bool]:
    """The places that a bracket leaves open to each squad, and whether each of them can be taken. Nothing
    where the last stage is no bracket. Who isn't in it has a place.
    """
    course = rest.courses[-1]
    if course.number < len(rest.stages) or course.is_ended:
        return {}, False
    ids = squad_ids(rest.courses)
    last = rest.last_places()
    numbers = {one.number: ids[course.key(one.number)] for one in course.progress.contestants}
    ranked_last = {number for number, squad in numbers.items() if squad in last}
    found = course.format.open_places(course.progress, ranked_last)
    if found is None:
        return {}, False
    # Between those who share a place a decision can be made.
    is_shared = rest.rules.ties not in DECIDING
    inside = {
        numbers[number]: {
            place
            for each in shared
            for place in range(each.best, (each.worst if is_shared else each.last) + 1)
        }
        for number, shared in found.by_contestant.items()
    }
    rows = rank_stages(rest.courses, rest.rules, rest.decided)
    outside = {row.team: places_of(row) for row in rows if row.team not in inside}
    return outside | inside, found.is_exact and is_shared


def _by_points(rest: Rest, course: StageHistory, ids: Mapping[Key, UUID]) -> dict[UUID, set[int]]:
    """What points allow in each group. Nobody takes more from a match than a win gives, nor from a round to
    come than its best, and nobody loses what they have.
    """
    if rest.waits_for_who_left():
        return rest.anywhere()
    win = course.format.most_points
    best = max((win, *course.format.unplayed_points))
    total = course.format.rounds_for(len(course.progress.contestants)) or 0
    undrawn = max(0, total - len(course.progress.rounds))
    waiting: Counter[UUID] = Counter()
    left: Counter[UUID] = Counter()
    for each in course.progress.rounds:
        left.update(ids[course.key(side)] for pairing in each.open_pairings() for side in pairing.sides)
        if course.format.unplayed_points and not any(each.outcomes):
            # What a round without a match gives comes with the first result of the others.
            playing = {side for pairing in each.plan.pairings for side in pairing.sides}
            numbers = {one.number for one in course.progress.contestants}
            waiting.update(ids[course.key(number)] for number in numbers - playing)
    spans: dict[UUID, tuple[int, int]] = {}
    for table in group_tables(course, ids, rest.rules, rest.decided):
        # Whoever is ranked last takes part in nothing that these bounds are about.
        have = {row.team: row.value("points") or Fraction(0) for row in table.rows if not row.ranked_last}
        most = {
            squad: points + left[squad] * win + (undrawn + waiting[squad]) * best
            for squad, points in have.items()
        }
        for squad in have:
            ahead = 1 + sum(other > most[squad] for other in have.values())
            behind = len(have) - sum(other < have[squad] for other in most.values())
            spans[squad] = ahead, behind
    return across_groups(spans) | rest.last_places()
