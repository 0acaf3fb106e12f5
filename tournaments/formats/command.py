"""The command line `python -m tournaments.formats`: repeat draws from what was published of them.

    python -m tournaments.formats draw --format swiss --contestants 16 --option rounds=5 --seed …
    python -m tournaments.formats round FILE [--round N]

Python and this folder are enough. Neither Django nor a database is needed. Exit status of `draw`: 0, drawn;
1, these inputs allow no draw, or not by the published method; 2, the arguments can't be read. Of `round`: 0,
the same; 1, something differs; 2, the file can't be read.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from .catalogue import FORMATS, STAGE_FORMATS
from .constraints import kept
from .edits import read_squads
from .errors import CannotDraw
from .fairness import fairness
from .inputs import DrawInputs, field_of, get_format
from .listing import draw_lines, report_lines
from .match_sequence import Course
from .model import Settings
from .round_command import draw_first, repeat_rounds


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit status."""
    options = _parser().parse_args(arguments)
    if options.verb == "round":
        return repeat_rounds(options)
    try:
        lines = _draw_by_round(options) if options.format in STAGE_FORMATS else _draw_at_once(options)
    except CannotDraw as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def _draw_by_round(options: argparse.Namespace) -> list[str]:
    _refuse_others(options, squad_size=1, rounds=None, strong="")
    return list(draw_first(options))


def _draw_at_once(options: argparse.Namespace) -> list[str]:
    inputs = DrawInputs(
        get_format(options.format),
        field_of(options.team, options.apart, options.strong),
        Settings(options.squad_size, options.rounds, options.tables),
        options.seed,
        options.method,
    )
    _refuse_others(options, contestants=None, option=[])
    drawn = inputs.draw(swap for text in options.swap for swap in read_squads(text, inputs.contestants()))
    lines = list(draw_lines(drawn))
    if options.report:
        constraints = inputs.field.constraints
        found = kept(drawn, constraints) if constraints else None
        report = fairness(Course.of_draw(drawn), constraints_kept=found)
        lines += report_lines(report, found)
    return lines


def _refuse_others(options: argparse.Namespace, **unused: object) -> None:
    """Refuse arguments that say nothing with this format, given with what they are when left out."""
    for name, left_out in unused.items():
        if getattr(options, name) != left_out:
            raise CannotDraw(
                "argument",
                "--%(name)s says nothing with the format %(format)s.",
                name=name.replace("_", "-"),
                format=options.format,
            )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tournaments.formats", description="Repeat draws from what was published of them."
    )
    verbs = parser.add_subparsers(required=True, metavar="VERB", dest="verb")
    draw = verbs.add_parser(
        "draw",
        help="print who meets whom",
        description="Print who meets whom: for each match round, wave, table and sides (team:entries).",
    )
    draw.add_argument("--format", required=True, help=f"one of {', '.join(FORMATS)}")
    draw.add_argument("--seed", required=True, help="the published seed, to the letter")
    draw.add_argument(
        "--team",
        action="append",
        default=[],
        metavar="NUMBERS",
        help="the entries of a team that play, such as 1-9,11; once for each team, in the order of numbers. "
        "With a format drawn round by round: its contestants' numbers",
    )
    draw.add_argument(
        "--contestants", type=int, metavar="N", help="round by round: so many, of a team of their own each"
    )
    draw.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="round by round: a setting of the format, such as rounds=5; once for each",
    )
    draw.add_argument("--squad-size", type=int, default=1, metavar="N", help="entries in a squad (1)")
    draw.add_argument("--rounds", type=int, metavar="N", help="rounds; the format's own number if left out")
    draw.add_argument("--tables", type=int, metavar="N", help="tables; as many as needed if left out")
    draw.add_argument(
        "--apart",
        action="append",
        default=[],
        metavar="PLAYERS",
        help="a group that should not meet, such as 1/3,2/5 (team/entry; round by round 3,5: contestants); "
        "once for each group, in order",
    )
    draw.add_argument("--strong", default="", metavar="PLAYERS", help="strong entries to spread: 1/1,2/4")
    draw.add_argument(
        "--swap",
        action="append",
        default=[],
        metavar="SWAP",
        help="changed by hand: 2:1/3,1/5 for the squads of these entries in round 2 (round by round 1:3,5: "
        "contestants); once for each change, in order",
    )
    draw.add_argument("--method", help="the published method; that of new draws if left out")
    draw.add_argument("--report", action="store_true", help="say how fair the draw is, too")
    _add_round(verbs)
    return parser


def _add_round(verbs: Any) -> None:
    again = verbs.add_parser(
        "round",
        help="draw any round of a stage again and compare",
        description="Draw every round again from the rounds before it, say whether it is the same, and print "
        "the next one.",
    )
    again.add_argument("file", metavar="FILE", help="what is published of the stage, as JSON; - for stdin")
    again.add_argument("--round", type=int, metavar="N", help="this round alone, and print it")
    again.add_argument("--tables", type=int, metavar="N", help="tables, for the report; as many as needed")
    again.add_argument("--report", action="store_true", help="say how fair the rounds are, too")
