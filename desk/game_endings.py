"""The end of a game in the desk's forms, read and checked before anything is asked of the game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from people.refusals import Refused
from tournaments.commands import results

WITH_WINNER = ("result", "forfeit", "time")
WITHOUT_WINNER = ("time", "abandoned")


@dataclass(frozen=True, slots=True)
class ShownEnding:
    """How a game is said to have ended: the winner by seat where a side has one, or meets another of its
    team, else by team; `points` of all seats, or None. Its fields are what `results.enter_result` asks for.
    """

    reason: str
    seat: int | None = None
    team: UUID | None = None
    points: Mapping[int, int] | None = None

    def event(self) -> dict[str, object]:
        """As a log event."""
        event: dict[str, object] = {"type": "game_closed", "reason": self.reason, "winner": self.seat}
        if self.team is not None:
            event["team"] = str(self.team)
        if self.points is not None:
            event["scores"] = {str(seat): total for seat, total in self.points.items()}
        return event


def ending_of(
    reason: str, chosen: str, seats: Sequence[tuple[int, UUID]], sides: int, points: Mapping[int, int] | None
) -> ShownEnding | str:
    """An ending, or a sentence on what is wrong with it.

    `chosen` is the number of the side that won as text, empty for nobody; `seats` are the game's seats in
    order, each with its team. A side is named by the first of its seats: two squads of one team can meet.
    """
    if reason not in {*WITH_WINNER, *WITHOUT_WINNER}:
        return _("A game ends by its result, a forfeit, the bell, or is abandoned.")
    if not chosen:
        return ShownEnding(reason, points=points) if reason in WITHOUT_WINNER else _("Choose who won.")
    numbers = {str(number): number for number in range(sides)}
    if chosen not in numbers:
        return _("Choose one of those who play this game.")
    if reason not in WITH_WINNER:
        return _("An abandoned game has no winner; choose “forfeit” for who was there.")
    teams = dict(seats)
    first = numbers[chosen]
    team = teams[first]
    is_alone = len(seats) == sides
    if is_alone or [teams[seat] for seat in numbers.values()].count(team) > 1:
        return ShownEnding(reason, seat=first, points=points)
    return ShownEnding(reason, team=team, points=points)


def points_of(typed: Mapping[int, str], ruleset: Any, seats: Sequence[int]) -> dict[int, int] | str | None:
    """The points that were typed in for some seats of a game with this rule set, or a sentence on what is
    wrong with them; None if all fields are empty.
    """
    filled = {seat: text.strip() for seat, text in typed.items() if text.strip()}
    if not filled:
        return None
    points = {
        seat: int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1
        for seat, text in filled.items()
    }
    try:
        results.check_seat_points(ruleset, seats, points)
    except Refused as refused:
        return str(refused)
    return points
