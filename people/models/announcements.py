"""Announcements: short sentences of the organizers, pinned to pages for a while."""

import uuid
from collections.abc import Mapping
from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

from people.models.events import Event

MOST_TEXT = 160
EARLIER_COLUMNS = {"it": "text_it", "en": "text_en"}
"""Where the release before has texts. It reads them while an update runs; the next one removes them."""


def check_texts(value: Mapping[str, object]) -> None:
    """Raise ValidationError unless each value is a text, not too long."""
    if not all(isinstance(text, str) and len(text) <= MOST_TEXT for text in value.values()):
        raise ValidationError("texts")


class Announcement(models.Model):
    """A sentence in one language or more, shown until a time or until it is taken back.

    Its id is the client's, so that a form that is sent twice announces once.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="announcements")
    texts = models.JSONField(
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        validators=[check_texts],
        help_text="By language.",
    )
    text_it = models.CharField(max_length=MOST_TEXT, blank=True)
    text_en = models.CharField(max_length=MOST_TEXT, blank=True)
    announced_at = models.DateTimeField(default=timezone.now)
    shown_until = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True, blank=True)

    # Somebody may have written a name all the same: the trail tells that something was announced, not what.
    audit_hides: ClassVar = frozenset({"texts", *EARLIER_COLUMNS.values()})

    class Meta:
        ordering = ["-announced_at"]
        indexes = [models.Index(fields=["event", "shown_until"], name="announcements_of_event")]

    def __str__(self) -> str:
        return f"{self.event_id} {self.announced_at:%H:%M:%S}"

    def by_language(self) -> dict[str, str]:
        """The sentence by language, also where the release before has written it."""
        return self.texts or {
            language: text for language, column in EARLIER_COLUMNS.items() if (text := getattr(self, column))
        }

    def text(self, language: str) -> tuple[str, str]:
        """What is read in this language, and the language that it is in: if need be the event's, or any."""
        texts = self.by_language()
        wanted = (language, language.partition("-")[0], self.event.language, *texts)
        found = next((each for each in wanted if texts.get(each)), language)
        return texts.get(found, ""), found
