"""The shared clock."""

from datetime import timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Shape, Whole
from api.shapes.common import DecisionBody
from tournaments.countdown import MAX_SECONDS, Phase
from tournaments.queries.clocks import ClockView

MAX_NUMBER = 1000


class ClockShape(Shape):
    """A tournament's clock at the moment `now` of the service: count down `remaining_ms` from when the answer
    came, whatever the device's own clock says.
    """

    tournament = serializers.UUIDField(source="tournament_id")
    version = serializers.IntegerField(help_text="0 before it is started for the first time.")
    phase = serializers.ChoiceField([phase.value for phase in Phase])
    round = serializers.IntegerField(allow_null=True, help_text="What it is, or was last, started for.")
    wave = serializers.IntegerField(allow_null=True)
    seconds = serializers.IntegerField(
        source="length", help_text="As set; before the first start, by the settings."
    )
    added_seconds = serializers.IntegerField(source="added")
    started_at = serializers.DateTimeField(allow_null=True)
    paused_at = serializers.DateTimeField(allow_null=True)
    bell_at = serializers.DateTimeField(
        allow_null=True, help_text="When it rings, or rang; null while stopped or paused."
    )
    remaining_ms = serializers.SerializerMethodField()
    now = serializers.DateTimeField()
    is_shown = serializers.BooleanField(
        help_text="Whether the public pages show it: not stopped, and not long after the bell."
    )

    @extend_schema_field({"type": "integer", "minimum": 0})
    def get_remaining_ms(self, clock: ClockView) -> int:
        """Milliseconds until the bell, rounded up."""
        return -(-clock.remaining // timedelta(milliseconds=1))


class ClockChangeBody(DecisionBody):
    """A change that needs no further word."""


class ClockStartBody(DecisionBody):
    """What the clock is started for; without round and wave the first wave that isn't over."""

    seconds = Whole(
        min_value=1,
        max_value=MAX_SECONDS,
        required=False,
        help_text="Without it as long as a game takes by the settings, or, if shorter, the timetable.",
    )
    round = Whole(min_value=1, max_value=MAX_NUMBER, required=False)
    wave = Whole(min_value=1, max_value=MAX_NUMBER, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Round and wave come together."""
        missing = [name for name in ("round", "wave") if name not in attrs]
        if len(missing) == 1:
            raise serializers.ValidationError(
                {missing[0]: [self.fields[missing[0]].error_messages["required"]]}
            )
        return attrs


class SecondsBody(DecisionBody):
    """So many seconds."""

    seconds = Whole(min_value=1, max_value=MAX_SECONDS)
