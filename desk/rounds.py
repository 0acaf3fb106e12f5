"""Progress of a tournament that is drawn round by round: on, missing, can be drawn."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from people.refusals import Refused
from tournaments.commands.rounds import held_matches
from tournaments.commands.stages import StageEnding, find_ending, is_stage_changed
from tournaments.formats.format import RoundPlan
from tournaments.models import Tournament
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.drawing import next_rounds
from tournaments.projections.rounds.redraw import ChangedRound, changed_rounds
from tournaments.projections.standings_inputs import StandingsInputs, inputs_now
from tournaments.queries.round_names import plan_name
from tournaments.settings.confirmation import NOBODY


@dataclass(frozen=True, slots=True)
class RoundsState:
    """A published tournament between two rounds, or in one.

    `inputs` are what its standings are computed from, `course` is the stage that is on. `plans` can be drawn
    now. `refusal` says why nothing can, where that isn't for missing results alone; `with_rematches` is what
    can be if second meetings are allowed. `ending`: the stage can be ended as it is. `has_next_stage`: the
    stage is over and another follows. `changed` are drawn rounds, `stage_changed` the stage that is on, that
    a correction would draw otherwise.
    """

    inputs: StandingsInputs
    course: StageHistory
    stages: int
    missing: int
    plans: tuple[RoundPlan, ...]
    refusal: str
    with_rematches: tuple[RoundPlan, ...]
    ending: StageEnding | None
    has_next_stage: bool
    draws_itself: bool
    changed: tuple[ChangedRound, ...]
    stage_changed: bool

    @property
    def stage_name(self) -> str:
        """The format of the stage that is on."""
        return _(self.course.choice.name)

    @property
    def asks_confirmation(self) -> bool:
        """Whether a result counts only once it is confirmed."""
        return self.inputs.settings.confirmation != NOBODY

    @property
    def round_name(self) -> str:
        """The round that is on: the first with results missing, else the last that is drawn."""
        rounds = self.course.progress.rounds
        on = next((each for each in rounds if None in each.outcomes), rounds[-1] if rounds else None)
        return plan_name(on.plan) if on else ""

    @property
    def next_names(self) -> str:
        """The rounds that can be drawn now."""
        return ", ".join(map(plan_name, self.plans))

    @property
    def is_by_hand(self) -> bool:
        """Whether places are entered instead of games."""
        return not self.course.choice.is_played

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to draw or play, in this stage and any other."""
        return self.course.is_finished() and not self.has_next_stage

    @property
    def has_changes(self) -> bool:
        """Whether a correction has made something due to be looked at."""
        return bool(self.changed) or self.stage_changed


def rounds_state(tournament: Tournament) -> RoundsState | None:
    """How far it is; None for what isn't drawn round by round or isn't open. Five queries."""
    if not tournament.choice.is_by_round or tournament.status != Tournament.Status.PUBLISHED:
        return None
    inputs = inputs_now(tournament)
    course = inputs.courses[-1]
    stages = len(inputs.planned_stages())
    missing = sum(outcome is None for each in course.progress.rounds for outcome in each.outcomes)
    plans: tuple[RoundPlan, ...] = ()
    with_rematches: tuple[RoundPlan, ...] = ()
    refusal = ""
    try:
        plans = tuple(next_rounds(course))
    except Refused as refused:
        refusal = "" if refused.params.get("why") == "results_missing" else str(refused)
        if refused.params.get("why") == "no_pairing":
            with_rematches = tuple(next_rounds(course, rematches=True))
    return RoundsState(
        inputs,
        course,
        stages,
        missing,
        plans,
        refusal,
        with_rematches,
        find_ending(inputs),
        course.is_finished() and course.number < stages,
        inputs.settings.draws_itself,
        tuple(changed_rounds(course, held_matches(course))),
        is_stage_changed(inputs),
    )
