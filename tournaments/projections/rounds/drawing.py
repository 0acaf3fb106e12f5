"""Drawing a stage and its rounds: from the field or the course so far to the body of the fact."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from people.refusals import Refused
from tournaments.facts import stages
from tournaments.formats import CannotDraw, DrawnRounds, DrawSquad, as_draw
from tournaments.formats.format import Contestant, Format, RoundPlan, StageProgress
from tournaments.projections.rounds.course import StageHistory
from tournaments.settings.stage import StageSettings


@dataclass(frozen=True, slots=True)
class DrawnStage:
    """A stage before it is kept: its settings and contestants, its seed, and the rounds that can be drawn.

    `method` is the named one by which anybody can repeat it.
    """

    settings: StageSettings
    contestants: tuple[Contestant, ...]
    seed: str
    method: str
    rounds: tuple[RoundPlan, ...]

    @property
    def form(self) -> Format:
        """The format with its options, as it draws this stage."""
        return self.settings.choice.build_by(self.method, self.settings.options)

    def draw(self, squads: dict[int, DrawSquad], tables: int | None) -> DrawnRounds:
        """As a draw, to be shown and counted."""
        kind = self.settings.kind()
        return as_draw(self.form, self.method, self.seed, squads, self.rounds, kind, tables)

    def body(
        self,
        stage: UUID,
        number: int,
        squads: Sequence[dict[str, Any]],
        reserves: Sequence[UUID],
        *,
        squad_size: int,
        rounds_before: int,
        tables: int,
    ) -> dict[str, Any]:
        """The body of the `stage_drawn` fact."""
        kind = self.settings.kind()
        return {
            "stage": str(stage),
            "number": number,
            **{name: self.settings.to_json()[name] for name in ("format", "options", "match")},
            "seed": self.seed,
            "method": self.method,
            "squad_size": squad_size,
            "rounds_before": rounds_before,
            "squads": list(squads),
            "reserves": [str(entry) for entry in reserves],
            "rounds": [
                stages.round_body(plan, kind, tables, is_played=self.settings.choice.is_played)
                for plan in self.rounds
            ],
        }


def draw_stage(
    settings: StageSettings, contestants: tuple[Contestant, ...], seed: str, method: str | None = None
) -> DrawnStage:
    """The first round, or all of them where results play no part; raises `Refused("cannot-draw")`.

    `method` is that of squads that were drawn by lot.
    """
    chosen = settings.choice.method if method is None else method
    try:
        form = settings.choice.build_by(chosen, settings.options)
        rounds = form.coming_rounds(StageProgress(contestants), seed)
    except CannotDraw as error:
        raise cannot_draw(error) from error
    return DrawnStage(settings, contestants, seed, chosen, tuple(rounds))


def next_rounds(course: StageHistory, *, rematches: bool = False) -> list[RoundPlan]:
    """What can be drawn of a stage now; raises `Refused("cannot-draw")`."""
    try:
        return course.format.coming_rounds(course.progress, course.seed, rematches=rematches)
    except CannotDraw as error:
        raise cannot_draw(error) from error


def next_body(course: StageHistory, plans: Sequence[RoundPlan], tables: int) -> dict[str, Any]:
    """The body of the `round_drawn` fact."""
    return {
        "stage": str(course.stage),
        "rounds": [stages.round_body(plan, course.kind, tables) for plan in plans],
    }


def cannot_draw(error: CannotDraw) -> Refused:
    """A format's refusal in the words of this layer."""
    params: dict[str, Any] = {"why": error.code, **error.values}
    return Refused("cannot-draw", _(error.template) % error.values, status=422, **params)
