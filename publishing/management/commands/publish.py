"""`manage.py publish`: write public pages that are due, or all of them anew."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from people.management.event_argument import find_event
from people.models import Event
from publishing import publication


class Command(BaseCommand):
    """Publish one event, or all."""

    help = "Write the public pages that are due; the service does it by itself."

    def add_arguments(self, parser: CommandParser) -> None:
        """An event's slug, or nothing for all."""
        parser.add_argument("event", nargs="?", help="the event's slug; all events if left out")
        parser.add_argument("--anew", action="store_true", help="withdraw all pages first")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Say how many pages are published of each event; fail if there are some that can't be rendered."""
        slug = options["event"]
        for event in [find_event(slug)] if slug else Event.objects.order_by("slug"):
            if options["anew"]:
                publication.withdraw(event.pk)
            while publication.publish(event.pk):
                pass
            self.stdout.write(f"{event.slug}: {sum(1 for _ in publication.pages_of(event.slug))} pages.")
        failing = publication.failing()
        if failing.count:
            raise CommandError(
                f"{failing.count} pages can't be rendered ({failing.first}): the log says why. They stay due."
            )
