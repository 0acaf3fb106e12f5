"""The change feed as stored: what has happened in an event, numbered in one order. No row holds a name."""

from typing import ClassVar

from django.db import models

from people.models import Event


class Feed(models.Model):
    """The feed of one event. Whoever numbers changes holds the lock of this row."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="feed")
    last = models.PositiveBigIntegerField(default=0, help_text="The number of the last change; 0 for none.")

    def __str__(self) -> str:
        return f"{self.event_id} {self.last}"


class FeedMark(models.Model):
    """How far one stream of facts, or one row of versions, has been numbered."""

    class Source(models.TextChoices):
        """What is counted."""

        FACTS = "facts"
        STANDINGS = "standings"
        OVERALL = "overall"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="feed_marks")
    source = models.CharField(max_length=10, choices=Source)
    subject = models.UUIDField(help_text="The stream; the tournament of standings; the palio of its tables.")
    reached = models.PositiveIntegerField(help_text="The sequence or number of the last one numbered.")
    tournament = models.UUIDField(null=True, help_text="The tournament that it belongs to.")
    outcome = models.CharField(
        max_length=64, blank=True, help_text="A game's outcome when it was told last; empty for none."
    )
    was_over = models.BooleanField(default=False, help_text="Whether a result of the game was ever told.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["subject", "source"], name="feed_mark_once_for_subject")
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.subject} {self.reached}"


class Change(models.Model):
    """One change: a fact or a version, in its place in the event's order. Never altered."""

    id = models.UUIDField(
        primary_key=True, editable=False, help_text="A fact's own; of anything else it follows from what."
    )
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="changes")
    number = models.PositiveBigIntegerField(help_text="Its place among the event's changes, from 1.")
    kind = models.CharField(max_length=32, help_text="See `integrations.change_feed.kinds.KINDS`.")
    type = models.CharField(max_length=64, blank=True, help_text="A fact's type; how a game ended.")
    at = models.DateTimeField(help_text="When it was recorded or computed.")
    tournament = models.UUIDField(null=True)
    subject_kind = models.CharField(max_length=32)
    subject = models.UUIDField(help_text="The game, match, tournament or palio.")
    version = models.PositiveIntegerField(help_text="The sequence in the stream, or the version's number.")

    class Meta:
        ordering: ClassVar = ["event", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "number"], name="change_number_once_in_event")
        ]
        indexes: ClassVar = [
            models.Index(fields=["event", "kind", "number"], name="change_by_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"
