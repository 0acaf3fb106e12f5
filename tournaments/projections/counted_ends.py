"""Ends of games: what each counts for its match, and which side won it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from games.engine.places import places_of
from games.outcome import Figures
from tournaments.formats.match_lengths import GameEnd
from tournaments.standings import CountedResult, GameClosing

_CLOSINGS: Final = {
    "played": GameClosing.PLAYED,
    "result": GameClosing.PLAYED,
    "time": GameClosing.BELL,
    "forfeit": GameClosing.FORFEIT,
    "abandoned": GameClosing.VOID,
}


def closing_of(closed_by: str, *, has_winner: bool, is_shared: bool) -> GameClosing:
    """How a game ended, from its `closed_by`. An abandoned one with a winner counts as a forfeit, without one
    as void. One that the bell ended is shared if the tournament says so.

    A result can be without a winner: the first place is shared, or one of two sides of one team has won and
    it wasn't said which. It counts for nobody.
    """
    if is_shared:
        return GameClosing.SHARED
    closing = _CLOSINGS[closed_by]
    if closing is GameClosing.VOID and has_winner:
        return GameClosing.FORFEIT
    if closing is GameClosing.PLAYED and not has_winner:
        return GameClosing.BELL
    return closing


def end_of(winner: int | None, closed_by: str, *, is_shared: bool) -> GameEnd:
    """How a game that is over counts for its match; `winner` is the side that won, as the match names it."""
    return GameEnd(winner, closing_of(closed_by, has_winner=winner is not None, is_shared=is_shared))


def side_of_seat(playing: Sequence[int], seat: int) -> int:
    """The side that a seat belongs to; `playing` are the sides of the game, first seat first.

    Squads are of one size and take turns around the table (`formats.match_lengths.seating`).
    """
    return playing[seat % len(playing)]


def winning_side(
    playing: Sequence[int], teams: Sequence[UUID], seat: int | None, team: UUID | None
) -> int | None:
    """The index of the side that won, None if nobody did; `teams` are those of the match's sides.

    A winner by team alone is that of its side. Where two of one team meet it can't be told, and whoever
    enters such a result is asked for the seat.
    """
    if seat is not None:
        return side_of_seat(playing, seat)
    own = [side for side in playing if teams[side] == team] if team is not None else []
    return own[0] if len(own) == 1 else None


def by_side(by_seat: Sequence[int] | None, sides: int) -> tuple[int, ...] | None:
    """The numbers of a game's seats added up for each of so many sides, first seat's side first."""
    if by_seat is None:
        return None
    return tuple(sum(by_seat[at::sides]) for at in range(sides))


def places_by_side(by_seat: Sequence[int] | None, sides: int) -> tuple[int, ...] | None:
    """The place of each of so many sides: that of its best seat, of equals that of the next best.

    Places count from 1 and skip after ties; None where those of the seats aren't known.
    """
    if by_seat is None:
        return None
    return places_of([tuple(sorted(by_seat[at::sides])) for at in range(sides)])


def with_figures(result: CountedResult[UUID], figures: Figures | None) -> CountedResult[UUID]:
    """A result with the card points and penalty cards of each side, where they are known."""
    if figures is None or not result.is_played:
        return result
    seats = range(len(figures.teams))
    owned = replace(figures, teams=tuple(result.sides[seat % len(result.sides)] for seat in seats))
    return replace(
        result, card_points=owned.card_points_of(result.sides), penalties=owned.penalties_of(result.sides)
    )
