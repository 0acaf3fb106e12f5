"""Shapes of announcements."""

from rest_framework import serializers

from api.fields import Body, Moment, Shape, Text
from people.models.announcements import MOST_TEXT

TEXTS = "The sentence by language, for example `it`."


class AnnouncementShape(Shape):
    """A sentence that is shown for a while."""

    id = serializers.UUIDField()
    event = serializers.UUIDField(source="event_id")
    texts = serializers.DictField(child=serializers.CharField(), source="by_language", help_text=TEXTS)
    announced_at = serializers.DateTimeField()
    shown_until = serializers.DateTimeField()
    taken_back_at = serializers.DateTimeField(allow_null=True)


class NewAnnouncementBody(Body):
    """A sentence in one language or more. Everybody reads it: it names no child."""

    texts = serializers.DictField(
        child=Text(max_length=MOST_TEXT, allow_blank=True), required=False, default=dict, help_text=TEXTS
    )
    shown_until = Moment(help_text="At most a day ahead.")
