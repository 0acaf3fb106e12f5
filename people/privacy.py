"""Erasing persons: the row and its audit trail go, the entry stays and is a number from then on."""

from uuid import UUID

from django.db import transaction
from django.db.models import Q

from people import audit
from people.actors import Actor
from people.entries import lock_event
from people.models import AuditEntry, Entry, Event, Person


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
    audit.keep(_erased(event.pk, person_id, actor) for person_id in persons)
    return len(persons)


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
