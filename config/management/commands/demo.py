"""`manage.py demo`: a sample palio, half played, to look around in."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations
from django.urls import reverse
from django.utils import timezone

from config.embedded.first_run import organizer
from people.models import Account, Event
from tournaments.commands.sample_event import make_sample
from tournaments.models import Table


class Command(BaseCommand):
    """Makes the sample palio for the first account, and that account if there is none."""

    help = "Make a sample palio on today's date, half played, and print its addresses."

    def add_arguments(self, parser: CommandParser) -> None:
        """How to print."""
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Print the paths of the public page, a referee's table and the desk, and the account."""
        if Event.objects.filter(name="Palio delle contrade", is_practice=True).exists():
            raise CommandError("The sample palio is there already.")
        username, password = organizer()
        tournament = make_sample(Account.objects.get(username=username), timezone.localdate())
        table = Table.objects.filter(event=tournament.event).order_by("number")[0]
        made = {
            "public": reverse("publishing:event", args=[tournament.event.slug]),
            "referee": reverse("referee:table", args=[table.code]),
            "desk": reverse("desk:event", args=[tournament.event.slug]),
            "account": username,
        }
        if password is not None:
            made["password"] = password
        if options["json"]:
            self.stdout.write(json.dumps(made))
            return
        for name, value in made.items():
            self.stdout.write(f"{name:<10}{value}")
