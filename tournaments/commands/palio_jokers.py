"""A team's joker: played on a discipline before it begins, and withdrawn as long as it hasn't."""

from datetime import UTC, datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Game
from people.actors import Actor
from people.models import Team
from tournaments.commands.palio_decisions import begun, decide, repeated
from tournaments.facts.palio_locks import lock
from tournaments.models import Palio
from tournaments.projections import overall
from tournaments.queries.discipline_names import names_of
from tournaments.refusals import Refused
from tournaments.settings.palio import DisciplineRules, PalioRules
from tournaments.standings import CannotRank, Discipline, Joker, check_jokers


@transaction.atomic
def play_joker(
    palio: Palio,
    actor: Actor,
    team: Team,
    discipline_id: UUID,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Palio:
    """Announce that the team's points in this discipline count twice; refused once it has begun."""
    palio = lock(palio)
    said = {"team": str(team.pk), "discipline": str(discipline_id)}
    if repeated(palio, "joker_played", client_id, said):
        return palio
    discipline = _known(palio, team, discipline_id)
    _wait_for_tables(discipline)
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
        told = error.values | {"team": team.name, "discipline": names_of(palio).get(discipline_id, "")}
        raise Refused(error.code.replace("_", "-"), _(error.template) % told) from error
    decide(palio, "joker_played", said, actor, expected_version=expected_version, client_id=client_id)
    overall.compute(palio.pk)
    return palio


@transaction.atomic
def withdraw_joker(
    palio: Palio,
    actor: Actor,
    team: Team,
    discipline_id: UUID,
    *,
    expected_version: int | None = None,
    client_id: UUID | None = None,
) -> Palio:
    """Take an announced joker back; refused once its discipline has begun."""
    palio = lock(palio)
    said = {"team": str(team.pk), "discipline": str(discipline_id)}
    if repeated(palio, "joker_withdrawn", client_id, said):
        return palio
    discipline = _known(palio, team, discipline_id)
    if not palio.jokers.filter(team=team, discipline=discipline_id).exists():
        raise Refused("no-joker", _("The team has no joker on this discipline."))
    _wait_for_tables(discipline)
    if discipline_id in begun(palio):
        raise Refused(
            "late-withdrawal", _("The discipline has begun; its jokers can’t be withdrawn any more.")
        )
    decide(palio, "joker_withdrawn", said, actor, expected_version=expected_version, client_id=client_id)
    overall.compute(palio.pk)
    return palio


def _known(palio: Palio, team: Team, discipline_id: UUID) -> DisciplineRules:
    if str(team.pk) not in palio.teams:
        raise Refused("unknown-team", _("The team doesn’t take part in this palio."), status=422)
    discipline = PalioRules.from_json(palio.rules).discipline(discipline_id)
    if discipline is None:
        raise Refused("unknown-discipline", _("This isn’t a discipline of the palio."), status=422)
    return discipline


def _wait_for_tables(discipline: DisciplineRules) -> None:
    """Let whoever is beginning a game of a tournament finish first, and others wait."""
    list(Game.objects.select_for_update().filter(group=discipline.id).order_by("pk").values_list("pk"))
