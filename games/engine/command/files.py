"""Files that the verbs of the command line are given."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from games.engine.presets import PRESETS
from games.engine.state import ImpossibleStateError

REPLAYED, REFUSED, UNREADABLE = 0, 1, 2
"""Exit statuses: all went well; an event was refused, or can't be followed; a file couldn't be opened."""


RULESET_HELP: Final = (
    f"a preset's name ({', '.join(PRESETS)}), or JSON with `preset` and the fields that differ: "
    """'{"preset": "palio", "final_draw": true, "drawn_card": "keep"}'"""
)


def ruleset_value(text: str) -> object:
    """What `--ruleset` stands for: a preset's name as it is, JSON read. ValueError for what is no JSON."""
    return json.loads(text) if text.lstrip().startswith(("{", '"')) else text


def number_of_lines(text: str) -> int:
    """How many lines to read, as an argument."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("N counts lines: 0 or more")
    return number


def lines_of(file: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of an open log, without their line feeds."""
    for line in file:
        yield line.removesuffix(b"\n")


def not_followed(fault: ImpossibleStateError) -> dict[str, Any]:
    """The object to print for a log that leads the engine to a state that can't be."""
    message = f"the engine can't follow line {fault.line}, by a fault of its own: {fault.what}"
    return {"error": {"line": fault.line, "type": fault.type, "code": "not-followed", "message": message}}


def unreadable(path: Path, error: OSError) -> dict[str, Any]:
    """The object to print for a file that can't be opened."""
    message = f"{path} can't be read: {error.strerror}"
    return {"error": {"line": None, "type": None, "code": "unreadable", "message": message}}
