"""Calls to a table: said at the desk's microphone, shown on the board and to the public."""

from django.db import models

from tournaments.models.tournaments import Tournament


class Call(models.Model):
    """A match that was called. A reference row: it tells what was said, and decides nothing.

    It names its match by id alone, as its primary key. Matches are a projection that may be thrown away and
    built again with the same ids. `version` counts the changes; `called_at` is null once taken back.
    """

    match = models.UUIDField(primary_key=True, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="calls")
    version = models.PositiveIntegerField(default=0)
    called_at = models.DateTimeField(null=True)
    times = models.PositiveSmallIntegerField(default=0, help_text="How often it was called.")

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.match}"
