"""Rounds, waves and tables: where the meetings of a round are played."""

from collections.abc import Sequence
from dataclasses import dataclass

from .model import DrawMatch, DrawSquad, Round, Wave


@dataclass(frozen=True, slots=True)
class LaidOutMatch:
    """A match that has no number and no table yet."""

    sides: tuple[DrawSquad, ...]
    games: tuple[tuple[int, ...], ...]


def lay_out(
    rounds: Sequence[Sequence[LaidOutMatch]], waiting: Sequence[tuple[int, ...]], tables: int | None
) -> tuple[Round, ...]:
    """Number the matches from 1 and give each a wave and a table, both from 1; None is as many tables as
    needed.
    """
    number = 0
    laid = []
    for index, meetings in enumerate(rounds):
        per_wave = len(meetings) if tables is None else tables
        waves: list[Wave] = []
        for start in range(0, len(meetings), per_wave):
            matches = []
            for table, meeting in enumerate(meetings[start : start + per_wave], start=1):
                number += 1
                matches.append(DrawMatch(number, table, meeting.sides, meeting.games))
            waves.append(Wave(len(waves) + 1, tuple(matches)))
        laid.append(Round(index + 1, tuple(waves), waiting[index]))
    return tuple(laid)
