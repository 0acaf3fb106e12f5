"""`manage.py rehearse`: a practice copy of an event, as the desk makes it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from people.management.event_argument import find_event
from people.refusals import Refused
from tournaments.commands.practice_copy import rehearse


class Command(BaseCommand):
    """Organized by whoever organizes the event; `manage.py delete_event` takes it away."""

    help = "Make a practice copy of an event: the same teams and settings, made-up players, drawn and ready."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which event."""
        parser.add_argument("event", help="the event's slug")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print its slug."""
        event = find_event(options["event"])
        organizer = event.organizers.select_related("account").order_by("pk").first()
        if organizer is None:
            raise CommandError(f"Nobody organizes “{event.name}”.")
        with translation.override(event.language):
            try:
                made = rehearse(event, organizer.account)
            except Refused as refused:
                raise CommandError(str(refused)) from refused
        self.stdout.write(made.slug)
