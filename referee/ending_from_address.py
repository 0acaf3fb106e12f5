"""Ends of a game that addresses name."""

from collections.abc import Mapping

from games.engine.events import CLOSE_REASONS, GameClosed
from games.outcome import NO_POINTS
from referee.table_game import TableGame


def counts(found: TableGame, ending: GameClosed, *, by_cards: bool | None = None) -> bool:
    """Whether points can go with this end: the rules count them, and the log doesn't say them already.

    Who knows whether the cards are written down says so with `by_cards`; else the log is looked at.
    """
    if found.state.ruleset.scoring == NO_POINTS:
        return False
    if ending.reason == "time":
        return not (found.is_by_cards if by_cards is None else by_cards)
    return ending.reason == "result"


def ending_of(found: TableGame, query: Mapping[str, str]) -> GameClosed | None:
    """The end that an address names; None if it names none."""
    reason = query.get("reason", "result")
    if reason not in CLOSE_REASONS:
        return None
    wanted = query.get("team", "")
    if not wanted:
        return GameClosed(reason, None)
    team = next((team for team in found.teams if str(team.pk) == wanted), None)
    if team is None:
        return None
    seats = [seat for seat, _ in found.seats_of(team)]
    chosen = [seat for seat in seats if str(seat) == query.get("seat")] or (seats if len(seats) == 1 else [])
    if not chosen and found.names_seats:
        return None
    return GameClosed(reason, chosen[0]) if chosen else GameClosed(reason, None, team=str(team.pk))
