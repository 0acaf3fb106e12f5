"""The clock that everybody at the festival sees: one for each tournament."""

from datetime import timedelta

from django.db import models

from tournaments.countdown import Countdown
from tournaments.models.tournaments import Tournament


class Clock(models.Model):
    """How long the games that are played now still have. A reference row: it tells the time and decides
    nothing.

    Its primary key is the tournament's, so that both are read at once. `round` and `wave` are what is played;
    the rest is `Countdown`'s. `version` counts the changes.
    """

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="clock", primary_key=True
    )
    version = models.PositiveIntegerField(default=0)
    round = models.PositiveSmallIntegerField()
    wave = models.PositiveSmallIntegerField()
    length = models.PositiveIntegerField(help_text="In seconds.")
    added = models.PositiveIntegerField(default=0, help_text="In seconds.")
    waited = models.DurationField(default=timedelta)
    started_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    rung_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.round}.{self.wave}"

    @property
    def countdown(self) -> Countdown:
        """The clock as arithmetic."""
        return Countdown(self.length, self.added, self.waited, self.started_at, self.paused_at, self.rung_at)
