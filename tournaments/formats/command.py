"""The command line `python -m tournaments.formats draw …`: repeat a draw from what was published of it.

Neither Django nor a database: Python and this folder are enough. Exit status: 0, drawn; 1, these inputs
allow no draw, or not by the method that was published; 2, the arguments can't be read.
"""

import argparse
import sys
from collections.abc import Sequence

from . import FORMATS, METHOD, METHOD_APART, get_format
from .constraints import kept
from .course import Course
from .errors import CannotDraw, gettext_noop
from .fairness import fairness
from .inputs import Inputs, field_of
from .listing import draw_lines, report_lines
from .model import Draw, Settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit status."""
    options = _parser().parse_args(arguments)
    try:
        inputs = Inputs(
            get_format(options.format),
            field_of(options.team, options.apart, options.strong),
            Settings(options.squad_size, options.rounds, options.tables),
            options.seed,
        )
        drawn = inputs.draw()
        _check_method(drawn, options.method)
    except CannotDraw as error:
        sys.stderr.write(f"{error}\n")
        return 1
    lines = list(draw_lines(drawn))
    if options.report:
        constraints = inputs.field.constraints
        found = kept(drawn, constraints) if constraints else None
        report = fairness(Course.of_draw(drawn), constraints_kept=found)
        lines += report_lines(report, found)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def _check_method(drawn: Draw, published: str | None) -> None:
    if published not in (None, drawn.method):
        raise CannotDraw(
            "method",
            gettext_noop("These inputs are drawn by the method %(method)s, not by %(given)s."),
            method=drawn.method,
            given=repr(published),
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tournaments.formats", description="Repeat draws from what was published of them."
    )
    verbs = parser.add_subparsers(required=True, metavar="VERB")
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
        required=True,
        metavar="ENTRIES",
        help="the entries of a team that play, such as 1-9,11; once for each team, in the order of numbers",
    )
    draw.add_argument("--squad-size", type=int, default=1, metavar="N", help="entries in a squad (1)")
    draw.add_argument("--rounds", type=int, metavar="N", help="rounds; the format's own number if left out")
    draw.add_argument("--tables", type=int, metavar="N", help="tables; as many as needed if left out")
    draw.add_argument(
        "--apart",
        action="append",
        default=[],
        metavar="PLAYERS",
        help="a group that should not meet, such as 1/3,2/5 (team/entry); once for each group, in order",
    )
    draw.add_argument("--strong", default="", metavar="PLAYERS", help="strong entries to spread: 1/1,2/4")
    draw.add_argument("--method", help=f"refuse another method than this: {METHOD} or {METHOD_APART}")
    draw.add_argument("--report", action="store_true", help="say how fair the draw is, too")
    return parser
