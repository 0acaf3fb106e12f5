"""Events, teams and referees."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Body, Choice, Day, Id, Shape, Text, Truth, Whole
from people.models import Event, Team
from tournaments.settings.event_templates import TEMPLATES

COLOR = r"^#[0-9A-Fa-f]{6}$"


class EventsQuery(serializers.Serializer[Any]):
    """Which events."""

    slug = serializers.CharField(required=False, max_length=60)
    starts_from = Day(required=False, help_text="Those that start on this day or later.")
    starts_until = Day(required=False, help_text="Those that start on this day or earlier.")
    mine = serializers.BooleanField(required=False, help_text="Only those that the caller organizes.")


class LanguageChoice(Choice):
    """One of the languages of the settings, as they are when a call comes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(settings.LANGUAGES, **options)


class EventShape(Shape):
    """A festival."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    name = serializers.CharField()
    place = serializers.CharField(allow_blank=True)
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    time_zone = serializers.CharField(help_text="An IANA name, for example Europe/Rome.")
    language = LanguageChoice()
    team_word = serializers.ChoiceField(Event.TeamWord.choices)
    names_shown = serializers.ChoiceField(Event.NamesShown.choices)
    min_age = serializers.IntegerField()
    max_age = serializers.IntegerField()
    is_practice = serializers.BooleanField()
    is_published = serializers.BooleanField()
    allow_search_engines = serializers.BooleanField()
    purge_after_days = serializers.IntegerField(
        help_text="So many days after the last one the names of players and referees are erased."
    )
    created_at = serializers.DateTimeField()


class EventBody(Body):
    """Settings of an event; what is left out stays as it is."""

    name = Text(max_length=120, required=False)
    place = Text(max_length=120, required=False, allow_blank=True)
    starts_on = Day(required=False)
    ends_on = Day(required=False)
    time_zone = Text(max_length=60, required=False)
    language = LanguageChoice(required=False)
    team_word = Choice(Event.TeamWord.choices, required=False)
    names_shown = Choice(Event.NamesShown.choices, required=False)
    min_age = Whole(min_value=0, max_value=120, required=False)
    max_age = Whole(min_value=0, max_value=120, required=False)
    is_published = Truth(required=False)
    allow_search_engines = Truth(required=False)
    purge_after_days = Whole(min_value=1, max_value=400, required=False)


class NewEventBody(EventBody):
    """An event to be set up; it lasts one day unless `ends_on` says otherwise."""

    name = Text(max_length=120)
    starts_on = Day()
    is_practice = Truth(default=False)


class EventFromBody(NewEventBody):
    """An event to be set up, empty or from a template; what is said here goes before the template's own."""

    template = Choice(
        [(key, key) for key in TEMPLATES],
        required=False,
        help_text="One of `event-templates/`: its teams, tournaments and palio are made with the event.",
    )


class CopyBody(Body):
    """An event like an earlier one, on another day."""

    name = Text(max_length=120)
    starts_on = Day()
    place = Text(
        max_length=120, required=False, allow_blank=True, help_text="The same as before if left out."
    )
    is_practice = Truth(default=False)
    with_referees = Truth(
        default=False, help_text="Volunteers are people: they come along only if asked for."
    )


class EventTemplateShape(Shape):
    """What an event can begin with."""

    key = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    teams = serializers.ListField(child=serializers.CharField())
    tournaments = serializers.ListField(child=serializers.CharField())
    other_games = serializers.ListField(child=serializers.CharField())


def template_rows() -> list[dict[str, object]]:
    """All templates, in the reader's language."""
    return [
        {
            "key": key,
            "name": gettext(each.name),
            "about": gettext(each.about),
            "teams": [gettext(team.name) for team in each.teams],
            "tournaments": [gettext(tournament.name) for tournament in each.tournaments],
            "other_games": [gettext(game) for game in each.other_games],
        }
        for key, each in TEMPLATES.items()
    ]


class TeamShape(Shape):
    """A contrada with its banner."""

    id = serializers.UUIDField()
    event = serializers.UUIDField(source="event_id")
    number = serializers.IntegerField()
    name = serializers.CharField()
    short_name = serializers.CharField()
    color_one = serializers.RegexField(COLOR)
    color_two = serializers.RegexField(COLOR)
    division = serializers.ChoiceField(Team.Division.choices)
    emblem = serializers.CharField(allow_blank=True)


@extend_schema_field({"type": "string", "pattern": COLOR})
class ColorField(Text):
    """A colour; whether it is one is asked where teams are changed."""


class TeamBody(Body):
    """A team's names and looks; what is left out stays as it is."""

    name = Text(max_length=60, required=False)
    short_name = Text(max_length=12, required=False)
    color_one = ColorField(max_length=7, required=False, help_text="# and six hexadecimal digits.")
    color_two = ColorField(max_length=7, required=False, help_text="# and six hexadecimal digits.")
    division = Choice(Team.Division.choices, required=False)
    emblem = Text(max_length=2, required=False, allow_blank=True)


class NewTeamBody(TeamBody):
    """A team to be added; without a short name it gets one made of its name."""

    name = Text(max_length=60)


class RefereeShape(Shape):
    """A volunteer; for the event's organizer alone."""

    id = serializers.UUIDField()
    event = serializers.UUIDField(source="event_id")
    first_name = serializers.CharField()
    last_name = serializers.CharField(allow_blank=True)
    team = serializers.UUIDField(source="team_id", allow_null=True, help_text="The own team, never judged.")


class NewRefereeBody(Body):
    """A volunteer to be added."""

    first_name = Text(max_length=60)
    last_name = Text(max_length=60, default="", allow_blank=True)
    team = Id(required=False, allow_null=True, default=None)
