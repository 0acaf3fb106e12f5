"""Delivery of webhooks' messages: one after the other for each webhook, in their order, at least once.

Messages are worked out from the change feed (`Webhook.position` is how far), never from a message of the
broker. So a worker that was away finds them later. One sender at a time has a webhook, by a lease that ends
by itself if the sender dies. No transaction is open while a receiver is waited for. A message that isn't
taken is tried again after a pause. Those behind it wait, so order is kept. After three days, or when the
receiver says that it is gone (410), the webhook is disabled. What waits is kept, and resuming goes on from
there.
"""

import random
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from integrations.change_feed.numbering import last_number
from integrations.models import Attempt, Change, Delivery, Webhook
from integrations.webhooks import posting, retry_schedule, secret_storage, signing
from integrations.webhooks.posting import Answer
from integrations.webhooks.registration import queue

LEASE = timedelta(seconds=60)
"""For how long nobody else sends; taken anew before each message."""
PORTION = 500
"""Changes that are looked at in one transaction."""
MOST_AT_ONCE = 500
"""Messages after which a sender lets others have a turn."""
KEPT = timedelta(days=14)
"""How long what was sent stands in the log."""

_dice = random.SystemRandom()


def due() -> QuerySet[Webhook]:
    """The webhooks whose messages can be sent now: active, not in a pause, and without a sender."""
    now = timezone.now()
    rows = Webhook.objects.filter(state=Webhook.State.ACTIVE)
    rows = rows.filter(Q(next_at=None) | Q(next_at__lte=now))
    return rows.filter(Q(leased_until=None) | Q(leased_until__lte=now)).order_by("pk")


def is_something_due(webhook: Webhook) -> bool:
    """Whether there is anything to send; three queries at most."""
    waiting = webhook.deliveries.filter(state=Delivery.State.WAITING, is_test=False)
    return waiting.exists() or last_number(webhook.event) > webhook.position


def tests_left() -> QuerySet[Delivery]:
    """The tests that nobody has sent: too many senders were busy, or the message to send one was lost."""
    rows = Delivery.objects.filter(state=Delivery.State.WAITING, is_test=True)
    # A younger one may be on its way.
    return rows.filter(created_at__lte=timezone.now() - LEASE).order_by("pk")


def deliver(webhook_id: UUID) -> int:
    """Send a webhook's messages until none is due or one isn't taken; how many were sent.

    At most `MOST_AT_ONCE` are sent. Does nothing where another sender has the webhook.
    """
    lease = uuid4()
    if not due().filter(pk=webhook_id).update(lease=lease, leased_until=timezone.now() + LEASE):
        return 0
    sent = 0
    try:
        while sent < MOST_AT_ONCE and _deliver_next(webhook_id, lease):
            sent += 1
    finally:
        Webhook.objects.filter(pk=webhook_id, lease=lease).update(lease=None, leased_until=None)
    return sent


def _deliver_next(webhook_id: UUID, lease: UUID) -> bool:
    """Send the next message; whether it was taken, so that one may go on."""
    mine = Webhook.objects.filter(pk=webhook_id, lease=lease, state=Webhook.State.ACTIVE)
    if not mine.update(leased_until=timezone.now() + LEASE):
        return False
    webhook = Webhook.objects.select_related("event").get(pk=webhook_id)
    delivery = _next(webhook) or (_next(webhook) if look_ahead(webhook) else None)
    if delivery is None:
        return False
    try:
        answer = send(webhook, delivery)
    except secret_storage.UnreadableSecretError:
        disable(webhook, "secret-unreadable")
        return False
    return _record(webhook, lease, delivery, answer)


def _next(webhook: Webhook) -> Delivery | None:
    return webhook.deliveries.filter(state=Delivery.State.WAITING, is_test=False).order_by("pk").first()


def look_ahead(webhook: Webhook) -> bool:
    """Queue messages for changes since the webhook's position; whether there are any."""
    last = last_number(webhook.event)
    while True:
        with transaction.atomic():
            row = Webhook.objects.select_for_update().get(pk=webhook.pk)
            until = min(row.position + PORTION, last)
            if until <= row.position:
                return False
            changes = Change.objects.filter(
                event=row.event_id, number__gt=row.position, number__lte=until, kind__in=row.kinds
            )
            found = list(changes.order_by("number"))
            queue(row, found)
            row.position = until
            row.save(update_fields=["position"])
        if found:
            return True


def send(webhook: Webhook, delivery: Delivery) -> Answer:
    """Send a message once; raises `secret_storage.UnreadableSecretError`."""
    good = [secret_storage.decrypt(webhook.secret)]
    if webhook.previous_until is not None and webhook.previous_until > timezone.now():
        good.append(secret_storage.decrypt(webhook.previous_secret))
    body = delivery.body.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Tendone",
        **signing.headers(good, delivery.message_id, int(timezone.now().timestamp()), body),
    }
    return posting.post(webhook.url, body, headers, to_private=settings.WEBHOOKS_TO_PRIVATE)


def send_once(delivery_id: int) -> None:
    """Send a test: once, whatever becomes of it."""
    delivery = Delivery.objects.select_related("webhook").get(pk=delivery_id)
    if delivery.state != Delivery.State.WAITING:
        return
    try:
        answer = send(delivery.webhook, delivery)
    except secret_storage.UnreadableSecretError:
        answer = Answer(error="secret-unreadable")
    with transaction.atomic():
        _note(delivery, answer)
        _end(delivery, Delivery.State.DELIVERED if answer.is_success else Delivery.State.FAILED)


@transaction.atomic
def _record(webhook: Webhook, lease: UUID, delivery: Delivery, answer: Answer) -> bool:
    """Store what became of a try; whether the message was taken and the sender still has the webhook."""
    row = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
    if row is None or not Delivery.objects.filter(pk=delivery.pk).exists():
        return False
    _note(delivery, answer)
    if answer.is_success:
        _end(delivery, Delivery.State.DELIVERED)
        row.failures, row.failing_since, row.next_at = 0, None, None
    else:
        now = timezone.now()
        row.failures += 1
        row.failing_since = row.failing_since or now
        row.next_at = now + retry_schedule.pause(row.failures, _dice.random(), answer.retry_after)
        if answer.status == posting.GONE:
            row.state, row.why = Webhook.State.DISABLED, "gone"
        elif retry_schedule.is_given_up(row.failing_since, now):
            row.state, row.why = Webhook.State.DISABLED, "failing"
    row.save(update_fields=["failures", "failing_since", "next_at", "state", "why"])
    return answer.is_success and row.lease == lease


def _note(delivery: Delivery, answer: Answer) -> None:
    Attempt.objects.create(
        delivery=delivery,
        at=timezone.now(),
        milliseconds=answer.milliseconds,
        status=answer.status,
        error=answer.error,
        excerpt=answer.excerpt,
    )


def _end(delivery: Delivery, state: Delivery.State) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(state=state, done_at=timezone.now())


def disable(webhook: Webhook, why: str) -> None:
    """Send nothing until somebody has looked at it."""
    rows = Webhook.objects.filter(pk=webhook.pk, state=Webhook.State.ACTIVE)
    rows.update(state=Webhook.State.DISABLED, why=why)


def old_log(now: datetime) -> QuerySet[Delivery]:
    """What was sent long ago; what waits isn't in it."""
    return Delivery.objects.filter(done_at__lt=now - KEPT)


def drop_old_log(now: datetime) -> int:
    """Forget what was sent long ago; how many messages that were."""
    return old_log(now).delete()[1].get("programs.Delivery", 0)


def is_listening(event_id: UUID) -> bool:
    """Whether anything of an event is sent anywhere; one query."""
    return Webhook.objects.filter(event=event_id, state=Webhook.State.ACTIVE).exists()
