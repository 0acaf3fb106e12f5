"""Metrics from a team's own results, and those between the teams that are tied.

Each function takes the tally and some teams. A metric that looks at each team by itself gives values to those
of whom it can tell; one that compares the given teams with each other, to all of them or to none.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence
from fractions import Fraction
from itertools import combinations

from .model import GameResult, T, Tally

Values = dict[T, Fraction]


def points(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """What games gave, or matches and byes, with what was decided."""
    values = dict.fromkeys(group, Fraction(0))
    for meeting in tally.meetings:
        for team, taken in zip(meeting.sides, meeting.points, strict=True):
            if team in values:
                values[team] += taken
    for bye in tally.rounds.byes if tally.rounds else ():
        if bye.team in values:
            values[bye.team] += bye.points
    for adjustment in tally.adjustments:
        if adjustment.team in values:
            values[adjustment.team] += adjustment.points
    return values


def stage_place(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """What the format itself says, of those whom it has placed."""
    return {team: Fraction(tally.places[team]) for team in group if team in tally.places}


def wins(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Games won, or matches, against somebody who was there (FIDE C.07, 2026, article 7.2)."""
    if tally.rounds is None:
        won = Counter(result.winner for result in tally.results if result.is_played)
    else:
        won = Counter(match.winner for match in tally.rounds.matches if not match.walkover)
    return {team: Fraction(won[team]) for team in group}


def direct_match(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Nothing where some of the group were drawn against each other more often than others: it would favour
    them.
    """
    values = dict.fromkeys(group, Fraction(0))
    met: Counter[frozenset[T]] = Counter()
    for meeting in tally.meetings:
        if all(side in values for side in meeting.sides):
            for pair in combinations(meeting.sides, 2):
                met[frozenset(pair)] += meeting.times
            for team, taken in zip(meeting.sides, meeting.points, strict=True):
                values[team] += taken
    often = {met[frozenset(pair)] for pair in combinations(group, 2)}
    return values if len(often) == 1 else {}


def card_points_for(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """What the team took in cards."""
    return _figures(tally, group, lambda result: result.card_points, lambda own, others: own)


def card_points_difference(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """What the team took in cards, less what the others took at its tables."""
    return _figures(tally, group, lambda result: result.card_points, lambda own, others: own - others)


def penalties(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Cards drawn as penalties."""
    return _figures(tally, group, lambda result: result.penalties, lambda own, others: own)


def mini_tournaments(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Finished matches of several games in which the team alone took the most points."""
    unfinished = {result.match for result in tally.results if result.closed is None}
    scores: dict[Hashable, Counter[T]] = defaultdict(Counter)
    for result in tally.results:
        if result.match not in unfinished:
            score = scores[result.match]
            for team in result.sides:
                score[team] += result.points(team)
    values = dict.fromkeys(group, Fraction(0))
    for score in scores.values():
        best = max(score.values())
        leaders = [team for team in score if score[team] == best]
        if len(leaders) == 1 and leaders[0] in values:
            values[leaders[0]] += 1
    return values


def play_off(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The place in the latest play-off among all of the group, if there was one."""
    return recorded(tally.play_offs, group)


def lots(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The place in the latest drawing of lots among all of the group, if there was one."""
    return recorded(tally.lots, group)


def recorded(orders: Sequence[Sequence[T]], group: Collection[T]) -> Values[T]:
    """The places, from 1, in the latest recorded order that names all of the group."""
    for order in reversed(orders):
        if set(group) <= set(order):
            return {team: Fraction(order.index(team) + 1) for team in group}
    return {}


def _figures(
    tally: Tally[T],
    group: Collection[T],
    read: Callable[[GameResult[T]], tuple[int, ...] | None],
    value: Callable[[int, int], int],
) -> Values[T]:
    """Summed over the games of each team; none for a team of whose games one was played and not counted."""
    values = dict.fromkeys(group, Fraction(0))
    for result in tally.results:
        figures = read(result)
        for place, team in enumerate(result.sides):
            if figures is None:
                if result.is_played:
                    values.pop(team, None)
            elif team in values:
                values[team] += value(figures[place], sum(figures) - figures[place])
    return values
