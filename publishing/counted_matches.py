"""The games behind a version of the standings: who met whom, how it went, and who sat out."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import F

from people.models import Team
from tournaments.facts import earlier
from tournaments.formats.catalogue import FORMATS
from tournaments.formats.match_lengths import GameEnd
from tournaments.models import MatchGame, Stage, Standing, StandingsVersion
from tournaments.projections.counted_ends import end_of, winning_side
from tournaments.projections.rounds.course import DrawnStages, Key
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.projections.standings_inputs import StandingsInputs
from tournaments.queries.counted_table_rounds import RoundAtTable, RoundAway, rounds_at_tables, rounds_away
from tournaments.queries.order_reasons import inputs_of_version
from tournaments.settings.bell import bell_rule, is_shared
from tournaments.settings.confirmation import NOBODY, confirmation_rule
from tournaments.settings.stage import stage_kind

MOST_LISTED = 300
"""Beyond so many games a page would be heavy with links: it then gives the numbers alone."""
AT_TABLES: Final = frozenset(key for key, choice in FORMATS.items() if choice.adds_points)
"""The formats in which points at tables of many add up."""


class Result(StrEnum):
    """How a game went for a team or squad.

    `SHARED`: the bell ended it, and each side has a point.
    `SURPLUS`: its match was decided without it, after a correction; it doesn't count.
    `ANNULLED`: no result counts against a side of it, which was removed.
    `CHANGED`: written again since that version, so it can't be told from here.
    """

    WON = "won"
    LOST = "lost"
    SHARED = "shared"
    SURPLUS = "surplus"
    ANNULLED = "annulled"
    NONE = "none"
    CHANGED = "changed"

    @property
    def gives_point(self) -> bool:
        """Whether it is worth a point in the score."""
        return self in (Result.WON, Result.SHARED)


@dataclass(frozen=True, slots=True)
class MeetingOfSquads:
    """One game, as one of its sides sees it; `when` is its round and the wave of that round."""

    game: UUID
    when: tuple[int, int]
    table: int
    result: Result


@dataclass(slots=True)
class Opponent:
    """Another team or squad and the games against it, in the order of play; too many aren't `listed`.

    The score counts `points` of games that were won or shared, and `points_against`, as pages of matches do.
    """

    team: Team
    name: str
    points: int = 0
    points_against: int = 0
    listed: list[MeetingOfSquads] = field(default_factory=list)


def meetings(
    version: StandingsVersion, rows: Sequence[Standing], names: Mapping[str, str]
) -> dict[UUID, list[Opponent]]:
    """Of each who is ranked in `rows` the opponents, by the games that the version read; one query. Those at
    tables of many are told by `tables_played`.

    `names` are what opponents are called, by their ids as text; a squad is the same through all stages.
    """
    who = {(row.team_id, row.squad.number if row.squad else None): row for row in rows}
    has_squads = any(row.squad_id is not None for row in rows)
    against: dict[UUID, dict[UUID, Opponent]] = {row.contestant_id: {} for row in rows}
    lists_games = version.games_total <= MOST_LISTED
    annulled, bell = set(version.annulled), bell_rule(version.tournament.settings)
    matches = [(games, _results(games, version.heads, bell)) for games in _matches(version)]
    for of_match, results in matches:
        for game in of_match:
            if game.id not in results:
                continue
            keys = {number: (team, squad if has_squads else None) for number, team, squad, _id in game.sides}
            if any(keys[side] not in who for side in game.playing):
                # Of a squad that was drawn away since: the version doesn't know it.
                continue
            is_annulled = any(
                number in game.playing and str(id_) in annulled for number, *_, id_ in game.sides
            )
            for side in game.playing:
                row = who[keys[side]]
                for other_side in game.playing:
                    if other_side == side:
                        continue
                    result, of_other = results[game.id][side], results[game.id][other_side]
                    if is_annulled and result not in (Result.CHANGED, Result.SURPLUS):
                        result = Result.ANNULLED
                    other = who[keys[other_side]]
                    opponent = against[row.contestant_id].setdefault(
                        other.contestant_id, Opponent(other.team, names[str(other.contestant_id)])
                    )
                    if not is_annulled:
                        opponent.points += result.gives_point
                        opponent.points_against += of_other.gives_point
                    if lists_games:
                        opponent.listed.append(
                            MeetingOfSquads(game.id, (game.round, game.wave), game.table, result)
                        )
    order = {row.contestant_id: place for place, row in enumerate(rows)}
    return {
        one: [opponents[other] for other in sorted(opponents, key=order.__getitem__)]
        for one, opponents in against.items()
    }


class _Game(NamedTuple):
    """A game that is over, with where and by whom it was played.

    `kind` is the format of its stage and what a match is there, `playing` are numbers of sides by seat.
    `sides` are those of its match: number, team, number and id of the squad.
    """

    match: UUID
    id: UUID
    round: int
    wave: int
    table: int
    version: int
    winner_seat: int | None
    winner_team: UUID | None
    closed_by: str
    playing: list[int]
    kind: tuple[str, Mapping[str, Any]]
    sides: list[tuple[int, UUID, int, UUID]]


def _matches(version: StandingsVersion) -> Iterator[list[_Game]]:
    """The games that are over and confirmed where they have to be, match by match."""
    over = MatchGame.objects.filter(
        match__stage__tournament=version.tournament_id, game__is_over=True
    ).exclude(match__stage__format__in=AT_TABLES)
    if confirmation_rule(version.tournament.settings) != NOBODY:
        over = over.filter(confirmed_version=F("game__version"))
    rows = over.order_by(
        "match__stage__number", "match__round", "match__wave", "match__table__number", "match", "number"
    ).values_list(
        "match_id",
        "game_id",
        "match__round",
        "match__wave",
        "match__table__number",
        "game__version",
        "game__winner_seat",
        "game__winner_team",
        "game__closed_by",
        "sides",
        "match__stage__format",
        "match__stage__match",
        "match__sides__number",
        "match__sides__squad__team_id",
        "match__sides__squad__number",
        "match__sides__squad",
    )
    for _match, of_match in groupby(rows, key=itemgetter(0)):
        games = []
        for _id, found in groupby(of_match, key=itemgetter(1)):
            sides: list[Any] = list(found)
            game = sides[0]
            games.append(_Game._make((*game[:10], game[10:12], [row[12:] for row in sides])))
        yield games


def _results(games: Sequence[_Game], heads: Mapping[str, int], bell: str) -> dict[UUID, dict[int, Result]]:
    """How the games of a match that a version has read went, for each of those who played."""
    read = [game for game in games if str(game.id) in heads]
    surplus = _surplus(read, bell) if all(heads[str(game.id)] == game.version for game in read) else set()
    return {
        game.id: {
            side: Result.CHANGED
            if heads[str(game.id)] != game.version
            else Result.SURPLUS
            if game.id in surplus
            else _result(side, _end(game, bell))
            for side in game.playing
        }
        for game in read
    }


def _surplus(games: Sequence[_Game], bell: str) -> set[UUID]:
    """The games that their match was decided without; `games` are those of a match, in their order."""
    if len(games) < 2:
        return set()
    format_, match = games[0].kind
    kind = stage_kind(Stage(format=format_, match=match))
    if kind.plays_all:
        return set()
    surplus = kind.state(range(len(games[0].sides)), [_end(game, bell) for game in games]).surplus
    return {game.id for game in games[len(games) - surplus :]}


def _end(game: _Game, bell: str) -> GameEnd:
    teams = [team for _number, team, *_squad in sorted(game.sides)]
    won = winning_side(game.playing, teams, game.winner_seat, game.winner_team)
    return end_of(won, game.closed_by, is_shared=is_shared(bell, game.closed_by, game.winner_team))


def _result(side: int, end: GameEnd) -> Result:
    if end.gives_point(side):
        return Result.SHARED if end.winner is None else Result.WON
    return Result.NONE if end.winner is None else Result.LOST


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table of many as one who sat there sees it; `others` are the names of the others, by their places."""

    played: RoundAtTable
    others: tuple[str, ...]


def inputs_at_tables(version: StandingsVersion) -> StandingsInputs | None:
    """What a version has read, where points at tables of many add up; else None. Two queries, more where
    results have come since.
    """
    formats = {stage["format"] for stage in version.tournament.stage_settings}
    return inputs_of_version(version) if formats & AT_TABLES else None


def tables_played(
    read_in: StandingsInputs | None, version: StandingsVersion, names: Mapping[str, str]
) -> dict[UUID, list[ListedTable]]:
    """Of each squad the tables of many at which it sat, in the order of play; `names` as in `meetings`. None
    where there are too many.
    """
    if read_in is None or version.games_total > MOST_LISTED:
        return {}
    ids = squad_ids(read_in.courses)
    return {
        ids[key]: [
            ListedTable(each, tuple(names.get(str(ids[one]), "") for one in each.others)) for each in played
        ]
        for key, played in rounds_at_tables(read_in).items()
    }


def sat_out(version: StandingsVersion, at_tables: StandingsInputs | None) -> dict[Key, list[RoundAway]]:
    """The rounds that squads didn't play, in their order, as a version has read them; with their points at
    tables of many.

    One query where the format has byes or rounds that can be sat out.
    """
    tournament = version.tournament
    formats = {stage["format"] for stage in tournament.stage_settings}
    granting = {key for key in formats if FORMATS[key].grants_byes}
    found: dict[Key, dict[int, RoundAway]] = defaultdict(dict)
    if granting:
        drawn = DrawnStages.of(earlier.decisions(tournament.pk, until=version.heads[str(tournament.pk)]))
        asked, late = drawn.sitting_out(), drawn.coming_later()
        for number, squads in sorted(drawn.byes(granting).items()):
            for squad in squads:
                found[squad][number] = RoundAway(number, None)
            for squad in asked.get(number, ()):
                found[squad][number] = RoundAway(number, None, on_request=True)
            for squad in late.get(number, ()):
                found[squad][number] = RoundAway(number, None, is_late=True)
    for squad, rounds in (rounds_away(at_tables) if at_tables else {}).items():
        found[squad] |= {each.round: each for each in rounds}
    return {squad: [rounds[number] for number in sorted(rounds)] for squad, rounds in found.items()}
