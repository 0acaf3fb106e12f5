"""Metrics of rounds at tables of many: places, and how strong those were whom a team met.

Each function takes the tally and some teams, and gives values to all of them; none without rounds.
"""

from collections import defaultdict
from collections.abc import Callable, Collection
from fractions import Fraction

from .metric_inputs import Tally
from .model import T
from .round_results import MatchResult

Values = dict[T, Fraction]


def table_places(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The places at all tables added up, each as at a full table.

    An empty seat counts as one more player of equal strength. So place p of n is p (k + 1) / (n + 1) of k.
    Who shares places has the middle one. A round without a place counts like the mean, (k + 1) / 2, and like
    the last place for who has left. Of a forfeit who was there is first, and each of the others last.
    """

    def place(match: MatchResult[T], at: int) -> Fraction:
        if not (match.walkover and match.places):
            return _middle_place(match, at)
        is_first = match.places[at] == 1 and match.places.count(1) == 1
        return Fraction(1 if is_first else len(match.sides))

    return _places_added_up(tally, group, place)


def table_places_of_absent_shared(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """As edition 8 has it (`rules.EDITION`): whoever wasn't there shared the last place of a forfeit, or the
    mean where nobody was.
    """
    return _places_added_up(tally, group, _middle_place)


def _middle_place(match: MatchResult[T], at: int) -> Fraction:
    """The middle one of the places that a side shares; the mean where there are none."""
    if not match.places:
        return Fraction(len(match.sides) + 1, 2)
    own = match.places[at]
    return own + Fraction(match.places.count(own) - 1, 2)


def _places_added_up(
    tally: Tally[T], group: Collection[T], place: Callable[[MatchResult[T], int], Fraction]
) -> Values[T]:
    if tally.rounds is None:
        return {}
    full = tally.rounds.seats + 1
    values: defaultdict[T, Fraction] = defaultdict(Fraction)
    for match in tally.rounds.matches:
        if match.points is None:
            continue
        for at, team in enumerate(match.sides):
            values[team] += place(match, at) * Fraction(full, len(match.sides) + 1)
    for bye in tally.rounds.counted_byes():
        values[bye.team] += full - 1 if bye.is_absent else Fraction(full, 2)
    return {team: values[team] for team in group}


def opponents_points(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The average points of those whom a team met at its tables, each meeting counted; 0 if it met nobody.

    Points given or taken by decision don't count: what one is punished for is nothing to those it has met.
    """
    if tally.rounds is None:
        return {}
    own = defaultdict(Fraction, {team: Fraction(points) for team, points in tally.meetings.points.items()})
    for bye in tally.rounds.counted_byes():
        own[bye.team] += bye.points
    met: defaultdict[T, list[Fraction]] = defaultdict(list)
    for match in tally.rounds.matches:
        if match.points is None or match.walkover:
            continue
        for team in match.sides:
            met[team] += [own[other] for other in match.sides if other != team]
    return {team: sum(met[team], Fraction(0)) / max(len(met[team]), 1) for team in group}
