"""Referees, and the phones that are paired for an event."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models.accounts import Account
from people.models.events import Event, Team


class Referee(models.Model):
    """A volunteer who enters results; never judges the own team."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="referees")
    first_name = models.CharField(max_length=60)
    last_name = models.CharField(max_length=60, blank=True)
    team = models.ForeignKey(Team, on_delete=models.SET_NULL, null=True, blank=True, related_name="referees")

    class Meta:
        ordering = ["first_name", "last_name"]

    def __str__(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()


class Pairing(models.Model):
    """One phone that acts for one referee at one event, once admitted and until revoked.

    The phone holds the secret, the service only its hash. The pairing's id is the `by` of what the phone enters.
    """

    class AdmittedBy(models.TextChoices):
        """Who let the phone in."""

        DESK = "desk", _("the desk")
        PIN = "pin", _("the day's PIN")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="pairings")
    referee = models.ForeignKey(Referee, on_delete=models.CASCADE, related_name="pairings")
    secret_hash = models.CharField(max_length=64, unique=True)
    check_word = models.CharField(
        max_length=12, help_text="Shown on the phone and at the desk, so that the right phone is admitted."
    )
    asked_at = models.DateTimeField(auto_now_add=True)
    admitted_at = models.DateTimeField(null=True, blank=True)
    admitted_by = models.CharField(max_length=4, choices=AdmittedBy, blank=True)
    admitted_by_account = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["asked_at"]

    def __str__(self) -> str:
        return f"{self.referee_id} {self.check_word}"
