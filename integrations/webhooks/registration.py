"""Commands for webhooks: register, pause, resume, change the secret, test, replay, remove."""

import json
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from integrations.change_feed import kinds
from integrations.change_feed.cursors import cursor_at
from integrations.change_feed.links import address_of, feed_address
from integrations.change_feed.numbering import number_all
from integrations.models import Change, Delivery, Webhook
from integrations.webhooks import secret_storage
from integrations.webhooks.addresses import AddressError, parse
from integrations.webhooks.signing import new_secret
from people import audit
from people.actors import Actor
from people.entries import lock_event
from people.models import Event
from people.refusals import Refused

KINDS = {kind: words for kind, words in kinds.KINDS.items() if kind != kinds.LOG}
"""What can be sent. Lines of logs aren't: there are thousands, and the change feed has them."""
MOST = 10
"""Webhooks of one event."""
MOST_REPLAYED = 2000
BOTH_GOOD = timedelta(hours=24)
"""How long messages are signed by the secret before, too."""
TEST = "test"
SENTENCES = {
    "malformed": gettext_lazy("This isn’t an address such as https://example.org/news."),
    "not-https": gettext_lazy("The address has to begin with https://."),
    "private-address": gettext_lazy("Nothing is sent to addresses of a private network."),
}
"""Why nothing is sent to an address."""


def register(event: Event, actor: Actor, url: str, wanted: Collection[str]) -> tuple[Webhook, str]:
    """A new webhook, and its secret, which nobody is shown again; it is told of what comes from now on.

    Raises `Refused`: `webhook-address`, `unknown-kind`, `too-many-webhooks`.
    """
    try:
        parse(url, to_private=settings.WEBHOOKS_TO_PRIVATE)
    except AddressError as error:
        raise Refused("webhook-address", SENTENCES[error.code], status=422, why=error.code) from error
    chosen = [kind for kind in KINDS if kind in wanted]
    if not chosen or len(chosen) != len(set(wanted)):
        told = _("A kind is one of: %(kinds)s.") % {"kinds": ", ".join(KINDS)}
        raise Refused("unknown-kind", told, status=422)
    secret = new_secret()
    number_all(event)
    with transaction.atomic():
        lock_event(event)
        if Webhook.objects.filter(event=event).count() >= MOST:
            raise Refused("too-many-webhooks", _("An event has at most %(most)d webhooks.") % {"most": MOST})
        webhook = Webhook(
            event=event,
            url=url,
            kinds=chosen,
            secret=secret_storage.encrypt(secret),
            position=number_all(event),
        )
        audit.create(webhook, actor, event.pk)
    return webhook, secret


def pause(webhook: Webhook, actor: Actor) -> None:
    """Send nothing for now; what happens meanwhile is sent afterwards."""
    _set(webhook, actor, state=Webhook.State.PAUSED)


def resume(webhook: Webhook, actor: Actor) -> None:
    """Send again, from where it stopped."""
    _set(webhook, actor, state=Webhook.State.ACTIVE, why="", failures=0, failing_since=None, next_at=None)


def rotate(webhook: Webhook, actor: Actor) -> str:
    """A new secret, which nobody is shown again. For a day messages are signed by the one before, too, unless
    that can't be read any more.
    """
    secret = new_secret()
    is_good = _is_readable(webhook.secret)
    _set(
        webhook,
        actor,
        secret=secret_storage.encrypt(secret),
        previous_secret=webhook.secret if is_good else "",
        previous_until=timezone.now() + BOTH_GOOD if is_good else None,
    )
    return secret


def _is_readable(secret: str) -> bool:
    try:
        secret_storage.decrypt(secret)
    except secret_storage.UnreadableSecretError:
        return False
    return True


def remove(webhook: Webhook, actor: Actor) -> None:
    """Send nothing any more, and forget it with its log."""
    with transaction.atomic():
        # Whoever notes a try holds this row, too: neither waits for what the other one is to let go.
        row = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
        if row is not None:
            audit.delete(row, actor, row.event_id)


@transaction.atomic
def _set(webhook: Webhook, actor: Actor, **values: Any) -> None:
    row = _locked(webhook)
    audit.change(row, actor, row.event_id, values)
    for name, value in values.items():
        setattr(webhook, name, value)


def _locked(webhook: Webhook) -> Webhook:
    """The row as it is, which nobody else changes or removes until the transaction ends."""
    row = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
    if row is None:
        raise Refused("webhook-removed", _("This webhook has been removed."), status=404)
    return row


@transaction.atomic
def send_test(webhook: Webhook) -> Delivery:
    """A message that says nothing, sent once and out of turn."""
    _locked(webhook)
    message = uuid4()
    said = {"event": str(webhook.event_id), "changes": feed_address(webhook.event_id)}
    body = _body(TEST, timezone.now(), said)
    return Delivery.objects.create(webhook=webhook, message=message, kind=TEST, body=body, is_test=True)


@transaction.atomic
def replay(webhook: Webhook, delivery: Delivery) -> Delivery:
    """Send a message once more, after whatever is waiting; receivers know it by its id."""
    _locked(webhook)
    return Delivery.objects.create(
        webhook=webhook,
        message=delivery.message,
        kind=delivery.kind,
        body=delivery.body,
        is_test=delivery.is_test,
        is_replay=True,
    )


@transaction.atomic
def replay_since(webhook: Webhook, moment: datetime) -> int:
    """Send once more all that has happened since a moment, also before it was registered; how many that are.

    They follow what is waiting, in their order, with the ids that they had. Raises `Refused`: `too-much`,
    also with what is still to be sent once more from before.
    """
    row = _locked(webhook)
    rows = Change.objects.filter(event=row.event_id, number__lte=row.position, at__gte=moment)
    found = list(rows.filter(kind__in=row.kinds).order_by("number")[: MOST_REPLAYED + 1])
    if len(found) > MOST_REPLAYED:
        told = _("That are more than %(most)d messages: choose a later moment, or read the change feed.")
        raise Refused("too-much", told % {"most": MOST_REPLAYED}, status=422)
    waiting = row.deliveries.filter(is_replay=True, state=Delivery.State.WAITING).count()
    if waiting + len(found) > MOST_REPLAYED:
        told = ngettext(
            "%(waiting)d message is still to be sent once more: wait until that is done.",
            "%(waiting)d messages are still to be sent once more: wait until that is done.",
            waiting,
        )
        raise Refused("too-much", told % {"waiting": waiting}, status=422)
    queue(webhook, found, is_replay=True)
    return len(found)


def queue(webhook: Webhook, changes: Collection[Change], *, is_replay: bool = False) -> None:
    """Have changes sent, in their order."""
    Delivery.objects.bulk_create(
        [
            Delivery(
                webhook=webhook,
                message=change.pk,
                kind=change.kind,
                body=body_of(change),
                is_replay=is_replay,
            )
            for change in changes
        ],
        batch_size=500,
    )


def body_of(change: Change) -> str:
    """What is said of a change: ids, kind, version and where to read more; no names."""
    said = {
        "event": str(change.event_id),
        "cursor": str(cursor_at(change.number, change.pk)),
        "change": str(change.pk),
        "fact_type": change.type,
        "tournament": str(change.tournament) if change.tournament else None,
        "subject": {"kind": change.subject_kind, "id": str(change.subject)},
        "version": change.version,
        "url": address_of(change),
        "changes": feed_address(change.event_id),
    }
    return _body(change.kind, change.at, said)


def _body(kind: str, at: datetime, data: dict[str, Any]) -> str:
    moment = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return json.dumps({"type": kind, "timestamp": moment, "data": data}, separators=(",", ":"))
