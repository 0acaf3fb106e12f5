"""The palio of an event: its rules, jokers and other games as decided, and the overall table as computed."""

import uuid

from django.db import models

from people.models import Event, Team


class Palio(models.Model):
    """One table over several disciplines of an event. Its stream of decisions has the palio's own id.

    `rules` (see `tournaments.settings.palio.PalioRules`) and `teams` are projections of the decisions.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="palio")
    rules = models.JSONField()
    teams = models.JSONField(default=list, help_text="The ids of the teams that take part, by team number.")
    version = models.PositiveIntegerField(default=0, help_text="The sequence of the last decision.")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.event_id)


class OtherGame(models.Model):
    """A game of the event that isn't a tournament here (a sack race); a reference row: it has a name."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    palio = models.ForeignKey(Palio, on_delete=models.CASCADE, related_name="other_games")
    name = models.CharField(max_length=120)

    class Meta:
        ordering = ["palio", "name", "pk"]

    def __str__(self) -> str:
        return self.name


class PlayedJoker(models.Model):
    """A team's announcement that its points in a discipline count twice."""

    palio = models.ForeignKey(Palio, on_delete=models.CASCADE, related_name="jokers")
    team = models.ForeignKey(Team, on_delete=models.RESTRICT, related_name="jokers")
    discipline = models.UUIDField()
    announced_at = models.DateTimeField()

    class Meta:
        ordering = ["palio", "announced_at", "team"]
        constraints = [
            models.UniqueConstraint(fields=["palio", "team", "discipline"], name="joker_once_on_discipline")
        ]

    def __str__(self) -> str:
        return f"{self.team_id} {self.discipline}"


class OtherPlacing(models.Model):
    """A team's place in another game; who has none took no part, once others have one."""

    palio = models.ForeignKey(Palio, on_delete=models.CASCADE, related_name="other_placings")
    discipline = models.UUIDField()
    team = models.ForeignKey(Team, on_delete=models.RESTRICT, related_name="other_placings")
    place = models.PositiveSmallIntegerField(help_text="Shared places as 1, 2, 2, 4.")

    class Meta:
        ordering = ["palio", "discipline", "place", "team"]
        constraints = [
            models.UniqueConstraint(
                fields=["palio", "discipline", "team"], name="other_placing_once_in_discipline"
            )
        ]

    def __str__(self) -> str:
        return f"{self.discipline} {self.place}"


class OverallVersion(models.Model):
    """The overall table as of the decisions and standings that it read; never changed afterwards."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    palio = models.ForeignKey(Palio, on_delete=models.CASCADE, related_name="overall_versions")
    number = models.PositiveIntegerField()
    computed_at = models.DateTimeField()
    head = models.PositiveIntegerField(help_text="The sequence of the last decision that was read.")
    standings = models.JSONField(help_text="Tournament id to the number of the final standings that count.")
    decided = models.PositiveSmallIntegerField(help_text="How many disciplines count.")
    total = models.PositiveSmallIntegerField(help_text="How many disciplines there are.")
    has_open_ties = models.BooleanField(default=False, help_text="Lots are to be drawn.")
    is_final = models.BooleanField(default=False, help_text="All is decided.")
    receipt = models.CharField(
        max_length=64, blank=True, help_text="The root hash of the receipt made when all was decided."
    )
    seal = models.CharField(max_length=64, default="", help_text="See `tournaments.facts.version_seals`.")

    class Meta:
        ordering = ["palio", "-number"]
        constraints = [models.UniqueConstraint(fields=["palio", "number"], name="overall_version_once")]

    def __str__(self) -> str:
        return f"{self.palio_id} {self.number}"


class OverallStanding(models.Model):
    """One team's row in one version of the overall table."""

    version = models.ForeignKey(OverallVersion, on_delete=models.CASCADE, related_name="rows")
    team = models.ForeignKey(Team, on_delete=models.RESTRICT, related_name="overall_standings")
    position = models.PositiveSmallIntegerField(help_text="The order of the rows.")
    place = models.PositiveSmallIntegerField(help_text="Shared places as 1, 2, 2, 4.")
    movement = models.SmallIntegerField(
        null=True,
        help_text="Places climbed (negative: lost) since a discipline fewer was decided; null at the first.",
    )
    is_tied = models.BooleanField(default=False)
    total = models.CharField(max_length=40, help_text="A whole number or a fraction n/d.")
    shares = models.JSONField(
        help_text="For each discipline in order: discipline, place, points (text), joker; null if undecided."
    )
    metrics = models.JSONField(help_text="A list of [metric, value as text or null] in the order asked.")
    decided_by = models.JSONField(
        null=True,
        help_text="What puts this place above the next: metric, value, next_value, among (team ids).",
    )

    class Meta:
        ordering = ["version", "position"]
        constraints = [models.UniqueConstraint(fields=["version", "team"], name="overall_once_in_version")]

    def __str__(self) -> str:
        return f"{self.version_id} {self.place}"
