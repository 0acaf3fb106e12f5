"""The one row that says that the work in the background goes on."""

from django.db import models


class Heartbeat(models.Model):
    """When the clock (beat), the broker and a worker last did something together; one row, in full mode."""

    name = models.CharField(primary_key=True, max_length=32)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at:%H:%M:%S}"
