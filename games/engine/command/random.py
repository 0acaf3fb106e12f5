"""`random`: a whole game by bots, as a log on standard output."""

import argparse
import re
import sys

from games.engine.bots import STYLES, play_random_game
from games.engine.command.files import REPLAYED, RULESET_HELP, UNREADABLE, ruleset_value
from games.engine.jsonl import print_event
from games.engine.presets import DEFAULT_PRESET
from games.engine.refusals import Refusal
from games.engine.ruleset import Ruleset

_PAIR = re.compile(r"(\d{1,3})-(\d{1,3})", re.ASCII)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    command.add_argument(
        "--ruleset",
        type=_ruleset,
        default=DEFAULT_PRESET,
        metavar="NAME|JSON",
        help=f"{RULESET_HELP}; default %(default)s",
    )
    command.add_argument("--seats", type=int, default=2, metavar="N", help="how many play; default 2")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="another game for each; default 0")
    command.add_argument("--table", action="store_true", help="only what everybody at the table sees")
    command.add_argument(
        "--style", choices=list(STYLES), default=next(iter(STYLES)), help="default %(default)s"
    )
    command.add_argument(
        "--kin", type=_pair, nargs="+", metavar="A-B", help="seats that are related, such as 0-2"
    )


def _ruleset(text: str) -> Ruleset:
    try:
        return Ruleset.from_json(ruleset_value(text))
    except Refusal as refusal:
        raise argparse.ArgumentTypeError(refusal.message) from None
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"the rule set isn't JSON: {error}") from None


def _pair(text: str) -> tuple[int, int]:
    found = _PAIR.fullmatch(text)
    if found is None or int(found[1]) == int(found[2]):
        raise argparse.ArgumentTypeError(f"{text!r} should be two different seats such as 0-2")
    return int(found[1]), int(found[2])


def run(options: argparse.Namespace) -> int:
    """Print the log; or on the other channel why so many can't play by these rules."""
    kin = None if options.kin is None else tuple(options.kin)
    try:
        # Before so many seats are set up at all.
        options.ruleset.check(options.seats)
        log = play_random_game(
            options.ruleset, options.seats, options.seed, table=options.table, style=options.style, kin=kin
        )
    except Refusal as refusal:
        print(f"error: {refusal.message}", file=sys.stderr)
        return UNREADABLE
    for event in log:
        print(print_event(event))
    return REPLAYED
