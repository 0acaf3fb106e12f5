"""The palio of an event: its rules, jokers, places in other games, and the overall table."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Body, Id, Shape, Text, Whole
from api.shapes.common import DecisionBody
from api.shapes.standings import DecisionShape, MetricValuesField
from api.shapes.tournaments import REASON_CODES, LotsBody
from tournaments.queries.palio import PalioProgress
from tournaments.settings.palio import MAX_JOKERS, DisciplineKind, TieRule

METRICS = (
    "What puts a team ahead, the first first: `total`, `places:<place>`, `place_in:<id of a discipline>`, "
    "`lots`."
)


class PalioDisciplineChoiceShape(Shape):
    """A discipline as an organizer gives it."""

    kind = serializers.ChoiceField([str(kind) for kind in DisciplineKind])
    id = serializers.UUIDField(
        required=False, help_text="Of the tournament, or of another game that is there already."
    )
    name = serializers.CharField(required=False, max_length=120, help_text="Of another game.")
    weight = serializers.CharField(
        required=False, default="1", help_text="What its points are multiplied by: `2`, `1/2`, `1.5`."
    )
    scale = serializers.ListField(
        child=serializers.IntegerField(min_value=0),
        required=False,
        help_text="What the places of another game are worth, from the first on; 30, 20, 10 if left out.",
    )


class PalioRulesChoiceShape(Shape):
    """The palio's rules as an organizer gives them: what is left out takes its default."""

    disciplines = PalioDisciplineChoiceShape(many=True)
    metrics = serializers.ListField(child=serializers.CharField(), required=False, help_text=METRICS)
    tie_policy = serializers.ChoiceField([str(rule) for rule in TieRule], required=False)
    jokers_each = serializers.IntegerField(min_value=0, max_value=MAX_JOKERS, required=False)


@extend_schema_field(PalioRulesChoiceShape)
class PalioRulesField(serializers.DictField):
    """Rules as they came; the tournaments layer checks them and names every wrong field."""


class PalioBody(DecisionBody):
    """The palio's rules decided anew; once a discipline has begun a reason is asked for."""

    rules = PalioRulesField()
    reason = Text(max_length=40, required=False, help_text=f"One of {REASON_CODES}.")


class JokerBody(DecisionBody):
    """A team's joker on a discipline."""

    team = Id()
    discipline = Id()


class PlaceBody(Body):
    """Where a team came in."""

    team = Id()
    place = Whole(
        min_value=1, max_value=1000, allow_null=True, help_text="Null for a team that took no part."
    )


class PlacementsBody(DecisionBody):
    """The final places of another game, one for each team; shared as 1, 2, 2, 4."""

    discipline = Id()
    places = PlaceBody(many=True)
    reason = Text(
        max_length=40, required=False, help_text=f"Where places were entered before, one of {REASON_CODES}."
    )


class OverallLotsBody(LotsBody):
    """Lots to be drawn; without a seed one is made up."""


class PalioDisciplineShape(Shape):
    """A discipline, how it counts and how far it is: only a decided one counts."""

    id = serializers.UUIDField(help_text="Of the tournament or the other game.")
    kind = serializers.ChoiceField([str(kind) for kind in DisciplineKind])
    name = serializers.CharField()
    weight = serializers.CharField(help_text="A whole number or a fraction n/d.")
    scale = serializers.ListField(child=serializers.IntegerField(), help_text="Empty for a tournament.")
    progress = serializers.ChoiceField([str(progress) for progress in PalioProgress])


class PlayedJokerShape(Shape):
    """A joker that a team has announced."""

    team = serializers.UUIDField(source="team_id")
    discipline = serializers.UUIDField()
    announced_at = serializers.DateTimeField()


class OtherPlacingShape(Shape):
    """A team's place in another game."""

    discipline = serializers.UUIDField()
    team = serializers.UUIDField(source="team_id")
    place = serializers.IntegerField()


class PalioShape(Shape):
    """An event's palio. `version` is that of its decisions: give it as `expected_version` with the next."""

    id = serializers.UUIDField(source="palio.pk")
    event = serializers.UUIDField(source="palio.event_id")
    version = serializers.IntegerField(source="palio.version")
    disciplines = PalioDisciplineShape(many=True)
    metrics = serializers.ListField(child=serializers.CharField(), source="rules.metrics", help_text=METRICS)
    tie_policy = serializers.ChoiceField([str(rule) for rule in TieRule], source="rules.tie_policy")
    jokers_each = serializers.IntegerField(source="rules.jokers_each")
    teams = serializers.ListField(child=serializers.UUIDField(), source="palio.teams")
    jokers = PlayedJokerShape(many=True)
    placements = OtherPlacingShape(many=True)


class ShareShape(Shape):
    """What a discipline adds to a team's total; null while it isn't decided."""

    discipline = serializers.UUIDField()
    place = serializers.IntegerField(allow_null=True)
    points = serializers.CharField(
        allow_null=True, help_text="With weight and joker; a whole number or a fraction n/d."
    )
    joker = serializers.BooleanField(help_text="The team's points count twice here.")


class OverallStandingShape(Shape):
    """One team's row."""

    team = serializers.UUIDField(source="team_id")
    team_name = serializers.CharField(source="team.name")
    position = serializers.IntegerField(help_text="The order of the rows.")
    place = serializers.IntegerField(help_text="Shared places as 1, 2, 2, 4.")
    is_tied = serializers.BooleanField()
    total = serializers.CharField(help_text="A whole number or a fraction n/d.")
    shares = ShareShape(many=True)
    metrics = MetricValuesField()
    decided_by = DecisionShape(allow_null=True)


class OverallVersionShape(Shape):
    """The overall table as of what it was computed from."""

    number = serializers.IntegerField()
    computed_at = serializers.DateTimeField()
    head = serializers.IntegerField(help_text="The sequence of the last decision that was read.")
    standings = serializers.DictField(
        child=serializers.IntegerField(), help_text="Tournament to the number of its final standings."
    )
    decided = serializers.IntegerField(help_text="How many disciplines count.")
    total = serializers.IntegerField(help_text="How many disciplines there are.")
    has_open_ties = serializers.BooleanField(help_text="Lots are to be drawn.")
    is_final = serializers.BooleanField()
    receipt = serializers.CharField(allow_blank=True, help_text="Its root, made when all was decided.")


class OverallShape(Shape):
    """The newest version with its rows."""

    palio = serializers.UUIDField(source="palio.pk")
    version = OverallVersionShape()
    disciplines = PalioDisciplineShape(many=True)
    rows = OverallStandingShape(many=True)
