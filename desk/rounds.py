"""Progress of a tournament that is drawn round by round: on, missing, can be drawn."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.refusals import Refused
from tournaments.commands.next_stage import StageEnding, find_ending, is_stage_changed
from tournaments.commands.round_draws import held_matches
from tournaments.formats.format import PlayedRound, RoundPlan
from tournaments.models import Tournament
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.draw_comparison import ChangedRound, changed_rounds
from tournaments.projections.rounds.drawing import next_rounds
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
    `missing`: how many results are; where all rounds are drawn together, of the round that is on.
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
        on = _round_on(self.course)
        return plan_name(on.plan) if on else ""

    @property
    def missing_text(self) -> str:
        """How many results are missing, and of which round where all are drawn together; a sentence."""
        values = {"count": self.missing, "round": self.round_name}
        if not self.course.choice.is_predetermined:
            if self.asks_confirmation:
                told = ngettext(
                    "%(count)d result is missing or not confirmed.",
                    "%(count)d results are missing or not confirmed.",
                    self.missing,
                )
            else:
                told = ngettext(
                    "%(count)d result is missing.", "%(count)d results are missing.", self.missing
                )
        elif self.asks_confirmation:
            told = ngettext(
                "%(round)s: %(count)d result is missing or not confirmed.",
                "%(round)s: %(count)d results are missing or not confirmed.",
                self.missing,
            )
        else:
            told = ngettext(
                "%(round)s: %(count)d result is missing.",
                "%(round)s: %(count)d results are missing.",
                self.missing,
            )
        return told % values

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


def _round_on(course: StageHistory) -> PlayedRound | None:
    """The first round with results missing, else the last that is drawn."""
    rounds = course.progress.rounds
    return next((each for each in rounds if None in each.outcomes), rounds[-1] if rounds else None)


def rounds_state(tournament: Tournament) -> RoundsState | None:
    """How far it is; None for what isn't drawn round by round or isn't open. Five queries."""
    if not tournament.choice.is_by_round or tournament.status != Tournament.Status.PUBLISHED:
        return None
    inputs = inputs_now(tournament)
    course = inputs.courses[-1]
    stages = len(inputs.planned_stages())
    on = _round_on(course)
    open_ = [on] if on is not None and course.choice.is_predetermined else course.progress.rounds
    missing = sum(outcome is None for each in open_ for outcome in each.outcomes)
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
