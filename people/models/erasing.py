"""What is known of the service's own clock, and what is held while it isn't believed."""

from django.db import models


class ServiceClock(models.Model):
    """The last believed reading of the wall clock, and what waits for an organizer to confirm the date; one
    row.
    """

    class Reason(models.TextChoices):
        """Why nothing is erased at present."""

        GAP = "gap"
        BEHIND = "behind"

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    seen_at = models.DateTimeField(help_text="The last believed reading, to the hour.")
    excused_until = models.DateTimeField(
        null=True, help_text="What was recorded until then is no reason to doubt the clock any more."
    )
    held = models.JSONField(default=list, help_text="What is due and isn't erased: words of `Held`.")
    reason = models.CharField(max_length=10, choices=Reason, blank=True)
    held_since = models.DateTimeField(null=True)
    newest = models.DateTimeField(
        null=True, help_text="The newest fact, audit row or backup when this was held."
    )

    def __str__(self) -> str:
        return f"{self.seen_at:%Y-%m-%d %H:%M} {self.reason}"
