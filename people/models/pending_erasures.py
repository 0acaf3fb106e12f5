"""Models of erasing: the service's own clock, what is held while it isn't believed, what is announced."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import models

from people.models.events import Event


class ServiceClock(models.Model):
    """The last believed reading of the wall clock, and what waits for an organizer to confirm the date; one
    row.
    """

    class HoldReason(models.TextChoices):
        """Why nothing is erased at present."""

        GAP = "gap"
        BEHIND = "behind"
        BACKUP = "backup"

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    seen_at = models.DateTimeField(help_text="The last believed reading, to the hour.")
    days_run = models.PositiveIntegerField(
        default=0, db_default=0, help_text="On how many days (UTC) the clock was believed."
    )
    excused_until = models.DateTimeField(
        null=True, help_text="What was recorded until then is no reason to doubt the clock any more."
    )
    held = models.JSONField(default=list, help_text="What is due and isn't erased: words of `Held`.")
    reason = models.CharField(max_length=10, choices=HoldReason, blank=True)
    held_since = models.DateTimeField(null=True)
    newest = models.DateTimeField(
        null=True, help_text="The newest fact, audit row or backup when this was held."
    )

    def __str__(self) -> str:
        return f"{self.seen_at:%Y-%m-%d %H:%M} {self.reason}"


class PendingErasure(models.Model):
    """Names or notes of an event that go by themselves, announced at its desk."""

    class ErasureKind(models.TextChoices):
        """What goes."""

        NAMES = "names"
        NOTES = "notes"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="pending_erasures")
    kind = models.CharField(max_length=5, choices=ErasureKind)
    due_on = models.DateField()
    announced_at = models.DateTimeField(null=True, help_text="By a believed clock; null until there is one.")
    is_agreed = models.BooleanField(
        default=False, help_text="An organizer has confirmed the date since it was due."
    )

    class Meta:
        ordering = ["event", "kind"]
        constraints = [
            models.UniqueConstraint(fields=["event", "kind"], name="pending_erasure_once_in_event")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.event_id} on {self.due_on}"

    def goes_on(self, notice: timedelta, now: datetime) -> date:
        """The day on which it goes, once the clock is believed: not before this notice is over."""
        zone = ZoneInfo(self.event.time_zone)
        if self.is_agreed:
            return max(self.due_on, now.astimezone(zone).date())
        return max(self.due_on, ((self.announced_at or now) + notice).astimezone(zone).date())
