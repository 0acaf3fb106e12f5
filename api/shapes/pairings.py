"""Pairings of referees' phones."""

from rest_framework import serializers

from api.fields import Body, Id, Shape, Text
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
    admitted_by = serializers.ChoiceField(
        [("", ""), *Pairing.AdmittedBy.choices], help_text="Empty until it is admitted."
    )
    revoked_at = serializers.DateTimeField(allow_null=True)


class AskedPairingShape(PairingShape):
    """The answer to who asked: the only one that has the secret."""

    secret = serializers.SerializerMethodField(help_text="For `Authorization: Pairing <secret>`; told once.")

    def get_secret(self, _pairing: Pairing) -> str:
        """The secret of which the service keeps the hash."""
        secret: str = self.context["secret"]
        return secret


class AskBody(Body):
    """For which referee a phone asks."""

    referee = Id()


class PinBody(Body):
    """The day's PIN."""

    pin = Text(max_length=12)


class DayPinShape(Shape):
    """The day's PIN, told once."""

    pin = serializers.CharField()
