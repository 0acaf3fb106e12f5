"""`manage.py delete_event`: the one way in which facts are ever deleted."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from people.management.event_argument import find_event
from tournaments.commands.delete_event import delete_event


class Command(BaseCommand):
    """Asks for the event's name again, since nothing brings it back but a backup."""

    help = "Delete an event with all its facts and people; a tombstone with its last receipt is left."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which event, and its name as a confirmation."""
        parser.add_argument("event", help="the event's slug")
        parser.add_argument("--name", help="the event's name, to confirm; asked for if left out")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Print what is left."""
        event = find_event(options["event"])
        name = options["name"]
        if name is None:
            try:
                name = input(f"This deletes “{event.name}” for good. Type its name to go on: ")
            except EOFError:
                raise CommandError(
                    "Nothing was deleted: where nobody can type, confirm with --name and the event's name."
                ) from None
        if name != event.name:
            raise CommandError(f"Nothing was deleted: the event's name is “{event.name}”, not “{name}”.")
        tombstone = delete_event(event)
        self.stdout.write(
            f"Deleted: {tombstone.streams} streams with {tombstone.facts} facts. "
            f"The last receipt was {tombstone.receipt_root}."
        )
