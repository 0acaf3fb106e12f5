"""Tries that rate limits count: at passwords, PINs and codes, and phones that ask to be let in."""

from django.db import models


class Try(models.Model):
    """One try that failed or is being looked at; too many at one limit in a while bring a pause.

    Of whom and from where only a keyed hash is kept, and for an hour at most.
    """

    limit = models.CharField(max_length=24, db_column="brake", help_text="The name of a `RateLimit`.")
    whose = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["limit", "whose", "at"], name="tries_of_whom"),
            models.Index(fields=["at"], name="tries_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.limit} {self.at:%H:%M:%S}"
