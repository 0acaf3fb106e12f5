"""Metrics from whom a team has met, and when it won: for matches of two, round by round.

What counts for a round that wasn't played is in `opponents`. Each function takes the tally and some teams,
and gives values to all of them; none without rounds.
"""

from collections.abc import Callable, Collection
from fractions import Fraction

from .model import T
from .opponents import Contribution, Field
from .tally import Tally

Values = dict[T, Fraction]


def buchholz(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The sum of the opponents' points (FIDE C.07, 2026, article 8.1)."""
    return _summed(tally, group, lambda rounds: sum((each.opponent_score for each in rounds), Fraction(0)))


def buchholz_cut_1(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Without the lowest one (articles 14.1, 16.5)."""
    return _summed(tally, group, lambda rounds: sum(_without_lowest(rounds), Fraction(0)))


def median_buchholz(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Without the lowest and the highest one (article 14.3)."""
    return _summed(tally, group, lambda rounds: sum(sorted(_without_lowest(rounds))[:-1], Fraction(0)))


def sonneborn_berger(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Each opponent's points times the points taken from it (article 9.1)."""
    return _summed(
        tally,
        group,
        lambda rounds: sum((each.opponent_score * each.points for each in rounds), Fraction(0)),
    )


def progressive(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The sum of the team's points after each round (article 7.5)."""
    if tally.rounds is None:
        return {}
    field = Field(tally.teams, tally.rounds)
    last = tally.rounds.last
    return {
        team: sum((each.points * (last - each.number + 1) for each in field.rounds(team)), Fraction(0))
        for team in group
    }


def _summed(
    tally: Tally[T], group: Collection[T], add: Callable[[list[Contribution]], Fraction]
) -> Values[T]:
    if tally.rounds is None:
        return {}
    field = Field(tally.teams, tally.rounds)
    return {team: add(field.contributions(team)) for team in group}


def _without_lowest(rounds: list[Contribution]) -> list[Fraction]:
    """The opponents' points without the lowest, or the lowest of rounds that the team wouldn't play."""
    unwilling = [each.opponent_score for each in rounds if each.would_not]
    scores = [each.opponent_score for each in rounds]
    if scores:
        scores.remove(min(unwilling or scores))
    return scores
