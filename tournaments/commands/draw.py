"""Preview a draw, make it, publish it."""

import secrets
import shlex
from dataclasses import dataclass
from datetime import UTC, datetime, time
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import gettext as _

from people.actors import Actor
from people.entries import lock_event
from people.models import Event
from people.refusals import Refused
from tournaments.commands.command import Caller, OpenDecision, command
from tournaments.commands.stage_field import SquadOf, StageField, kept_field
from tournaments.commands.stage_field import field_of as squad_field_of
from tournaments.facts import draws
from tournaments.formats import (
    CannotDraw,
    ConstraintsKept,
    DrawForecast,
    DrawInputs,
    DrawnRounds,
    as_draw,
    kept,
    preview,
)
from tournaments.formats.edits import write_swap
from tournaments.formats.format import RoundPlan
from tournaments.formats.stages.plan import plan_stages
from tournaments.models import Stage, Tournament
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.rounds.drawing import DrawnStage, draw_stage
from tournaments.settings import keep_apart
from tournaments.settings.tournament import TournamentSettings

STAGE = 1


@dataclass(frozen=True, slots=True)
class PreviewedDraw:
    """What a seed would give, before anything is stored.

    `inputs` repeat a draw of mini-tournaments. `squads` are the contestants, `stage` all of what is drawn; a
    kept draw has no `stage`. `swaps`: how a kept one was changed by hand.
    """

    seed: str
    field: draws.TournamentField
    draw: DrawnRounds
    day: DrawForecast
    inputs: DrawInputs | None = None
    squads: tuple[SquadOf, ...] = ()
    stage: DrawnStage | None = None
    swaps: tuple[str, ...] = ()

    @property
    def rounds(self) -> tuple[RoundPlan, ...]:
        """The rounds as the format planned them."""
        return () if self.stage is None else self.stage.rounds

    def command(self) -> str:
        """The command line that repeats a draw of mini-tournaments anywhere; empty for another one."""
        if self.inputs is None:
            return ""
        return " ".join([self.inputs.command(), *(f"--swap {shlex.quote(swap)}" for swap in self.swaps)])

    def kept(self) -> ConstraintsKept:
        """How far the draw keeps apart who should be."""
        return kept(self.draw, self.field.constraints)


def new_seed() -> str:
    """A fresh seed that can be read aloud: twelve hexadecimal digits in groups of four."""
    digits = secrets.token_hex(6)
    return "-".join(digits[start : start + 4] for start in range(0, 12, 4))


def preview_draw(tournament: Tournament, seed: str | None = None) -> PreviewedDraw:
    """Who meets whom, the hours, who waits and who meets whom twice; raises `Refused("cannot-draw")`."""
    settings = TournamentSettings.from_json(tournament.settings)
    chosen = new_seed() if seed is None else seed
    field, drawn = _first_stage(tournament, settings, chosen)
    draw = field.drawn or drawn.draw(field.drawn_squads(), settings.tables)
    day = day_of(draw, settings, tournament.event)
    return PreviewedDraw(chosen, field.by_team, draw, day, field.inputs, field.squads, drawn)


def _first_stage(
    tournament: Tournament, settings: TournamentSettings, seed: str
) -> tuple[StageField, DrawnStage]:
    """Who takes part, and what a seed draws; raises `Refused("cannot-draw")`."""
    field = squad_field_of(tournament, settings, seed)
    contestants = field.contestants()
    stages = settings.stages()
    try:
        plan_stages([stage.planned() for stage in stages], len(contestants))
    except CannotDraw as error:
        raise draws.cannot_draw(error) from error
    method = None if field.drawn is None else field.drawn.method
    return field, draw_stage(stages[0], contestants, seed, method)


def kept_draw(tournament: Tournament, stage: StageHistory) -> PreviewedDraw:
    """The draw of a first stage that was drawn at once, as it is kept, with what was changed by hand; whoever
    was entered or withdrawn since.
    """
    settings = TournamentSettings.from_json(tournament.settings)
    if stage.choice.ranks_teams:
        made = draws.kept_draw(tournament.stages.get(pk=stage.stage))
        swaps = tuple(write_swap(swap, made.drawn) for swap in made.swaps)
        day = day_of(made.draw, settings, tournament.event)
        return PreviewedDraw(stage.seed, made.field, made.draw, day, made.inputs, swaps=swaps)
    field = kept_field(tournament, stage.body)
    plans = [each.plan for each in stage.progress.rounds]
    draw = as_draw(
        stage.choice.key,
        stage.body["method"],
        stage.seed,
        field.drawn_squads(),
        plans,
        stage.kind,
        settings.tables,
    )
    day = day_of(draw, settings, tournament.event)
    return PreviewedDraw(stage.seed, field.by_team, draw, day, squads=field.squads)


def day_of(draw: DrawnRounds, settings: TournamentSettings, event: Event) -> DrawForecast:
    """The hours of a draw on the event's first day, as UTC (so that minutes add up when clocks change)."""
    local_start = datetime.combine(event.starts_on, time.fromisoformat(settings.starts_at))
    try:
        return preview(
            draw,
            minutes_per_game=settings.minutes_per_game,
            minutes_between=settings.minutes_between,
            start=local_start.replace(tzinfo=ZoneInfo(event.time_zone)).astimezone(UTC),
        )
    except CannotDraw as error:
        raise draws.cannot_draw(error) from error


@transaction.atomic
def make_draw(tournament: Tournament, by: Actor | Caller, seed: str) -> Stage:
    """Draw with this seed and keep it; made again before publication, it replaces the former draw."""
    stage = _make_draw(tournament, by, seed).stages.filter(number=STAGE).first()
    if stage is None:
        raise Refused("draw-replaced", _("That draw was dropped since: the settings have changed."))
    return stage


@command("stage_drawn", Tournament.Status.SET_UP, Tournament.Status.DRAWN)
def _make_draw(decision: OpenDecision, tournament: Tournament, seed: str) -> None:
    # Who is entered, and in which team, stays as it is until the draw is kept.
    lock_event(tournament.event)
    settings = TournamentSettings.from_json(tournament.settings)
    field, drawn = _first_stage(tournament, settings, seed)
    body = drawn.body(
        uuid4(),
        STAGE,
        [squad.body() for squad in field.squads],
        [entry.pk for team in field.by_team.teams for entry in team.reserves],
        squad_size=settings.squad_size,
        rounds_before=0,
        tables=settings.tables,
    )
    if field.drawn is not None:
        body |= {"plan": field.drawn.plan, **keep_apart.to_fact(field.by_team.constraints)}
    decision.record(body)


@command("draw_published", Tournament.Status.DRAWN)
def publish_draw(decision: OpenDecision, tournament: Tournament) -> None:
    """Make the draw public; from then on results can be entered and the draw isn't made again."""
    decision.record({})
