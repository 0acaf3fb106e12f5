"""Heartbeats of the work in the background."""

from django.db import models
from django.utils import timezone

from config import queues


class Heartbeat(models.Model):
    """When beat, the broker and the worker of a queue last did something together; in full mode."""

    name = models.CharField(primary_key=True, max_length=32)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at:%H:%M:%S}"

    @classmethod
    def seconds_since_heard(cls) -> dict[str, float | None]:
        """Seconds since the worker of each queue was last heard of, None where it never was; one query."""
        now, at = timezone.now(), dict(cls.objects.values_list("name", "at"))
        hearts = {queue: at.get(queues.heart_of(queue)) for queue in queues.LIMITS}
        return {queue: (now - heard).total_seconds() if heard else None for queue, heard in hearts.items()}
