"""Open places where rounds follow from results: the rest is played out, again and again.

Each open game is won by one of its sides, or it ends level at the bell, where the bell rule allows that.
Rounds and stages that are still to be drawn are drawn by the formats as they would be. Where squads are level
for a place in the next stage, any order of them is possible. Where all of that is few enough, every way is
gone through; a bracket as the last stage tells its places by itself. Places are then exact, but for those
that hang on cards that nobody knows yet, or on lots of a stage that isn't drawn yet. Otherwise ways in which
each game is won by one of its sides are drawn with even odds. In sample n, from 1, choice k (from 1, of m
possibilities in their order) follows from the UTF-8 text below. It is the remainder by m of the text's
SHA-256 (as a hexadecimal number).

    tendone-even-2/<seed>/<n>/<k>

What was neither seen so nor ruled out by points or by the bracket is told apart.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import comb, prod
from typing import Final
from uuid import UUID

from tournaments.formats.table_result import ResultKind
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.draw_comparison import as_due
from tournaments.projections.rounds.place_bounds import place_bounds, places_in_bracket
from tournaments.projections.rounds.played_out import Choose, OutcomePlaces, Rest, SharedWork
from tournaments.projections.rounds.ranking import Decided, squad_ids
from tournaments.settings.stage import StageSettings
from tournaments.standings import GameClosing, Rules
from tournaments.standings.outlook import ComputedOutlook, OutlookMethod, counted_outlook, outlooks

SAMPLING: Final = "tendone-even-2"
MOST_WAYS: Final = 256
"""Up to so many ways every one is gone through."""
MOST_WAYS_AT_TABLES: Final = 1_100
"""At tables of many up to so many, in small fields. A table of five can end in 541 orders, one of four and
one of three together in 975.
"""

MOST_SAMPLES: Final = 200
_WORK: Final = 20_000
"""Contestants squared, times samples: what is drawn at most, since pairing a round takes that long. Also
contestants times ways that are gone through.
"""


class _TooManyError(Exception):
    """There are more ways than are gone through."""


def can_be_played_out(courses: Sequence[StageHistory]) -> bool:
    """Whether the rest follows from who wins, or from places at tables: not from points of deals, nor from
    places by hand.
    """
    return bool(courses) and all(
        course.choice.is_played and course.format.result_kind is not ResultKind.POINTS for course in courses
    )


def play_out(
    courses: tuple[StageHistory, ...],
    stages: tuple[StageSettings, ...],
    rules: Rules,
    decided: Decided,
    *,
    open_games: int,
    level: GameClosing | None,
    seed: str,
) -> ComputedOutlook[UUID]:
    """The possible places of every squad, by the id it has through all stages; `level` is as in
    `standings.outlook`. Raises CannotDraw.
    """
    courses = (*courses[:-1], as_due(courses[-1]))
    rest = Rest(courses, stages, rules, decided, level)
    in_bracket, is_exact = places_in_bracket(rest)
    if is_exact:
        teams = outlooks(squad_ids(courses).values(), in_bracket, in_bracket)
        return ComputedOutlook(teams, open_games, OutlookMethod.EXACT)
    most = _most_ways(courses[-1])
    if _fewest_ways(courses[-1]) > most:
        return _sampled(rest, open_games, seed)
    places = OutcomePlaces()
    try:
        for _ in _every_way(rest, places, most):
            pass
    except _TooManyError:
        return _sampled(rest, open_games, seed)
    return counted_outlook(outlooks(squad_ids(courses).values(), places.found, places.allowed), open_games)


def _matches_left(course: StageHistory) -> int:
    """How many matches of a stage have at least to be decided yet."""
    if course.is_ended:
        return len(course.progress.open_pairings())
    return course.format.matches_left(course.progress)


def _most_ways(course: StageHistory) -> int:
    """How many ways are gone through."""
    if course.format.result_kind is not ResultKind.PLACES:
        return MOST_WAYS
    return max(MOST_WAYS, min(MOST_WAYS_AT_TABLES, _WORK // max(1, len(course.progress.contestants))))


def _fewest_ways(course: StageHistory) -> int:
    """In how many ways a stage can end at least."""
    left = _matches_left(course)
    if course.format.result_kind is not ResultKind.PLACES:
        return 1 << left
    open_ = course.progress.open_pairings()
    there = [len(set(pairing.sides) - course.progress.gone) for pairing in open_]
    undrawn = (left - len(open_)) * [course.format.seats - 1]
    return prod(map(_orders_of, [*there, *undrawn]))


@cache
def _orders_of(sides: int) -> int:
    """In how many ways so many can come to places that can be shared."""
    return sum(comb(sides, first) * _orders_of(sides - first) for first in range(1, sides + 1)) or 1


def _sampled(rest: Rest, open_games: int, seed: str) -> ComputedOutlook[UUID]:
    squads = list(squad_ids(rest.courses).values())
    won = replace(rest, level=None, shares_places=False, memory=SharedWork())
    samples = max(20, min(MOST_SAMPLES, _WORK // len(squads) ** 2))
    seen: dict[UUID, Counter[int]] = {squad: Counter() for squad in squads}
    places = OutcomePlaces()
    for number in range(1, samples + 1):
        for row in won.play_out(_even(seed, number), places):
            seen[row.team][row.place] += 1
    teams = outlooks(squads, places.found, place_bounds(rest), seen)
    return ComputedOutlook(teams, open_games, OutlookMethod.SAMPLED, samples, seed)


def _every_way(rest: Rest, places: OutcomePlaces, most: int) -> Iterator[None]:
    """Take every way into `places`, by counting through the choices as they come up."""
    taken: list[list[int]] = []
    for ways in range(most + 1):
        if ways == most:
            raise _TooManyError
        at = 0

        def choose(possibilities: int) -> int:
            nonlocal at
            if at == len(taken):
                taken.append([0, possibilities])
            at += 1
            return taken[at - 1][0]

        rest.play_out(choose, places)
        yield
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        if not taken:
            return
        taken[-1][0] += 1


def _even(seed: str, sample: int) -> Choose:
    """Choices with even odds (see the module)."""
    at = 0

    def choose(possibilities: int) -> int:
        nonlocal at
        at += 1
        text = f"{SAMPLING}/{seed}/{sample}/{at}"
        return int(hashlib.sha256(text.encode()).hexdigest(), 16) % possibilities

    return choose
