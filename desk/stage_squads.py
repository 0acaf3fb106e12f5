"""Squads of a stage as the desk names them: the team, and its players in full."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from people.display_names import NameBook, squad_name
from people.models import Team
from rendering.components.bracket_view import BracketSideShown
from tournaments.models import SquadMember, Tournament
from tournaments.projections.removed_squads import why_left
from tournaments.projections.rounds.course import StageHistory
from tournaments.queries.match_views import SideView


def players_of(side: SideView, book: NameBook) -> str:
    """A side's players, where the team's banner stands beside them."""
    return ", ".join(book[entry.pk] for entry in side.entries)


@dataclass(frozen=True, slots=True)
class DeskContestant:
    """A squad of a stage; `number` in the team, `names` as they sit, `left` why it doesn't play on (one of
    `GONE_REASONS`), if so.
    """

    team: Team
    number: int
    names: tuple[str, ...]
    left: str = ""

    @property
    def is_gone(self) -> bool:
        """Whether it doesn't play on."""
        return bool(self.left)

    @property
    def players(self) -> str:
        """Its players, where the team's banner stands beside them."""
        return ", ".join(self.names)


Who = Mapping[int, DeskContestant]


def contestants(
    squads: Sequence[Mapping[str, Any]],
    teams: Mapping[UUID, Team],
    book: NameBook,
    left: Mapping[int, str] | None = None,
) -> dict[int, DeskContestant]:
    """Squads as facts hold them, by their number as contestants."""
    return {
        at: DeskContestant(
            teams[UUID(squad["team"])],
            squad["number"],
            tuple(book[UUID(entry)] for entry in squad["entries"]),
            (left or {}).get(at, ""),
        )
        for at, squad in enumerate(squads, start=1)
    }


def of_course(course: StageHistory, teams: Mapping[UUID, Team], book: NameBook) -> dict[int, DeskContestant]:
    """The contestants of a stage."""
    return contestants(course.squads, teams, book, course.left)


def shown(who: Who) -> dict[int, BracketSideShown]:
    """As brackets take them."""
    return {
        number: BracketSideShown(one.players, one.team, why_left(one.left)) for number, one in who.items()
    }


@dataclass(frozen=True, slots=True)
class RankedContestant:
    """Whoever stands in the standings: a team, or a squad with its players."""

    pk: UUID
    team: Team
    names: tuple[str, ...] = ()

    @property
    def players(self) -> str:
        """A squad's players, where the team's banner stands beside them."""
        return ", ".join(self.names)

    @property
    def name(self) -> str:
        """As forms name it."""
        return squad_name(self.team, self.names) if self.names else self.team.name

    @property
    def short(self) -> str:
        """As sentences about others name it."""
        return self.name if self.names else self.team.short_name


def ranked_squads(tournament_id: UUID, book: NameBook) -> dict[UUID, RankedContestant]:
    """The squads of all stages of a tournament by id; one query."""
    members = (
        SquadMember.objects.filter(squad__stage__tournament=tournament_id)
        .select_related("squad__team")
        .order_by("squad", "position")
    )
    by_squad = groupby(members, key=lambda member: member.squad)
    return {
        squad.pk: RankedContestant(squad.pk, squad.team, tuple(book[member.entry_id] for member in seated))
        for squad, seated in by_squad
    }


def ranked_in(tournament: Tournament, book: NameBook) -> dict[UUID, RankedContestant]:
    """Who can stand in a tournament's standings, by id: teams, or squads of all stages; one query."""
    if not tournament.choice.ranks_teams:
        return ranked_squads(tournament.pk, book)
    return {team.pk: RankedContestant(team.pk, team) for team in tournament.event.teams.order_by("number")}
