"""Changes of an event's rows that the public can see, told by the ledger's outbox.

Whatever is in the audit trail may be on a public page, unless it is named here. A field that somebody adds is
taken as seen until it is said not to be.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

from ledger import outbox
from people.models import AuditEntry

CHANGED = "rows"
"""The outbox topic of an event of which a row has changed that pages show for the moment, as the clock."""
LOOKS = "looks"
"""The outbox topic of an event whose names, looks or settings have changed: pages from before may say too
much.
"""
FOR_THE_MOMENT = frozenset({"clock", "place", "announcement", "call"})
"""The models of rows that tell how things stand at the moment, and change nothing that is over."""

_UNSEEN: Mapping[str, frozenset[str] | None] = {
    "event": frozenset(
        {
            "day_pin",
            "min_age",
            "max_age",
            "purge_after_days",
            "purged_at",
            "date_confirmed",
            "erasure_cancelled",
        }
    ),
    "person": frozenset({"birth_date", "family", "school_class", "is_strong", "note"}),
    "entry": frozenset({"checked_in_at", "code_hash"}),
    "table": frozenset({"code"}),
    "organizer": None,
    "place": frozenset({"referee", "is_locked", "changed_at"}),
    "pairing": None,
    "referee": None,
    "timetable": None,
}
"""By model, the fields that no public page shows; None: all."""


def announce(entries: Iterable[AuditEntry]) -> None:
    """Make the pages of the events due of which these were kept, in the same transaction; one query each."""
    topics: dict[UUID, str] = {}
    for entry in entries:
        if entry.is_seen and topics.get(entry.event_id) != LOOKS:
            topics[entry.event_id] = CHANGED if entry.model in FOR_THE_MOMENT else LOOKS
    for event_id, topic in topics.items():
        outbox.announce(topic, event_id, event_id, 0)


def is_seen(entry: AuditEntry) -> bool:
    """Whether the public sees what was changed."""
    unseen = _UNSEEN.get(entry.model, frozenset())
    if unseen is None:
        return False
    # Of who is erased the trail holds no fields.
    return entry.action == AuditEntry.Action.DELETED or not entry.changes.keys() <= unseen
