"""A tournament and its stages."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Event
from tournaments.formats.model import MAX_SEED


class Tournament(models.Model):
    """One competition of an event. Its stream of decisions has the tournament's own id.

    `settings` holds what decides an order (see `tournaments.settings.TournamentSettings`), as last decided;
    both it and `status` are projections of the decisions.
    """

    class Status(models.TextChoices):
        """How far it has come."""

        SET_UP = "set_up", _("being set up")
        DRAWN = "drawn", _("drawn")
        PUBLISHED = "published", _("published")
        CLOSED = "closed", _("closed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="tournaments")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    settings = models.JSONField()
    status = models.CharField(max_length=10, choices=Status, default=Status.SET_UP)
    version = models.PositiveIntegerField(default=0, help_text="The sequence of the last decision.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["event", "name"]
        constraints = [
            models.UniqueConstraint(fields=["event", "slug"], name="tournament_slug_once_in_event")
        ]

    def __str__(self) -> str:
        return self.name


class Stage(models.Model):
    """A part of a tournament that is drawn in one format; stages follow each other by number."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    format = models.CharField(max_length=20)
    seed = models.CharField(max_length=MAX_SEED)
    method = models.CharField(
        max_length=60, help_text="The named method by which anybody can repeat the draw."
    )

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_once_in_tournament")
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.number}"
