"""Persons (erasable) and their entries (which facts name by id)."""

import uuid
from typing import ClassVar

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.intake.rows import MAX_MARK, MAX_NAME, MAX_NOTE
from people.models.events import Event, Team


class Person(models.Model):
    """A child or adult, known to one event only; everything personal stands here and nowhere else."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="persons")
    first_name = models.CharField(max_length=MAX_NAME)
    last_name = models.CharField(max_length=MAX_NAME)
    birth_date = models.DateField()
    shows_name = models.BooleanField(
        default=False, help_text="The parents consent to first name and initial being shown."
    )
    family = models.CharField(
        max_length=MAX_MARK,
        blank=True,
        help_text="A word that brothers and sisters share; draws keep them apart, and never tell it.",
    )
    school_class = models.CharField(
        max_length=MAX_MARK, blank=True, help_text="A class or group; draws can keep it apart."
    )
    is_strong = models.BooleanField(default=False, help_text="Spread over the tables with the other strong.")
    note = models.TextField(
        max_length=MAX_NOTE, blank=True, help_text="Seen at the desk only, gone after the event."
    )

    # Health data: the audit trail tells that it changed, and not what it said.
    audit_hides: ClassVar = frozenset({"note"})

    class Meta:
        ordering = ["last_name", "first_name"]

    def __str__(self) -> str:
        return f"{self.first_name} {self.last_name}"

    def __repr__(self) -> str:
        # What stands in logs and tracebacks.
        return f"<Person {self.pk}>"


class Entry(models.Model):
    """One person entered for one team; `number` is the place in which the team's entries came in.

    The check-in gives a slip with the number and a private code, of which only the hash is kept.
    """

    class Status(models.TextChoices):
        """Whether the entry can be drawn."""

        ENTERED = "entered", _("entered")
        WITHDRAWN = "withdrawn", _("withdrawn")
        ABSENT = "absent", _("didn’t turn up")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="entries")
    # Null once the person has been erased: facts go on naming the entry.
    person = models.OneToOneField(Person, on_delete=models.SET_NULL, null=True, related_name="entry")
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    status = models.CharField(max_length=10, choices=Status, default=Status.ENTERED)
    entered_at = models.DateTimeField(auto_now_add=True)
    checked_in_at = models.DateTimeField(null=True, blank=True)
    # Null while there is no code: an empty text would be one that only a single entry can have.
    code_hash = models.CharField(max_length=64, unique=True, null=True, blank=True)

    audit_hides: ClassVar = frozenset({"code_hash"})

    class Meta:
        ordering = ["team", "number"]
        constraints = [models.UniqueConstraint(fields=["team", "number"], name="entry_number_once_in_team")]

    def __str__(self) -> str:
        return f"{self.team_id} {self.number}"
