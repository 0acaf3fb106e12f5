"""The end of a game in the desk's forms, read and checked before anything is asked of the game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from games.engine import Ruleset
from games.engine.places import only_first
from people.number_parsing import whole_number
from people.refusals import Refused
from tournaments.commands import results

WITH_WINNER = ("result", "forfeit", "time")
WITHOUT_WINNER = ("time", "abandoned")


@dataclass(frozen=True, slots=True)
class ShownEnding:
    """How a game is said to have ended. The winner is named by seat where a side has one, or meets another of
    its team, else by team. `points` and `places` of all seats, or None. `absent` are the sides, from 0, that
    weren't there. Its fields are what `results.enter_result` asks for.
    """

    reason: str
    seat: int | None = None
    team: UUID | None = None
    points: Mapping[int, int] | None = None
    places: Mapping[int, int] | None = None
    absent: frozenset[int] = frozenset()

    def event(self) -> dict[str, object]:
        """As a log event."""
        event: dict[str, object] = {"type": "game_closed", "reason": self.reason, "winner": self.seat}
        if self.team is not None:
            event["team"] = str(self.team)
        if self.points is not None:
            event["scores"] = {str(seat): total for seat, total in self.points.items()}
        if self.places is not None:
            event["places"] = {str(seat): place for seat, place in self.places.items()}
        return event


def ending_of(
    reason: str,
    chosen: str,
    seats: Sequence[tuple[int, UUID]],
    sides: int,
    points: Mapping[int, int] | None,
    absent: frozenset[int],
) -> ShownEnding | str:
    """An ending, or a sentence on what is wrong with it.

    `chosen` is the number of the side that won as text, empty for nobody; `seats` are the game's seats in
    order, each with its team. A side is named by the first of its seats: two squads of one team can meet.
    """
    if reason not in {*WITH_WINNER, *WITHOUT_WINNER}:
        return _("A game ends by its result, a forfeit, the bell, or is abandoned.")
    if not chosen:
        nobody = ShownEnding(reason, points=points, absent=absent)
        return nobody if reason in WITHOUT_WINNER else _("Choose who won.")
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
        return ShownEnding(reason, seat=first, points=points, absent=absent)
    return ShownEnding(reason, team=team, points=points, absent=absent)


def points_of(
    typed: Mapping[int, str], ruleset: Ruleset, seats: Sequence[int], absent: frozenset[int], sides: int
) -> dict[int, int] | str | None:
    """The points that were typed in for some seats of a game with this rule set, or a sentence on what is
    wrong with them. None if all fields are empty of those sides that weren't absent, who have none.
    """
    came = [seat for seat in seats if seat % sides not in absent]
    filled = {seat: typed[seat].strip() for seat in came if seat in typed and typed[seat].strip()}
    if not filled:
        return None
    numbers = {seat: whole_number(text) for seat, text in filled.items()}
    # What is no number is refused as one below 0 is.
    points = {seat: -1 if number is None else number for seat, number in numbers.items()}
    try:
        results.check_seat_points(ruleset, came, points)
    except Refused as refused:
        return str(refused)
    return dict.fromkeys(set(seats) - set(came), 0) | points


ABSENT = ("-", "–")
"""What is typed in place of a place, or of points, for who wasn’t there."""


def absent_sides(places: Mapping[int, str], points: Mapping[int, str], sides: int) -> frozenset[int]:
    """Who wasn’t there, by what was typed as the places of sides and the points of seats."""
    by_place = (side for side, text in places.items() if text.strip() in ABSENT)
    by_points = (seat % sides for seat, text in points.items() if text.strip() in ABSENT)
    return frozenset((*by_place, *by_points))


def ranked_ending(
    reason: str,
    typed: Mapping[int, str],
    ruleset: Ruleset,
    seats: int,
    points: Mapping[int, int] | None,
    absent: frozenset[int],
) -> ShownEnding | str:
    """An ending of a game that ranks its sides, or a sentence on what is wrong with it.

    `typed` is what stands in the field of each side. Who wasn't there comes last; where only one was, or
    nobody, that is a forfeit. Where no place is typed, the points give them.
    """
    if reason not in {*WITH_WINNER, *WITHOUT_WINNER}:
        return _("A game ends by its result, a forfeit, the bell, or is abandoned.")
    came = {side: text.strip() for side, text in typed.items() if side not in absent}
    filled = {side: text for side, text in came.items() if text}
    if reason == "abandoned":
        told = _("An abandoned game has no places.")
        return told if filled else ShownEnding(reason, points=points, absent=absent)
    if len(came) < 2 or (len(filled) == 1 and reason == "forfeit"):
        there = filled or came
        return ShownEnding("forfeit", seat=next(iter(there), None), absent=absent)
    if reason == "forfeit":
        return _("A forfeit is for one who was there: give them the place 1, and nobody else any.")
    if not filled:
        if points is None:
            return _("Here the places decide: write that of everybody at the table.")
        away = [seat for seat in range(seats) if seat % len(typed) in absent]
        places = results.places_by_points(ruleset, {at: points[at] for at in points if at not in away})
        places |= dict.fromkeys(away, 1 + len(places))
    else:
        # What is no number is refused as place 0 is.
        by_side = {side: whole_number(text) or 0 for side, text in filled.items()}
        by_side |= dict.fromkeys(absent, 1 + len(came))
        try:
            results.check_places(by_side, len(typed))
        except Refused as refused:
            return str(refused)
        places = results.places_of_seats(by_side, seats)
    return ShownEnding(reason, seat=only_first(places), points=points, places=places, absent=absent)
