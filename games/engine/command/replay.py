"""`replay FILE…`: the state that each log leads to, as one line of JSON."""

import argparse
import json
from itertools import islice
from pathlib import Path
from typing import Any

from games.engine.command.files import (
    REFUSED,
    REPLAYED,
    UNREADABLE,
    lines_of,
    not_followed,
    number_of_lines,
    unreadable,
)
from games.engine.jsonl import parse_lines
from games.engine.refusals import Refusal
from games.engine.replay import replay
from games.engine.snapshot import summarize
from games.engine.state import ImpossibleStateError


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a game log, *.jsonl")
    command.add_argument("--until", type=number_of_lines, metavar="N", help="read the first N lines only")


def run(options: argparse.Namespace) -> int:
    """Print one object a file, in the order given; the worst status."""
    worst = REPLAYED
    for path in options.files:
        status, answer = replay_file(path, options.until)
        print(json.dumps(answer), flush=True)
        worst = max(worst, status)
    return worst


def replay_file(path: Path, until: int | None) -> tuple[int, dict[str, Any]]:
    """The status of one file and the object to print for it."""
    try:
        with path.open("rb") as file:
            lines = lines_of(file) if until is None else islice(lines_of(file), until)
            return REPLAYED, summarize(replay(parse_lines(lines)))
    except Refusal as refusal:
        return REFUSED, {"error": refusal.to_json()}
    except ImpossibleStateError as fault:
        return REFUSED, not_followed(fault)
    except OSError as error:
        return UNREADABLE, unreadable(path, error)
