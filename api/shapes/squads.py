"""Shapes and bodies of squads: as they are ranked, in a stage, and as the desk takes them in and out."""

from typing import Any

from rest_framework import serializers

from api.fields import Body, Id, Shape, Text, Whole
from api.shapes.common import DecisionBody, expected_version
from api.shapes.matches import MatchEntryShape
from tournaments.facts.reasons import GONE_REASONS, REPLACED_REASONS
from tournaments.formats.model import MAX_ROUNDS
from tournaments.standings import RemovedPlace

MOST_ENTRIES = 5


class SquadShape(Shape):
    """Who sits down together."""

    id = serializers.UUIDField(help_text="The same through all stages.")
    number = serializers.IntegerField(help_text="Within its team.")
    entries = MatchEntryShape(many=True, help_text="In the order in which they sit.")


class ContestantShape(Shape):
    """A squad in a stage. What has a label in common is kept apart; labels don't say what they are of."""

    number = serializers.IntegerField(help_text="In this stage, from 1: the place in the seeding.")
    team = serializers.UUIDField()
    squad = SquadShape()
    labels = serializers.ListField(child=serializers.IntegerField())
    since = serializers.IntegerField(help_text="The first round of the stage in which it plays.")
    sits_out = serializers.ListField(
        child=serializers.IntegerField(), help_text="The rounds of the stage that it asked to sit out."
    )
    is_gone = serializers.BooleanField(help_text="It doesn't play any more.")


class RemovalShape(Shape):
    """Why a side was removed, and what becomes of its place."""

    reason = serializers.ChoiceField(choices=[*GONE_REASONS])
    place = serializers.ChoiceField(choices=[*RemovedPlace])


class SquadStateShape(SquadShape):
    """A squad of a tournament, and whether it plays."""

    team = serializers.UUIDField()
    stages = serializers.ListField(
        child=serializers.IntegerField(), help_text="The numbers of the stages that it came into."
    )
    since = serializers.IntegerField(help_text="The first round in which it plays.")
    is_gone = serializers.BooleanField(help_text="It doesn't play any more.")
    removal = RemovalShape(
        allow_null=True,
        help_text="Null for who plays, and for removals of earlier versions (the format's rule).",
    )


def plan_anew() -> Any:
    """The field that says whether rounds planned in advance may be planned anew."""
    return serializers.BooleanField(
        required=False,
        default=False,
        help_text="Rounds at tables that were planned in advance may be planned anew for it, so that others "
        "change table. Without it 409 `would-plan-anew` says which `rounds`, and how many would have "
        "`moved`; nothing is done.",
    )


class NewSquadBody(DecisionBody):
    """A squad that comes late."""

    entries: Any = serializers.ListField(
        child=Id(),
        min_length=1,
        max_length=MOST_ENTRIES,
        help_text="As many entries of one team as a squad has, in the order in which they sit.",
    )
    plan_anew = plan_anew()


class ReturnBody(DecisionBody):
    """A squad that is back."""

    plan_anew = plan_anew()


class RemovalBody(Body):
    """Why a side plays no further, and what becomes of its place."""

    reason = Text(max_length=40, help_text=f"One of {', '.join(GONE_REASONS)}.")
    place = Text(
        max_length=40,
        required=False,
        help_text=(
            f"One of {', '.join(RemovedPlace)}; the format may offer fewer. Without it, `last` for who is "
            "disqualified; for others `rule` in a round robin that annuls who leaves early, else `keeps`."
        ),
    )
    expected_version = expected_version()


class SquadRemovalBody(RemovalBody):
    """Why a squad plays no further, and what becomes of its place."""

    plan_anew = plan_anew()


class RequestedByeBody(DecisionBody):
    """A round of the stage that is on, which isn't drawn yet."""

    round: Any = Whole(min_value=1, max_value=MAX_ROUNDS, help_text="Of the stage, from 1.")


class TeamRemovalBody(RemovalBody):
    """Which team plays no further, why, and what becomes of its place; `rule` isn't offered."""

    team = Id()


class ReinstatedTeamBody(DecisionBody):
    """Which team is meant."""

    team = Id()


class SubstitutionBody(Body):
    """A reserve in the place of somebody."""

    reason = Text(
        max_length=40,
        help_text=f"One of {', '.join(REPLACED_REASONS)}. With the last one a place goes back to who was "
        "replaced: `entry` has it now, and has begun no game there.",
    )
    expected_version = expected_version()
    entry = Id(help_text="Who leaves the squad.")
    reserve = Id(help_text="Who takes the place: of the same team, entered, and in no squad of the stage.")


class ForfeitsShape(Shape):
    """Games that were given to the others."""

    games = serializers.IntegerField(help_text="How many games were forfeited by this call.")
