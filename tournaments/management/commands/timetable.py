"""`manage.py timetable`: work an event's timetable out, and keep it if one likes it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from people.actors import Actor
from people.display_names import NameBook, Viewer, squad_name
from people.management.event_argument import find_event
from people.refusals import Refused
from tournaments.commands import timetable_work
from tournaments.queries.timetable.problem import read
from tournaments.scheduling.model import Impossible
from tournaments.scheduling.solving import SECONDS, solve


class Command(BaseCommand):
    """Prints hour, table and match a line each; by itself it stores nothing."""

    help = "Work out the timetable of an event by its settings; --keep stores it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which event, for how long, and whether to keep it."""
        parser.add_argument("event", help="the event's slug")
        parser.add_argument("--keep", action="store_true", help="store what was found")
        parser.add_argument("--seed", default="", help="the same seed gives the same timetable")
        parser.add_argument("--seconds", type=float, default=SECONDS, help="how long to look")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Work it out here and now."""
        event = find_event(options["event"])
        given = read(event, anew=True)
        if not given.problem.meetings:
            raise CommandError("There is no match to be placed.")
        book = NameBook(Viewer.public(event))

        def who(key: str) -> str:
            sides = given.matches[key].sides
            return " - ".join(
                squad_name(side.team, [book[entry.pk] for entry in side.entries]) for side in sides
            )

        found = solve(given.problem, seed=options["seed"], seconds=options["seconds"])
        if isinstance(found, Impossible):
            enough = [f"{each.change.value} {each.amount}" for each in found.remedies] or [
                "nothing was found"
            ]
            conflicts = [f"{each.flaw.value} ({'; '.join(map(who, each.keys))})" for each in found.conflicts]
            cause = ": ".join(filter(None, [found.cause.value, ", ".join(conflicts)]))
            raise CommandError(f"It can't fit: {cause}. Enough would be: {', '.join(enough)}.")
        for each in found.placements:
            match = given.matches[each.key]
            moment = given.ruler.moment(each.start).isoformat(timespec="minutes")
            self.stdout.write(f"{moment} table {each.table} round {match.round}: {who(each.key)}")
        compared = timetable_work.compare(given, found.placements)
        for name, of in (("now", compared.before), ("proposed", compared.after)):
            end = given.ruler.moment(of.end).isoformat(timespec="minutes")
            self.stdout.write(
                f"{name}: ends {end}, longest wait {of.longest_wait} minutes, {of.starts} starts, "
                f"{of.clashes} clashes"
            )
        for figure, by in compared.worse().items():
            self.stdout.write(f"worse: {figure.value} by {by}")
        if options["keep"]:
            try:
                timetable_work.store(given, Actor.command(), found.placements)
            except Refused as refused:
                raise CommandError(str(refused)) from refused
            self.stdout.write(f"Kept: {len(found.placements)} matches.")
