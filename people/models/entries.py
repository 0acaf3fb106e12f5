"""Persons (erasable) and their entries (which facts name by id)."""

import uuid

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models.events import Event, Team


class Person(models.Model):
    """A child or adult, known to one event only; everything personal stands here and nowhere else."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="persons")
    first_name = models.CharField(max_length=60)
    last_name = models.CharField(max_length=60)
    birth_date = models.DateField()
    shows_name = models.BooleanField(
        default=False, help_text="The parents consent to first name and initial being shown."
    )
    note = models.TextField(
        max_length=1000, blank=True, help_text="Seen at the desk only, gone after the event."
    )

    class Meta:
        ordering = ["last_name", "first_name"]

    def __str__(self) -> str:
        return f"{self.first_name} {self.last_name}"


class Entry(models.Model):
    """One person entered for one team; `number` is the place in which the team's entries came in."""

    class Status(models.TextChoices):
        """Whether the entry can be drawn."""

        ENTERED = "entered", _("entered")
        WITHDRAWN = "withdrawn", _("withdrawn")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="entries")
    # Null once the person has been erased: facts go on naming the entry.
    person = models.OneToOneField(Person, on_delete=models.SET_NULL, null=True, related_name="entry")
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    status = models.CharField(max_length=10, choices=Status, default=Status.ENTERED)
    entered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["team", "number"]
        constraints = [models.UniqueConstraint(fields=["team", "number"], name="entry_number_once_in_team")]

    def __str__(self) -> str:
        return f"{self.team_id} {self.number}"
