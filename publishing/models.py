"""Published pages of an event: a projection, which can be thrown away and written again."""

from typing import ClassVar

from django.db import models

from people.models import Event


class Publication(models.Model):
    """An event's published pages. `version` counts the changes of what is published: pages that were made at
    another one aren't stored. `looks` counts how often names, looks or settings have changed. `edition` is
    that of the service that wrote the pages. `woken_at`: when a worker was called who hasn't begun yet.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True)
    version = models.PositiveIntegerField(default=0)
    looks = models.PositiveIntegerField(default=0)
    edition = models.CharField(max_length=16, blank=True)
    woken_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.event_id} {self.looks}"


class PublishedPage(models.Model):
    """A page that is in the store, in all languages.

    `stamp` stands for everything that it says. `written` is the publication's version with which it was
    stored.

    One that couldn't be rendered isn't in the store, and stays due: `failing_since` says since when, and
    `tried_at` when it was tried last.
    """

    id = models.BigAutoField(primary_key=True)
    publication = models.ForeignKey(Publication, on_delete=models.CASCADE, related_name="pages")
    path = models.CharField(max_length=255, help_text="In the default language, which has no prefix.")
    stamp = models.CharField(max_length=32)
    written = models.PositiveIntegerField(default=0, db_default=0)
    failing_since = models.DateTimeField(null=True)
    tried_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["publication", "path"], name="published_page_once")
        ]

    def __str__(self) -> str:
        return self.path
