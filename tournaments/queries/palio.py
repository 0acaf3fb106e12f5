"""A palio for pages and programs: plain views, loaded with a fixed number of queries."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from games.models import WAITING, Game
from people.models import Event, Team
from tournaments.models import OverallStanding, OverallVersion, Palio, StandingsVersion, Tournament
from tournaments.models.standings import ALL_PLAYED
from tournaments.settings.palio import DisciplineKind, PalioRules


class PalioProgress(StrEnum):
    """How far a discipline is: only a decided one counts.

    `OVER`: a tournament of which everything is played, and which isn't closed (or is open again).
    """

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
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
    """The newest version of the overall table with its rows, and the disciplines in order."""

    palio: Palio
    rules: PalioRules
    version: OverallVersion
    rows: tuple[OverallStanding, ...]
    disciplines: tuple[DisciplineView, ...]

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
    rows = tuple(version.rows.select_related("team").order_by("position"))
    return OverallTable(palio, PalioRules.from_json(palio.rules), version, rows, disciplines(palio))


def disciplines(palio: Palio) -> tuple[DisciplineView, ...]:
    """The palio's disciplines in order; four queries."""
    rules = PalioRules.from_json(palio.rules)
    is_over = Exists(over_now().filter(tournament=OuterRef("pk")))
    rows: Any = palio.event.tournaments.annotate(is_over=is_over)
    tournaments: dict[UUID, Any] = {each.pk: each for each in rows}
    games = dict(palio.other_games.values_list("pk", "name"))
    placed = set(palio.other_placings.values_list("discipline", flat=True))
    playing = set(
        Game.objects.filter(group__in=list(tournaments))
        .exclude(phase=WAITING)
        .values_list("group", flat=True)
    )
    found = []
    for each in rules.disciplines:
        tournament = tournaments.get(each.id)
        if each.kind is DisciplineKind.OTHER:
            progress = PalioProgress.DECIDED if each.id in placed else PalioProgress.WAITING
        elif tournament is not None and tournament.status == Tournament.Status.CLOSED:
            progress = PalioProgress.DECIDED
        elif tournament is not None and tournament.is_over:
            progress = PalioProgress.OVER
        else:
            progress = PalioProgress.PLAYING if each.id in playing else PalioProgress.WAITING
        name = tournament.name if tournament is not None else games.get(each.id, "")
        found.append(DisciplineView(each.id, name, each.kind, each.weight, each.scale, progress, tournament))
    return tuple(found)


def over_now() -> QuerySet[StandingsVersion]:
    """The newest standings of tournaments of which everything is played."""
    newer = StandingsVersion.objects.filter(tournament=OuterRef("tournament"), number__gt=OuterRef("number"))
    return StandingsVersion.objects.filter(ALL_PLAYED, ~Exists(newer))


def teams_of(palio: Palio) -> list[Team]:
    """The teams that take part, by number."""
    return list(Team.objects.filter(pk__in=palio.teams).order_by("number"))
