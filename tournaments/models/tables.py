"""Tables under the tent, and the short code on each one's card."""

import secrets
import uuid

from django.core.validators import MinValueValidator
from django.db import models

from people.models import Event

# Of characters that look alike at most one is here: 0 O Q, 1 I L, 2 Z, 5 S, 6 G, 8 B, U V, J. Without vowels
# no code is a word.
CODE_ALPHABET = "CDFHKMNPRTVWXY234679"
CODE_LENGTH = 6


def new_code() -> str:
    """A fresh table code, for example `K7RM2T`. It opens nothing by itself: a phone must be paired."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class Table(models.Model):
    """A table of an event, where matches are played one after another."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)

    class Meta:
        ordering = ["event", "number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="table_number_once_in_event")]

    def __str__(self) -> str:
        return str(self.number)


class OldCode(models.Model):
    """A code that stood on a table's card until a new one was made: no other card ever gets it."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="old_codes")
    code = models.CharField(max_length=CODE_LENGTH, unique=True)
    ended_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.code
