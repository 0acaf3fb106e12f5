"""The event's timetable: hours and places of matches, its settings, its being worked out."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Body, Choice, Id, Moment, Shape, Text, Truth, Whole
from api.shapes.common import DecisionBody
from api.shapes.matches import ANNULLED_HELP, OUTDATED_HELP
from tournaments.models import TimetableWork
from tournaments.queries.match_state import DayState, is_late
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.timetable.agenda import Item
from tournaments.scheduling.figures import Figure
from tournaments.scheduling.model import Cause, Conflict, Flaw, SettingsChange
from tournaments.settings.timetable import MAX_BREAKS, MAX_DAYS, MAX_STEP, ROUNDS, STARTS
from tournaments.settings.tournament import MAX_MINUTES, MAX_TABLES

STATE_HELP = (
    "How the match stands. `next`: it is to be called, its table and its players are free; `late`: it waits, "
    "and its hour has passed; `submitted`: it is over, and a result waits to be confirmed."
)


class SpanShape(Shape):
    """Hours of one day, in the event's time."""

    day = serializers.IntegerField(help_text="1 is the event's first day.")
    begins = serializers.CharField(help_text="`HH:MM`")
    ends = serializers.CharField(help_text="`HH:MM`, up to `24:00`")


class TimetableSettingsShape(Shape):
    """What a timetable is worked out by."""

    days = SpanShape(many=True, help_text="The opening hours.")
    breaks = SpanShape(many=True, help_text="When nobody plays.")
    tables = serializers.IntegerField()
    step = serializers.IntegerField(help_text="A match begins every so many minutes.")
    rest = serializers.IntegerField(help_text="Minutes between two matches of a person.")
    changeover = serializers.IntegerField(help_text="Minutes between two matches at a table.")
    shorter = serializers.IntegerField(
        help_text="Minutes that each match has less than by its tournament's settings."
    )
    is_judged = serializers.BooleanField(help_text="No match goes without a referee.")
    rounds = serializers.ChoiceField(list(ROUNDS), help_text="How rounds follow each other.")
    starts = serializers.ChoiceField(
        list(STARTS), help_text="The matches of a wave start together, or each has a start of its own."
    )


class PlaceShape(Shape):
    """When and where a match is played: as the timetable says, or as it follows from the draw."""

    match = serializers.UUIDField(source="match.id")
    tournament = serializers.UUIDField(source="match.tournament.pk")
    round = serializers.IntegerField(source="match.round")
    begins_at = serializers.DateTimeField(source="hour.begins_at")
    ends_at = serializers.DateTimeField(source="hour.ends_at")
    table = serializers.IntegerField(source="match.table.number", help_text="The table's number.")
    is_stored = serializers.BooleanField(
        source="hour.is_stored", help_text="`false` where it only follows from the draw."
    )
    state = serializers.ChoiceField([each.value for each in DayState], help_text=STATE_HELP)
    is_outdated = serializers.BooleanField(source="match.is_outdated", help_text=OUTDATED_HELP)
    is_annulled = serializers.BooleanField(source="match.is_annulled", help_text=ANNULLED_HELP)
    is_late = serializers.SerializerMethodField(help_text="Nobody has begun it, and its hour has passed.")
    referee = serializers.SerializerMethodField(help_text="The referee's id; for the organizer alone.")
    is_locked = serializers.BooleanField(
        source="match.has_locked_place",
        read_only=True,
        help_text="It stays where it is when the timetable is worked out anew.",
    )

    @extend_schema_field({"type": "boolean"})
    def get_is_late(self, item: Item) -> bool:
        """By its hour alone, whatever comes before it at its table."""
        match = item.match
        is_waiting = match.progress is MatchProgress.WAITING and not match.is_called
        return is_waiting and is_late(match.tournament.event, item.hour.begins_at, timezone.now())

    @extend_schema_field({"type": ["string", "null"], "format": "uuid"})
    def get_referee(self, item: Item) -> str | None:
        """The public isn't told."""
        place = item.match.place
        shown = self.context.get("organizes") and place is not None and place.referee_id
        return str(shown) if shown else None


class ConflictShape(Shape):
    """A condition that isn't kept."""

    flaw = serializers.ChoiceField([each.value for each in Flaw])
    matches = serializers.ListField(child=serializers.UUIDField(), source="keys")
    minutes = serializers.IntegerField()
    table = serializers.SerializerMethodField(help_text="The table's number, where it is about one.")
    entries = serializers.ListField(
        child=serializers.UUIDField(), source="people", help_text="The entries whom it concerns."
    )

    @extend_schema_field({"type": ["integer", "null"]})
    def get_table(self, conflict: Conflict) -> int | None:
        """Its number."""
        return int(conflict.about) if conflict.about and conflict.about.isdecimal() else None


class TimetableShape(Shape):
    """The timetable of an event."""

    version = serializers.IntegerField(help_text="Counts the changes of settings and places.")
    settings = TimetableSettingsShape()
    places = PlaceShape(many=True, help_text="By hour and table.")


class SpanBody(Body):
    """Hours of one day, in the event's time."""

    day = Whole(min_value=1, max_value=MAX_DAYS)
    begins = Text(max_length=5, help_text="`HH:MM`")
    ends = Text(max_length=5, help_text="`HH:MM`, up to `24:00`")


class TimetableSettingsBody(DecisionBody):
    """The settings to be changed; those that aren't named stay."""

    days: Any = serializers.ListField(child=SpanBody(), required=False, min_length=1, max_length=MAX_DAYS)
    breaks: Any = serializers.ListField(child=SpanBody(), required=False, max_length=MAX_BREAKS)
    tables = Whole(min_value=1, max_value=MAX_TABLES, required=False)
    step = Whole(min_value=1, max_value=MAX_STEP, required=False)
    rest = Whole(min_value=0, max_value=MAX_MINUTES, required=False)
    changeover = Whole(min_value=0, max_value=MAX_MINUTES, required=False)
    shorter = Whole(min_value=0, max_value=MAX_MINUTES, required=False)
    is_judged = Truth(required=False)
    rounds = Choice(list(ROUNDS), required=False)
    starts = Choice(list(STARTS), required=False)


class TimetableChangeBody(DecisionBody):
    """A change that needs no further word."""


class PlaceBody(DecisionBody):
    """What is to be changed of a match's place; what isn't named stays."""

    begins_at = Moment(required=False)
    table = Whole(min_value=1, max_value=32767, required=False, help_text="The table's number.")
    referee = Id(required=False, allow_null=True)
    is_locked = Truth(required=False)


class SwapBody(DecisionBody):
    """With which match of the event it changes places."""

    other = Id()


class DelayBody(DecisionBody):
    """So many minutes late, from a moment on, at one table or at all."""

    since = Moment()
    minutes = Whole(min_value=1, max_value=MAX_MINUTES)
    table = Whole(min_value=1, max_value=32767, required=False, help_text="The table's number.")


class RemedyShape(Shape):
    """A change that is enough by itself."""

    change = serializers.ChoiceField([each.value for each in SettingsChange])
    amount = serializers.IntegerField()
    least = serializers.BooleanField(help_text="It is proved that less doesn't do.")


class ProposedPlaceShape(Shape):
    """Where a proposal puts a match."""

    match = serializers.UUIDField(source="key")
    table = serializers.IntegerField()
    begins_at = serializers.DateTimeField()
    referee = serializers.UUIDField(source="judge", allow_null=True)


class FiguresShape(Shape):
    """The figures of a timetable; of each, less is better."""

    end = serializers.DateTimeField(help_text="When the last match is over.")
    longest_wait = serializers.IntegerField(
        help_text="The longest wait of a person between two matches of a day, in minutes without breaks."
    )
    starts = serializers.IntegerField(help_text="How many different times matches begin at.")
    clashes = serializers.IntegerField(
        help_text="How often two matches want a table, a person or a referee at the same time."
    )


class WorseFigureShape(Shape):
    """A figure that a proposal makes worse."""

    figure = serializers.ChoiceField([each.value for each in Figure])
    by = serializers.IntegerField(help_text="Minutes, starts, or clashes.")


class TimetableWorkShape(Shape):
    """A timetable that is being worked out, or what came of it."""

    id = serializers.UUIDField()
    status = serializers.ChoiceField(TimetableWork.Status.values)
    asked_at = serializers.DateTimeField()
    is_on = serializers.BooleanField(help_text="Whether somebody works at it, or will.")
    step = serializers.CharField(allow_null=True, help_text="What is being worked at.")
    placed = serializers.IntegerField(help_text="So many matches have a place so far, of `of`.")
    of = serializers.IntegerField()
    method = serializers.CharField(allow_null=True)
    is_best = serializers.BooleanField(allow_null=True, help_text="No timetable ends earlier.")
    places = ProposedPlaceShape(many=True, help_text="The proposal; empty unless found.")
    before = FiguresShape(allow_null=True, help_text="Of the timetable as it is; null unless found.")
    after = FiguresShape(allow_null=True, help_text="Of the proposal; null unless found.")
    worse = WorseFigureShape(many=True, help_text="The figures that the proposal makes worse.")
    cause = serializers.ChoiceField([each.value for each in Cause], allow_null=True)
    remedies = RemedyShape(many=True, help_text="What would make it fit.")


class RemedyBody(Body):
    """A change that the last answer named."""

    change = Choice([each.value for each in SettingsChange])
    amount = Whole(min_value=0, max_value=100_000)
