"""Rounds that follow from results: what would be drawn next, and what corrections change."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from api.fields import Body, Id, Shape, Text, Whole
from api.shapes.common import DecisionBody, expected_version
from api.shapes.squads import ContestantShape
from api.shapes.tournaments import REASON_CODES
from tournaments.commands.replanned_rounds import RoundsChange
from tournaments.commands.round_draws import PlannedNextRound
from tournaments.formats.format import RoundPairing, RoundPlan
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.draw_comparison import ChangedRound
from tournaments.queries.round_names import round_title

MOST_SQUADS = 1024


def numbers(help_text: str = "Contestants' numbers.", *, required: bool = True) -> serializers.ListField:
    """A list of contestants."""
    return serializers.ListField(child=serializers.IntegerField(), help_text=help_text, required=required)


class NoteShape(Shape):
    """What there is to say of a contestant's pairing: `rematch`, `same_team`, `float_down`, `late`, …"""

    code = serializers.CharField()
    contestant = serializers.IntegerField()


class PlannedPairingShape(Shape):
    """Who would meet; the first side has the first seat."""

    slot = serializers.CharField(help_text="Its place in the format, such as a bracket's.")
    sides = numbers()
    notes = NoteShape(many=True)


class PlannedRoundShape(Shape):
    """A round that would be drawn."""

    number = serializers.IntegerField(help_text="Within the stage, from 1.")
    title = serializers.CharField()
    byes = numbers("Who has no match.")
    rematches = serializers.BooleanField(
        help_text="Second meetings are allowed for this round alone, since there was no way without."
    )
    pairings = PlannedPairingShape(many=True)


class NextRoundShape(Shape):
    """What would be drawn now; no rounds if nothing is left to draw in the stage."""

    stage = serializers.IntegerField()
    rounds = PlannedRoundShape(many=True)
    contestants = ContestantShape(many=True)


class NewPlanShape(Shape):
    """What it would change to plan the rounds anew that nobody has begun; no rounds where nothing."""

    stage = serializers.IntegerField()
    moved = serializers.IntegerField(help_text="How many would sit at another table in any of the rounds.")
    met_again_before = serializers.IntegerField(
        help_text="Second meetings of those who stay, in all rounds as they are; three count as three."
    )
    met_again_after = serializers.IntegerField(help_text="The same, planned anew.")
    rounds = PlannedRoundShape(many=True, help_text="As they would be.")
    contestants = ContestantShape(many=True)


class ChangedPairShape(Shape):
    """A pair that would be drawn otherwise by the results as they are now."""

    slot = serializers.CharField()
    drawn = numbers()
    due = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        help_text="Who would meet now; null where that isn't known yet.",
    )
    is_begun = serializers.BooleanField(help_text="It is being played or was: it stays as it is.")
    is_held = serializers.BooleanField(
        help_text="It isn't begun, and stays: somebody due here sits in a match of the round that stays."
    )


class ChangedRoundShape(Shape):
    """A drawn round that would be drawn otherwise now."""

    number = serializers.IntegerField(help_text="Within the stage, from 1.")
    moves = serializers.BooleanField(help_text="Drawing it anew would change it.")
    pairs = ChangedPairShape(many=True)
    becomes = PlannedRoundShape()


class ChangedRoundsShape(Shape):
    """What corrections have changed; no rounds as long as all fit."""

    stage = serializers.IntegerField()
    rounds = ChangedRoundShape(many=True)
    contestants = ContestantShape(many=True)


class NextRoundQuery(Body):
    """What is allowed for the round."""

    rematches = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Second meetings and second byes are allowed for this round alone, where there is no way "
        "without (a Swiss refused with `why` `no_pairing`).",
    )


class NextRoundBody(NextRoundQuery):
    """The next round to be drawn."""

    expected_version = expected_version()


class RedrawBody(DecisionBody):
    """To be drawn anew after a correction."""

    reason = Text(max_length=40, help_text=f"One of {REASON_CODES}.")


class StagePlaceBody(Body):
    """A squad's place."""

    squad = Id()
    place = Whole(min_value=1, max_value=MOST_SQUADS)


class StagePlacesBody(DecisionBody):
    """The places of all squads, shared as 1, 2, 2, 4. Who has left may be left out."""

    places = serializers.ListField(
        child=StagePlaceBody(), allow_empty=False, min_length=1, max_length=MOST_SQUADS
    )
    reason = Text(max_length=40, required=False, help_text=f"To change them, one of {REASON_CODES}.")


def next_round_row(following: PlannedNextRound) -> dict[str, Any]:
    """What would be drawn, without contestants."""
    return {"stage": following.course.number, "rounds": [plan_row(plan) for plan in following.plans]}


def new_plan_row(course: StageHistory, change: RoundsChange | None) -> dict[str, Any]:
    """What planning anew would change, without contestants."""
    before, after = change.met_again if change else (0, 0)
    return {
        "stage": course.number,
        "moved": change.moved if change else 0,
        "met_again_before": before,
        "met_again_after": after,
        "rounds": [plan_row(plan) for plan in change.plans] if change else [],
    }


def changed_rounds_row(course: StageHistory, changed: Iterable[ChangedRound]) -> dict[str, Any]:
    """What corrections have changed, without contestants."""
    return {
        "stage": course.number,
        "rounds": [
            {
                "number": each.number,
                "moves": each.moves,
                "pairs": each.pairs,
                "becomes": plan_row(each.becomes),
            }
            for each in changed
        ],
    }


def plan_row(plan: RoundPlan) -> dict[str, Any]:
    """A round, without contestants."""
    return {
        "number": plan.number,
        "title": round_title(plan.title, dict(plan.values)),
        "byes": plan.byes,
        "rematches": plan.rematches,
        "pairings": [pairing_row(pairing) for pairing in plan.pairings],
    }


def pairing_row(pairing: RoundPairing) -> dict[str, Any]:
    """A pairing, without contestants."""
    return {
        "slot": pairing.slot,
        "sides": pairing.sides,
        "notes": [{"code": code, "contestant": contestant} for code, contestant in pairing.notes],
    }
