"""Contributions of each round to metrics that look at opponents.

Rounds that weren't played are managed as in article 16 of the FIDE Handbook, C.07. C.07 is the Play-Off and
Tie-Break Regulations in force from 1 March 2026; the numbers below are its articles. A team's own points
stand as they are. Only what they are worth to these metrics is adjusted.

- A bye by the draw, a walkover won or a bye asked for midway: opponents count that team's points as they are
  (16.3.1). A bye asked for at the end counts as a draw for them (16.3.2). So does one with nothing after it
  but rounds that the team wouldn't play. Leaving early shall not harm whom one has met.
- In a round that it didn't play itself, a team has met a dummy that ends with the team's own points (16.4).
  Yet it has no more than whom the team should have met (walkovers, 16.4.1), nor than a draw for every round
  (byes, 16.4.2).
- Where the lowest value is left out, one from a round that the team wouldn't play goes first (16.5.1).

Where everything was predetermined a walkover is a match like others (15.2). Points given or taken by decision
don't count here: what one team is punished for is nothing to those it has met.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from .model import T
from .round_results import Rounds


@dataclass(frozen=True, slots=True)
class OpponentRound(Generic[T]):
    """What a team did in one round.

    `opponent` is None for a bye. `played` is False for byes and walkovers; `open` while there is no result.
    `would_not`: the team was free to play and didn't: a bye asked for, a walkover lost.
    """

    number: int
    opponent: T | None
    points: Fraction
    played: bool = True
    open: bool = False
    would_not: bool = False


@dataclass(frozen=True, slots=True)
class Contribution:
    """One round to a metric: the points of the opponent (or the dummy), and the team's own against it."""

    opponent_score: Fraction
    points: Fraction
    would_not: bool


class OpponentField(Generic[T]):
    """All teams with their rounds, and what each is worth to those who met it."""

    def __init__(self, teams: Sequence[T], rounds: Rounds[T]) -> None:
        self._predetermined = rounds.predetermined
        self._win = rounds.win
        self._draw = rounds.draw
        self._most = self._draw * rounds.last
        self._rounds = _rounds_of(teams, rounds)
        self._adjusted = {team: self._adjust(team) for team in teams}

    def rounds(self, team: T) -> list[OpponentRound[T]]:
        """The team's rounds in order, one for each that counts by now."""
        return self._rounds[team]

    def decided(self, team: T) -> list[OpponentRound[T]]:
        """Those that count so far: without open matches, and without the rounds in which a team had nobody to
        meet where everything was predetermined (15.2).
        """
        return [
            each
            for each in self._rounds[team]
            if not each.open and not (self._predetermined and each.opponent is None)
        ]

    def has_half(self, team: T) -> bool:
        """Whether a team has at least half of what it could have from its decided rounds (9.2)."""
        decided = self.decided(team)
        return 2 * sum((each.points for each in decided), Fraction(0)) >= self._win * len(decided)

    def _adjust(self, team: T) -> Fraction:
        """The points as those count them who met the team (16.3)."""
        total = Fraction(0)
        leaving = True
        for each in reversed(self._rounds[team]):
            leaving = leaving and each.would_not
            is_requested_bye = each.opponent is None and each.would_not
            total += self._draw if leaving and is_requested_bye else each.points
        return total

    def contributions(self, team: T, *, free_rounds: bool = True) -> list[Contribution]:
        """What each decided round adds, in order; those in which a team had nobody to meet though everything
        was predetermined only with `free_rounds`.
        """
        own = sum((each.points for each in self._rounds[team]), Fraction(0))
        return [
            Contribution(self._opposition(each, own), each.points, each.would_not)
            for each in (self._rounds[team] if free_rounds else self.decided(team))
            if not each.open
        ]

    def _opposition(self, each: OpponentRound[T], own: Fraction) -> Fraction:
        if each.opponent is None:
            return min(own, self._most)
        met = self._adjusted[each.opponent]
        return met if each.played else min(own, met)


def _rounds_of(teams: Sequence[T], rounds: Rounds[T]) -> dict[T, list[OpponentRound[T]]]:
    done: dict[T, dict[int, OpponentRound[T]]] = defaultdict(dict)
    for match in rounds.matches:
        counts = rounds.predetermined or not match.walkover
        for place, team in enumerate(match.sides):
            other = match.sides[1 - place]
            if match.points is None:
                done[team][match.round] = OpponentRound(match.round, other, Fraction(0), open=True)
            else:
                done[team][match.round] = OpponentRound(
                    match.round,
                    other,
                    match.points[place],
                    played=counts,
                    would_not=not counts and team != match.winner,
                )
    for bye in rounds.counted_byes():
        done[bye.team][bye.round] = OpponentRound(
            bye.round, None, bye.points, played=False, would_not=bye.requested and not rounds.predetermined
        )
    drawn = range(1, rounds.last + 1)
    return {
        team: [
            done[team].get(number)
            or OpponentRound(number, None, Fraction(0), played=False, would_not=not rounds.predetermined)
            for number in drawn
        ]
        for team in teams
    }
