"""Erasing persons: the row and its audit trail go, the entry stays and is a number from then on.

So long after an event as it says everybody is erased, referees too. Files and archives that somebody has made
before are theirs to erase.
"""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from people import audit, erasures
from people.actors import Actor
from people.entries import lock_event
from people.erasures import Erasure, ErasureRecord, intend, recorded
from people.models import AuditEntry, Entry, Event, Person, Referee
from people.pairings import revoke


@dataclass(frozen=True, slots=True)
class Purged:
    """How many players' and referees' names were erased."""

    persons: int
    referees: int


def erase_person(person: Person, actor: Actor) -> None:
    """Erase one person for good. What is left says only that somebody was erased, when and by whom.

    Published pages are due afterwards: whoever answers the request rewrites them first.
    """
    with recorded(person.event_id) as erasure, transaction.atomic():
        erasure.persons = _erase_persons(person.event, Person.objects.filter(pk=person.pk), actor)
        intend(erasure)


def purge(event: Event, actor: Actor, is_due: Callable[[Event], bool] | None = None) -> Purged:
    """Erase all that is known of an event's players and referees, and end the referees' phones.

    Results stay; they name entries by team and number, and phones by their word. Doing it twice is doing it
    once. Published pages are due afterwards. `is_due` is asked once nobody else can change these people, and
    nothing is erased if it says no.
    """
    with recorded(event.pk) as erasure, transaction.atomic():
        lock_event(event)
        if is_due is not None and not is_due(Event.objects.get(pk=event.pk)):
            return Purged(0, 0)
        erasure.persons = _erase_persons(event, event.persons.all(), actor)
        for phone in event.pairings.filter(revoked_at=None).order_by("pk"):
            revoke(phone, actor)
        erasure.referees = _erase_referees(event, event.referees.all(), actor)
        erasure.is_everybody = True
        # Somebody may have written a name into what was announced.
        event.announcements.all().delete()
        if erasure.persons or erasure.referees:
            audit.change(event, actor, event.pk, {"purged_at": timezone.now()})
        intend(erasure)
    return Purged(len(erasure.persons), len(erasure.referees))


@transaction.atomic
def repeat(erasure: Erasure, actor: Actor) -> bool:
    """Erase again what a backup from before has brought back; whether there was anything."""
    event = Event.objects.filter(pk=erasure.event).first()
    if event is None:
        return False
    persons = _erase_persons(event, event.persons.filter(pk__in=erasure.persons), actor)
    referees = _erase_referees(event, event.referees.filter(pk__in=erasure.referees), actor)
    notes = _drop_notes(event, event.persons.filter(pk__in=erasure.notes), actor)
    if erasure.is_everybody and (persons or referees):
        event.announcements.filter(announced_at__lte=erasure.at).delete()
        audit.change(event, actor, event.pk, {"purged_at": erasure.at})
    return bool(persons or referees or notes)


def _erase_persons(event: Event, rows: QuerySet[Person], actor: Actor) -> list[UUID]:
    """Erase these persons of an event; the ids of those who were there."""
    lock_event(event)
    ids = list(rows.values_list("pk", flat=True))
    persons = Person.objects.filter(pk__in=ids)
    Entry.objects.filter(person__in=persons).update(person=None, code_hash=None)
    AuditEntry.objects.filter(person__in=persons).delete()
    persons.delete()
    audit.keep(_erased(event.pk, person_id, actor) for person_id in ids)
    return ids


def _erase_referees(event: Event, rows: QuerySet[Referee], actor: Actor) -> list[UUID]:
    """Referees whose phones have entered something stay as rows without a name; the others go."""
    named = list(rows.exclude(first_name="", last_name=""))
    for phone in event.pairings.filter(revoked_at=None, referee__in=named).order_by("pk"):
        revoke(phone, actor)
    ids = [referee.pk for referee in named]
    for referee in named:
        if referee.pairings.exists():
            audit.change(referee, actor, event.pk, {"first_name": "", "last_name": "", "team": None})
        else:
            audit.delete(referee, actor, event.pk)
    return ids


def named_events() -> QuerySet[Event]:
    """The events that still know somebody by name."""
    persons = Person.objects.filter(event=OuterRef("pk"))
    referees = Referee.objects.filter(event=OuterRef("pk")).exclude(first_name="", last_name="")
    return Event.objects.filter(Exists(persons) | Exists(referees))


def noted_events() -> QuerySet[Event]:
    """The events with notes of persons."""
    return Event.objects.filter(Exists(Person.objects.filter(event=OuterRef("pk")).exclude(note="")))


def is_purged(event: Event) -> bool:
    """Whether nobody of those who were entered is known by name any more; false where nobody was entered."""
    return event.purged_at is not None and not event.persons.exists()


def drop_notes(event: Event, actor: Actor, is_due: Callable[[Event], bool] | None = None) -> int:
    """Empty all notes of an event, as after its last day, and return how many there were.

    `is_due` as for `purge`.
    """
    with recorded(event.pk) as erasure, transaction.atomic():
        lock_event(event)
        if is_due is not None and not is_due(Event.objects.get(pk=event.pk)):
            return 0
        erasure.notes = _drop_notes(event, event.persons.all(), actor)
        intend(erasure)
    return len(erasure.notes)


def settle_intentions(record: ErasureRecord) -> None:
    """Record by what the database holds whether interrupted erasures were committed."""
    for erasure in record.intended:
        with transaction.atomic():
            event = Event.objects.filter(pk=erasure.event).first()
            if event is not None:
                # Somebody may be at it.
                lock_event(event)
            is_done = event is None or not _has_rows(event, erasure)
        erasures.settle(erasure, is_done=is_done)


def _has_rows(event: Event, erasure: Erasure) -> bool:
    named = event.referees.filter(pk__in=erasure.referees).exclude(first_name="", last_name="")
    noted = event.persons.filter(pk__in=erasure.notes).exclude(note="")
    return event.persons.filter(pk__in=erasure.persons).exists() or named.exists() or noted.exists()


def _drop_notes(event: Event, rows: QuerySet[Person], actor: Actor) -> list[UUID]:
    noted = list(rows.exclude(note=""))
    for person in noted:
        audit.change(person, actor, event.pk, {"note": ""})
    return [person.pk for person in noted]


def _erased(event_id: UUID, person_id: UUID, actor: Actor) -> AuditEntry:
    return AuditEntry(
        event_id=event_id,
        actor_kind=actor.kind,
        actor_id=actor.id,
        action=AuditEntry.Action.DELETED,
        model=Person._meta.model_name or "",
        row_id=person_id,
    )
