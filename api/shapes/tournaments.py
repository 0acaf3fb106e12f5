"""Tournaments and their settings."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Body, Choice, Id, Shape, Text, Truth, Whole
from api.shapes.common import DecisionBody
from games.engine import FIELDS, PRESETS, Field
from tournaments.facts.reasons import REASONS
from tournaments.formats.catalogue import FORMATS, STAGE_FORMATS
from tournaments.formats.match_lengths import LENGTHS, MOST_GAMES
from tournaments.formats.model import MAX_SEED
from tournaments.formats.stages.model import Seeding, UnequalGroups
from tournaments.models import Tournament
from tournaments.settings.bell import BELL_RULES
from tournaments.settings.confirmation import CONFIRMATIONS
from tournaments.settings.keep_apart_labels import KEEP_APART
from tournaments.settings.tournament import MAX_SQUADS, every_metric, every_tie_policy


def _rule(field: Field) -> dict[str, Any]:
    """What a field of a rule set can hold."""
    match field.kind:
        case "bool":
            held: dict[str, Any] = {"type": "boolean"}
        case "int":
            held = {"type": "integer", "minimum": field.minimum, "maximum": field.maximum}
        case _:
            held = {"type": "string", "enum": list(field.choices)}
    return {**held, "description": field.sentence}


PRESET = {"title": "Preset", "type": "string", "enum": list(PRESETS)}
RULESET = {
    "title": "Ruleset",
    "description": "A preset's name, or an object with `preset` and the fields that differ from it.",
    "oneOf": [
        PRESET,
        {
            "title": "ChangedPreset",
            "type": "object",
            "required": ["preset"],
            "properties": {"preset": PRESET, **{field.name: _rule(field) for field in FIELDS}},
            "additionalProperties": False,
        },
    ],
}
REASON_CODES = ", ".join(REASONS)
MOST_GOING_ON = 1024
FORMAT_KEYS = list(FORMATS)


class TournamentsQuery(serializers.Serializer[Any]):
    """Which tournaments."""

    status = Choice(Tournament.Status.choices, required=False)


@extend_schema_field(RULESET)
class RulesetField(serializers.JSONField):
    """A rule set as the game log writes it."""


OPTIONS = {
    "title": "FormatOptions",
    "type": "object",
    "additionalProperties": True,
    "description": "What was chosen in a format drawn round by round, by the keys that `formats/` lists.",
}


@extend_schema_field(OPTIONS)
class OptionsField(serializers.JSONField):
    """The options of a format: its catalogue checks them."""


MATCH_KIND = {
    "title": "MatchKind",
    "type": "object",
    "properties": {
        "length": {"title": "MatchLength", "type": "string", "enum": [str(length) for length in LENGTHS]},
        "games": {"type": "integer", "minimum": 1, "maximum": MOST_GAMES},
    },
    "description": "What ends a match: `length`, and the N of best of N or first to N as `games`; "
    "empty where a stage is drawn as mini-tournaments.",
}


@extend_schema_field(MATCH_KIND)
class MatchKindField(serializers.JSONField):
    """What a match is."""


class QualificationBody(Body):
    """How one comes into a stage: of the rules those that are asked, in this order."""

    first_of_each_group = Whole(min_value=1, max_value=MOST_GOING_ON, required=False)
    best_of_place = serializers.ListField(
        child=Whole(min_value=1, max_value=MOST_GOING_ON),
        required=False,
        help_text="A place, and how many of those who are in it go on: `[3, 4]` are the best four thirds.",
    )
    first_overall = Whole(min_value=1, max_value=MOST_GOING_ON, required=False)
    everybody = Truth(required=False)
    seeding = Choice(list(Seeding), required=False)
    unequal = Choice(
        list(UnequalGroups),
        required=False,
        allow_null=True,
        help_text="How groups of different sizes are compared.",
    )


class QualificationShape(Shape):
    """How one comes into a stage; of the rules those that are asked are there."""

    def get_fields(self) -> dict[str, Any]:
        """As they can be sent."""
        return QualificationBody().get_fields()


class LaterStageShape(Shape):
    """A stage that follows another one."""

    format = serializers.ChoiceField(list(STAGE_FORMATS))
    options = OptionsField()
    match = MatchKindField()
    qualification = QualificationShape()


class LaterStageBody(Body):
    """A stage that follows another one; without options, match and rules it takes the defaults."""

    format = Choice(list(STAGE_FORMATS))
    options = OptionsField(required=False)
    match = MatchKindField(required=False)
    qualification = QualificationBody(required=False)


class TournamentSettingsShape(Shape):
    """What decides the order of a tournament and its timetable."""

    ruleset = RulesetField()
    format = serializers.ChoiceField(FORMAT_KEYS, help_text="One of those of `formats/`.")
    squad_size = serializers.IntegerField(min_value=1, max_value=5)
    rounds = serializers.IntegerField(
        min_value=1,
        max_value=1000,
        allow_null=True,
        help_text="Of mini-tournaments; null takes what the format proposes.",
    )
    options = OptionsField()
    match = MatchKindField()
    later = LaterStageShape(many=True, help_text="The stages that follow the first one.")
    squads_per_team = serializers.IntegerField(
        min_value=1, max_value=MAX_SQUADS, allow_null=True, help_text="How many of each team play; null: all."
    )
    draws_itself = serializers.BooleanField(
        help_text="A round is drawn as soon as the results are in that it follows from."
    )
    tables = serializers.IntegerField(min_value=1, max_value=200)
    minutes_per_game = serializers.IntegerField(min_value=1, max_value=240)
    minutes_between = serializers.IntegerField(min_value=0, max_value=240)
    starts_at = serializers.RegexField(
        r"^([01]\d|2[0-3]):[0-5]\d$", help_text="A local time of the event's first day."
    )
    bell = serializers.ChoiceField(
        list(BELL_RULES),
        help_text="When the bell ends a game, fewest cards in hand win, then fewest points: what then.",
    )
    confirmation = serializers.ChoiceField(
        list(CONFIRMATIONS),
        help_text="Who confirms a result before it counts. Asked for during play, it is asked of what is "
        "entered from then on; without it everything counts.",
    )
    metrics = serializers.ListField(
        child=serializers.ChoiceField(list(every_metric())),
        help_text="What puts a team ahead, the first first; a format has those that its results allow.",
    )
    tie_policy = serializers.ChoiceField(list(every_tie_policy()))
    scale = serializers.ListField(
        child=serializers.IntegerField(min_value=0), help_text="Placement points from the first place on."
    )
    keep_apart = serializers.ListField(
        child=serializers.ChoiceField(list(KEEP_APART)),
        help_text="Who shouldn't sit at one table: siblings, a class; and whether strong players are spread.",
    )


class TournamentSettingsChoiceShape(TournamentSettingsShape):
    """The same as an organizer gives them: what is left out takes its default."""

    def get_fields(self) -> dict[str, Any]:
        """None is required."""
        fields = super().get_fields()
        fields["later"] = LaterStageBody(many=True)
        for field in fields.values():
            field.required = False
        return fields


@extend_schema_field(TournamentSettingsChoiceShape)
class SettingsField(serializers.DictField):
    """Settings as they came; the tournaments layer checks them and names every wrong field."""


class EditedSquadShape(Shape):
    """A squad by its team and its number in it."""

    team = serializers.UUIDField()
    squad = serializers.IntegerField()


class DrawEditShape(Shape):
    """Two squads that changed places after the draw, by hand."""

    rounds = serializers.ListField(child=serializers.IntegerField(), help_text="Counted through all stages.")
    one = EditedSquadShape()
    other = EditedSquadShape()
    reason = serializers.CharField(help_text=f"One of {REASON_CODES}.")


class StageShape(Shape):
    """A part of a tournament that was drawn. Format, method and seed let anybody repeat the draw; `edits`
    were made by hand afterwards, in this order.
    """

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    format = serializers.CharField()
    options = OptionsField()
    match = MatchKindField()
    seed = serializers.CharField()
    method = serializers.CharField(help_text="The named method of its lots; empty where there are none.")
    edits = DrawEditShape(many=True, source="swaps")


class TournamentShape(Shape):
    """A tournament. `version` is that of its decisions: give it as `expected_version` with the next one."""

    id = serializers.UUIDField()
    event = serializers.UUIDField(source="event_id")
    slug = serializers.CharField()
    name = serializers.CharField()
    status = serializers.ChoiceField(Tournament.Status.choices)
    version = serializers.IntegerField()
    settings = TournamentSettingsShape()
    stages = serializers.SerializerMethodField(
        help_text="Empty until the draw is published, but for the organizer."
    )
    created_at = serializers.DateTimeField()

    @extend_schema_field(StageShape(many=True))
    def get_stages(self, tournament: Tournament) -> Any:
        """The stages that the reader may know of."""
        if not (self.context["organizes"] or tournament.status in Tournament.PUBLIC):
            return []
        return StageShape(tournament.stages.all(), many=True).data


class NewTournamentBody(Body):
    """A tournament to be set up."""

    name = Text(max_length=120)
    settings = SettingsField(default=dict)


class SettingsBody(DecisionBody):
    """Settings decided anew; after publication a reason is asked for."""

    settings = SettingsField()
    reason = Text(max_length=40, required=False, help_text=f"One of {REASON_CODES}.")


class DrawBody(DecisionBody):
    """A draw to be kept, with the seed of the preview that was liked."""

    seed = Text(max_length=MAX_SEED, trim_whitespace=False)


class LotsBody(DecisionBody):
    """Lots to be drawn; without a seed one is made up."""

    seed = Text(max_length=MAX_SEED, required=False, trim_whitespace=False)


class PlayOffBody(DecisionBody):
    """How play-offs came out."""

    orders = serializers.ListField(
        child=serializers.ListField(child=Id(), max_length=200),
        max_length=100,
        help_text="For each tie the ids of all its teams, the winner first.",
    )
    reason = Text(
        max_length=40, required=False, help_text=f"Where one was entered before, one of {REASON_CODES}."
    )


class AdjustmentBody(DecisionBody):
    """Points given to a team, or taken below zero; of a squad where squads are ranked."""

    team = Id(required=False)
    squad = Id(required=False, help_text="Its id through all stages, instead of a team.")
    points = Whole(min_value=-1000, max_value=1000)
    reason = Text(max_length=40, help_text=f"One of {REASON_CODES}.")


class ReopenBody(DecisionBody):
    """A closed tournament to be corrected again."""

    reason = Text(max_length=40, help_text=f"One of {REASON_CODES}.")
