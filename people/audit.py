"""The audit trail: which field of which reference row had which value before and after, by whom.

Works for the rows of any layer. A model lists in `audit_hides` the fields of which only the change is told. A
row that is a person, or names one in `person_id`, has its trail erased with the person.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import models

from people import public_changes
from people.actors import Actor
from people.models import AuditEntry, Person

HIDDEN = "…"
State = Mapping[str, str | None]
BATCH = 500


def state_of(row: models.Model) -> dict[str, str | None]:
    """The row's fields as text, without its id, its event and the time of its making; some values hidden."""
    hidden: frozenset[str] = getattr(row, "audit_hides", frozenset())
    state: dict[str, str | None] = {}
    for field in row._meta.concrete_fields:
        if field.primary_key or field.name == "event" or getattr(field, "auto_now_add", False):
            continue
        value = field.value_from_object(row)
        text = None if value is None else str(value)
        state[field.name] = HIDDEN if text and field.name in hidden else text
    return state


def create(row: models.Model, actor: Actor, event_id: UUID) -> None:
    """Save a new row, and note it."""
    row.save(force_insert=True)
    keep([created(row, actor, event_id)])


def delete(row: models.Model, actor: Actor, event_id: UUID) -> None:
    """Note that a row is deleted, and delete it."""
    keep([deleted(row, actor, event_id)])
    row.delete()


def created(row: models.Model, actor: Actor, event_id: UUID) -> AuditEntry:
    """The entry for a new row, not yet saved."""
    changes = {name: [None, value] for name, value in state_of(row).items() if value not in (None, "")}
    return _entry(AuditEntry.Action.CREATED, row, actor, event_id, changes)


def deleted(row: models.Model, actor: Actor, event_id: UUID) -> AuditEntry:
    """The entry for a row that is about to be deleted, not yet saved."""
    changes = {name: [value, None] for name, value in state_of(row).items() if value not in (None, "")}
    return _entry(AuditEntry.Action.DELETED, row, actor, event_id, changes)


def change(row: models.Model, actor: Actor, event_id: UUID, values: Mapping[str, Any]) -> bool:
    """Set these fields of a row, save them and note what changed; False, and nothing done, if nothing did."""
    before = state_of(row)
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    if not changed:
        return False
    for name in changed:
        setattr(row, name, values[name])
    row.save(update_fields=changed)
    after = state_of(row)
    changes = {name: [before[name], after[name]] for name in changed}
    keep([_entry(AuditEntry.Action.CHANGED, row, actor, event_id, changes)])
    return True


def changed(row: models.Model, before: State, actor: Actor, event_id: UUID) -> AuditEntry | None:
    """The entry for a row that was another one `before`, not yet saved; None if nothing changed."""
    after = state_of(row)
    changes = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
    return _entry(AuditEntry.Action.CHANGED, row, actor, event_id, changes) if changes else None


def note(row: models.Model, actor: Actor, event_id: UUID, what: str, value: str) -> None:
    """Note something that is no field of the row: what was done, and with which value."""
    keep([_entry(AuditEntry.Action.CHANGED, row, actor, event_id, {what: [None, value]})])


def keep(entries: Iterable[AuditEntry]) -> None:
    """Save entries of the trail, and make the public pages due that may show what they tell."""
    kept = list(entries)
    for entry in kept:
        entry.is_seen = public_changes.is_seen(entry)
    AuditEntry.objects.bulk_create(kept, batch_size=BATCH)
    public_changes.announce(kept)


def _entry(
    action: AuditEntry.Action,
    row: models.Model,
    actor: Actor,
    event_id: UUID,
    changes: Mapping[str, list[str | None]],
) -> AuditEntry:
    return AuditEntry(
        event_id=event_id,
        person_id=row.pk if isinstance(row, Person) else getattr(row, "person_id", None),
        actor_kind=actor.kind,
        actor_id=actor.id,
        action=action,
        model=row._meta.model_name or "",
        row_id=row.pk,
        changes=dict(changes),
    )
