"""Command line: `python -m games.engine replay FILE… [--until N]`, without Django or a database.

For each file one JSON object on one line, in the order given. Exit status: 0, all replayed; 1, an event was
refused; 2, a file couldn't be opened; the worst of them.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from games.engine.jsonl import parse_lines
from games.engine.refusals import Refusal
from games.engine.replay import replay
from games.engine.summary import summarize

REPLAYED, REFUSED, UNREADABLE = 0, 1, 2


def _until(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("N counts lines: 0 or more")
    return number


def replay_file(path: Path, until: int | None) -> tuple[int, dict[str, Any]]:
    """The status of one file and the object to print for it."""
    try:
        with path.open("rb") as file:
            lines = _lines(file) if until is None else islice(_lines(file), until)
            return REPLAYED, summarize(replay(parse_lines(lines)))
    except Refusal as refusal:
        return REFUSED, {"error": refusal.to_json()}
    except OSError as error:
        message = f"{path} can't be read: {error.strerror}"
        return UNREADABLE, {"error": {"line": None, "type": None, "code": "unreadable", "message": message}}


def _lines(file: Iterator[bytes]) -> Iterator[bytes]:
    for line in file:
        yield line.removesuffix(b"\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m games.engine", description="Replay game logs and print where they lead."
    )
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("replay", help="print the state of each log as one line of JSON")
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a game log, *.jsonl")
    command.add_argument("--until", type=_until, metavar="N", help="read the first N lines only")
    options = parser.parse_args(arguments)
    worst = REPLAYED
    for path in options.files:
        status, answer = replay_file(path, options.until)
        print(json.dumps(answer), flush=True)
        worst = max(worst, status)
    return worst


if __name__ == "__main__":
    sys.exit(main())
