"""Announcements: short sentences of the organizers, pinned to pages for a while."""

import uuid
from typing import ClassVar

from django.db import models
from django.utils import timezone

from people.models.events import Event

MOST_TEXT = 160


class Announcement(models.Model):
    """A sentence in one of the languages or in both, shown until a time or until it is taken back.

    Its id is the client's, so that a form that is sent twice announces once.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="announcements")
    text_it = models.CharField(max_length=MOST_TEXT, blank=True)
    text_en = models.CharField(max_length=MOST_TEXT, blank=True)
    announced_at = models.DateTimeField(default=timezone.now)
    shown_until = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True, blank=True)

    # Somebody may have written a name all the same: the trail tells that something was announced, not what.
    audit_hides: ClassVar = frozenset({"text_it", "text_en"})

    class Meta:
        ordering = ["-announced_at"]
        indexes = [models.Index(fields=["event", "shown_until"], name="announcements_of_event")]

    def __str__(self) -> str:
        return f"{self.event_id} {self.announced_at:%H:%M:%S}"

    def text(self, language: str) -> tuple[str, str]:
        """What is read in this language, and the language that it is in: the other one if need be."""
        texts = {"it": self.text_it, "en": self.text_en}
        own = language.split("-")[0]
        if texts.get(own):
            return texts[own], own
        return next(((words, of) for of, words in texts.items() if words), ("", own))
