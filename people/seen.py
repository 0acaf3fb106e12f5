"""What the public sees of an event's rows, told upward by the ledger's outbox when it changes.

Whatever is in the audit trail may be on a public page, unless it is named here: a field that somebody adds is
taken as seen until it is said not to be.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

from ledger import outbox
from people.models import AuditEntry

CHANGED = "rows"
"""The outbox topic of an event whose rows have changed in a way that names and looks don't show."""
LOOKS = "looks"
"""The outbox topic of an event whose names, looks or settings have changed: pages made before may say too
much.
"""

_UNSEEN: Mapping[str, frozenset[str] | None] = {
    "event": frozenset({"day_pin", "min_age", "max_age"}),
    "person": frozenset({"birth_date", "family", "school_class", "is_strong", "note"}),
    "entry": frozenset({"checked_in_at", "code_hash"}),
    "table": frozenset({"code"}),
    # The clock is on the pages, but on none that is made before it and stays.
    "clock": None,
    "organizer": None,
    "pairing": None,
    "referee": None,
}
"""By model, the fields that no public page shows; None: all."""


def announce(entries: Iterable[AuditEntry]) -> None:
    """Make the pages of the events due of which this was kept, in the same transaction; a query an event."""
    topics: dict[UUID, str] = {}
    for entry in entries:
        if topics.get(entry.event_id) != LOOKS:
            topics[entry.event_id] = LOOKS if is_seen(entry) else CHANGED
    for event_id, topic in topics.items():
        outbox.announce(topic, event_id, event_id, 0)


def is_seen(entry: AuditEntry) -> bool:
    """Whether the public sees what was changed."""
    unseen = _UNSEEN.get(entry.model, frozenset())
    if unseen is None:
        return False
    # Of who is erased the trail holds no fields.
    return entry.action == AuditEntry.Action.DELETED or not entry.changes.keys() <= unseen
