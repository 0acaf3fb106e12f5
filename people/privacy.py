"""Erasing persons: the row and its audit trail go, the entry stays and is a number from then on.

So long after an event as it says everybody is erased, referees too. Files and archives that somebody has made
before are theirs to erase.
"""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from people import audit
from people.actors import Actor
from people.entries import lock_event
from people.models import AuditEntry, Entry, Event, Person, Referee
from people.pairings import revoke


@dataclass(frozen=True, slots=True)
class Purged:
    """How many players' and referees' names were erased."""

    persons: int
    referees: int


@transaction.atomic
def erase_person(person: Person, actor: Actor) -> None:
    """Erase one person for good. What is left says only that somebody was erased, when and by whom.

    Published pages are due afterwards: whoever answers the request rewrites them first.
    """
    lock_event(person.event)
    event_id, person_id = person.event_id, person.pk
    Entry.objects.filter(person=person).update(code_hash=None)
    person.delete()
    audit.keep([_erased(event_id, person_id, actor)])


@transaction.atomic
def erase_everybody(event: Event, actor: Actor) -> int:
    """Erase all persons of an event that is over, and return how many there were."""
    lock_event(event)
    persons = list(event.persons.values_list("pk", flat=True))
    Entry.objects.filter(team__event=event).update(person=None, code_hash=None)
    AuditEntry.objects.filter(event=event, person__isnull=False).delete()
    event.persons.all().delete()
    # A name may stand in one, whatever the desk was told.
    event.announcements.all().delete()
    audit.keep(_erased(event.pk, person_id, actor) for person_id in persons)
    return len(persons)


@transaction.atomic
def purge(event: Event, actor: Actor) -> Purged:
    """Erase all that is known of an event's players and referees, and end the referees' phones.

    Results stay; they name entries by team and number, and phones by their word. Doing it twice is doing it
    once. Published pages are due afterwards.
    """
    persons = erase_everybody(event, actor)
    referees = _erase_referees(event, actor)
    # Somebody may have written a name into what was announced.
    event.announcements.all().delete()
    if persons or referees:
        audit.change(event, actor, event.pk, {"purged_at": timezone.now()})
    return Purged(persons, referees)


def _erase_referees(event: Event, actor: Actor) -> int:
    """Referees whose phones have entered something stay as rows without a name; the others go."""
    for phone in event.pairings.filter(revoked_at=None).order_by("pk"):
        revoke(phone, actor)
    named = list(event.referees.exclude(first_name="", last_name=""))
    for referee in named:
        if referee.pairings.exists():
            audit.change(referee, actor, event.pk, {"first_name": "", "last_name": "", "team": None})
        else:
            audit.keep([audit.deleted(referee, actor, event.pk)])
            referee.delete()
    return len(named)


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


@transaction.atomic
def drop_notes(event: Event, actor: Actor) -> int:
    """Empty all notes of an event, as after its last day, and return how many there were."""
    lock_event(event)
    noted = list(event.persons.exclude(Q(note="")))
    for person in noted:
        audit.change(person, actor, event.pk, {"note": ""})
    return len(noted)


def _erased(event_id: UUID, person_id: UUID, actor: Actor) -> AuditEntry:
    return AuditEntry(
        event_id=event_id,
        actor_kind=actor.kind,
        actor_id=actor.id,
        action=AuditEntry.Action.DELETED,
        model=Person._meta.model_name or "",
        row_id=person_id,
    )
