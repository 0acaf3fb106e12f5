"""Webhooks, what is to be sent by them, and each try. No row holds a name; the log is kept for a while."""

import uuid
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Event


class Webhook(models.Model):
    """An address outside to which changes of an event are sent.

    `secret` is encrypted (see `integrations.webhooks.secret_storage`): the service has to sign with it, so a
    hash wouldn't do. A copy of the database alone signs nothing.
    """

    class State(models.TextChoices):
        """Whether anything is sent."""

        ACTIVE = "active", _("active")
        PAUSED = "paused", _("paused")
        DISABLED = "disabled", _("disabled")

    audit_hides: ClassVar = frozenset({"secret", "previous_secret"})

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    kinds = models.JSONField(help_text="The kinds of changes that are sent.")
    secret = models.TextField(help_text="Encrypted.")
    previous_secret = models.TextField(blank=True, help_text="Encrypted; good until `previous_until`.")
    previous_until = models.DateTimeField(null=True)
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE)
    why = models.CharField(max_length=20, blank=True, help_text="Why it was disabled: a code.")
    position = models.PositiveBigIntegerField(help_text="The last change that was looked at.")
    failures = models.PositiveIntegerField(default=0, help_text="Tries in a row that failed.")
    failing_since = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True, help_text="Before this nothing is tried again.")
    lease = models.UUIDField(null=True, help_text="Whoever is sending.")
    leased_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["event", "created_at", "pk"]

    def __str__(self) -> str:
        return str(self.id)


class Delivery(models.Model):
    """A message for one webhook; their ids are the order in which they are sent."""

    class State(models.TextChoices):
        """What became of it."""

        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("failed")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message = models.UUIDField(help_text="The same however often it is sent: receivers know it by this.")
    kind = models.CharField(max_length=32)
    body = models.TextField(help_text="JSON, as it is signed.")
    is_test = models.BooleanField(default=False, help_text="Sent once, out of turn.")
    is_replay = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    created_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["webhook", "pk"]
        indexes: ClassVar = [models.Index(fields=["webhook", "state", "id"], name="delivery_in_order")]

    def __str__(self) -> str:
        return f"{self.webhook_id} {self.message}"

    @property
    def message_id(self) -> str:
        """As the header `webhook-id` has it."""
        return f"msg_{self.message.hex}"


class Attempt(models.Model):
    """One try to send a message."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="attempts")
    at = models.DateTimeField()
    milliseconds = models.PositiveIntegerField()
    status = models.PositiveIntegerField(null=True, help_text="HTTP; null where there was no answer.")
    error = models.CharField(max_length=20, blank=True, help_text="A code; empty for a success.")
    excerpt = models.CharField(max_length=200, blank=True, help_text="How the answer began.")

    class Meta:
        ordering: ClassVar = ["delivery", "pk"]

    def __str__(self) -> str:
        return f"{self.delivery_id} {self.status or self.error}"
