"""`manage.py verify`: is everything as it was recorded?"""

from argparse import FileType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from ledger.receipts import compare, roots_in
from ledger.verify import is_unreadable
from people import device_admissions
from people.management.event_argument import find_event
from people.models import Event
from tournaments.verification import verify


class Command(BaseCommand):
    """Walk every stream, replay every game, compare every projection; exit status 1 if anything is wrong."""

    help = (
        "Verify facts, receipts, the legality of every game, and that projections equal what the facts say."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """An event's slug, or nothing for all."""
        parser.add_argument("event", nargs="?", help="the event's slug; all events if left out")
        parser.add_argument(
            "--receipt",
            action="append",
            default=[],
            metavar="ROOT",
            help="compare this receipt, from paper or elsewhere, with what is stored; may be repeated",
        )
        parser.add_argument(
            "--receipts",
            type=FileType(encoding="utf-8"),
            metavar="FILE",
            help="compare all receipts that stand in this file (- for standard input)",
        )

    @no_translations
    def handle(self, *args: Any, **options: Any) -> None:
        """Print each finding on a line of its own."""
        event = find_event(options["event"]) if options["event"] else None
        found = 0
        for wrong in verify.verify(event):
            found += 1
            self.stdout.write(str(wrong))
        try:
            for each in [event] if event else Event.objects.order_by("slug"):
                self._tell_of_devices(each)
        except Exception as error:
            # A row that can't be read is among the findings already.
            if not found or not is_unreadable(error):
                raise
        for root in _roots(options):
            line, holds = _compared(root, event)
            found += not holds
            self.stdout.write(line)
        if found:
            self.stderr.write(f"{found} wrong.")
            raise SystemExit(1)
        self.stdout.write("Everything is as it was recorded.")

    def _tell_of_devices(self, event: Event) -> None:
        """Name the phones of an event of which nothing can be told; that alone is no fault."""
        words = [pairing.check_word for pairing in device_admissions.without_facts(event)]
        if words:
            self.stdout.write(
                f"{event.slug}: of {len(words)} phones, which an earlier version let in, no fact says whose "
                f"they are: {', '.join(words)}."
            )


def _roots(options: dict[str, Any]) -> list[str]:
    """The receipts that were given, each once; CommandError for what is none."""
    roots = []
    for text in options["receipt"]:
        found = roots_in(text)
        if len(found) != 1:
            raise CommandError(f"“{text}” is no receipt: it has 64 digits and letters from a to f.")
        roots += found
    if options["receipts"] is not None:
        with options["receipts"] as file:
            listed = roots_in(file.read())
        if not listed:
            raise CommandError("There is no receipt in that file.")
        roots += listed
    return list(dict.fromkeys(roots))


def _compared(root: str, event: Event | None) -> tuple[str, bool]:
    """What there is to say of a receipt, and whether it holds."""
    found = compare(root, event.pk if event else None)
    short = f"Receipt {root[:8]}…"
    if found is None:
        return f"{short}: no such receipt was made here. It was copied wrongly, or all was rewritten.", False
    receipt = found.receipt
    made = f"{short} (number {receipt.number}, made at {receipt.made_at:%Y-%m-%d %H:%M:%S} UTC)"
    if found.holds:
        return f"{made}: all {found.sealed} facts are as they were; {found.since} more since.", True
    told = "; ".join(f"{each.stream} {each.sequence or ''}: {each}" for each in found.findings[:3])
    return f"{made}: doesn't hold. {told}", False
