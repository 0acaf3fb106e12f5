"""Stored outlooks: a cache beside the standings, thrown away and made anew at will."""

from django.db import models

from tournaments.models.tournaments import Tournament


class Outlook(models.Model):
    """Which places each team (or squad) can still come to, from one version of the standings: the newest.

    It says nothing that couldn't be worked out again from the facts, and `verify` does that.
    """

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, primary_key=True, related_name="outlook"
    )
    number = models.PositiveIntegerField(help_text="The number of the version that it goes on from.")
    open_games = models.PositiveIntegerField()
    method = models.CharField(
        max_length=10,
        blank=True,
        help_text="How the places were found; empty where nobody can tell.",
    )
    samples = models.PositiveIntegerField(default=0)
    seed = models.CharField(max_length=40, blank=True)
    teams = models.JSONField(
        help_text="An object for each team or squad: team (its id), places, undecided, seen."
    )
    first_is_decided = models.BooleanField(
        default=False, help_text="Whoever can still be first is first whatever happens."
    )

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.number}"
