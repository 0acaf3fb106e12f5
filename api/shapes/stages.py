"""Stages that are drawn round by round: their course, and the stage that would be drawn next."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.fields import Id, Shape
from api.shapes.common import DecisionBody
from api.shapes.rounds import (
    MOST_SQUADS,
    PlannedPairingShape,
    PlannedRoundShape,
    numbers,
    pairing_row,
    plan_row,
)
from api.shapes.squads import ContestantShape
from api.shapes.tournaments import DrawBody, MatchKindField, OptionsField, QualificationShape
from tournaments.commands.next_stage import NextStage
from tournaments.facts.reasons import CAME, LEFT, ON_REQUEST
from tournaments.formats.elimination.plan import SectionPart
from tournaments.formats.format import PairingOutcome
from tournaments.formats.stages.model import REASONS, TIES, Tie
from tournaments.projections.rounds.course import Key, StageHistory
from tournaments.projections.rounds.ranking import annulled_of
from tournaments.queries.round_names import round_title
from tournaments.queries.stage import StageView


class TitleField(serializers.CharField):
    """What a round or a match of a bracket is called, in the reader's language."""

    def to_representation(self, title: Any) -> str:
        """Of its msgid and values."""
        return round_title(title.template, dict(title.values))


class ReasonField(serializers.CharField):
    """Why a contestant goes on, stays or waits."""

    def to_representation(self, reason: Any) -> str:
        """As a sentence."""
        return _(REASONS[reason.code]) % dict(reason.values)


class GoingShape(Shape):
    """A contestant of the stage before, and why it goes on, stays or waits."""

    contestant = serializers.IntegerField()
    seed = serializers.IntegerField(
        allow_null=True, help_text="Its number in the next stage, once that is known."
    )
    code = serializers.CharField(source="reason.code")
    why = ReasonField(source="reason", help_text="A sentence.")


class TieShape(Shape):
    """Contestants who are level where their order matters."""

    kind = serializers.ChoiceField(list(TIES))
    why = serializers.CharField(help_text="A sentence.")
    contestants = numbers()
    squads = serializers.ListField(
        child=serializers.UUIDField(), help_text="The same by ids, as the order of a play-off names them."
    )
    spots = serializers.IntegerField(help_text="How many of them go on.")


class NextStageShape(Shape):
    """The stage that follows as it would be now; in numbers of the stage before, but for `rounds`."""

    number = serializers.IntegerField()
    format = serializers.CharField()
    options = OptionsField()
    match = MatchKindField()
    qualification = QualificationShape(allow_null=True)
    seed = serializers.CharField()
    can_be_drawn = serializers.BooleanField(help_text="No result and no tie is open.")
    goes_on = GoingShape(many=True)
    stays = GoingShape(many=True)
    waits = GoingShape(many=True)
    ties = TieShape(many=True)
    left_out = numbers("Against whom results weren't counted in comparing groups of different sizes.")
    rounds = PlannedRoundShape(
        many=True,
        help_text="What would be drawn, in numbers of the new stage (`seed` of who goes on); else empty.",
    )
    contestants = ContestantShape(many=True, help_text="Of the stage before.")


class ChangedStageShape(Shape):
    """The last stage as it would be drawn now; null as long as the same would come into it."""

    becomes = NextStageShape(allow_null=True)


class StageOutcomeShape(Shape):
    """How a pairing ended."""

    points = serializers.ListField(
        child=serializers.CharField(), help_text="Of each side: whole, or a fraction n/d."
    )
    winner = serializers.IntegerField(allow_null=True, help_text="A contestant's number.")
    walkover = serializers.BooleanField()


class StagePairingOutcomeShape(StageOutcomeShape):
    """How a drawn pairing ended; of one that is annulled nobody has points, and nobody won it."""

    points = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Of each side: whole, or a fraction n/d; null where it is annulled.",
    )
    absent = numbers(
        "The contestants who weren't at a table of many, in order: their points here say nothing, since a "
        "round counts for them as for who has left."
    )


class StagePairingShape(PlannedPairingShape):
    """A pairing that was drawn, and how it ended."""

    match = serializers.UUIDField(allow_null=True, help_text="Its match; null where only places are entered.")
    is_annulled = serializers.BooleanField(help_text="No result against one of its sides counts.")
    outcome = StagePairingOutcomeShape(allow_null=True)


class StageRoundShape(PlannedRoundShape):
    """A round that was drawn."""

    round = serializers.IntegerField(help_text="Counted through all stages, as matches have it.")
    pairings = StagePairingShape(many=True)


class StageGroupShape(Shape):
    """A group, and who is where in it."""

    name = serializers.CharField(help_text="A, B, C, …")
    missing = serializers.IntegerField(help_text="Matches that aren't decided yet.")
    places = serializers.ListField(child=numbers(), help_text="Who shares a place, the first place first.")


class BracketSideShape(Shape):
    """One side of a match of a bracket."""

    contestant = serializers.IntegerField(allow_null=True, help_text="Null while it is open.")
    after = serializers.CharField(
        allow_null=True, help_text="The slot whose winner comes here; null for a place of the bracket."
    )
    as_loser = serializers.BooleanField(help_text="Its loser comes here.")


class BracketMatchShape(Shape):
    """A match of a bracket."""

    slot = serializers.CharField()
    name = TitleField()
    sides = BracketSideShape(many=True)
    drawn_in = serializers.IntegerField(allow_null=True, help_text="The round in which it was drawn.")
    outcome = StageOutcomeShape(allow_null=True)
    winner = serializers.IntegerField(allow_null=True)
    due = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        allow_null=True,
        help_text="Who would meet by the results as they are now, where that isn't who was drawn.",
    )


class BracketRoundShape(Shape):
    """A round of a part of a bracket, from top to bottom."""

    part = serializers.ChoiceField([each.value for each in SectionPart], source="part.value")
    number = serializers.IntegerField()
    title = TitleField()
    matches = BracketMatchShape(many=True)


class BracketShape(Shape):
    """A whole bracket."""

    byes = numbers("Who has a bye in the first round.")
    rounds = BracketRoundShape(many=True)


class RepeatContestantShape(Shape):
    """A contestant as a draw knows it; teams are numbered from 1 in the order in which they come."""

    number = serializers.IntegerField()
    team = serializers.IntegerField()
    labels = serializers.ListField(child=serializers.IntegerField())
    since = serializers.IntegerField()
    sits_out = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="The rounds that it asked to sit out; missing where there are none.",
    )


class RepeatOutcomeShape(StageOutcomeShape):
    """How a pairing ended, with what the next draw may need of it."""

    places = numbers("Of each side at a table of many; missing where there are none.", required=False)
    absent = numbers(
        "The contestants who weren't there; missing where everybody was. Their points here say nothing.",
        required=False,
    )


class RepeatPairingShape(Shape):
    """A pairing, and how it ended."""

    slot = serializers.CharField()
    sides = numbers()
    outcome = RepeatOutcomeShape(allow_null=True)


class RepeatEditShape(Shape):
    """Two contestants that changed places by hand."""

    one = serializers.IntegerField()
    other = serializers.IntegerField()
    reason = serializers.CharField()


class RepeatSeatShape(Shape):
    """A free seat of a drawn round that was taken."""

    slot = serializers.CharField()
    contestant = serializers.IntegerField()
    instead = serializers.IntegerField(
        allow_null=True, help_text="Whose it was, who has left; null: nobody's."
    )


class RepeatRoundShape(Shape):
    """A round."""

    number = serializers.IntegerField()
    gone = numbers("Who had left when it was drawn.")
    annulled = numbers("Against whom no result counted then; missing where there was nobody.", required=False)
    edits = RepeatEditShape(many=True, help_text="How it was changed by hand afterwards, in this order.")
    byes = numbers()
    rematches = serializers.BooleanField(
        required=False,
        help_text="Second meetings were allowed for it; missing where they weren't, or for all rounds.",
    )
    taken = RepeatSeatShape(
        many=True,
        required=False,
        help_text="Free seats that were taken after the draw, in this order; missing where there are none.",
    )
    pairings = RepeatPairingShape(many=True)


class RepeatShape(Shape):
    """All that the draw of each round depends on, so that anybody can repeat it."""

    format = serializers.CharField()
    options = OptionsField()
    match = MatchKindField()
    seed = serializers.CharField()
    method = serializers.CharField()
    contestants = RepeatContestantShape(many=True)
    gone = numbers("Who has left by now.")
    annulled = numbers("Against whom no result counts; missing where there is nobody.", required=False)
    rounds = RepeatRoundShape(many=True)


class RoundsPlanShape(Shape):
    """A plan of rounds at tables. The first follows from the seed alone. A later one follows from the seed,
    from who was there, and from the rounds before it.
    """

    number = serializers.IntegerField(help_text="From 1.")
    rounds = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="The rounds of the stage that are as it says; empty once it is replaced.",
    )
    at = serializers.DateTimeField(allow_null=True, help_text="When a later one was made.")
    reason = serializers.ChoiceField(
        [LEFT, CAME, ON_REQUEST], allow_null=True, help_text="Why a later one was made."
    )
    squad = serializers.UUIDField(allow_null=True, help_text="Who left or came.")


class StageCourseShape(Shape):
    """A stage that is drawn round by round, as it went so far. Contestants go by their numbers."""

    tournament = serializers.UUIDField()
    number = serializers.IntegerField()
    format = serializers.CharField()
    options = OptionsField()
    match = MatchKindField()
    all_at_once = serializers.BooleanField(
        help_text="Its rounds are planned in advance, all together; else each follows from results."
    )
    plans = RoundsPlanShape(
        many=True,
        help_text="Of rounds at tables that are planned in advance; empty elsewhere. The last one stands.",
    )
    is_all_drawn = serializers.BooleanField(
        help_text="No further round is to be drawn, as far as can be told."
    )
    is_finished = serializers.BooleanField(help_text="All is drawn and decided.")
    is_ended = serializers.BooleanField(
        help_text="Organizers ended it with the rounds played, since nothing could be drawn after them."
    )
    is_last = serializers.BooleanField(help_text="It was ended, and no stage follows it.")
    contestants = ContestantShape(many=True)
    rounds = StageRoundShape(many=True)
    groups = StageGroupShape(many=True, help_text="Empty where the format itself says who is where.")
    places = serializers.ListField(
        child=numbers(),
        help_text="Where the format itself says who is where: who shares a place, the first one first.",
    )
    bracket = BracketShape(allow_null=True, help_text="Of a knockout.")
    repeat = RepeatShape()


class StageSeedBody(DrawBody):
    """The next stage to be drawn, with the seed of the preview that was liked."""


class StageTieBody(DecisionBody):
    """How a tie was played off that keeps the next stage from being drawn."""

    order = serializers.ListField(
        child=Id(), max_length=MOST_SQUADS, help_text="The ids of all its squads, the winner first."
    )


def next_stage_row(following: NextStage, ids: Mapping[Key, UUID]) -> dict[str, Any]:
    """The stage that follows, without contestants; `ids` are the squads through all stages."""
    course, preview, settings = following.course, following.preview, following.settings
    return {
        "number": following.number,
        "format": settings.choice.key,
        "options": settings.options,
        "match": settings.match,
        "qualification": settings.asked,
        "seed": following.seed,
        "can_be_drawn": following.drawn is not None,
        "goes_on": preview.goes_on,
        "stays": preview.stays,
        "waits": preview.waits,
        "ties": [_tie(tie, course, ids) for tie in preview.ties],
        "left_out": sorted(preview.left_out),
        "rounds": [plan_row(plan) for plan in following.drawn.rounds] if following.drawn else [],
    }


def stage_row(view: StageView) -> dict[str, Any]:
    """A stage so far, without contestants."""
    course = view.course
    of_key = {view.ids[course.key(one.number)]: one.number for one in course.progress.contestants}
    matches = {(match.round, match.pairing.slot): match for match in course.matches}
    annulled = annulled_of(course)
    return {
        "number": course.number,
        "format": course.choice.key,
        "options": course.body["options"],
        "match": course.body["match"],
        "all_at_once": course.choice.is_predetermined,
        "plans": view.plans,
        "is_all_drawn": course.is_all_drawn(),
        "is_finished": course.is_finished(),
        "is_ended": course.is_ended,
        "is_last": course.is_last,
        "rounds": [
            {
                **plan_row(each.plan),
                "round": course.rounds_before + each.plan.number,
                "pairings": [
                    {
                        **pairing_row(pairing),
                        "match": matches[each.plan.number, pairing.slot].id
                        if course.choice.is_played
                        else None,
                        "is_annulled": (is_annulled := not annulled.isdisjoint(pairing.sides)),
                        "outcome": _outcome_row(outcome, is_annulled=is_annulled),
                    }
                    for pairing, outcome in zip(each.plan.pairings, each.outcomes, strict=True)
                ],
            }
            for each in course.progress.rounds
        ],
        "groups": [
            {
                "name": table.name,
                "missing": table.missing,
                "places": _levels([(row.place, of_key[row.team]) for row in table.rows]),
            }
            for table in view.groups
        ],
        "places": view.places,
        "bracket": view.bracket,
        "repeat": course.record().to_json(),
    }


def _outcome_row(outcome: PairingOutcome | None, *, is_annulled: bool) -> dict[str, Any] | None:
    """How a drawn pairing ended."""
    if outcome is None:
        return None
    return {
        "points": None if is_annulled else outcome.points,
        "winner": None if is_annulled else outcome.winner,
        "walkover": outcome.walkover,
        "absent": sorted(outcome.absent),
    }


def _levels(places: Iterable[tuple[int, int]]) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for place, number in places:
        found.setdefault(place, []).append(number)
    return [found[place] for place in sorted(found)]


def _tie(tie: Tie, course: StageHistory, ids: Mapping[Key, UUID]) -> dict[str, Any]:
    return {
        "kind": tie.kind,
        "why": _(TIES[tie.kind]),
        "contestants": tie.contestants,
        "squads": [ids[course.key(one)] for one in tie.contestants],
        "spots": tie.spots,
    }
