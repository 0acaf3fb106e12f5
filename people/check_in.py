"""The desk on the day: who is here, and the slip with a number and a private code for the parents."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from people import audit, rate_limits
from people.actors import Actor, secret_hash
from people.entries import lock_event
from people.models import Entry, Event
from people.paper_codes import LENGTH, grouped, letters_of, new_code
from people.rate_limits import RateLimit

# A code has 59 bits: at this pace nobody finds one in a lifetime, and a mistyped one costs a parent nothing.
SLIP_CODES = RateLimit("slip-codes", 30, timedelta(minutes=10))


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip to be handed out: whose it is, and the private code that is shown this once."""

    entry: Entry
    code: str = field(repr=False)


@transaction.atomic
def arrive(entry: Entry, actor: Actor) -> None:
    """Note that the child is here, with no slip yet; who was missing takes part again. Twice is once."""
    values = {"checked_in_at": entry.checked_in_at or timezone.now()}
    if entry.status == Entry.Status.ABSENT:
        audit.change(entry, actor, entry.team.event_id, {"status": Entry.Status.ENTERED})
    audit.change(entry, actor, entry.team.event_id, values)


def check_in(entry: Entry, actor: Actor) -> str:
    """Note that the child is here, and return the private code for the slip, for example `7KQM-2ZXA-WD4P`.

    The code is shown this once; checking in again keeps the first time, and its new code replaces the old
    one.
    """
    arrive(entry, actor)
    (slip,) = new_slips([entry], actor)
    return slip.code


@transaction.atomic
def new_slips(entries: Iterable[Entry], actor: Actor) -> list[Slip]:
    """A slip for each of these entries, whose teams are loaded; their former codes open nothing any more."""
    slips = []
    for entry in entries:
        slip = Slip(entry, new_code())
        audit.change(entry, actor, entry.team.event_id, {"code_hash": _hash(slip.code)})
        slips.append(slip)
    return slips


@transaction.atomic
def slips_of_present(event: Event, actor: Actor, entry_id: UUID | None = None) -> list[Slip]:
    """New slips, by team and number: for one entry, if it is here, or for all who are here and have none."""
    lock_event(event)
    here = Entry.objects.filter(
        team__event=event, status=Entry.Status.ENTERED, checked_in_at__isnull=False, person__isnull=False
    )
    chosen = here.filter(code_hash__isnull=True) if entry_id is None else here.filter(pk=entry_id)
    rows = chosen.select_related("team__event", "person").order_by("team__number", "number")
    return new_slips(rows, actor)


@transaction.atomic
def undo_check_in(entry: Entry, actor: Actor) -> None:
    """The child isn't here after all; the slip's code opens nothing any more."""
    audit.change(entry, actor, entry.team.event_id, {"checked_in_at": None, "code_hash": None})


def entry_of_code(code: str) -> Entry | None:
    """The entry whose slip has this code, typed with or without hyphens and capitals; None if none has."""
    entries = Entry.objects.select_related("team__event", "person")
    return entries.filter(code_hash=_hash(code)).first()


def entry_for(code: str, address: str) -> Entry | None:
    """As `entry_of_code`, for somebody at this network address: a wrong code is noted.

    Raises `RateLimitedError` after too many wrong ones (`SLIP_CODES`), for right ones as well. Two queries,
    on PostgreSQL three, and one more for a wrong code.
    """
    return rate_limits.look_up(SLIP_CODES, address, lambda: entry_of_code(code))


def as_written(typed: str) -> str:
    """A code as slips have it, with hyphens; what isn't a code comes back without what no code holds."""
    return grouped(letters_of(typed)[:LENGTH])


def _hash(code: str) -> str:
    return secret_hash(letters_of(code))
