"""`manage.py archive`: a whole event as one file, written and taken in."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from people.actors import Actor
from people.management.event_argument import find_event
from people.models import Account
from people.refusals import Refused
from tournaments.management.commands._arguments import new_file
from tournaments.transfer.archive.export import export_event
from tournaments.transfer.archive.intake import take_in


class Command(BaseCommand):
    """`archive export EVENT FILE` and `archive import FILE`."""

    help = "Write an event to one file, or take in the event of such a file."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which way."""
        ways = parser.add_subparsers(dest="way", required=True)
        out = ways.add_parser("export", help="write an event's archive")
        out.add_argument("event", help="the event's slug")
        out.add_argument("file", type=Path)
        out.add_argument(
            "--with-people", action="store_true", help="with the names of players and referees (never notes)"
        )
        into = ways.add_parser("import", help="take in an event's archive, unpublished")
        into.add_argument("file", type=Path)
        into.add_argument("--slug", help="the address that it gets, if its own is taken")
        into.add_argument("--organizer", help="the user name of the account that organizes it from now on")

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Say what was written or taken in."""
        if options["way"] == "export":
            self._export(options["event"], options["file"], options["with_people"])
        else:
            self._import(options["file"], options["slug"], options["organizer"])

    def _export(self, slug: str, file: Path, with_people: bool) -> None:
        event = find_event(slug)
        with new_file(file) as target:
            export_event(event, target, with_people=with_people)
        people = "with the names of its people" if with_people else "without the names of its people"
        self.stdout.write(f"“{event.name}” is in {file}, {people}.")

    def _import(self, file: Path, slug: str | None, organizer: str | None) -> None:
        account = Account.objects.filter(username=organizer).first() if organizer else None
        if organizer and account is None:
            raise CommandError(f"There is no account “{organizer}”.")
        try:
            with file.open("rb") as source:
                taken = take_in(source, Actor.command(), organizer=account, slug=slug)
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from error
        except Refused as refused:
            raise CommandError(str(refused)) from refused.__cause__
        event = taken.event
        if taken.is_new:
            self.stdout.write(
                f"“{event.name}” is in, at /{event.slug}/; nobody but its organizers sees it yet."
            )
        else:
            self.stdout.write(
                f"“{event.name}” is here already, at /{event.slug}/, just as it is in the file."
            )
