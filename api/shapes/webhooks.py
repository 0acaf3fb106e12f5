"""Webhooks: registered, with the log of what was sent."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.fields import Body, Choice, Moment, SecretShape, Shape, Text, Whole
from integrations.models import Delivery, Webhook
from integrations.webhooks.registration import KINDS, TEST

WEBHOOK_KINDS = list(KINDS)
SENT_KINDS = [*WEBHOOK_KINDS, TEST]


class WebhookShape(Shape):
    """A webhook, without its secret."""

    id = serializers.UUIDField()
    url = serializers.CharField()
    kinds = serializers.ListField(child=serializers.ChoiceField(WEBHOOK_KINDS))
    state = serializers.ChoiceField(Webhook.State.choices)
    why = serializers.CharField(
        help_text="Why it was disabled: `gone` (410), `failing` (for three days), `secret-unreadable`; else "
        "empty."
    )
    failures = serializers.IntegerField(help_text="Tries in a row that failed.")
    failing_since = serializers.DateTimeField(allow_null=True)
    next_at = serializers.DateTimeField(allow_null=True, help_text="Before this nothing is tried again.")
    created_at = serializers.DateTimeField()


class WebhookWithSecretShape(WebhookShape, SecretShape):
    """The answer to who made the secret: the only one that has it."""

    secret = serializers.SerializerMethodField(help_text="`whsec_…`, for checking signatures; told once.")


class NewWebhookBody(Body):
    """A webhook to be registered."""

    url = Text(max_length=500, help_text="Begins with https://.")
    kinds = serializers.ListField(
        child=Choice(WEBHOOK_KINDS),
        min_length=1,
        max_length=len(WEBHOOK_KINDS),
        help_text="What it is told of.",
    )


class AttemptShape(Shape):
    """One try."""

    at = serializers.DateTimeField()
    milliseconds = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(help_text="A code; empty for a success.")
    excerpt = serializers.CharField(help_text="How the answer began.")


class DeliveryShape(Shape):
    """A message, with each try."""

    id = serializers.IntegerField()
    message = serializers.CharField(source="message_id", help_text="The header `webhook-id`.")
    kind = serializers.ChoiceField(SENT_KINDS)
    is_replay = serializers.BooleanField()
    state = serializers.ChoiceField(Delivery.State.choices)
    created_at = serializers.DateTimeField()
    attempts = AttemptShape(many=True, source="attempts.all")


class ReplayBody(Body):
    """What is sent once more: one message, or all since a moment."""

    delivery = Whole(min_value=1, max_value=2**53, required=False)
    since = Moment(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two."""
        if len(attrs) != 1:
            raise serializers.ValidationError(_("This takes one of `delivery` and `since`."), "one-of-two")
        return attrs


class ReplayedShape(Shape):
    """How many messages are sent once more."""

    count = serializers.IntegerField()
