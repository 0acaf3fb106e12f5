"""Games: their log events, how they stand, what may happen next, what is written down and what came of it.

The description of log events is made from the engine's own classes.
"""

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Body, Choice, Id, Shape, Text, Whole
from api.parsers import MAX_INTEGER
from api.shapes.common import DecisionBody, expected_version
from api.shapes.matches import CHECK_HELP, CHECKS
from api.shapes.tournaments import REASON_CODES, RULESET, RulesetField
from games.engine import Ruleset, summarize
from games.engine import Seat as LogSeat
from games.engine.events import CLOSE_REASONS, EVENT_CLASSES, EVENT_FIELDS, NEEDED
from games.logbook import state_of
from games.models import Game, Seat
from games.outcome import Outcome
from tournaments.commands.results import MOST_POINTS
from tournaments.queries.confirmation import check
from tournaments.settings.confirmation import confirmation_rule

WHOLE = {"type": "integer", "minimum": 0, "maximum": MAX_INTEGER}
SEAT_NUMBER = {"type": "string", "pattern": "^[0-9]$"}
SEAT = {
    "title": "LogSeat",
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "team": {"type": "string"}},
}
PLAIN: dict[Any, dict[str, Any]] = {
    int: WHOLE,
    str: {"type": "string"},
    bool: {"type": "boolean"},
    Ruleset: RULESET,
    LogSeat: SEAT,
}


class LogEventShape(serializers.BaseSerializer[Any]):
    """One log event. The engine reads it, so that what is malformed is said in the engine's words."""

    same_both_ways = True

    def to_internal_value(self, data: Any) -> Any:
        """As it came."""
        return data

    def to_representation(self, instance: Any) -> Any:
        """As it is stored, with names in place of ids."""
        return instance


class LogEventSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # the base is untyped
    """Describes a log event as one of the engine's classes."""

    target_class = LogEventShape

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """One schema for each type of event."""
        names = {each.type: f"#/components/schemas/{each.__name__}" for each in EVENT_CLASSES}
        return {
            "oneOf": [event_schema(each) for each in EVENT_CLASSES],
            "discriminator": {"propertyName": "type", "mapping": names},
        }


def event_schema(event: Any) -> dict[str, Any]:
    """The object that one class of events is written as."""
    hints = get_type_hints(event)
    properties: dict[str, Any] = {"type": {"type": "string", "const": event.type}}
    required = ["type"]
    for name, kind in EVENT_FIELDS[event].items():
        described = value_schema(hints[name])
        if kind.name == "time":
            described = {**described, "format": "date-time"}
        if name in NEEDED[event]:
            required.append(name)
            if NoneType in get_args(hints[name]):
                described = {**described, "type": [described["type"], "null"]}
        properties[name] = described
    return {
        "type": "object",
        "title": event.__name__,
        "description": (event.__doc__ or "").strip(),
        "required": required,
        "properties": properties,
        "additionalProperties": False,
    }


def value_schema(hint: Any) -> dict[str, Any]:
    """A field's type as JSON writes it: tuples as lists, dicts from seats as objects with texts as keys."""
    if hint in PLAIN:
        return PLAIN[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return value_schema(next(each for each in inner if each is not NoneType))
    if origin is tuple:
        return {"type": "array", "items": value_schema(inner[0])}
    if origin is Mapping:
        return {
            "type": "object",
            "propertyNames": SEAT_NUMBER,
            "additionalProperties": value_schema(inner[1]),
        }
    raise TypeError(f"no JSON form is known for {hint!r}")


MAX_BATCH = 500
MAX_LINE = 100_000
BY_SEAT = serializers.ListField(child=serializers.IntegerField(), allow_null=True)


class GameSummaryShape(Shape):
    """The public state of a game, as the engine's command line prints it. Seats are numbers from 0."""

    ruleset = serializers.CharField()
    events = serializers.IntegerField(help_text="Lines of the log.")
    deal = serializers.IntegerField()
    phase = serializers.CharField()
    turn = serializers.IntegerField(allow_null=True)
    direction = serializers.IntegerField(help_text="1 clockwise, -1 the other way.")
    dealer = serializers.IntegerField(allow_null=True)
    top = serializers.CharField(allow_null=True)
    color = serializers.CharField(allow_null=True)
    owed = serializers.IntegerField()
    hands = serializers.ListField(child=serializers.IntegerField(), help_text="Cards held, by seat.")
    draw_pile = serializers.IntegerField()
    discards = serializers.IntegerField()
    scores = serializers.ListField(child=serializers.IntegerField())
    deal_scores = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    left = serializers.ListField(child=serializers.IntegerField())
    winner = serializers.IntegerField(allow_null=True)
    team = serializers.CharField(allow_null=True, help_text="The winning team's id.")


class SeatShape(Shape):
    """Who sits where."""

    number = serializers.IntegerField(help_text="From 0, clockwise.")
    entry = serializers.UUIDField()
    team = serializers.UUIDField()
    shown_as = serializers.SerializerMethodField()

    def get_shown_as(self, seat: Seat) -> str:
        """The name that the reader may see."""
        shown: str = self.context["names"][seat.entry]
        return shown


class GameShape(Shape):
    """One game. `version` is the length of its log."""

    id = serializers.UUIDField()
    match = serializers.SerializerMethodField()
    number = serializers.SerializerMethodField(help_text="From 1 within the match.")
    ruleset = RulesetField()
    version = serializers.IntegerField()
    phase = serializers.CharField(
        help_text="`waiting` until the first log event, and once all was taken back."
    )
    is_over = serializers.BooleanField()
    winner_seat = serializers.IntegerField(allow_null=True)
    winner_team = serializers.UUIDField(allow_null=True)
    closed_by = serializers.CharField(
        allow_blank=True, help_text="`out`, `result`, `time`, `forfeit`, `abandoned`; empty while it goes on."
    )
    points = serializers.SerializerMethodField(
        help_text="Of each seat, as the rule set counts them; null while it goes on, and where nobody knows "
        "or counts them."
    )
    places = serializers.SerializerMethodField(
        help_text="The place of each seat: as entered with the end of the game, else by its points; null "
        "where nobody knows."
    )
    penalties = serializers.SerializerMethodField(
        help_text="Cards that each seat drew as penalties; null unless the log was written card by card to "
        "the end."
    )
    check = serializers.SerializerMethodField(help_text=CHECK_HELP)
    is_set_aside = serializers.BooleanField(
        help_text="By a fault of its own the service can't follow the log. What counted still counts; an "
        "open game takes a result from its organizers alone."
    )
    is_from_paper = serializers.BooleanField(
        help_text="The result was entered from paper, since the service couldn't follow the log."
    )
    changed_at = serializers.DateTimeField(allow_null=True)
    seats = SeatShape(many=True)
    summary = serializers.SerializerMethodField(help_text="Null until the first log event.")

    @extend_schema_field(serializers.UUIDField())
    def get_match(self, _game: Game) -> str:
        """The match that holds it."""
        return str(self.context["match_game"].match_id)

    def get_number(self, _game: Game) -> int:
        """Its number."""
        number: int = self.context["match_game"].number
        return number

    @extend_schema_field(serializers.ChoiceField(CHECKS))
    def get_check(self, _game: Game) -> str:
        """By the rule of its tournament."""
        match_game = self.context["match_game"]
        return check(match_game, confirmation_rule(match_game.match.stage.tournament.settings)).value

    @extend_schema_field(BY_SEAT)
    def get_points(self, game: Game) -> tuple[int, ...] | None:
        """By seat."""
        return Outcome.of_row(game).points

    @extend_schema_field(BY_SEAT)
    def get_places(self, game: Game) -> tuple[int, ...] | None:
        """By seat."""
        return Outcome.of_row(game).places

    @extend_schema_field(BY_SEAT)
    def get_penalties(self, game: Game) -> tuple[int, ...] | None:
        """By seat."""
        return Outcome.of_row(game).penalties

    @extend_schema_field(GameSummaryShape(allow_null=True))
    def get_summary(self, game: Game) -> Any:
        """From the stored snapshot."""
        return summarize(state_of(game)) if game.version else None


class OptionShape(Shape):
    """One kind of log event that may come next; what has no meaning for its type is left out."""

    type = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField(), required=False)
    cards = serializers.ListField(child=serializers.CharField(), required=False)
    needs_color = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Those of the cards that need a colour."
    )
    several = serializers.BooleanField(required=False, help_text="Several cards can go together.")
    colors = serializers.ListField(child=serializers.CharField(), required=False)
    count = serializers.IntegerField(required=False)
    uno = serializers.BooleanField(required=False, help_text="The play leaves one card.")
    verdicts = serializers.ListField(child=serializers.BooleanField(), required=False)
    reasons = serializers.ListField(child=serializers.CharField(), required=False)
    to = serializers.ListField(child=serializers.IntegerField(), required=False)
    choices = serializers.DictField(
        child=serializers.ListField(),
        required=False,
        help_text="Fields that may be added to some of it, with their values.",
    )


class LegalShape(Shape):
    """What may come next in a game at this version."""

    version = serializers.IntegerField()
    options = OptionShape(many=True)


class LogShape(Shape):
    """A game's log."""

    version = serializers.IntegerField()
    events = LogEventShape(many=True)


class RefusalShape(Shape):
    """Why a log event was refused."""

    code = serializers.CharField()
    message = serializers.CharField(help_text="What was expected in this case, in English.")
    sentence = serializers.CharField(help_text="The rule, in the language asked for.")
    expected = serializers.CharField(help_text="What was expected in this case, in the language asked for.")
    rule = serializers.CharField(
        allow_null=True, help_text="The field of the rule set that decides this case, where one does."
    )
    line = serializers.IntegerField(allow_null=True, help_text="Its place in the log, from 1.")
    type = serializers.CharField(allow_null=True)


class WrittenShape(Shape):
    """The answer to a batch: how much of it is stored, what stopped the rest, and what there is now."""

    accepted = serializers.IntegerField()
    version = serializers.IntegerField(help_text="The length of the log after the accepted ones.")
    refusal = RefusalShape(allow_null=True)
    outcome_changed = serializers.BooleanField(help_text="Standings are computed anew.")
    summary = GameSummaryShape()


class BatchEntryBody(Body):
    """A log event with the client's own id for it."""

    id = Id(help_text="Unique for ever; sent again with the same event it is the same fact.")
    event = LogEventShape()


class BatchBody(Body):
    """What happened at a table, in order."""

    expected_version = expected_version()
    entries = serializers.ListField(
        child=BatchEntryBody(), allow_empty=False, min_length=1, max_length=MAX_BATCH
    )


def absent_seats() -> serializers.ListField:
    """The field for who wasn't at a table of many."""
    return serializers.ListField(
        child=Whole(min_value=0, max_value=9),
        max_length=10,
        required=False,
        allow_null=True,
        default=None,
        help_text="At a table of many, the seats of those who weren't there. They share the last place; the "
        "others count as if they had sat there alone. Null leaves what was noted before.",
    )


class ResultBody(DecisionBody):
    """How a game ended whose cards nobody wrote down."""

    winner_seat = Whole(min_value=0, max_value=9, required=False, allow_null=True, default=None)
    winner_team = Id(required=False, allow_null=True, default=None)
    reason = Choice(CLOSE_REASONS, default="result")
    points = serializers.ListField(
        child=Whole(min_value=0, max_value=MOST_POINTS, allow_null=True),
        max_length=10,
        required=False,
        allow_null=True,
        default=None,
        help_text="Of each seat, from seat 0 on, where the rule set counts points; null for the absent.",
    )
    places = serializers.ListField(
        child=Whole(min_value=1, max_value=10),
        max_length=10,
        required=False,
        allow_null=True,
        default=None,
        help_text="Of each seat, from seat 0 on, counted from 1 and skipping after ties, such as 1, 1, 3; "
        "they say who has won. Where places decide, points give them too.",
    )
    absent = absent_seats()
    at = Text(max_length=40, required=False, help_text="RFC 3339: the time on the phone.")


class ForfeitBody(DecisionBody):
    """Who was there: the team, or the seat where both sides are of one team."""

    winner_team = Id(required=False, allow_null=True, default=None)
    winner_seat = Whole(min_value=0, max_value=9, required=False, allow_null=True, default=None)


class CorrectionBody(DecisionBody):
    """“Line k was wrong”: what it should have been (nothing, one event or several)."""

    line = Whole(min_value=1, max_value=MAX_LINE)
    replacement = serializers.ListField(child=LogEventShape(), max_length=MAX_BATCH)
    reason = Text(max_length=40, help_text=f"One of {REASON_CODES}.")
    absent = absent_seats()


class OutcomeShape(Shape):
    """How a game stands."""

    is_over = serializers.BooleanField()
    closed_by = serializers.CharField(allow_blank=True)
    seat = serializers.IntegerField(allow_null=True)
    team = serializers.UUIDField(allow_null=True)
    points = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, help_text="Of each seat; null where nobody knows."
    )
    places = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="The place of each seat; null where nobody knows.",
    )
    penalties = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Penalty cards of each seat; null where nobody knows.",
    )


class DroppedShape(Shape):
    """A former event that can't follow any more."""

    line = serializers.IntegerField()
    event = LogEventShape()
    refusal = RefusalShape()


class PlanShape(Shape):
    """What a correction would do."""

    version = serializers.IntegerField(help_text="Give it as `expected_version` with the correction.")
    events = LogEventShape(many=True, help_text="All that would be appended.")
    kept = serializers.ListField(child=serializers.IntegerField(), help_text="Former lines that still hold.")
    dropped = DroppedShape(many=True)
    before = OutcomeShape()
    after = OutcomeShape()
    summary = GameSummaryShape()
