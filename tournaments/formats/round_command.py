"""The command line of formats that are drawn round by round: the first draw, any round again."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .catalogue import STAGE_FORMATS
from .draw_verification import Repeated, head_line, record_lines, repeat_all, repeat_round, round_lines
from .edits import read_contestants, swapped_plans
from .entry_numbers import read_numbers
from .errors import CannotDraw
from .fairness import fairness
from .format import Contestant, Format, PlayedRound, StageProgress, other_method, unknown_contestant
from .listing import report_lines
from .match_sequence import Course
from .model import check_seed
from .record import StageRecord, Unreadable, read_record
from .table_layout import progress_as_draw

# What only this command line says isn't marked for translation: it speaks English.
SAME, DIFFERS, UNREADABLE = 0, 1, 2
_WORDS = {"true": True, "yes": True, "false": False, "no": False, "none": None}


def draw_first(options: argparse.Namespace) -> Iterator[str]:
    """The first round, or all of them where results play no part; raises CannotDraw."""
    choice = STAGE_FORMATS[options.format]
    contestants = _contestants(options.contestants, options.team, options.apart)
    check_seed(options.seed)
    form = choice.build(choice.complete(dict(map(_option, options.option))))
    if options.method not in (None, choice.method):
        raise other_method(choice.method or "–", options.method)
    swaps = (swap for text in options.swap for swap in read_contestants(text))
    plans = swapped_plans(form.coming_rounds(StageProgress(contestants), options.seed), swaps)
    yield head_line(choice.key, choice.method, options.seed)
    for plan in plans:
        yield from round_lines(plan)
    if options.report:
        played = tuple(PlayedRound(plan, (None,) * len(plan.pairings)) for plan in plans)
        yield from _report(form, StageProgress(contestants, played), options.tables)


def _contestants(count: int | None, teams: list[str], apart: list[str]) -> tuple[Contestant, ...]:
    """So many, each of a team of its own, or those of the teams named by their numbers."""
    if (count is None) != bool(teams):
        raise CannotDraw(
            "contestants",
            "Either --contestants or --team says who plays: one of them is expected.",
        )
    if count is not None:
        team_of = {number: number for number in range(1, count + 1)}
    else:
        named = [(number, at) for at, text in enumerate(teams, start=1) for number in read_numbers(text)]
        team_of = dict(named)
        if len(team_of) != len(named) or sorted(team_of) != list(range(1, len(team_of) + 1)):
            raise CannotDraw(
                "contestant_numbers",
                "The teams together have the contestants 1, 2, 3, …, each of them once.",
            )
    groups = [set(read_numbers(text)) for text in apart]
    for group in groups:
        for number in sorted(group - set(team_of)):
            raise unknown_contestant(number)
    return tuple(
        Contestant(
            number, team_of[number], frozenset(at for at, group in enumerate(groups, 1) if number in group)
        )
        for number in sorted(team_of)
    )


def _option(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals:
        raise CannotDraw(
            "unreadable_option",
            "A setting of the format is written like rounds=5, not %(given)s.",
            given=repr(text),
        )
    if value.isascii() and value.isdigit() and len(value) < 7:
        return key, int(value)
    return key, _WORDS.get(value.lower(), value)


def _report(form: Format, progress: StageProgress, tables: int | None) -> Iterator[str]:
    return report_lines(fairness(Course.of_draw(progress_as_draw(form, progress, tables))))


def repeat_rounds(options: argparse.Namespace) -> int:
    """Draw rounds again from what is published of a stage, and say whether they are the same."""
    try:
        record = read_record(_json(options.file))
    except Unreadable as error:
        sys.stderr.write(f"{error}\n")
        return UNREADABLE
    drawn = len(record.drawn)
    if options.round is not None and not 1 <= options.round <= drawn + 1:
        sys.stderr.write(f"--round: expected a number from 1 to {drawn + 1}, not {options.round}.\n")
        return UNREADABLE
    _print(record_lines(record))
    if options.round is None:
        status = max(map(_tell, repeat_all(record)), default=SAME)
        _print(_next_lines(record))
    elif options.round <= drawn:
        repeated = repeat_round(record, options.round)
        _print([] if repeated.again is None else round_lines(repeated.again))
        status = _tell(repeated)
    else:
        status = SAME
        _print(_next_lines(record))
    if options.report:
        _print(_report(record.format(), record.progress, options.tables))
    return status


def _tell(repeated: Repeated) -> int:
    _print(
        [
            f"round {repeated.drawn.number}: {repeated.told}",
            *repeated.edit_lines(),
            *repeated.differences(),
        ]
    )
    return SAME if repeated.is_same else DIFFERS


def _next_lines(record: StageRecord) -> Iterator[str]:
    number = len(record.drawn) + 1
    try:
        plan = record.draw(number)
    except CannotDraw as error:
        yield (
            f"round {number} can't be drawn yet: {error}"
            if error.code == "results_missing"
            else (f"round {number} can't be drawn: {error}")
        )
        return
    if plan is None:
        yield "all rounds are drawn"
    else:
        yield from round_lines(plan)


def _print(lines: Any) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _json(name: str) -> object:
    """The JSON of a file, or of the standard input; raises Unreadable."""
    try:
        if name == "-":
            return json.load(sys.stdin)
        return json.loads(Path(name).read_text("utf-8"))
    except OSError as error:
        raise Unreadable(f"{name}: expected a file that can be read ({error.strerror}).") from error
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{name}: expected JSON ({error}).") from error
