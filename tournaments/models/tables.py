"""Tables under the tent, and the short code on each one's card."""

import secrets
import uuid

from django.core.validators import MinValueValidator
from django.db import models

from people.models import Event

# Without letters and digits that look or sound alike.
CODE_ALPHABET = "ABCDEFGHKMNPRSTUVWXYZ23456789"
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
