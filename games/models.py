"""Games as stored: who sits where, and the snapshot after the last log event.

The truth of a game is its stream in the ledger (whose id is the game's id). Everything in `Game` below
`ruleset` is a projection of it.
"""

import uuid
from typing import Final

from django.db import models

WAITING: Final = "waiting"
"""The phase of a game in whose log nothing is entered that holds."""


class Game(models.Model):
    """One game at one table. The stream begins with the first entry; until then `version` is 0."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # For whom the outcome is due (its tournament); games don't know what stands behind it.
    group = models.UUIDField(null=True, db_index=True)
    # The whole that the stream belongs to (its event), for receipts and for deleting it whole.
    scope = models.UUIDField(null=True, db_index=True)
    ruleset = models.JSONField(
        help_text="A preset's name, or an object with `preset` and the fields that differ."
    )
    version = models.PositiveIntegerField(default=0, help_text="The sequence of the last fact.")
    snapshot = models.JSONField(null=True, help_text="The engine's state after the last fact.")
    phase = models.CharField(max_length=12, default=WAITING)
    is_over = models.BooleanField(default=False)
    winner_seat = models.PositiveSmallIntegerField(null=True)
    winner_team = models.UUIDField(null=True, help_text="The team that won, by its id.")
    closed_by = models.CharField(
        max_length=12, blank=True, help_text="How it ended: played, result, time, forfeit, abandoned."
    )
    figures = models.JSONField(
        null=True, help_text="Points and penalty cards by seat; null where nobody knows any."
    )
    is_from_paper = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Its result was entered from paper, since the engine couldn't follow its log.",
    )
    changed_at = models.DateTimeField(null=True)
    fault = models.JSONField(
        null=True,
        help_text="Where and why the engine can't follow the log (`line`, `what`); null where it can.",
    )

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_set_aside(self) -> bool:
        """Whether the engine can't follow its log: nothing is entered, and its outcome stays as it was."""
        return self.fault is not None

    @property
    def is_begun(self) -> bool:
        """Whether it was opened or more, and not all of that was taken back."""
        return self.phase != WAITING

    @property
    def has_dealer(self) -> bool:
        """Whether its log says who deals: the first thing that is written of a game's cards."""
        return self.snapshot is not None and self.snapshot.get("dealer") is not None


class Seat(models.Model):
    """Who sits at a table: an entry of a team, both by id."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField(help_text="From 0, clockwise.")
    entry = models.UUIDField()
    team = models.UUIDField()

    class Meta:
        ordering = ["game", "number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="seat_once_in_game")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.number}"
