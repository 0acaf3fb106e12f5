"""A tournament and its stages."""

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Event
from tournaments.formats.catalogue import BRACKETS, FORMATS
from tournaments.formats.choice import FormatChoice
from tournaments.formats.match_lengths import Length
from tournaments.formats.model import MAX_SEED


class Tournament(models.Model):
    """One competition of an event. Its stream of decisions has the tournament's own id.

    `settings` holds what decides an order (see `tournaments.settings.tournament.TournamentSettings`), as last
    decided; both it and `status` are projections of the decisions.
    """

    class Status(models.TextChoices):
        """How far it has come."""

        SET_UP = "set_up", _("being set up")
        DRAWN = "drawn", _("drawn")
        PUBLISHED = "published", _("published")
        CLOSED = "closed", _("closed")

    PUBLIC: ClassVar = (Status.PUBLISHED, Status.CLOSED)
    """From its publication on a draw is everybody's; before, it is the organizer's alone."""

    DRAWN_NOT_CLOSED: ClassVar = (Status.DRAWN, Status.PUBLISHED)
    """While it has matches whose tables and hours can change."""

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

    @property
    def choice(self) -> FormatChoice:
        """The format of the first stage."""
        return FORMATS[self.settings["format"]]

    @property
    def stage_settings(self) -> tuple[Mapping[str, Any], ...]:
        """The settings of the stages, drawn already or planned."""
        return (self.settings, *self.settings.get("later", ()))

    @property
    def plays_mini_tournaments(self) -> bool:
        """Whether its matches are mini-tournaments, and pages call them so."""
        lengths = {FORMATS[stage["format"]].length(stage.get("match") or {}) for stage in self.stage_settings}
        return lengths == {Length.MINI_TOURNAMENT}

    @property
    def plays_all_games(self) -> bool:
        """Whether each match is played to its last game, whoever is ahead."""
        kinds = (FORMATS[stage["format"]].kind(stage.get("match") or {}) for stage in self.stage_settings)
        return all(kind.plays_all for kind in kinds)

    @property
    def follows_results(self) -> bool:
        """Whether another game, round or stage can follow from a result."""
        return not self.plays_all_games or len(self.stage_settings) > 1 or not self.choice.is_predetermined

    @property
    def has_bracket(self) -> bool:
        """Whether one of its stages, drawn already or planned, has a bracket."""
        return any(stage["format"] in BRACKETS for stage in self.stage_settings)


class Stage(models.Model):
    """A part of a tournament that is drawn in one format; stages follow each other by number."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    format = models.CharField(max_length=20)
    seed = models.CharField(max_length=MAX_SEED)
    method = models.CharField(
        max_length=60, blank=True, help_text="The named method by which anybody can repeat the draw."
    )
    options = models.JSONField(default=dict, help_text="What was chosen in a format drawn round by round.")
    match = models.JSONField(
        default=dict, help_text="What a match is there: `length` and `games`; empty for mini-tournaments."
    )
    edits = models.JSONField(
        default=list,
        db_default=models.Value([], models.JSONField()),
        help_text="How it was changed by hand after it was drawn, in order: `rounds` (counted through all "
        "stages), `one` and `other` that changed places in them (each with `id`, `team` and "
        "`squad`, its number), and the `reason`.",
    )
    left = models.JSONField(
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        help_text="Of the stage that is on: who doesn't play on, by the squads' ids, each with the reason.",
    )
    absent = models.JSONField(
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        help_text="Who isn't at a table of many, by the squads' ids, each with the rounds (counted through "
        "all stages).",
    )

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_once_in_tournament")
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.number}"

    @property
    def swaps(self) -> list[dict[str, Any]]:
        """The changes by hand among `edits`.

        These also tell of rounds planned anew (`plan`, its number) and of free seats taken (`seats`, each as
        its round and table), with `at`, `reason`, and the `squad` that left or came.
        """
        return [edit for edit in self.edits if "one" in edit]

    def rounds_before(self) -> int:
        """How many rounds the stages before have; one query."""
        earlier = DrawnRound.objects.filter(
            stage__tournament=self.tournament_id, stage__number__lt=self.number
        )
        return earlier.count()


class DrawnRound(models.Model):
    """A round of a stage that is drawn round by round: its title, and who sits it out."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="drawn_rounds")
    number = models.PositiveSmallIntegerField(help_text="Counted through all stages of the tournament.")
    title = models.CharField(max_length=80, help_text="A msgid.")
    values = models.JSONField(help_text="The values of the title.")
    byes = models.JSONField(help_text="The ids of the squads that have a bye.")

    class Meta:
        ordering = ["stage", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="round_once_in_stage")]

    def __str__(self) -> str:
        return f"{self.stage_id} {self.number}"
