"""Standings, versions of them, receipts and verification."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Shape
from api.shapes.squads import RemovalShape, SquadShape
from api.squads import squad_row
from ledger.models import Receipt
from ledger.receipts import sealed_heads
from tournaments.facts.reasons import REASONS
from tournaments.models import Standing
from tournaments.queries.outlook import OutlookTable
from tournaments.standings.outlook import OutlookMethod


class MetricShape(Shape):
    """One metric's value: whole or a fraction as text, null where it says nothing of this team."""

    metric = serializers.CharField()
    value = serializers.CharField(allow_null=True)


@extend_schema_field(MetricShape(many=True))
class MetricValuesField(serializers.ReadOnlyField):
    """Metrics with their values, in the order in which they are asked."""

    def to_representation(self, value: Any) -> Any:
        """By what the parts of each pair are called."""
        return [{"metric": metric, "value": figure} for metric, figure in value]


class DecisionShape(Shape):
    """Why this place is above the next."""

    metric = serializers.CharField()
    value = serializers.CharField()
    next_value = serializers.CharField()
    among = serializers.ListField(
        child=serializers.UUIDField(), help_text="The teams that were compared, or the squads by their ids."
    )
    missing = serializers.BooleanField(
        default=False,
        help_text="Games among these are missing: `next_value` is the most that those behind could have.",
    )


class AdjustmentShape(Shape):
    """Points that were given or taken by decision."""

    points = serializers.IntegerField(help_text="Negative: taken.")
    reason = serializers.ChoiceField(choices=[*REASONS])


@extend_schema_field(AdjustmentShape(many=True))
class AdjustmentsField(serializers.ReadOnlyField):
    """Each decision on points that holds, with its reason."""

    def to_representation(self, value: Any) -> Any:
        """By what the parts of each pair are called."""
        return [{"points": points, "reason": reason} for points, reason in value]


class StandingShape(Shape):
    """One team's row, or one squad's where a tournament is drawn round by round."""

    team = serializers.UUIDField(source="team_id")
    team_name = serializers.CharField(source="team.name")
    squad = serializers.SerializerMethodField(help_text="Null where teams are ranked.")
    position = serializers.IntegerField(help_text="The order of the rows.")
    place = serializers.IntegerField(help_text="Shared places as 1, 2, 2, 4.")
    is_tied = serializers.BooleanField()
    games_won = serializers.IntegerField(help_text="Forfeits of others among them.")
    games_played = serializers.IntegerField(help_text="Of its games, as in the version.")
    metrics = MetricValuesField()
    decided_by = DecisionShape(allow_null=True)
    adjustments = AdjustmentsField(
        help_text="Points given or taken by decision that hold; they are in `points` where that is asked."
    )
    placement_points = serializers.CharField(
        allow_blank=True,
        help_text="A whole number or a fraction n/d; empty while lots or a play-off are awaited.",
    )
    removal = RemovalShape(
        allow_null=True,
        help_text="Of who was removed; with `last` and `annulled` the row stands behind all others.",
    )
    movement = serializers.IntegerField(
        allow_null=True,
        help_text=(
            "Places climbed (negative: lost) since the last complete round before the latest one with a "
            "result; lots, decisions, a draw and the closing leave that round as it is. Null where there "
            "is nothing to compare, in groups, and in stages whose format itself says who is where."
        ),
    )

    @extend_schema_field(SquadShape(allow_null=True))
    def get_squad(self, row: Standing) -> Any:
        """With who plays in it."""
        if row.squad is None:
            return None
        return SquadShape(squad_row(row.squad), context=self.context).data


class GroupRowShape(Shape):
    """A squad's row in its group."""

    squad = serializers.UUIDField(help_text="The id of a squad in `rows`.")
    place = serializers.IntegerField(help_text="Shared places as 1, 2, 2, 4.")
    is_tied = serializers.BooleanField()
    metrics = MetricValuesField()
    decided_by = DecisionShape(allow_null=True)


class GroupShape(Shape):
    """The table of one group."""

    name = serializers.CharField(help_text="A, B, C, …")
    missing = serializers.IntegerField(help_text="Matches that aren't decided yet.")
    rows = GroupRowShape(many=True)


class StandingsVersionShape(Shape):
    """The standings as of the facts that they were computed from."""

    number = serializers.IntegerField()
    computed_at = serializers.DateTimeField()
    games_played = serializers.IntegerField(
        help_text="Games that are over, forfeited and abandoned ones too; none that was taken back or waits "
        "for its confirmation, and none that is annulled."
    )
    games_total = serializers.IntegerField(
        help_text="Games that are drawn, without those that are annulled. A match that can end early counts "
        "all its games until it is decided, then those that it took."
    )
    rounds_played = serializers.IntegerField()
    is_all_drawn = serializers.BooleanField(
        help_text="No round and no stage is still to be drawn, as far as can be told."
    )
    has_open_ties = serializers.BooleanField()
    is_final = serializers.BooleanField()
    receipt = serializers.CharField(allow_blank=True, help_text="Its root, where a round was complete.")
    heads = serializers.DictField(
        child=serializers.IntegerField(), help_text="Stream to the sequence of the last fact that was read."
    )


class StandingsShape(Shape):
    """One version with its rows."""

    tournament = serializers.UUIDField(source="version.tournament_id")
    version = StandingsVersionShape()
    rows = StandingShape(many=True)
    groups = GroupShape(
        source="version.groups", many=True, help_text="Of the stage that is on, where it has several."
    )


class SeenShape(Shape):
    """In how many samples a team took a place."""

    place = serializers.IntegerField()
    samples = serializers.IntegerField()


class TeamOutlookShape(Shape):
    """The places that a team can still come to; who shares a place has the first of those shared."""

    team = serializers.UUIDField()
    team_name = serializers.CharField()
    squad = serializers.IntegerField(
        allow_null=True, help_text="The squad's number in its team, where squads are ranked."
    )
    places = serializers.ListField(
        child=serializers.IntegerField(), help_text="Each is taken in at least one outcome."
    )
    undecided = serializers.ListField(
        child=serializers.IntegerField(), help_text="Neither found nor ruled out."
    )
    seen = SeenShape(many=True, help_text="How often which place was seen in samples; empty without any.")
    is_settled = serializers.BooleanField(
        help_text="Nothing can change the team's place any more; `false` while matches are `overtaken`."
    )


class OutlookShape(Shape):
    """What is still open, going on from one version of the standings."""

    tournament = serializers.UUIDField(source="version.tournament_id")
    version = serializers.IntegerField(source="version.number")
    computed_at = serializers.DateTimeField(
        source="version.computed_at", help_text="The moment of that version."
    )
    is_newest = serializers.BooleanField(help_text="No later version of the standings is there yet.")
    open_games = serializers.IntegerField(
        help_text="Games that are drawn and not over; those of rounds to come aren't counted. A match that "
        "can end early counts all its open games until it is decided."
    )
    can_be_told = serializers.BooleanField(
        help_text="`false` where places don't follow from who wins (points of deals, by hand): "
        "no `teams` then."
    )
    method = serializers.ChoiceField(choices=[*OutlookMethod], allow_null=True)
    samples = serializers.IntegerField(help_text="How many outcomes were drawn; 0 without sampling.")
    seed = serializers.CharField(
        allow_blank=True, help_text="The seed by which the samples can be repeated; empty without any."
    )
    overtaken = serializers.IntegerField(
        help_text="Matches of a bracket that were drawn before a correction and can still be decided anew: "
        "`places` hold if those that have begun stand and the others are drawn anew. 0 once the tournament "
        "is closed."
    )
    first_is_decided = serializers.BooleanField(help_text="`false` while matches are `overtaken`.")
    is_settled = serializers.BooleanField(
        help_text="No place can change any more; `false` while matches are `overtaken`."
    )
    teams = serializers.SerializerMethodField(help_text="In the order of that version.")

    @extend_schema_field(TeamOutlookShape(many=True))
    def get_teams(self, table: OutlookTable) -> Any:
        """Each with its places."""
        return [
            {
                "team": str(row.team_id),
                "team_name": row.team.name,
                "squad": None if row.squad is None else row.squad.number,
                "places": outlook.places,
                "undecided": outlook.undecided,
                "seen": [{"place": place, "samples": samples} for place, samples in outlook.seen],
                "is_settled": outlook.is_settled and not table.overtaken,
            }
            for row, outlook in table.contestants
        ]


class HeadShape(Shape):
    """The end of a stream."""

    stream = serializers.UUIDField()
    sequence = serializers.IntegerField()
    hash = serializers.CharField()


class ReceiptShape(Shape):
    """One root hash over the heads of all of an event's streams."""

    number = serializers.IntegerField()
    previous_root_hash = serializers.CharField(source="previous_root")
    root_hash = serializers.CharField(source="root")
    made_at = serializers.DateTimeField()
    heads = serializers.SerializerMethodField()

    @extend_schema_field(HeadShape(many=True))
    def get_heads(self, receipt: Receipt) -> Any:
        """What was sealed."""
        return HeadShape(sealed_heads(receipt.heads), many=True).data


class ComparedReceiptShape(Shape):
    """A receipt beside what is stored now."""

    number = serializers.IntegerField(source="receipt.number")
    root_hash = serializers.CharField(source="receipt.root")
    made_at = serializers.DateTimeField(source="receipt.made_at")
    holds = serializers.BooleanField(help_text="All that it sealed is here as it was.")
    facts_sealed = serializers.IntegerField(source="sealed")
    facts_since = serializers.IntegerField(source="since", help_text="Recorded after it was made.")


class WrongShape(Shape):
    """One thing that doesn't hold."""

    where = serializers.CharField()
    what = serializers.CharField()
    stream = serializers.UUIDField(allow_null=True, help_text="Of the facts that it is about.")
    sequence = serializers.IntegerField(allow_null=True, help_text="Of the fact in its stream.")
    model = serializers.CharField(
        allow_blank=True, help_text="The table whose row isn't as the facts say, as app.Model."
    )
    column = serializers.CharField(
        allow_blank=True, help_text="The column; empty where a whole row is missing or too many."
    )


class VerificationShape(Shape):
    """What verification found; nothing is wrong where `findings` is empty."""

    findings = WrongShape(many=True)
