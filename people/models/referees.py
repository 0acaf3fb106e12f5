"""Referees, and the phones that are paired for an event."""

import uuid
from typing import ClassVar

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

    # The trail outlives the day, and a volunteer's name need not.
    audit_hides: ClassVar = frozenset({"first_name", "last_name"})

    class Meta:
        ordering = ["first_name", "last_name"]

    def __str__(self) -> str:
        # A dash once the name has been erased: the row stays for the facts that its phones have entered.
        return f"{self.first_name} {self.last_name}".strip() or "–"

    def __repr__(self) -> str:
        # What stands in logs and tracebacks.
        return f"<Referee {self.pk}>"


class Pairing(models.Model):
    """One phone that acts for one referee at one event, once admitted and until revoked.

    The phone holds the secret, the service only its hash. The pairing's id is the `by` of what the phone
    enters.
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
        max_length=24, help_text="Shown on the phone and at the desk, so that the right phone is admitted."
    )
    asked_at = models.DateTimeField(auto_now_add=True)
    asked_from = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="A keyed hash of the network address, until it is admitted.",
    )
    admitted_at = models.DateTimeField(null=True, blank=True)
    admitted_by = models.CharField(max_length=4, choices=AdmittedBy, blank=True)
    admitted_by_account = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    replaces = models.OneToOneField(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="replaced_by",
        help_text="The referee's former phone, which ended when this one was let in.",
    )
    last_seen_at = models.DateTimeField(null=True, blank=True)
    # A number and no reference: tables are of a layer above.
    table_number = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The table whose page the phone opened last."
    )
    queue = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="How many entries wait on the phone to be sent, as it said last; null until it says so.",
    )
    clock_off = models.IntegerField(
        default=0, help_text="By how many seconds the phone's clock is ahead; 0 where that doesn't matter."
    )
    other_day = models.DateField(
        null=True, blank=True, help_text="The day, none of the event's, on which it writes all the same."
    )

    audit_hides: ClassVar = frozenset({"secret_hash", "asked_from", "last_seen_at"})

    class Meta:
        ordering = ["asked_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "check_word"],
                condition=models.Q(revoked_at=None),
                name="check_word_once_in_event",
            )
        ]

    def __str__(self) -> str:
        return f"{self.referee_id} {self.check_word}"
