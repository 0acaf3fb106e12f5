"""The history: who did what when."""

from typing import Any

from rest_framework import serializers

from api.fields import Choice, Moment, Shape, WholeInQuery
from tournaments.queries.history import HappeningKind


class HistoryQuery(serializers.Serializer[Any]):
    """What of the history is wanted; all of it where nothing is said."""

    by = serializers.UUIDField(required=False, help_text="Who: the id of an account, token or phone.")
    by_nobody = serializers.BooleanField(
        required=False, help_text="Only what came from the command line or from the service itself."
    )
    kind = Choice(choices=[*HappeningKind], required=False)
    table = WholeInQuery(1, 32_000, required=False, help_text="Its number.")
    since = Moment(required=False)
    until = Moment(required=False)
    before = serializers.CharField(required=False, max_length=100, help_text="`older` of the page before.")


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
