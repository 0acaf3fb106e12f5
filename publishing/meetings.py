"""The games behind a version of the standings: who met whom, and how it went."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from django.db.models import F

from people.models import Team
from tournaments.bell import bell_rule, is_shared
from tournaments.confirmation import NOBODY, confirmation_rule
from tournaments.game_ends import winning_side
from tournaments.models import MatchGame, Standing, StandingsVersion

MOST_LISTED = 300
"""Beyond so many games a page would be heavy with links: it then gives the numbers alone."""


class Result(StrEnum):
    """How a game went for a team or squad.

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
    """One game, as one of its sides sees it; `when` is its round and the wave of that round."""

    game: UUID
    when: tuple[int, int]
    table: int
    result: Result


@dataclass(slots=True)
class Opponent:
    """Another team or squad and the games against it, in the order of play; too many aren't `listed`."""

    team: Team
    name: str
    won: int = 0
    lost: int = 0
    listed: list[Meeting] = field(default_factory=list)


def meetings(
    version: StandingsVersion, rows: Sequence[Standing], names: Mapping[UUID, str]
) -> dict[UUID, list[Opponent]]:
    """Of each who is ranked in `rows` the opponents, by the games that the version read; one query.

    `names` are what opponents are called; a squad is the same through all stages.
    """
    who = {(row.team_id, row.squad.number if row.squad else None): row for row in rows}
    has_squads = any(row.squad_id is not None for row in rows)
    against: dict[UUID, dict[UUID, Opponent]] = {row.contestant_id: {} for row in rows}
    lists_games = version.games_total <= MOST_LISTED
    bell = bell_rule(version.tournament.settings)
    for game, sides in _games(version):
        read = version.heads.get(str(game.id))
        if read is None:
            continue
        keys = {number: (team, squad if has_squads else None) for number, team, squad in sides}
        if any(keys[side] not in who for side in game.playing):
            # Of a squad that was drawn away since: the version doesn't know it.
            continue
        teams = [keys[number][0] for number in sorted(keys)]
        won = winning_side(game.playing, teams, game.winner_seat, game.winner_team)
        for side in game.playing:
            result = Result.CHANGED
            if read == game.version:
                result = _result(side, won, game, bell)
            row = who[keys[side]]
            for other_side in game.playing:
                if other_side == side:
                    continue
                other = who[keys[other_side]]
                opponent = against[row.contestant_id].setdefault(
                    other.contestant_id, Opponent(other.team, names[other.contestant_id])
                )
                opponent.won += result is Result.WON
                opponent.lost += result is Result.LOST
                if lists_games:
                    opponent.listed.append(Meeting(game.id, (game.round, game.wave), game.table, result))
    order = {row.contestant_id: place for place, row in enumerate(rows)}
    return {
        one: [opponents[other] for other in sorted(opponents, key=order.__getitem__)]
        for one, opponents in against.items()
    }


class _Game(NamedTuple):
    """A game that is over, with where and by whom it was played; `playing` are numbers of sides by seat."""

    id: UUID
    round: int
    wave: int
    table: int
    version: int
    winner_seat: int | None
    winner_team: UUID | None
    closed_by: str
    playing: list[int]


def _games(version: StandingsVersion) -> Iterator[tuple[_Game, list[tuple[int, UUID, int]]]]:
    """The games that are over and count, each with the sides of its match: number, team, squad."""
    over = MatchGame.objects.filter(match__stage__tournament=version.tournament_id, game__is_over=True)
    if confirmation_rule(version.tournament.settings) != NOBODY:
        over = over.filter(confirmed_version=F("game__version"))
    rows = over.order_by(
        "match__stage__number", "match__round", "match__wave", "match__table__number", "number"
    ).values_list(
        "game_id",
        "match__round",
        "match__wave",
        "match__table__number",
        "game__version",
        "game__winner_seat",
        "game__winner_team",
        "game__closed_by",
        "sides",
        "match__sides__number",
        "match__sides__squad__team_id",
        "match__sides__squad__number",
    )
    for game, found in groupby(rows, key=lambda row: row[:9]):
        yield _Game(*game), [(row[9], row[10], row[11]) for row in found]


def _result(side: int, won: int | None, game: _Game, bell: str) -> Result:
    if is_shared(bell, game.closed_by, game.winner_team):
        return Result.SHARED
    if won is None:
        return Result.NONE
    return Result.WON if won == side else Result.LOST
