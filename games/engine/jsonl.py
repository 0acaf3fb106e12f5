"""Logs as JSON Lines: reading with `malformed` for whatever can't be read, and printing."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NoReturn

from games.engine.event_json import event_to_json, parse_event
from games.engine.events import Event
from games.engine.phrases import shown
from games.engine.refusals import Refusal


class _TwiceError(ValueError):
    """A key stands twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
_BLANK: Final = " \t\r\n"


def parse_line(text: str | bytes, *, line: int | None = None) -> Event:
    """The event that one line of a log stands for; Refusal `malformed` if it is none."""
    try:
        if isinstance(text, bytes):
            text = text.decode()
        if text[:1] == "{":
            obj, end = _DECODER.raw_decode(text)
            if end != len(text) and text[end:].strip(_BLANK):
                raise Refusal("malformed", "more than one JSON object on the line", line=line)
        elif not text.strip(_BLANK):
            raise Refusal("malformed", "a blank line; every line holds one event", line=line)
        else:
            obj = _DECODER.decode(text)
    except UnicodeDecodeError:
        raise Refusal("malformed", "the line isn't UTF-8", line=line) from None
    except _TwiceError as twice:
        raise Refusal(
            "malformed", "the field {given} stands twice in one object", line=line, given=shown(str(twice))
        ) from None
    except json.JSONDecodeError as error:
        raise Refusal(
            "malformed", "the line isn't JSON from character {place} on", line=line, place=error.pos + 1
        ) from None
    except RecursionError:
        raise Refusal("malformed", "the line is nested too deeply", line=line) from None
    except ValueError:
        # What is left: NaN and infinities, and numbers of thousands of digits.
        raise Refusal("malformed", "a number on the line is no JSON, or too long", line=line) from None
    return parse_event(obj, line=line)


def split_lines(text: str | bytes) -> Sequence[str | bytes]:
    """The lines of a log: split at line feeds only, the last of which may be missing."""
    lines = text.split(b"\n") if isinstance(text, bytes) else text.split("\n")
    return lines if lines[-1] else lines[:-1]


def parse_lines(lines: Iterable[str | bytes]) -> Iterator[Event]:
    """One event after the other; Refusal `malformed` at the first that can't be read, or if there is none."""
    number = 0
    for number, text in enumerate(lines, start=1):
        yield parse_line(text, line=number)
    if number == 0:
        raise Refusal("malformed", "a log has at least one line", line=1)


def parse_log(source: str | bytes | Iterable[str | bytes]) -> list[Event]:
    """All events of a log, given as its text, its bytes or its lines; Refusal `malformed` with its line."""
    lines = split_lines(source) if isinstance(source, (str, bytes)) else source
    return list(parse_lines(lines))


def print_event(event: Event) -> str:
    """One line of a log, without its line feed."""
    return json.dumps(event_to_json(event), ensure_ascii=False)


def print_log(events: Iterable[Event]) -> str:
    """A log's text: one event a line, each ended by a line feed."""
    return "".join(print_event(event) + "\n" for event in events)
