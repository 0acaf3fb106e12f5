"""Addresses in the API of what has changed, with names as its reader may see them."""

from uuid import UUID

from django.conf import settings
from django.urls import reverse

from integrations.change_feed import kinds
from integrations.models import Change

_OF_KINDS = {
    kinds.STANDINGS: "standings",
    kinds.ROUND_CLOSED: "standings",
    kinds.LOG: "game-log",
    kinds.PALIO_COMPUTED: "palio-standings",
    kinds.PALIO_FINAL: "palio-standings",
}
_OF_SUBJECTS = {"game": "game", "match": "match", "tournament": "tournament", "palio": "palio"}


def path_of(change: Change) -> str:
    """The path of what has changed; the event's for what has no address of its own."""
    name = _OF_KINDS.get(change.kind) or _OF_SUBJECTS.get(change.subject_kind)
    if name is None:
        return reverse("api:event", args=[change.event_id])
    subject = change.event_id if change.subject_kind == "palio" else change.subject
    return reverse(f"api:{name}", args=[subject])


def address_of(change: Change) -> str:
    """The same with scheme and host, where the service knows its own."""
    return f"{settings.PUBLIC_ADDRESS}{path_of(change)}"


def feed_address(event: UUID) -> str:
    """Where an event's change feed is."""
    return f"{settings.PUBLIC_ADDRESS}{reverse('api:changes', args=[event])}"
