"""Standings as computed: each version says which facts it was computed from, and is never changed afterwards."""

import uuid

from django.db import models

from people.models import Team
from tournaments.models.tournaments import Tournament


class StandingsVersion(models.Model):
    """The standings of a tournament as of the facts that it read. "As of 15:40" picks a version."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="standings_versions")
    number = models.PositiveIntegerField()
    computed_at = models.DateTimeField()
    heads = models.JSONField(help_text="Stream id to the sequence of the last fact that was read.")
    games_played = models.PositiveIntegerField()
    games_total = models.PositiveIntegerField()
    has_open_ties = models.BooleanField(default=False, help_text="A tie that matters is unresolved.")

    class Meta:
        ordering = ["tournament", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="standings_version_once")
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.number}"


class Standing(models.Model):
    """One team's row in one version."""

    version = models.ForeignKey(StandingsVersion, on_delete=models.CASCADE, related_name="rows")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="standings")
    position = models.PositiveSmallIntegerField(
        help_text="The order of the rows; tied teams stand by team number."
    )
    place = models.PositiveSmallIntegerField(help_text="Shared places as 1, 2, 2, 4.")
    is_tied = models.BooleanField(default=False)
    metrics = models.JSONField(help_text="The ordered metrics' values, as text (fractions as n/d).")
    decided_by = models.CharField(
        max_length=40, blank=True, help_text="The metric that puts it above the next row; empty if tied."
    )
    placement_points = models.CharField(max_length=20, help_text="Exact: a whole number or a fraction n/d.")

    class Meta:
        ordering = ["version", "position"]
        constraints = [models.UniqueConstraint(fields=["version", "team"], name="standing_once_in_version")]

    def __str__(self) -> str:
        return f"{self.version_id} {self.place}"
