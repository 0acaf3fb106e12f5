"""Inputs of metrics: all that they look at, counted and checked."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from .model import Adjustment, CountedResult, T, refuse_repeated_teams, refuse_unknown_teams
from .result_sums import Count, Meetings
from .round_results import Rounds


@dataclass(frozen=True, slots=True)
class Tally(Generic[T]):
    """All that metrics look at. Order plays no part, except that of `lots` and `play_offs`, the latest last.

    `rounds` is there where teams meet round by round: then `meetings`, and with them points, are
    of matches, not of games. `encounters` are those that the direct match compares. Where who meets whom
    hangs on results they are without walkovers (FIDE C.07, 2026, articles 6.1.1 and 15.2). At tables of many
    they are every two who sat at one. `places` are what the format itself says (a bracket, the places in
    groups), 1 for the first. `ranked_last` are removed and stand behind all others, whatever the metrics say.
    """

    teams: tuple[T, ...]
    count: Count[T]
    adjustments: tuple[Adjustment[T], ...]
    lots: tuple[tuple[T, ...], ...]
    play_offs: tuple[tuple[T, ...], ...]
    rounds: Rounds[T] | None
    places: Mapping[T, int]
    meetings: Meetings[T] = field(compare=False)
    encounters: Meetings[T] = field(compare=False)
    ranked_last: frozenset[T] = frozenset()

    @property
    def ranked(self) -> tuple[T, ...]:
        """The teams that metrics put in order: all but those that are ranked last."""
        return tuple(team for team in self.teams if team not in self.ranked_last)

    @property
    def results(self) -> tuple[CountedResult[T], ...]:
        """The results of all games."""
        return tuple(self.count.results.values())

    @classmethod
    def of(
        cls,
        teams: Sequence[T],
        results: Iterable[CountedResult[T]] | Count[T],
        adjustments: Iterable[Adjustment[T]] = (),
        lots: Iterable[Sequence[T]] = (),
        play_offs: Iterable[Sequence[T]] = (),
        rounds: Rounds[T] | None = None,
        places: Mapping[T, int] | None = None,
        ranked_last: Collection[T] = (),
    ) -> "Tally[T]":
        """Take the input as it comes; raises CannotRank for what is there twice or belongs to nobody."""
        count = results if isinstance(results, Count) else Count.of(results)
        meetings = count.meetings if rounds is None else Meetings.of_matches(rounds)
        encounters = meetings
        if rounds is not None and rounds.seats > 2:
            encounters = Meetings.of_tables(rounds)
        elif rounds is not None and not rounds.predetermined:
            encounters = Meetings.of_matches(rounds, walkovers=False)
        tally = cls(
            tuple(teams),
            count,
            tuple(adjustments),
            tuple(tuple(each) for each in lots),
            tuple(tuple(each) for each in play_offs),
            rounds,
            dict(places or {}),
            meetings,
            encounters,
            frozenset(ranked_last),
        )
        refuse_repeated_teams(tally.teams)
        for each in (*tally.lots, *tally.play_offs):
            refuse_repeated_teams(each)
        named = [
            *count.teams,
            *(adjustment.team for adjustment in tally.adjustments),
            *(team for each in (*tally.lots, *tally.play_offs) for team in each),
            *(rounds.teams() if rounds else ()),
            *tally.places,
            *tally.ranked_last,
        ]
        refuse_unknown_teams(named, tally.teams)
        return tally
