"""`manage.py verify`: is everything as it was recorded?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser, no_translations

from tournaments import check
from tournaments.management.commands._events import find_event


class Command(BaseCommand):
    """Walk every stream, replay every game, compare every projection; exit status 1 if anything is wrong."""

    help = (
        "Verify facts, receipts, the legality of every game, and that projections equal what the facts say."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """An event's slug, or nothing for all."""
        parser.add_argument("event", nargs="?", help="the event's slug; all events if left out")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Print each finding on a line of its own."""
        found = 0
        for wrong in check.verify(find_event(options["event"]) if options["event"] else None):
            found += 1
            self.stdout.write(str(wrong))
        if found:
            self.stderr.write(f"{found} wrong.")
            raise SystemExit(1)
        self.stdout.write("Everything is as it was recorded.")
