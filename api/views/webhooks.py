"""Webhooks of an event, for its organizers' programs."""

from datetime import datetime

from django.db import transaction
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import EVENT, WEBHOOK, nothing_here
from api.schema import changes, describes, lists, reads
from api.shapes.common import NothingBody
from api.shapes.webhooks import (
    DeliveryShape,
    NewWebhookBody,
    ReplayBody,
    ReplayedShape,
    WebhookShape,
    WebhookWithSecretShape,
)
from integrations import tasks
from integrations.models import Webhook
from integrations.webhooks import registration
from people.access import declares, organizes

TAG = "webhooks"


@declares(organizes, EVENT)
class EventWebhooks(Endpoint):
    """The webhooks of an event."""

    @lists("webhooks_list", TAG, WebhookShape, "List webhooks")
    def list_all(self) -> Response:
        """In the order in which they were made."""
        return self.page(Webhook.objects.filter(event=self.event).order_by("created_at", "pk"), WebhookShape)

    @changes(
        "webhooks_create",
        TAG,
        WebhookWithSecretShape,
        "Register a webhook",
        NewWebhookBody,
        status=201,
        etag=False,
    )
    def register(self, url: str, kinds: list[str]) -> Response:
        """It is told of what comes from now on. Its secret is told once."""
        webhook, secret = registration.register(self.event, self.actor, url, kinds)
        return Response(WebhookWithSecretShape(webhook, context={"secret": secret}).data, status=201)


@declares(organizes, WEBHOOK)
class WebhookDetail(Endpoint):
    """One webhook."""

    subject: Webhook
    shape = WebhookShape

    def tell(self) -> None:
        """Have sent what is to be sent, once it is stored."""
        event = str(self.event.pk)
        transaction.on_commit(lambda: tasks.tell.delay(event))

    @reads("webhooks_read", TAG, WebhookShape, "Read a webhook")
    def read(self) -> None:
        """Whether it is told, and since when nothing arrives."""

    @lists("webhooks_deliveries", TAG, DeliveryShape, "List what was sent")
    def list_deliveries(self) -> Response:
        """The newest first, each with its tries; kept for 14 days."""
        rows = self.subject.deliveries.order_by("-pk").prefetch_related("attempts")
        return self.page(rows, DeliveryShape)

    @changes("webhooks_pause", TAG, WebhookShape, "Pause a webhook")
    def pause(self) -> None:
        """What happens meanwhile is sent afterwards."""
        registration.pause(self.subject, self.actor)
        self.subject.refresh_from_db()

    @changes("webhooks_resume", TAG, WebhookShape, "Resume a webhook")
    def resume(self) -> None:
        """From where it stopped, after a pause or when it was disabled."""
        registration.resume(self.subject, self.actor)
        self.subject.refresh_from_db()
        self.tell()

    @changes("webhooks_rotate_secret", TAG, WebhookWithSecretShape, "Make a new secret", etag=False)
    def rotate_secret(self) -> Response:
        """It is told once. For 24 hours messages are signed by the one before, too."""
        secret = registration.rotate(self.subject, self.actor)
        return Response(WebhookWithSecretShape(self.subject, context={"secret": secret}).data)

    @changes("webhooks_test", TAG, DeliveryShape, "Send a test", status=202, etag=False)
    def test(self) -> Response:
        """Sent once and out of turn, also while the webhook pauses; the log tells how it went."""
        delivery = registration.send_test(self.subject)
        transaction.on_commit(lambda: tasks.send_test.delay(delivery.pk))
        return Response(DeliveryShape(delivery).data, status=202)

    @changes("webhooks_replay", TAG, ReplayedShape, "Send again", ReplayBody, status=202, etag=False)
    def replay(self, delivery: int | None = None, since: datetime | None = None) -> Response:
        """One message, or all since a moment: after what waits, in order, with the ids that they had."""
        count = 1
        if since is not None:
            count = registration.replay_since(self.subject, since)
        elif found := self.subject.deliveries.filter(pk__in=[delivery]).first():
            registration.replay(self.subject, found)
        else:
            raise nothing_here()
        self.tell()
        return Response(ReplayedShape({"count": count}).data, status=202)

    @describes("webhooks_remove", TAG, {204: None}, "Remove a webhook", body=NothingBody, writes=True)
    def remove(self) -> Response:
        """The address and the log are forgotten at once."""
        registration.remove(self.subject, self.actor)
        return Response(status=204)
