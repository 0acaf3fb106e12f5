"""Answers to calls that had a key of the caller's own."""

from django.db import models

from people.models.events import Event


class StoredAnswer(models.Model):
    """The answer to a call with an `Idempotency-Key`, for whoever sends the same once more; kept for a day.

    It may hold names and secrets, so it is encrypted. The key is made of the caller's, which isn't stored: a
    copy of the database opens nothing, even with `SECRET_KEY`.
    """

    whose = models.CharField(max_length=64, unique=True, help_text="A keyed hash of the caller and the key.")
    said = models.CharField(max_length=64, help_text="A keyed hash of the address and the body.")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="+")
    status = models.PositiveSmallIntegerField(default=0, help_text="Of the answer, as HTTP has it.")
    answer = models.TextField(blank=True, help_text="Encrypted.")
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.status} {self.at:%H:%M:%S}"
