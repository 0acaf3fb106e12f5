"""A palio for pages and programs: plain views, loaded with a fixed number of queries."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from uuid import UUID

from django.db.models import Q, Subquery

from games.models import Game
from people.models import Event, Team
from tournaments.models import OverallStanding, OverallVersion, Palio, Tournament
from tournaments.settings.palio import DisciplineKind, PalioRules


class PalioProgress(StrEnum):
    """How far a discipline is: only a decided one counts."""

    WAITING = "waiting"
    PLAYING = "playing"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class DisciplineView:
    """A discipline with its name; `tournament` where it is one, `scale` where it is another game."""

    id: UUID
    name: str
    kind: DisciplineKind
    weight: Fraction
    scale: tuple[int, ...]
    progress: PalioProgress
    tournament: Tournament | None


def discipline_names(palio: Palio) -> dict[UUID, str]:
    """The names of the event's tournaments and of the palio's other games, by id; two queries."""
    tournaments = palio.event.tournaments.values_list("pk", "name")
    return {**dict(tournaments), **dict(palio.other_games.values_list("pk", "name"))}


@dataclass(frozen=True, slots=True)
class OverallTable:
    """The newest version of the overall table with its rows, and the disciplines in order.

    `movement` maps a team's id to the places that it climbed (negative: lost) since fewer disciplines were
    decided.
    """

    palio: Palio
    rules: PalioRules
    version: OverallVersion
    rows: tuple[OverallStanding, ...]
    disciplines: tuple[DisciplineView, ...]
    movement: Mapping[UUID, int]

    @property
    def names(self) -> dict[str, str]:
        """The disciplines' names by their keys."""
        return {str(each.id): each.name for each in self.disciplines}


def overall_table(event: Event) -> OverallTable | None:
    """The event's overall table; None where there is none. Six queries at most, one where there is none."""
    palio = Palio.objects.filter(event=event).first()
    if palio is None:
        return None
    palio.event = event
    version = palio.overall_versions.order_by("-number").first()
    if version is None:
        return None
    earlier = palio.overall_versions.filter(decided__lt=version.decided, decided__gt=0).order_by("-number")
    both = OverallStanding.objects.filter(Q(version=version) | Q(version=Subquery(earlier.values("pk")[:1])))
    loaded = list(both.select_related("team").order_by("position"))
    rows = tuple(row for row in loaded if row.version_id == version.pk)
    before = {row.team_id: row.place for row in loaded if row.version_id != version.pk}
    moved = {row.team_id: before[row.team_id] - row.place for row in rows if row.team_id in before}
    return OverallTable(palio, PalioRules.from_json(palio.rules), version, rows, disciplines(palio), moved)


def disciplines(palio: Palio) -> tuple[DisciplineView, ...]:
    """The palio's disciplines in order; four queries."""
    rules = PalioRules.from_json(palio.rules)
    tournaments = {each.pk: each for each in palio.event.tournaments.all()}
    games = dict(palio.other_games.values_list("pk", "name"))
    placed = set(palio.other_placings.values_list("discipline", flat=True))
    playing = set(
        Game.objects.filter(group__in=list(tournaments), version__gt=0).values_list("group", flat=True)
    )
    found = []
    for each in rules.disciplines:
        tournament = tournaments.get(each.id)
        if each.kind is DisciplineKind.OTHER:
            progress = PalioProgress.DECIDED if each.id in placed else PalioProgress.WAITING
        elif tournament is not None and tournament.status == Tournament.Status.CLOSED:
            progress = PalioProgress.DECIDED
        else:
            progress = PalioProgress.PLAYING if each.id in playing else PalioProgress.WAITING
        name = tournament.name if tournament is not None else games.get(each.id, "")
        found.append(DisciplineView(each.id, name, each.kind, each.weight, each.scale, progress, tournament))
    return tuple(found)


def teams_of(palio: Palio) -> list[Team]:
    """The teams that take part, by number."""
    return list(Team.objects.filter(pk__in=palio.teams).order_by("number"))
