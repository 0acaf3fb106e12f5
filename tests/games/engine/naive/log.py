"""A whole log: its summary, or the line and code of its first refusal."""

from collections.abc import Sequence
from typing import Any

from tests.games.engine.naive.reading import read_line
from tests.games.engine.naive.steps import step
from tests.games.engine.naive.table import Event, Refused, Table

Verdict = dict[str, Any] | tuple[int, str]


def judge(lines: Sequence[str]) -> Verdict:
    """The summary after all lines, or (line, code) of the first that is refused."""
    events: list[Event] = []
    kept: list[int] = []
    table: Table | None = None
    for number, line in enumerate(lines, start=1):
        try:
            event = read_line(line)
            if event["type"] == "event_voided":
                table, kept = voided(events, kept, event["line"])
            else:
                table = step(table, event)
                kept = [*kept, number]
        except Refused as refused:
            return number, refused.code
        events.append(event)
    if table is None:
        return 1, "malformed"
    return table.summary(len(lines))


def voided(events: Sequence[Event], kept: Sequence[int], line: int) -> tuple[Table, list[int]]:
    """The table, and the lines that still hold, without one of them; Refused `void`."""
    if line == 1 or line not in kept:
        raise Refused("void")
    rest = [other for other in kept if other != line]
    table: Table | None = None
    try:
        for other in rest:
            table = step(table, events[other - 1])
    except Refused:
        raise Refused("void") from None
    assert table is not None
    return table, rest


def read_log(text: str) -> list[str]:
    """The lines of a log's text."""
    return text.removesuffix("\n").split("\n")
