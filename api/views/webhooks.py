"""Webhooks of an event, for its organizers' programs."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.pagination import Pages
from api.schema import describes
from api.shapes.entries import NothingBody
from api.shapes.webhooks import (
    DeliveryShape,
    NewWebhookBody,
    ReplayBody,
    ReplayedShape,
    WebhookShape,
    WebhookWithSecretShape,
)
from api.subjects import EVENT, WEBHOOK, nothing_here
from integrations import tasks
from integrations.models import Webhook
from integrations.webhooks import registration
from people.access import declares, organizes
from people.actors import Actor

TAG = "webhooks"


@declares(organizes, EVENT)
class EventWebhooks(Endpoint):
    """The webhooks of an event."""

    pagination_class = Pages

    @describes("webhooks_list", TAG, {200: WebhookShape(many=True)}, summary="List webhooks")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """In the order in which they were made."""
        return self.page(Webhook.objects.filter(event=self.event).order_by("created_at", "pk"), WebhookShape)

    @describes(
        "webhooks_create",
        TAG,
        {201: WebhookWithSecretShape},
        request=NewWebhookBody,
        summary="Register a webhook",
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It is told of what comes from now on. Its secret is told once."""
        body = self.body(NewWebhookBody)
        webhook, secret = registration.register(self.event, self.actor, body["url"], body["kinds"])
        return Response(WebhookWithSecretShape(webhook, context={"secret": secret}).data, status=201)


class WebhookEndpoint(Endpoint):
    """One webhook."""

    subject: Webhook

    def acted(self, act: Callable[[Webhook, Actor], object]) -> Response:
        """Do something with it, and tell how it is now."""
        self.body(NothingBody)
        act(self.subject, self.actor)
        self.subject.refresh_from_db()
        return self.answer(self.subject, WebhookShape)

    def tell(self) -> None:
        """Have sent what is to be sent, once it is stored."""
        event = str(self.event.pk)
        transaction.on_commit(lambda: tasks.tell.delay(event))


@declares(organizes, WEBHOOK)
class WebhookDetail(WebhookEndpoint):
    """One webhook as it is."""

    @describes("webhooks_read", TAG, {200: WebhookShape}, summary="Read a webhook", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Whether it is told, and since when nothing arrives."""
        return self.answer(self.subject, WebhookShape)


@declares(organizes, WEBHOOK)
class WebhookDeliveries(WebhookEndpoint):
    """The log of what was sent."""

    pagination_class = Pages

    @describes("webhooks_deliveries", TAG, {200: DeliveryShape(many=True)}, summary="List what was sent")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """The newest first, each with its tries; kept for 14 days."""
        rows = self.subject.deliveries.order_by("-pk").prefetch_related("attempts")
        return self.page(rows, DeliveryShape)


@declares(organizes, WEBHOOK)
class WebhookPause(WebhookEndpoint):
    """Sending nothing for now."""

    @describes(
        "webhooks_pause", TAG, {200: WebhookShape}, request=NothingBody, summary="Pause a webhook", etag=True
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """What happens meanwhile is sent afterwards."""
        return self.acted(registration.pause)


@declares(organizes, WEBHOOK)
class WebhookResume(WebhookEndpoint):
    """Sending again."""

    @describes(
        "webhooks_resume",
        TAG,
        {200: WebhookShape},
        request=NothingBody,
        summary="Resume a webhook",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """From where it stopped, after a pause or when it was disabled."""
        answer = self.acted(registration.resume)
        self.tell()
        return answer


@declares(organizes, WEBHOOK)
class WebhookSecret(WebhookEndpoint):
    """A new secret."""

    @describes(
        "webhooks_rotate_secret",
        TAG,
        {200: WebhookWithSecretShape},
        request=NothingBody,
        summary="Make a new secret",
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It is told once. For 24 hours messages are signed by the one before, too."""
        self.body(NothingBody)
        secret = registration.rotate(self.subject, self.actor)
        return Response(WebhookWithSecretShape(self.subject, context={"secret": secret}).data)


@declares(organizes, WEBHOOK)
class WebhookTest(WebhookEndpoint):
    """A message that says nothing."""

    @describes("webhooks_test", TAG, {202: DeliveryShape}, request=NothingBody, summary="Send a test")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Sent once and out of turn, also while the webhook pauses; the log tells how it went."""
        self.body(NothingBody)
        delivery = registration.send_test(self.subject)
        transaction.on_commit(lambda: tasks.send_test.delay(delivery.pk))
        return Response(DeliveryShape(delivery).data, status=202)


@declares(organizes, WEBHOOK)
class WebhookReplay(WebhookEndpoint):
    """Messages once more."""

    @describes("webhooks_replay", TAG, {202: ReplayedShape}, request=ReplayBody, summary="Send again")
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """One message, or all since a moment: after what waits, in order, with the ids that they had."""
        body = self.body(ReplayBody)
        if "since" in body:
            count = registration.replay_since(self.subject, body["since"])
        else:
            delivery = self.subject.deliveries.filter(pk=body["delivery"]).first()
            if delivery is None:
                raise nothing_here()
            registration.replay(self.subject, delivery)
            count = 1
        self.tell()
        return Response(ReplayedShape({"count": count}).data, status=202)


@declares(organizes, WEBHOOK)
class WebhookRemoval(WebhookEndpoint):
    """Telling it nothing any more."""

    @describes(
        "webhooks_remove",
        TAG,
        {204: None},
        request=NothingBody,
        summary="Remove a webhook",
        has_key=False,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """The address and the log are forgotten at once."""
        self.body(NothingBody)
        registration.remove(self.subject, self.actor)
        return Response(status=204)
