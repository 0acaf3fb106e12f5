"""`notation FILE…`: each log in notation."""

import argparse
import json
import sys
from pathlib import Path

from games.engine.command.files import REFUSED, REPLAYED, UNREADABLE, unreadable
from games.engine.jsonl import parse_log
from games.engine.notation import print_notation
from games.engine.refusals import Refusal


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a game log, *.jsonl")


def run(options: argparse.Namespace) -> int:
    """Print one text a file, in the order given, and elsewhere what is refused; the worst status."""
    worst = REPLAYED
    for path in options.files:
        try:
            text = print_notation(parse_log(path.read_bytes()))
        except Refusal as refusal:
            print(json.dumps({"error": refusal.to_json()}), file=sys.stderr, flush=True)
            worst = max(worst, REFUSED)
        except OSError as error:
            print(json.dumps(unreadable(path, error)), file=sys.stderr, flush=True)
            worst = UNREADABLE
        else:
            # It is UTF-8, whatever the terminal is set to.
            sys.stdout.buffer.write(text.encode())
            sys.stdout.buffer.flush()
    return worst
