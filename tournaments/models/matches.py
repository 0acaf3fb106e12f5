"""Squads, matches of two or more sides, and the games that a match holds."""

import uuid

from django.db import models

from games.models import Game
from people.models import Entry, Team
from tournaments.models.tables import Table
from tournaments.models.tournaments import Stage


class Squad(models.Model):
    """The 1 to 5 entries of a team that sit down together."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="squads")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="squads")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["stage", "team", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "team", "number"], name="squad_number_once_in_team")
        ]

    def __str__(self) -> str:
        return f"{self.team_id} {self.number}"


class SquadMember(models.Model):
    """An entry's place in a squad."""

    squad = models.ForeignKey(Squad, on_delete=models.CASCADE, related_name="members")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="squad_memberships")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["squad", "position"]
        constraints = [models.UniqueConstraint(fields=["squad", "position"], name="squad_position_once")]

    def __str__(self) -> str:
        return f"{self.squad_id} {self.position}"


class Match(models.Model):
    """A meeting of two or more sides at a table; a mini-tournament is a match of three games.

    Its facts (confirmed, disputed) are in a stream of its own with the match's id, so that tables don't
    queue: see `tournaments.facts.matches`.

    `wave` and `table` are where it is played. They are as it was drawn or, once the event's timetable has a
    `Place` for it, as that says (`tournaments.projections.drawn_rows`).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="matches")
    round = models.PositiveSmallIntegerField()
    wave = models.PositiveSmallIntegerField()
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="matches")
    drawn_wave = models.PositiveSmallIntegerField(help_text="The wave, as it was drawn.")
    drawn_table = models.PositiveSmallIntegerField(help_text="The table's number, as it was drawn.")
    slot = models.CharField(
        max_length=20,
        blank=True,
        help_text="Its place in a format drawn round by round: in a bracket.",
    )
    version = models.PositiveIntegerField(default=0, help_text="The sequence of the match's last fact.")

    class Meta:
        ordering = ["stage", "round", "wave", "table__number"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "round", "drawn_wave", "drawn_table"],
                name="one_match_drawn_at_a_table_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id} {self.round}.{self.wave}.{self.table_id}"

    def absent_sides(self) -> frozenset[int]:
        """The numbers of its sides of whom it was noted that they aren't at a table of many."""
        noted = {squad for squad, rounds in self.stage.absent.items() if self.round in rounds}
        if not noted:
            return frozenset()
        return frozenset(side.number for side in self.sides.all() if str(side.squad_id) in noted)


class MatchSide(models.Model):
    """One side of a match: a squad."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="sides", db_index=False)
    number = models.PositiveSmallIntegerField(help_text="From 0: A, B, C, …")
    squad = models.ForeignKey(Squad, on_delete=models.CASCADE, related_name="sides")

    class Meta:
        ordering = ["match", "number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="side_number_once_in_match")]

    def __str__(self) -> str:
        return f"{self.match_id} {self.number}"


class MatchGame(models.Model):
    """One game of a match: the sides that play it, by their numbers."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="match_games", db_index=False)
    number = models.PositiveSmallIntegerField(help_text="From 1.")
    sides = models.JSONField(help_text="The numbers of the sides that play this game.")
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="match_game")
    confirmed_version = models.PositiveIntegerField(
        default=0, help_text="The version of the game's log at which its result was confirmed last."
    )
    disputed_version = models.PositiveIntegerField(
        default=0, help_text="The version of the game's log at which its result was disputed last."
    )
    dispute = models.CharField(max_length=20, blank=True, help_text="Why it was disputed last: a code.")

    class Meta:
        ordering = ["match", "number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="game_number_once_in_match")]

    def __str__(self) -> str:
        return f"{self.match_id} {self.number}"
