"""The event's timetable: which match is played when, at which table, with which referee. Reference rows.

What they say of a match lies over the draw. Projections are built again without touching them, and a match
that comes back finds its place again. So nothing here is deleted with a match.
"""

import uuid

from django.db import models

from people.models import Event, Referee
from tournaments.models.matches import Match
from tournaments.models.tables import Table
from tournaments.models.tournaments import Tournament


class Timetable(models.Model):
    """How an event's timetable is made; `Place` has what came of it.

    `settings` are `tournaments.settings.timetable.TimetableSettings`. `version` counts the changes of
    settings and places.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="timetable", primary_key=True)
    version = models.PositiveIntegerField(default=0)
    settings = models.JSONField(default=dict)
    changed_at = models.DateTimeField(null=True, help_text="When a place was changed last.")

    def __str__(self) -> str:
        return f"{self.event_id} {self.version}"


class Place(models.Model):
    """When and where a match is played, and who judges it. Its id is the match's.

    `sequence` is the timetable's version at which the hour or the table changed last.
    """

    match = models.OneToOneField(
        Match,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="place",
        primary_key=True,
        help_text="It may be gone, and come back when the draw is built again.",
    )
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="places")
    begins_at = models.DateTimeField()
    minutes = models.PositiveSmallIntegerField()
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="places")
    referee = models.ForeignKey(Referee, on_delete=models.SET_NULL, null=True, related_name="places")
    is_locked = models.BooleanField(default=False, help_text="Stays where it is when hours are worked out.")
    sequence = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["begins_at", "table__number"]
        indexes = [models.Index(fields=["table", "begins_at"], name="places_of_a_table")]

    def __str__(self) -> str:
        return f"{self.match_id} {self.begins_at:%Y-%m-%d %H:%M}"


class TimetableChange(models.Model):
    """What the places were before a change, so that it can be taken back. The last ones are kept."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="timetable_changes")
    version = models.PositiveIntegerField(help_text="The timetable's version after the change.")
    kind = models.CharField(max_length=20)
    before = models.JSONField(help_text="The places by the match's id; null where it had none.")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["event", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["event", "version"], name="timetable_change_once_a_version")
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.version} {self.kind}"


class TimetableWork(models.Model):
    """A timetable that is being worked out in the background, or what came of it."""

    class Status(models.TextChoices):
        """How far it is."""

        WAITING = "waiting"
        RUNNING = "running"
        FOUND = "found"
        IMPOSSIBLE = "impossible"
        CANCELLED = "cancelled"
        FAILED = "failed"
        KEPT = "kept"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="timetable_works")
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    seed = models.CharField(max_length=60)
    version = models.PositiveIntegerField(help_text="The timetable's version that it started from.")
    settings = models.JSONField(help_text="The settings that it was started with.")
    progress = models.JSONField(default=dict, help_text="What the method said last of how far it is.")
    answer = models.JSONField(default=dict, help_text="The proposal, or why there is none.")
    is_to_stop = models.BooleanField(default=False)
    asked_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True, help_text="When the worker gave a sign of life last.")

    class Meta:
        ordering = ["event", "-asked_at"]

    def __str__(self) -> str:
        return f"{self.event_id} {self.status}"
