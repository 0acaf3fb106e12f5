"""`game_opened` as headers, one a line: `[Rules palio]`, `[Seat 0 "Anna" "Superiore"]`, …

Beside them can stand `[Winner …]`: what the whole log comes to. It is no part of the event.
"""

from collections.abc import Iterable
from typing import Final

from games.engine.events import Event, GameOpened
from games.engine.notation.stamps import Stamps
from games.engine.notation.values import print_kin, print_ruleset, print_text, print_winner
from games.engine.refusals import Refusal
from games.engine.replay import replay
from games.engine.state import ImpossibleStateError

UNDECIDED: Final = "*"
"""The winner of a game that isn't over."""


def print_headers(event: GameOpened, stamps: Stamps, winner: str | None) -> list[str]:
    """One line a header; `winner` as `winner_of` gives it, None to leave it out."""
    lines = [f"[Rules {print_ruleset(event.ruleset)}]"]
    for number, seat in enumerate(event.seats):
        team = "" if seat.team is None else f" {print_text(seat.team)}"
        lines.append(f"[Seat {number} {print_text(seat.name)}{team}]")
    if event.kin is not None:
        lines.append(f"[Kin {print_kin(event.kin)}]")
    if event.at is not None:
        lines.append(f"[At {stamps.print_time(event.at)}]")
    if event.by is not None:
        lines.append(f"[By {stamps.print_person(event.by)}]")
    if winner is not None:
        lines.append(f"[Winner {winner}]")
    return lines


def winner_of(events: Iterable[Event]) -> str | None:
    """What a log comes to: who won, `-` for nobody, `*` while it goes on; None if it can't be followed."""
    try:
        state = replay(events)
    except (Refusal, ImpossibleStateError):
        return None
    return print_winner(state.winner, state.team) if state.over else UNDECIDED
