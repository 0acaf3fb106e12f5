"""Entries, and the persons behind them as only an event's organizer sees them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Body, Choice, Day, Id, Shape, Text, Truth
from people.display_names import Reader, shown_name
from people.intake.rows import MAX_MARK, MAX_NAME, MAX_NOTE
from people.models import Entry

FAMILY = "A word that brothers and sisters share; draws keep them apart. Empty where there is none."
SCHOOL_CLASS = "A class or group; draws can keep it apart. Empty where there is none."
STRONG = "Draws spread strong players over the tables."


class EntriesQuery(serializers.Serializer[Any]):
    """Which entries."""

    team = serializers.UUIDField(required=False)
    status = Choice(Entry.Status.choices, required=False)


class PersonShape(Shape):
    """What the organizer knows of a person. Notes are seen at the desk only, so they aren't here."""

    id = serializers.UUIDField()
    last_name = serializers.CharField()
    first_name = serializers.CharField()
    birth_date = serializers.DateField()
    shows_name = serializers.BooleanField(
        help_text="The parents consent to first name and initial being shown."
    )
    family = serializers.CharField(help_text=FAMILY)
    school_class = serializers.CharField(help_text=SCHOOL_CLASS)
    is_strong = serializers.BooleanField(help_text=STRONG)


class EntryShape(Shape):
    """One person entered for a team; to everybody but the organizer a team and a number."""

    id = serializers.UUIDField()
    team = serializers.UUIDField(source="team_id")
    number = serializers.IntegerField(help_text="From 1 within the team.")
    status = serializers.ChoiceField(Entry.Status.choices)
    shown_as = serializers.SerializerMethodField(help_text="How this reader sees the entry.")
    person = serializers.SerializerMethodField(
        help_text="For the event's organizer alone; null for all others, and once it has been erased."
    )

    def get_shown_as(self, entry: Entry) -> str:
        """The one name that the reader may see."""
        return shown_name(entry, self.context["viewer"])

    @extend_schema_field(PersonShape(allow_null=True))
    def get_person(self, entry: Entry) -> Any:
        """Nothing, unless the organizer reads."""
        if self.context["viewer"].reader is not Reader.DESK or entry.person is None:
            return None
        return PersonShape(entry.person).data


class NewEntryBody(Body):
    """A person to be entered by hand, checked by the same rules as a file."""

    team = Id()
    last_name = Text(max_length=MAX_NAME)
    first_name = Text(max_length=MAX_NAME)
    birth_date = Day()
    shows_name = Truth(default=False, help_text="The parents consent to first name and initial being shown.")
    family = Text(max_length=MAX_MARK, default="", allow_blank=True, help_text=FAMILY)
    school_class = Text(max_length=MAX_MARK, default="", allow_blank=True, help_text=SCHOOL_CLASS)
    is_strong = Truth(default=False, help_text=STRONG)
    note = Text(max_length=MAX_NOTE, default="", allow_blank=True, help_text="Seen at the desk only.")


class PersonBody(Body):
    """A person as it should be; what is left out stays as it is."""

    last_name = Text(max_length=MAX_NAME, required=False)
    first_name = Text(max_length=MAX_NAME, required=False)
    birth_date = Day(required=False)
    shows_name = Truth(required=False)
    family = Text(max_length=MAX_MARK, required=False, allow_blank=True)
    school_class = Text(max_length=MAX_MARK, required=False, allow_blank=True)
    is_strong = Truth(required=False)
    note = Text(max_length=MAX_NOTE, required=False, allow_blank=True)
