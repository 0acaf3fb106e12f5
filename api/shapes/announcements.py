"""Shapes of announcements."""

from rest_framework import serializers

from api.fields import Body, Moment, Shape, Text
from people.models.announcements import MOST_TEXT


class AnnouncementShape(Shape):
    """A sentence that is shown for a while; of the two texts one may be empty."""

    id = serializers.UUIDField()
    event = serializers.UUIDField(source="event_id")
    text_it = serializers.CharField(allow_blank=True)
    text_en = serializers.CharField(allow_blank=True)
    announced_at = serializers.DateTimeField()
    shown_until = serializers.DateTimeField()
    taken_back_at = serializers.DateTimeField(allow_null=True)


class NewAnnouncementBody(Body):
    """A sentence in one of the languages or in both. Everybody reads it: it names no child."""

    text_it = Text(max_length=MOST_TEXT, required=False, allow_blank=True, default="")
    text_en = Text(max_length=MOST_TEXT, required=False, allow_blank=True, default="")
    shown_until = Moment(help_text="At most a day ahead.")
