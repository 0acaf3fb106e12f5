"""The games behind a version of the standings: who met whom, and how it went."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from uuid import UUID

from people.models import Team
from tournaments.bell import bell_rule, is_shared
from tournaments.models import MatchGame, StandingsVersion

MOST_LISTED = 300
"""Beyond so many games a page would be heavy with links: it then gives the numbers alone."""


class Result(StrEnum):
    """How a game went for a team.

    `SHARED`: the bell ended it, and each side has a point.
    `CHANGED`: written again since that version, so it can't be told from here.
    """

    WON = "won"
    LOST = "lost"
    SHARED = "shared"
    NONE = "none"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game, as a team sees it; `when` is its round and the wave of that round."""

    game: UUID
    when: tuple[int, int]
    table: int
    result: Result


@dataclass(slots=True)
class Opponent:
    """Another team and the games against it, in the order of play; too many games aren't `listed`."""

    team: Team
    won: int = 0
    lost: int = 0
    listed: list[Meeting] = field(default_factory=list)


def meetings(version: StandingsVersion, teams: Mapping[UUID, Team]) -> dict[UUID, list[Opponent]]:
    """Of each team its opponents, by the games that the version read; one query."""
    against: dict[UUID, dict[UUID, Opponent]] = {team: {} for team in teams}
    lists_games = version.games_total <= MOST_LISTED
    bell = bell_rule(version.tournament.settings)
    for (game, round_, wave, table, head, winner, closed_by, pair), rows in groupby(
        _games(version), key=lambda row: row[:8]
    ):
        read = version.heads.get(str(game))
        if read is None:
            continue
        side_teams = {number: team for *_, number, team in rows}
        playing = [side_teams[side] for side in pair]
        for team in playing:
            result = _result(team, winner, closed_by, bell) if read == head else Result.CHANGED
            for other in playing:
                if other != team:
                    opponent = against[team].setdefault(other, Opponent(teams[other]))
                    opponent.won += result is Result.WON
                    opponent.lost += result is Result.LOST
                    if lists_games:
                        opponent.listed.append(Meeting(game, (round_, wave), table, result))
    order = {team: place for place, team in enumerate(teams)}
    return {
        team: [opponents[other] for other in sorted(opponents, key=order.__getitem__)]
        for team, opponents in against.items()
    }


def _games(
    version: StandingsVersion,
) -> list[tuple[UUID, int, int, int, int, UUID | None, str, list[int], int, UUID]]:
    rows = (
        MatchGame.objects.filter(match__stage__tournament=version.tournament_id, game__is_over=True)
        .order_by("match__stage__number", "match__round", "match__wave", "match__table__number", "number")
        .values_list(
            "game_id",
            "match__round",
            "match__wave",
            "match__table__number",
            "game__version",
            "game__winner_team",
            "game__closed_by",
            "sides",
            "match__sides__number",
            "match__sides__squad__team_id",
        )
    )
    return list(rows)


def _result(team: UUID, winner: UUID | None, closed_by: str, bell: str) -> Result:
    if is_shared(bell, closed_by, winner):
        return Result.SHARED
    if winner is None:
        return Result.NONE
    return Result.WON if winner == team else Result.LOST
