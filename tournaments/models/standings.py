"""Standings as computed: each version says which facts it was computed from, and never changes."""

import uuid

from django.db import models

from people.models import Team
from tournaments.models.matches import Squad
from tournaments.models.tournaments import Tournament

ALL_PLAYED = models.Q(is_all_drawn=True, games_total__lte=models.F("games_played"))
"""Of versions of the standings: `StandingsVersion.is_all_played`."""


class StandingsVersion(models.Model):
    """The standings of a tournament as of the facts that it read. "As of 15:40" picks a version."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="standings_versions")
    number = models.PositiveIntegerField()
    computed_at = models.DateTimeField()
    heads = models.JSONField(help_text="Stream id to the sequence of the last fact that was read.")
    games_played = models.PositiveIntegerField()
    games_total = models.PositiveIntegerField()
    is_all_drawn = models.BooleanField(default=True, help_text="No round or stage is still to be drawn.")
    groups = models.JSONField(
        default=list, help_text="The tables of the groups of the stage that is on: name, missing, rows."
    )
    order = models.JSONField(
        default=dict,
        help_text="What decides the order, and each change of it: see `tournaments.projections.order_rules`.",
    )
    rounds_played = models.PositiveSmallIntegerField(help_text="How many rounds are complete.")
    round_ends = models.JSONField(
        null=True, help_text="When which round ended: see `tournaments.projections.round_end_places`."
    )
    has_open_ties = models.BooleanField(default=False, help_text="A tie that matters is unresolved.")
    outdated = models.JSONField(
        default=list,
        db_default=models.Value([], models.JSONField()),
        help_text="The ids of matches of a bracket in which, after a correction, others would meet than were "
        "drawn.",
    )
    annulled = models.JSONField(
        default=list,
        db_default=models.Value([], models.JSONField()),
        help_text="The ids of squads, as of their stages, against whom no result counts.",
    )
    is_final = models.BooleanField(default=False, help_text="The tournament was closed.")
    receipt = models.CharField(
        max_length=64,
        blank=True,
        help_text="The root hash of the receipt made when a round was complete, or at closing.",
    )
    seal = models.CharField(max_length=64, default="", help_text="See `tournaments.facts.version_seals`.")

    class Meta:
        ordering = ["tournament", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="standings_version_once")
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.number}"

    @property
    def is_all_played(self) -> bool:
        """Whether everything is drawn, and every game that counts is over."""
        return self.is_all_drawn and self.games_total <= self.games_played


class Standing(models.Model):
    """One row in one version: a team's, or a squad's where stages are drawn round by round."""

    version = models.ForeignKey(
        StandingsVersion, on_delete=models.CASCADE, related_name="rows", db_index=False
    )
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="standings")
    squad = models.ForeignKey(
        Squad,
        on_delete=models.CASCADE,
        related_name="standings",
        null=True,
        help_text="The squad that is ranked, as it is in the first stage; null where teams are.",
    )
    position = models.PositiveSmallIntegerField(
        help_text="The order of the rows; tied teams stand by team number."
    )
    place = models.PositiveSmallIntegerField(help_text="Shared places as 1, 2, 2, 4.")
    movement = models.SmallIntegerField(
        null=True,
        help_text=(
            "Places climbed (negative: lost) since the end of a round "
            "(`tournaments.projections.round_end_places`); null where nothing is compared."
        ),
    )
    is_tied = models.BooleanField(default=False)
    games_won = models.PositiveIntegerField()
    games_played = models.PositiveIntegerField()
    metrics = models.JSONField(help_text="A list of [metric, value as text or null] in the order asked.")
    decided_by = models.JSONField(
        null=True,
        help_text="What puts this place above the next: metric, value, next_value, among (team ids).",
    )
    placement_points = models.CharField(
        max_length=20,
        blank=True,
        help_text="A whole number or a fraction n/d; empty while lots or a play-off are awaited.",
    )
    adjustments = models.JSONField(
        default=list,
        db_default=models.Value([], models.JSONField()),
        help_text="Points given or taken by decision that hold: a list of [points, code of the reason].",
    )
    removal = models.JSONField(
        null=True,
        help_text=(
            "Of who was removed: the reason, and what becomes of the place "
            "(`tournaments.projections.removed_squads`)."
        ),
    )

    class Meta:
        ordering = ["version", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["version", "team"], condition=models.Q(squad=None), name="standing_once_in_version"
            ),
            models.UniqueConstraint(fields=["version", "squad"], name="squad_once_in_version"),
        ]

    def __str__(self) -> str:
        return f"{self.version_id} {self.place}"

    @property
    def contestant_id(self) -> uuid.UUID:
        """Who is ranked: the squad, or else the team."""
        return self.squad_id or self.team_id
