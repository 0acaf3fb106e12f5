"""Shapes and bodies of pairings of referees' phones, and of the day's PIN."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Body, Id, SecretShape, Shape, Text
from people.event_days import pairing_ends
from people.models import Pairing


class PairingShape(Shape):
    """A phone that acts, or asks to act, for a referee."""

    id = serializers.UUIDField()
    event = serializers.UUIDField(source="event_id")
    referee = serializers.UUIDField(source="referee_id")
    check_word = serializers.CharField(
        help_text="Shown on the phone and at the desk, to admit the right one."
    )
    asked_at = serializers.DateTimeField()
    admitted_at = serializers.DateTimeField(allow_null=True)
    admitted_by = serializers.SerializerMethodField(help_text="Null until it is admitted.")
    revoked_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.SerializerMethodField(
        help_text="When it ends by itself: with the day after the event's last one, at the earliest with the "
        "day after it was admitted."
    )
    replaces = serializers.UUIDField(
        source="replaces_id",
        allow_null=True,
        help_text="The referee's former phone, in whose place this one was let in.",
    )
    last_seen_at = serializers.DateTimeField(
        allow_null=True, help_text="When the phone last asked for anything; noted once a minute at most."
    )
    table = serializers.IntegerField(
        source="table_number", allow_null=True, help_text="The number of the table where it was last seen."
    )
    queue = serializers.IntegerField(
        allow_null=True,
        help_text="How many entries waited on it to be sent when it was last seen; null if it never said so.",
    )

    @extend_schema_field(serializers.DateTimeField())
    def get_ends_at(self, pairing: Pairing) -> str:
        """In UTC, as all moments."""
        shown: str = serializers.DateTimeField().to_representation(pairing_ends(pairing))
        return shown

    @extend_schema_field(serializers.ChoiceField(Pairing.AdmittedBy.choices, allow_null=True))
    def get_admitted_by(self, pairing: Pairing) -> str | None:
        """By the desk, or by the day's PIN."""
        return pairing.admitted_by or None


class AskedPairingShape(PairingShape, SecretShape):
    """The answer to who asked: the only one that has the secret."""

    secret = serializers.SerializerMethodField(help_text="For `Authorization: Pairing <secret>`; told once.")


class AskBody(Body):
    """For which referee a phone asks."""

    referee = Id()


class ReplaceBody(Body):
    """Which phone takes a place."""

    by = Id(help_text="The phone of the same referee that asks to be let in.")


class PinBody(Body):
    """The day's PIN."""

    pin = Text(max_length=12)


class DayPinShape(Shape):
    """The day's PIN, told once."""

    pin = serializers.CharField()
