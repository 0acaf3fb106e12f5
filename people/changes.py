"""Telling the floors above that what is shown of an event changed: names, consent, teams' looks, settings."""

from uuid import UUID

from ledger import outbox

# Who shows reference rows subscribes to this topic; a group is an event's id.
SHOWN_CHANGED = "people.shown_changed"


def tell(event_id: UUID) -> None:
    """Make the event's pages due, in the transaction that changed what they show."""
    # Reference rows have no stream: the event stands for one that is always at its beginning.
    outbox.announce(SHOWN_CHANGED, group=event_id, stream=event_id, sequence=0)
