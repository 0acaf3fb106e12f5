"""`game_opened` as headers, one a line: `[Rules palio]`, `[Seat 0 "Anna" "Superiore"]`, …

Beside them can stand `[Winner …]`, which is no part of the event: what the whole log comes to.
"""

from collections.abc import Iterable
from typing import Any, Final

from games.engine.events import Event, GameOpened
from games.engine.notation.cursor import Cursor
from games.engine.notation.stamps import Stamps
from games.engine.notation.values import (
    print_kin,
    print_ruleset,
    print_text,
    print_winner,
    read_kin,
    read_ruleset,
    read_seat,
    read_text,
    read_winner,
    read_word,
)
from games.engine.refusals import Refusal
from games.engine.replay import replay
from games.engine.words import mark

RULES, SEAT, KIN, AT, BY, WINNER = "Rules", "Seat", "Kin", "At", "By", "Winner"
_HEADERS: Final = {name.lower(): name for name in (RULES, SEAT, KIN, AT, BY, WINNER)}
UNDECIDED: Final = "*"
"""The winner of a game that isn't over."""


def print_headers(event: GameOpened, stamps: Stamps, winner: str | None) -> list[str]:
    """One line a header; `winner` as `winner_of` gives it, None to leave it out."""
    lines = [f"[{RULES} {print_ruleset(event.ruleset)}]"]
    for number, seat in enumerate(event.seats):
        team = "" if seat.team is None else f" {print_text(seat.team)}"
        lines.append(f"[{SEAT} {number} {print_text(seat.name)}{team}]")
    if event.kin is not None:
        lines.append(f"[{KIN} {print_kin(event.kin)}]")
    if event.at is not None:
        lines.append(f"[{AT} {stamps.print_time(event.at)}]")
    if event.by is not None:
        lines.append(f"[{BY} {stamps.print_person(event.by)}]")
    if winner is not None:
        lines.append(f"[{WINNER} {winner}]")
    return lines


def winner_of(events: Iterable[Event]) -> str | None:
    """What a log comes to: who won, `-` for nobody, `*` while it goes on; None if it is refused."""
    try:
        state = replay(events)
    except Refusal:
        return None
    return print_winner(state.winner, state.team) if state.over else UNDECIDED


def read_headers(cursor: Cursor, stamps: Stamps) -> tuple[dict[str, Any], tuple[int, str] | None]:
    """The JSON object of the opening whose first header begins here; and where which winner was told."""
    fields: dict[str, Any] = {"type": GameOpened.type, "seats": []}
    winner = None
    told: set[str] = set()
    while cursor.sees("["):
        start = cursor.place
        name = _read_name(cursor)
        if name == RULES and told:
            # The next opening: no log that could be played has two, but a file can hold one.
            cursor.place = start
            break
        if not told and name != RULES:
            cursor.wrong(mark("the first header is [Rules …]"), start)
        if name in told and name != SEAT:
            cursor.wrong(mark("the header {name} stands twice"), start, name=name)
        told.add(name)
        cursor.skip_blanks()
        value = cursor.place
        if name == RULES:
            fields["ruleset"] = read_ruleset(cursor)
        elif name == SEAT:
            fields["seats"].append(_read_seat(cursor, len(fields["seats"])))
        elif name == KIN:
            fields["kin"] = read_kin(cursor)
        elif name == AT:
            fields["at"] = stamps.read_time(cursor)
        elif name == BY:
            fields["by"] = stamps.read_person(cursor)
        else:
            winner = value, _read_winner(cursor)
        cursor.skip_blanks()
        cursor.need("]")
        cursor.skip_blanks()
    return fields, winner


def _read_name(cursor: Cursor) -> str:
    cursor.need("[")
    cursor.skip_blanks()
    return _HEADERS[read_word(cursor, _HEADERS, mark("the name of a header: one of {words}"))]


def _read_seat(cursor: Cursor, due: int) -> dict[str, str]:
    start = cursor.place
    if read_seat(cursor) != due:
        cursor.expected(mark("{number}, the next seat's number"), start, number=due)
    cursor.skip_blanks()
    seat = {"name": read_text(cursor)}
    cursor.skip_blanks()
    if cursor.sees('"'):
        seat["team"] = read_text(cursor)
    return seat


def _read_winner(cursor: Cursor) -> str:
    return UNDECIDED if cursor.take(UNDECIDED) else print_winner(*read_winner(cursor))
