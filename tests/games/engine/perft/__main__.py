"""How many courses a game can take from a position, or from each of a corpus.

See `docs/development/perft.md`.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from games.engine.command.files import (
    REFUSED,
    REPLAYED,
    RULESET_HELP,
    UNREADABLE,
    lines_of,
    ruleset_value,
    unreadable,
)
from games.engine.jsonl import parse_lines, print_event
from games.engine.refusals import Refusal
from games.engine.replay import replay
from games.engine.ruleset import Ruleset
from tests.games.engine.perft.counts import PROFILES, Position, divide, perft
from tests.games.engine.perft.positions import PerftEntry, read_corpus, read_kin, read_pack


def _depth(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("N counts events: 1 or more")
    return number


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("corpora", nargs="*", type=Path, metavar="FILE", help="positions with their counts")
    one = command.add_argument_group("one position instead of files")
    one.add_argument("--ruleset", metavar="NAME|JSON", help=RULESET_HELP)
    one.add_argument("--seats", type=int, default=2, metavar="N", help="players at the table (2)")
    one.add_argument("--seed", type=int, default=0, metavar="N", help="how the draw pile lies (0)")
    one.add_argument(
        "--pack", type=read_pack, default=(), metavar="CARDS", help="what lies on top of the pack"
    )
    one.add_argument("--kin", type=read_kin, default=(), metavar="PAIRS", help="related seats, as 0-1 2-3")
    one.add_argument("--log", type=Path, metavar="LOG", help="a full log, whose last moment is the position")
    command.add_argument("--depth", type=_depth, metavar="N", help="events; of a corpus no deeper than that")
    command.add_argument("--profile", choices=PROFILES, default="moves", help="what is counted (moves)")
    command.add_argument("--divide", action="store_true", help="counts for each first event")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the counts of one position, or check those of each corpus; the worst status."""
    command = argparse.ArgumentParser(
        prog="python -m tests.games.engine.perft", description="Count what positions can become."
    )
    _add_arguments(command)
    options = command.parse_args(arguments)
    single = options.ruleset is not None or options.log is not None
    if single == bool(options.corpora) or (options.ruleset is not None and options.log is not None):
        print("perft takes files with positions, or --ruleset, or --log", file=sys.stderr)
        return UNREADABLE
    if not single:
        return max(_check_file(path, options.depth) for path in options.corpora)
    if options.depth is None:
        print("perft needs --depth", file=sys.stderr)
        return UNREADABLE
    return _answering(options.log, lambda: _print_counts(_position(options), options))


def _answering(path: Path | None, answer: Callable[[], int]) -> int:
    """The status of an answer; a refusal, a file or a text that can't be read is said as JSON."""
    try:
        return answer()
    except Refusal as refusal:
        print(json.dumps({"error": refusal.to_json()}), flush=True)
        return REFUSED
    except OSError as error:
        print(json.dumps(unreadable(path or Path(), error)), flush=True)
    except ValueError as error:
        message = str(error) if path is None else f"{path}: {error}"
        found = {"line": None, "type": None, "code": "unreadable", "message": message}
        print(json.dumps({"error": found}), flush=True)
    return UNREADABLE


def _position(options: argparse.Namespace) -> Position:
    if options.log is not None:
        with options.log.open("rb") as file:
            return Position.of(replay(parse_lines(lines_of(file))), options.seed)
    ruleset = Ruleset.from_json(ruleset_value(options.ruleset))
    return Position.start(ruleset, options.seats, options.seed, pack=options.pack, kin=options.kin or None)


def _print_counts(position: Position, options: argparse.Namespace) -> int:
    """As lines of a corpus, depth after depth; divided, the last depth's first events before it."""
    depth, profile = options.depth, options.profile
    if options.divide:
        found = divide(position, depth, profile)
        for event, count in found:
            print(count, print_event(event), flush=True)
        print(profile, depth, sum(count for _, count in found))
        return REPLAYED
    for number in range(1, depth + 1):
        print(profile, number, perft(position, number, profile), flush=True)
    return REPLAYED


def _check_file(path: Path, deepest: int | None) -> int:
    def check() -> int:
        return max(
            (_check(entry, deepest) for entry in read_corpus(path.read_text("utf-8"))), default=REPLAYED
        )

    return _answering(path, check)


def _check(entry: PerftEntry, deepest: int | None) -> int:
    """One line for each count, and what was expected where it is another."""
    position = entry.position()
    status = REPLAYED
    for profile, depth, expected in entry.counts:
        if deepest is None or depth <= deepest:
            count = perft(position, depth, profile)
            wrong = "" if count == expected else f", expected {expected}"
            print(f"{entry.title}: {profile} {depth} {count}{wrong}", flush=True)
            status = max(status, REFUSED if wrong else REPLAYED)
    return status


if __name__ == "__main__":
    sys.exit(main())
