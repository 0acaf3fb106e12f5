"""Metrics from whom a team has met, and when it won: for matches of two, round by round.

What counts for a round that wasn't played is in `opponents`. Each function takes the tally and some teams,
and gives values to all of them; none without rounds.
"""

from collections.abc import Callable, Collection
from fractions import Fraction

from .metric_inputs import Tally
from .model import T
from .opponents import Contribution, OpponentField

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
    return _summed(tally, group, lambda rounds: sum(map(_product, rounds), Fraction(0)))


def sonneborn_berger_cut_1(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Sonneborn-Berger without the product of the opponent with the fewest points (articles 14.1, 16.5)."""
    return _summed(tally, group, _products_without_lowest, free_rounds=False)


def koya(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The points taken from opponents that have at least half of what they could have (article 9.2).

    While matches are open, both are of those that are decided.
    """
    if tally.rounds is None:
        return {}
    field = OpponentField(tally.teams, tally.rounds)
    strong = {team for team in tally.teams if field.has_half(team)}
    return {
        team: sum((each.points for each in field.decided(team) if each.opponent in strong), Fraction(0))
        for team in group
    }


def average_buchholz(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The average Buchholz of those whom the team played, not of walkovers (article 8.2); 0 if it played
    nobody. Each meeting counts (article 4.4).
    """
    if tally.rounds is None:
        return {}
    of_all = buchholz(tally, tally.teams)
    field = OpponentField(tally.teams, tally.rounds)
    values = {}
    for team in group:
        met = [
            of_all[each.opponent] for each in field.decided(team) if each.played and each.opponent is not None
        ]
        values[team] = sum(met, Fraction(0)) / max(len(met), 1)
    return values


def progressive(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The sum of the team's points after each round (article 7.5)."""
    if tally.rounds is None:
        return {}
    field = OpponentField(tally.teams, tally.rounds)
    last = tally.rounds.last
    return {
        team: sum((each.points * (last - each.number + 1) for each in field.rounds(team)), Fraction(0))
        for team in group
    }


def _summed(
    tally: Tally[T],
    group: Collection[T],
    add: Callable[[list[Contribution]], Fraction],
    *,
    free_rounds: bool = True,
) -> Values[T]:
    if tally.rounds is None:
        return {}
    field = OpponentField(tally.teams, tally.rounds)
    return {team: add(field.contributions(team, free_rounds=free_rounds)) for team in group}


def _product(each: Contribution) -> Fraction:
    return each.opponent_score * each.points


def _without_lowest(rounds: list[Contribution]) -> list[Fraction]:
    """The opponents' points without the lowest, or the lowest of rounds that the team wouldn't play."""
    unwilling = [each.opponent_score for each in rounds if each.would_not]
    scores = [each.opponent_score for each in rounds]
    if scores:
        scores.remove(min(unwilling or scores))
    return scores


def _products_without_lowest(rounds: list[Contribution]) -> Fraction:
    """The sum of opponents' points times own, without the least.

    The least is that of the opponent with the fewest points, of several the smallest. Or it is the smallest
    of rounds that the team wouldn't play, if that is more.
    """
    if not rounds:
        return Fraction(0)
    _, least = min((each.opponent_score, _product(each)) for each in rounds)
    unwilling = [_product(each) for each in rounds if each.would_not]
    left_out = max(least, min(unwilling)) if unwilling else least
    return sum(map(_product, rounds), Fraction(0)) - left_out
