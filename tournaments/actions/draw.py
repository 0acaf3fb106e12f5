"""Preview a draw, make it, publish it."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, time
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import gettext as _

from people.actors import Actor
from people.entries import lock_event
from people.models import Event
from tournaments import drawing
from tournaments.decisions import decide, expect_status, lock, repeated
from tournaments.formats import CannotDraw, Draw, Inputs, Kept, Preview, kept, preview
from tournaments.models import Stage, Tournament
from tournaments.refusals import Refused
from tournaments.settings import TournamentSettings

STAGE = 1


@dataclass(frozen=True, slots=True)
class DrawPreview:
    """What a seed would give, before anything is stored."""

    seed: str
    field: drawing.TournamentField
    inputs: Inputs
    draw: Draw
    day: Preview

    def kept(self) -> Kept:
        """How far the draw keeps apart who should be."""
        return kept(self.draw, self.field.constraints)


def new_seed() -> str:
    """A fresh seed that can be read aloud: twelve hexadecimal digits in groups of four."""
    digits = secrets.token_hex(6)
    return "-".join(digits[start : start + 4] for start in range(0, 12, 4))


def preview_draw(tournament: Tournament, seed: str | None = None) -> DrawPreview:
    """Who meets whom, the hours, who waits and who meets whom twice; raises `Refused("cannot-draw")`."""
    settings = TournamentSettings.from_json(tournament.settings)
    field = drawing.field_of(tournament, settings)
    chosen_seed = new_seed() if seed is None else seed
    inputs = drawing.inputs_of(field, settings, chosen_seed)
    draw = drawing.make(inputs)
    return DrawPreview(chosen_seed, field, inputs, draw, day_of(draw, settings, tournament.event))


def published_draw(tournament: Tournament, stage: Stage) -> DrawPreview:
    """The draw as it was published, whoever was entered or withdrawn since."""
    made = drawing.kept_draw(stage)
    settings = TournamentSettings.from_json(tournament.settings)
    day = day_of(made.draw, settings, tournament.event)
    return DrawPreview(stage.seed, made.field, made.inputs, made.draw, day)


def day_of(draw: Draw, settings: TournamentSettings, event: Event) -> Preview:
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
        raise drawing.cannot_draw(error) from error


@transaction.atomic
def make_draw(
    tournament: Tournament,
    actor: Actor,
    seed: str,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Stage:
    """Draw with this seed and keep it; made again before publication, it replaces the former draw."""
    tournament = lock(tournament)
    # Who is entered, and in which team, stays as it is until the draw is kept.
    lock_event(tournament.event)
    said = {"seed": seed}
    if not repeated(tournament, "draw_made", client_id, said):
        expect_status(tournament, Tournament.Status.SET_UP, Tournament.Status.DRAWN)
        settings = TournamentSettings.from_json(tournament.settings)
        field = drawing.field_of(tournament, settings)
        draw = drawing.make(drawing.inputs_of(field, settings, seed))
        body = drawing.fact_body(uuid4(), STAGE, field, draw, settings.squad_size)
        decide(
            tournament,
            "draw_made",
            body,
            actor,
            expected_version=expected_version,
            client_id=client_id,
            client_body=said,
        )
    stage = tournament.stages.filter(number=STAGE).first()
    if stage is None:
        raise Refused("draw-replaced", _("That draw was dropped since: the settings have changed."))
    return stage


@transaction.atomic
def publish_draw(
    tournament: Tournament,
    actor: Actor,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Tournament:
    """Make the draw public; from then on results can be entered and the draw isn't made again."""
    tournament = lock(tournament)
    if not repeated(tournament, "draw_published", client_id, {}):
        expect_status(tournament, Tournament.Status.DRAWN)
        decide(
            tournament,
            "draw_published",
            {},
            actor,
            expected_version=expected_version,
            client_id=client_id,
            client_body={},
        )
    return tournament
