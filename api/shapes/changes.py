"""The change feed: what has happened, by ids. It holds no names."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Shape, WholeInQuery
from integrations.change_feed.cursors import cursor_at
from integrations.change_feed.kinds import KINDS
from integrations.change_feed.links import path_of
from integrations.models import Change

KIND_KEYS = list(KINDS)
SUBJECTS = ["game", "match", "tournament", "palio"]
MOST = 1000
"""So many changes are in an answer at most."""


class ChangesQuery(serializers.Serializer[Any]):
    """From where on, and what of it."""

    after = serializers.CharField(
        required=False,
        max_length=40,
        help_text="`next` of the page before, or a change's `cursor`; without it from the beginning. `end` "
        "for no change and the cursor of what is to come.",
    )
    kind = serializers.CharField(
        required=False, max_length=500, help_text="Only these kinds, divided by commas."
    )
    limit = WholeInQuery(1, MOST, required=False, default=200, help_text="How many changes at most.")


class SubjectShape(Shape):
    """What a change is about."""

    kind = serializers.ChoiceField(SUBJECTS, source="subject_kind")
    id = serializers.UUIDField(source="subject")


class ChangeShape(Shape):
    """One change: a fact, a result, or a version of standings."""

    cursor = serializers.SerializerMethodField(help_text="What `after` has to be to go on from here.")
    id = serializers.UUIDField(help_text="A fact's own id; the same for everybody who is told of it.")
    kind = serializers.ChoiceField(KIND_KEYS)
    type = serializers.CharField(help_text="A fact's type; of a result how the game ended; else empty.")
    at = serializers.DateTimeField(help_text="When it was recorded or computed.")
    tournament = serializers.UUIDField(allow_null=True)
    subject = SubjectShape(source="*")
    version = serializers.IntegerField(
        help_text="The fact's sequence in its stream, the version of the game's log, or the number of the "
        "standings."
    )
    path = serializers.SerializerMethodField(help_text="Where to read more.")

    @extend_schema_field(serializers.CharField())
    def get_cursor(self, change: Change) -> str:
        """The place right after it."""
        return str(cursor_at(change.number, change.pk))

    @extend_schema_field(serializers.CharField())
    def get_path(self, change: Change) -> Any:
        """An address of this API."""
        return path_of(change)


class ChangesShape(Shape):
    """A page of the feed, the oldest first."""

    changes = ChangeShape(many=True)
    next = serializers.CharField(help_text="What `after` has to be for what follows; keep it.")
    has_more = serializers.BooleanField(help_text="Whether something follows already.")
