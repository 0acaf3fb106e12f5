"""`manage.py draw`: repeat, preview or make a draw, or the next round of one."""

import json
from collections.abc import Iterable
from typing import Any
from zoneinfo import ZoneInfo

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from people.actors import Actor
from people.refusals import Refused
from tournaments.commands import draw as drawing
from tournaments.commands import round_draws
from tournaments.formats import Course, draw_lines, fairness, report_lines
from tournaments.formats.draw_verification import record_lines, repeat_all, round_lines
from tournaments.formats.entry_numbers import write_numbers
from tournaments.management.commands._arguments import find_tournament
from tournaments.models import Tournament
from tournaments.projections.standings_inputs import courses_now
from tournaments.queries.first_stage_draws import PreviewedDraw, kept_draw, preview_draw


class Command(BaseCommand):
    """Without --make nothing is stored: anybody with the entries and the seed can repeat a published draw."""

    help = "Show what a seed draws for a tournament; with --make keep it, with --publish make it public."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which tournament, which seed, and whether to keep the draw."""
        parser.add_argument("event", help="the event's slug")
        parser.add_argument("tournament", help="the tournament's slug")
        parser.add_argument("--seed", help="the seed; a fresh one if left out")
        parser.add_argument(
            "--kept", action="store_true", help="repeat the draw that is kept, and say whether it is the same"
        )
        parser.add_argument(
            "--next",
            action="store_true",
            help="show what can be drawn now of the stage that is on; with --make draw it",
        )
        parser.add_argument(
            "--record",
            action="store_true",
            help="print what is published of the stage that is on, for `python -m tournaments.formats round`",
        )
        parser.add_argument("--report", action="store_true", help="say how fair the draw is, too")
        parser.add_argument("--make", action="store_true", help="keep this draw")
        parser.add_argument("--publish", action="store_true", help="publish the draw that is kept")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Print method, seed and every match by its numbers of teams and entries."""
        tournament = find_tournament(options["event"], options["tournament"])
        if options["kept"]:
            if tournament.choice.ranks_teams:
                self._repeat(tournament, options["report"])
            else:
                self._repeat_rounds(tournament)
            return
        try:
            if options["record"]:
                record = round_draws.course_of(tournament).record()
                self.stdout.write(json.dumps(record.to_json(), ensure_ascii=False))
                return
            if options["next"]:
                self._next(tournament, make=options["make"])
                return
            seen = preview_draw(tournament, options["seed"])
            self._print(seen, options["report"])
            zone = ZoneInfo(tournament.event.time_zone)
            self.stdout.write(
                f"{seen.day.games} games, {seen.day.start.astimezone(zone):%H:%M} to "
                f"{seen.day.end.astimezone(zone):%H:%M}, "
                f"{seen.day.fewest_games} to {seen.day.most_games} games each, "
                f"{len(seen.day.rematches)} pairs meet more than once"
            )
            if options["make"]:
                drawing.make_draw(tournament, Actor.command(), seen.seed)
                self.stdout.write("Kept.")
            if options["publish"]:
                drawing.publish_draw(tournament, Actor.command())
                self.stdout.write("Published.")
        except Refused as refused:
            raise CommandError(str(refused)) from refused

    def _repeat(self, tournament: Tournament, with_report: bool) -> None:
        courses = courses_now(tournament)
        if not courses:
            raise CommandError("No draw is kept.")
        kept = kept_draw(tournament, courses[0])
        self._print(kept, with_report)
        if kept.inputs is None:
            raise CommandError(
                "The draw that is kept is another one: entries have other numbers since, or its record holds "
                "other matches."
            )
        if not kept.swaps:
            self.stdout.write("The same as the draw that is kept.")
            return
        self.stdout.write("The same as the draw that is kept, then changed by hand:")
        teams = [str(each.team.pk) for each in kept.field.teams]
        for edit in tournament.stages.get(number=drawing.STAGE).edits:
            one, other = edit["one"], edit["other"]
            self.stdout.write(
                f"round {write_numbers(edit['rounds'])}: team {teams.index(one['team']) + 1}, squads "
                f"{one['squad']} and {other['squad']} change places ({edit['reason']})"
            )

    def _repeat_rounds(self, tournament: Tournament) -> None:
        """Every stage, round by round, from its facts and the results as they are now."""
        courses = courses_now(tournament)
        if not courses:
            raise CommandError("No draw is kept.")
        differs = 0
        for course in courses:
            record = course.record()
            self._lines([f"stage {course.number}", *record_lines(record)])
            for number, repeated in enumerate(repeat_all(record), start=1):
                differs += not repeated.is_same
                self._lines([f"round {number}: {repeated.told}"])
                self._lines([*repeated.edit_lines(), *repeated.differences()])
        if differs:
            raise CommandError(
                f"Rounds that would be drawn otherwise by the results as they are now: {differs}. A result "
                "was corrected, or a round was drawn anew in part, after they were drawn."
            )
        self.stdout.write("The same as the draw that is kept.")

    def _next(self, tournament: Tournament, *, make: bool) -> None:
        """What can be drawn now of the stage that is on."""
        seen = round_draws.preview_next_round(tournament)
        record = seen.course.record()
        self._lines([f"stage {seen.course.number}", *record_lines(record)])
        self._lines(line for plan in seen.plans for line in round_lines(plan))
        if make:
            round_draws.draw_next_round(tournament, Actor.command())
            self.stdout.write("Drawn.")
        elif not seen.plans:
            self.stdout.write("Nothing is left to draw in this stage.")

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)

    def _print(self, drawn: PreviewedDraw, with_report: bool) -> None:
        lines = list(draw_lines(drawn.draw))
        if with_report:
            found = drawn.kept() if drawn.inputs and drawn.field.constraints else None
            lines += report_lines(fairness(Course.of_draw(drawn.draw), constraints_kept=found), found)
        self._lines(lines)
        if drawn.inputs is not None:
            self.stdout.write(f"Anywhere: {drawn.command()}")
