"""The table of log events in docs/reference/game-log.md, made from their classes.

`python -m tests.docs.log_events_table` writes it there.
"""

import re
from pathlib import Path

from games.engine.events import EVENT_CLASSES, EVENT_FIELDS, NEEDED, Event, LogEvent

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "game-log.md"
TABLE = re.compile(r"(<!-- table: events -->\n).*?(\n<!-- end -->)", re.DOTALL)


def table() -> str:
    """One line a type: its fields, and what its class says of it."""
    lines = ["| type | fields | what happened |", "|---|---|---|"]
    lines += [f"| `{cls.type}` | {_fields(cls)} | {_text(cls)} |" for cls in EVENT_CLASSES]
    return "\n".join(lines)


def with_table(text: str) -> str:
    """The page's text with the table as the engine has it."""
    return TABLE.sub(lambda found: found[1] + table() + found[2], text)


def _fields(cls: type[Event]) -> str:
    own = [name for name in EVENT_FIELDS[cls] if name not in LogEvent.__dataclass_fields__]
    return ", ".join(f"`{name}`" if name in NEEDED[cls] else f"`{name}?`" for name in own)


def _text(cls: type[Event]) -> str:
    return " ".join((cls.__doc__ or "").split()).removesuffix(".")


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
