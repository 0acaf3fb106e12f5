"""`manage.py rebuild`: throw the projections away and build them again from facts."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser, no_translations

from people.management.event_argument import find_event
from tournaments.projections.rebuild import CannotRebuildError, rebuild


class Command(BaseCommand):
    """Rebuild one event, or all; a tournament at a time, each in one transaction."""

    help = "Build all projections (draws, games, standings) again from the facts."

    def add_arguments(self, parser: CommandParser) -> None:
        """An event's slug, or nothing for all."""
        parser.add_argument("event", nargs="?", help="the event's slug; all events if left out")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Say how many tournaments were built again, and what couldn't be; exit status 1 then."""
        event = find_event(options["event"]) if options["event"] else None
        try:
            count = rebuild(event)
        except CannotRebuildError as error:
            self.stdout.write(f"Tournaments built again: {error.count}.")
            for sentence in error.sentences():
                self.stderr.write(f"Can't be built again from its facts: {sentence}")
            raise SystemExit(1) from error
        self.stdout.write(f"Tournaments built again: {count}.")
