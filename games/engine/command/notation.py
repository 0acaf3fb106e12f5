"""`notation FILE…`: logs from JSON Lines to notation or back, or the positions that they lead to."""

import argparse
import json
import sys
from pathlib import Path

from games.engine.command.files import REFUSED, REPLAYED, UNREADABLE, number_of_lines, unreadable
from games.engine.events import Event
from games.engine.jsonl import parse_log, print_log
from games.engine.notation import parse_notation, print_notation, print_position
from games.engine.refusals import Refusal
from games.engine.replay import replay

JSONL, NOTATION = "jsonl", "notation"
_MARK = b"\xef\xbb\xbf"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    command.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="a log as JSON Lines or in notation"
    )
    output = command.add_mutually_exclusive_group()
    output.add_argument(
        "--to", choices=(NOTATION, JSONL), help="what to print; without it the other of the two"
    )
    output.add_argument(
        "--position", action="store_true", help="print the position that the log leads to, on one line"
    )
    command.add_argument("--until", type=number_of_lines, metavar="N", help="of the first N events only")


def run(options: argparse.Namespace) -> int:
    """Print one text a file, in the order given, and elsewhere what is refused; the worst status."""
    worst = REPLAYED
    for path in options.files:
        try:
            text = _printed(path.read_bytes(), options)
        except Refusal as refusal:
            print(json.dumps({"error": refusal.to_json()}), file=sys.stderr, flush=True)
            worst = max(worst, REFUSED)
        except OSError as error:
            print(json.dumps(unreadable(path, error)), file=sys.stderr, flush=True)
            worst = UNREADABLE
        else:
            # Both formats are UTF-8, whatever the terminal is set to.
            sys.stdout.buffer.write(text.encode())
            sys.stdout.buffer.flush()
    return worst


def _printed(content: bytes, options: argparse.Namespace) -> str:
    is_jsonl = content.removeprefix(_MARK).lstrip().startswith(b"{")
    log: list[Event] = parse_log(content) if is_jsonl else parse_notation(content)
    log = log[: options.until]
    if options.position:
        return print_position(replay(log)) + "\n"
    to = options.to or (NOTATION if is_jsonl else JSONL)
    return print_notation(log) if to == NOTATION else print_log(log)
