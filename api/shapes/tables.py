"""Tables under the tent."""

from rest_framework import serializers

from api.fields import Body, Shape, Whole
from tournaments.models import Table


class TableShape(Shape):
    """A table. Its code stands on the card that lies on it, and is told to the organizer alone."""

    id = serializers.UUIDField()
    event = serializers.UUIDField(source="event_id")
    number = serializers.IntegerField()
    code = serializers.SerializerMethodField(help_text="Null for everybody but the organizer.")

    def get_code(self, table: Table) -> str | None:
        """The short code."""
        code: str | None = table.code if self.context["organizes"] else None
        return code


class NewTableBody(Body):
    """A table to be put up."""

    number = Whole(min_value=1, max_value=200)
