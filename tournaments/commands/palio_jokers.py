"""Commands: play a team's joker on a discipline before it begins, and withdraw it as long as it hasn't."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from people.models import Team
from people.refusals import Refused
from tournaments.commands.decision_recording import OpenDecision, command
from tournaments.commands.palio_facts import begun
from tournaments.facts.locks import lock_games
from tournaments.models import Palio
from tournaments.queries.palio import discipline_names
from tournaments.settings.palio import DisciplineRules, PalioRules
from tournaments.standings import CannotRank, Discipline, Joker, check_jokers


def _joker(team: Team, discipline_id: UUID) -> dict[str, Any]:
    return {"team": str(team.pk), "discipline": str(discipline_id)}


@command("joker_played", sent=_joker)
def play_joker(decision: OpenDecision, palio: Palio, team: Team, discipline_id: UUID) -> None:
    """Announce that the team's points in this discipline count twice; refused once it has begun."""
    discipline = _known(palio, team, discipline_id)
    # Who is beginning a game of it finishes first.
    lock_games(discipline.id)
    rules, now = PalioRules.from_json(palio.rules), timezone.now()
    running = begun(palio)
    disciplines: list[Discipline[UUID]] = [
        Discipline(each.key, began=now if each.id in running else None) for each in rules.disciplines
    ]
    jokers = [
        # One that was played in time stays so.
        Joker(joker.team_id, str(joker.discipline), datetime.min.replace(tzinfo=UTC))
        for joker in palio.jokers.all()
    ]
    try:
        check_jokers([*jokers, Joker(team.pk, discipline.key, now)], disciplines, rules.jokers_each)
    except CannotRank as error:
        told = error.values | {
            "team": team.name,
            "discipline": discipline_names(palio).get(discipline_id, ""),
        }
        raise Refused(error.code.replace("_", "-"), _(error.template) % told) from error
    decision.record(_joker(team, discipline_id))


@command("joker_withdrawn", sent=_joker)
def withdraw_joker(decision: OpenDecision, palio: Palio, team: Team, discipline_id: UUID) -> None:
    """Take an announced joker back; refused once its discipline has begun."""
    discipline = _known(palio, team, discipline_id)
    if not palio.jokers.filter(team=team, discipline=discipline_id).exists():
        raise Refused("no-joker", _("The team has no joker on this discipline."))
    lock_games(discipline.id)
    if discipline_id in begun(palio):
        raise Refused(
            "late-withdrawal", _("The discipline has begun; its jokers can’t be withdrawn any more.")
        )
    decision.record(_joker(team, discipline_id))


def _known(palio: Palio, team: Team, discipline_id: UUID) -> DisciplineRules:
    if str(team.pk) not in palio.teams:
        raise Refused("unknown-team", _("The team doesn’t take part in this palio."), status=422)
    discipline = PalioRules.from_json(palio.rules).discipline(discipline_id)
    if discipline is None:
        raise Refused("unknown-discipline", _("This isn’t a discipline of the palio."), status=422)
    return discipline
