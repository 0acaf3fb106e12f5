"""The audit trail of reference rows: who changed which field when. Goes with the person that it is about."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models.entries import Person
from people.models.events import Event


class AuditEntry(models.Model):
    """One change of one row. `changes` maps a field to its value before and after, as text or null."""

    class Action(models.TextChoices):
        """What was done to the row."""

        CREATED = "created", _("created")
        CHANGED = "changed", _("changed")
        DELETED = "deleted", _("deleted")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="audit_trail")
    # Set where the change tells something of a person; then it is erased with the person.
    person = models.ForeignKey(
        Person, on_delete=models.CASCADE, null=True, blank=True, related_name="audit_trail"
    )
    at = models.DateTimeField(auto_now_add=True)
    actor_kind = models.CharField(max_length=10)
    actor_id = models.UUIDField(null=True)
    action = models.CharField(max_length=8, choices=Action)
    model = models.CharField(max_length=40)
    row_id = models.UUIDField()
    changes = models.JSONField(default=dict)
    is_seen = models.BooleanField(default=True, help_text="Whether public pages show what was changed.")

    class Meta:
        ordering = ["-at"]
        indexes = [models.Index(fields=["event", "-at"], name="audit_trail_of_event")]

    def __str__(self) -> str:
        return f"{self.action} {self.model} {self.row_id}"
