"""Commands: make the draw of a first stage, and publish it."""

from uuid import uuid4

from django.utils.translation import gettext as _

from people.actors import Actor
from people.refusals import Refused
from tournaments.commands.decision_recording import Caller, OpenDecision, command
from tournaments.models import Stage, Tournament
from tournaments.queries.first_stage_draws import draw_first_stage
from tournaments.settings import keep_apart_labels
from tournaments.settings.tournament import TournamentSettings

STAGE = 1


def make_draw(tournament: Tournament, by: Actor | Caller, seed: str) -> Stage:
    """Draw with this seed and keep it; made again before publication, it replaces the former draw.

    Gives the stage as it is once the draw is kept.
    """
    stage = _make_draw(tournament, by, seed).stages.filter(number=STAGE).first()
    if stage is None:
        raise Refused("draw-replaced", _("That draw was dropped since: the settings have changed."))
    return stage


# Who is entered, and in which team, stays as it is until the draw is kept.
@command("stage_drawn", Tournament.Status.SET_UP, Tournament.Status.DRAWN, locks_event=True)
def _make_draw(decision: OpenDecision, tournament: Tournament, seed: str) -> None:
    settings = TournamentSettings.from_json(tournament.settings)
    field, drawn = draw_first_stage(tournament, settings, seed)
    body = drawn.body(
        uuid4(),
        STAGE,
        [squad.body() for squad in field.squads],
        [entry.pk for team in field.by_team.teams for entry in team.reserves],
        squad_size=settings.squad_size,
        rounds_before=0,
        tables=settings.tables,
    )
    if field.inputs is not None:
        plan = drawn.form.layout(drawn.contestants)
        body |= {"plan": plan, **keep_apart_labels.to_fact(field.by_team.constraints)}
    decision.record(body)


@command("draw_published", Tournament.Status.DRAWN)
def publish_draw(decision: OpenDecision, tournament: Tournament) -> None:
    """Make the draw public; from then on results can be entered and the draw isn't made again."""
    decision.record({})
