"""The places in which the teams came out of another game, entered by hand."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from people.models import Team
from people.refusals import Refused
from tournaments.commands.decision_recording import OpenDecision, command
from tournaments.facts.reasons import check_reason
from tournaments.formats import CannotDraw
from tournaments.formats.places_by_hand import placements
from tournaments.models import Palio
from tournaments.settings.palio import DisciplineKind, PalioRules


def _placements(
    discipline_id: UUID, places: Sequence[tuple[UUID, int | None]], reason: str | None = None
) -> dict[str, Any]:
    body = {"discipline": str(discipline_id), "places": [[str(team), place] for team, place in places]}
    return body if reason is None else {**body, "reason": reason}


@command("placements_entered", sent=_placements)
def enter_placements(
    decision: OpenDecision,
    palio: Palio,
    discipline_id: UUID,
    places: Sequence[tuple[UUID, int | None]],
    reason: str | None = None,
) -> None:
    """Enter the final places of another game: one for each team, None for one that took no part.

    Places are shared as 1, 2, 2, 4. Entered again they are corrected, with a reason. Raises `Refused`.
    """
    taken = check_placements(palio, discipline_id, places, reason)
    decision.record(_placements(discipline_id, taken, reason))


def check_placements(
    palio: Palio, discipline_id: UUID, places: Sequence[tuple[UUID, int | None]], reason: str | None = None
) -> list[tuple[UUID, int]]:
    """The places of those who took part; raises `Refused` where `enter_placements` would."""
    discipline = PalioRules.from_json(palio.rules).discipline(discipline_id)
    if discipline is None or discipline.kind is not DisciplineKind.OTHER:
        raise Refused(
            "unknown-discipline",
            _("This isn’t another game of the palio: it has no places to enter."),
            status=422,
        )
    _check_teams(palio, [team for team, _place in places])
    taken = [(team, place) for team, place in places if place is not None]
    _check_places(palio, taken)
    if reason is not None:
        check_reason(reason)
    elif palio.other_placings.filter(discipline=discipline_id).exists():
        raise Refused(
            "reason-needed", _("These places were entered before; to correct them, say why."), status=422
        )
    return taken


def _check_teams(palio: Palio, teams: Sequence[UUID]) -> None:
    """Every team of the palio has to be named, once."""
    if sorted(map(str, teams)) != sorted(palio.teams):
        names = dict(Team.objects.filter(pk__in=palio.teams).values_list("pk", "short_name"))
        raise Refused(
            "wrong-teams",
            _("Say of every team once in which place it came, or that it took no part: %(teams)s.")
            % {"teams": ", ".join(names[UUID(team)] for team in palio.teams)},
            status=422,
        )


def _check_places(palio: Palio, taken: Sequence[tuple[UUID, int]]) -> None:
    if not taken:
        raise Refused("wrong-places", _("Somebody has to have taken part."), status=422)
    numbers = dict(palio.event.teams.values_list("pk", "number"))
    entered = [(numbers[team], place) for team, place in taken]
    try:
        placements([number for number, _place in entered], entered)
    except CannotDraw as error:
        raise Refused("wrong-places", _(error.template) % error.values, status=422) from error
