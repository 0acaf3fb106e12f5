"""The history: who did what when."""

from rest_framework import serializers

from api.fields import Shape


class HappeningShape(Shape):
    """One line, in the caller's language; `count` of a kind that came together stand in `details`."""

    at = serializers.DateTimeField()
    who = serializers.CharField()
    what = serializers.CharField()
    details = serializers.ListField(child=serializers.CharField())
    count = serializers.IntegerField()


class HistoryShape(Shape):
    """A page of the history, the newest first."""

    lines = HappeningShape(many=True)
    older = serializers.CharField(
        allow_null=True, help_text="What `before` has to be for the page that follows; null at the end."
    )
