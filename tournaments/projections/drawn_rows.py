"""The rows of what was drawn: squads, matches and games, whatever format drew them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Model, Prefetch, QuerySet

from games import logbook
from games.models import Game, Seat
from ledger.inserting import insert_many
from tournaments.facts import foreign_stage_ids, stages
from tournaments.facts import matches as match_facts
from tournaments.formats import seating
from tournaments.models import (
    DrawnRound,
    Match,
    MatchGame,
    MatchSide,
    Place,
    Squad,
    SquadMember,
    Stage,
    Table,
    Tournament,
)

_BATCH = 500
_drawn: ContextVar[set[UUID] | None] = ContextVar("drawn", default=None)


@contextmanager
def taking_the_place_of_others() -> Iterator[set[UUID]]:
    """While everything is built again: a row with the id of one that is written goes first, wherever an
    altered column has put it. Yields the ids of all matches and games that are written.

    Ids of squads, matches and games follow from their stage's, so a stage that another tournament has drawn
    is refused before any row goes.
    """
    drawn: set[UUID] = set()
    token = _drawn.set(drawn)
    try:
        yield drawn
    finally:
        _drawn.reset(token)


def _make_way(ids: Iterable[UUID], *of: tuple[type[Model], str]) -> None:
    """While everything is built again, remove the rows that name one of these ids in a column."""
    if _drawn.get() is None:
        return
    listed = list(ids)
    for start in range(0, len(listed), _BATCH):
        for model, column in of:
            model._default_manager.filter(**{f"{column}__in": listed[start : start + _BATCH]}).delete()


def write_stage(tournament: Tournament, **values: Any) -> Stage:
    """Keep a stage; raises `DrawnElsewhereError` for one that another tournament has drawn."""
    if _drawn.get() is not None:
        foreign_stage_ids.check_stage(tournament, values["id"])
    _make_way([values["id"]], (Stage, "pk"), (Match, "stage"), (Squad, "stage"), (DrawnRound, "stage"))
    return Stage.objects.create(tournament=tournament, **values)


@dataclass(frozen=True, slots=True)
class SquadRow:
    """A squad: its team, its number in it, its entries in the order in which they sit."""

    id: UUID
    team: UUID
    number: int
    entries: Sequence[UUID]

    @classmethod
    def by_id(cls, squads: QuerySet[Squad]) -> "dict[UUID, SquadRow]":
        """Squads as they are kept; two queries."""
        members = Prefetch("members", SquadMember.objects.order_by("position"))
        return {
            squad.pk: cls(
                squad.pk, squad.team_id, squad.number, [each.entry_id for each in squad.members.all()]
            )
            for squad in squads.order_by().prefetch_related(members)
        }


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game of a match: `number` from 1, the indices of the sides that play it, first seat first."""

    id: UUID
    number: int
    sides: Sequence[int]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match: where and when it is played, its sides, its games."""

    id: UUID
    round: int
    wave: int
    table: int
    sides: Sequence[SquadRow]
    games: Sequence[GameRow]
    slot: str = ""


def write_squads(stage: Stage, squads: Sequence[SquadRow]) -> None:
    """Keep the squads of a stage."""
    _make_way([each.id for each in squads], (Squad, "pk"), (SquadMember, "squad"))
    insert_many([Squad(id=each.id, stage=stage, team_id=each.team, number=each.number) for each in squads])
    insert_many(
        [
            SquadMember(squad_id=each.id, entry_id=entry, position=position)
            for each in squads
            for position, entry in enumerate(each.entries, start=1)
        ]
    )


def write_matches(tournament: Tournament, stage: Stage, matches: Sequence[MatchRow]) -> None:
    """Keep matches with their games; what these games' logs hold already is found again,
    and so is their place in the timetable.
    """
    tables = _tables(tournament, {match.table for match in matches})
    drawn = _drawn.get()
    if drawn is not None:
        drawn_now = [each.id for each in matches]
        drawn.update(drawn_now)
        _make_way(drawn_now, (Match, "pk"), (MatchSide, "match"), (MatchGame, "match"))
    insert_many(
        [
            Match(
                id=each.id,
                stage=stage,
                round=each.round,
                wave=each.wave,
                table=tables[each.table],
                drawn_wave=each.wave,
                drawn_table=each.table,
                slot=each.slot,
            )
            for each in matches
        ]
    )
    insert_many(
        [
            MatchSide(match_id=each.id, number=number, squad_id=squad.id)
            for each in matches
            for number, squad in enumerate(each.sides)
        ]
    )
    for_games = [(each, game) for each in matches for game in each.games]
    write_games(tournament, for_games)
    apply_places(tournament)


def write_games(tournament: Tournament, games: Sequence[tuple[MatchRow, GameRow]]) -> None:
    """Keep games of matches, with who sits where; what was confirmed of them is found again, too."""
    ruleset = tournament.settings["ruleset"]
    drawn = _drawn.get()
    if drawn is not None:
        drawn_now = [game.id for _, game in games]
        drawn.update(drawn_now)
        _make_way(drawn_now, (Game, "pk"), (Seat, "game"), (MatchGame, "game"))
    rows = [
        Game(id=game.id, group=tournament.pk, scope=tournament.event_id, ruleset=ruleset) for _, game in games
    ]
    logbook.project(rows)
    insert_many(rows)
    insert_many(
        [
            Seat(game_id=game.id, number=seat, entry=entry, team=team)
            for match, game in games
            for seat, (entry, team) in enumerate(_seated(match, game))
        ]
    )
    insert_many(
        [
            MatchGame(match_id=match.id, number=game.number, sides=list(game.sides), game_id=game.id)
            for match, game in games
        ]
    )
    match_facts.rebuild({match.id for match, _ in games})


def _seated(match: MatchRow, game: GameRow) -> list[tuple[UUID, UUID]]:
    playing = (match.sides[index] for index in game.sides)
    return seating(*([(entry, squad.team) for entry in squad.entries] for squad in playing))


def swap_places(
    tournament: Tournament,
    stage: Stage,
    rounds: Collection[int],
    pair: tuple[UUID, UUID],
    new_id: Callable[[Match, Sequence[UUID]], UUID],
) -> None:
    """Two squads in each other's places in these rounds (counted through all stages): table, side and seats.

    `new_id` gives a match's id from what it was and the squads that meet in it now, side by side.
    """
    one, other = pair
    instead = {one: other, other: one}
    squads = SquadRow.by_id(Squad.objects.filter(stage=stage))
    concerned = Match.objects.filter(stage=stage, round__in=rounds, sides__squad__in=pair).distinct()
    rows = []
    for match in concerned.prefetch_related("sides", "match_games"):
        drawn = [side.squad_id for side in sorted(match.sides.all(), key=lambda side: side.number)]
        sides = [instead.get(squad, squad) for squad in drawn]
        id_ = new_id(match, sides)
        games = sorted(match.match_games.all(), key=lambda game: game.number)
        rows.append(
            MatchRow(
                id_,
                match.round,
                match.drawn_wave,
                match.drawn_table,
                [squads[squad] for squad in sides],
                [GameRow(stages.game_id(id_, game.number), game.number, game.sides) for game in games],
                match.slot,
            )
        )
    remove_matches(match.pk for match in list(concerned))
    write_matches(tournament, stage, rows)


def remove_stages(tournament: Tournament, first: int = 1) -> None:
    """Remove the stages from this number on, with their games."""
    for stage in tournament.stages.filter(number__gte=first).order_by("number"):
        remove_games(MatchGame.objects.filter(match__stage=stage).values_list("game_id", flat=True))
        stage.delete()


def remove_matches(ids: Iterable[UUID]) -> None:
    """Remove matches with their games."""
    matches = Match.objects.filter(pk__in=list(ids))
    remove_games(MatchGame.objects.filter(match__in=matches).values_list("game_id", flat=True))
    matches.delete()


def remove_games(ids: Iterable[UUID]) -> None:
    """Remove games; their logs, if there are any, stay in the ledger."""
    Game.objects.filter(pk__in=list(ids)).delete()


def _tables(tournament: Tournament, numbers: set[int]) -> dict[int, Table]:
    """The event's tables of these numbers; those that aren't there yet are set up."""
    there = set(tournament.event.tables.order_by().values_list("number", flat=True))
    Table.objects.bulk_create(
        [Table(event=tournament.event, number=number) for number in sorted(numbers - there)]
    )
    return {table.number: table for table in tournament.event.tables.order_by().filter(number__in=numbers)}


def apply_places(tournament: Tournament, *, without: bool = False) -> None:
    """Bring table and wave of a tournament's matches to what the draw and the timetable say now.

    It runs when matches are drawn or built again, and when a place changes.

    In a round, what begins at the same time is one wave. Matches without a place come after those with one,
    in the waves as drawn. `without`: places may have been taken away, so all matches are looked at even if
    there is none.
    """
    places = {each.pk: each for each in Place.objects.filter(tournament=tournament).order_by()}
    if not places and not without:
        return
    matches = list(
        Match.objects.filter(stage__tournament=tournament).order_by("stage__number", "round", "drawn_wave")
    )
    tables = dict(Table.objects.filter(event=tournament.event_id).order_by().values_list("number", "pk"))
    changed = []
    for _round, of_round in groupby(matches, key=lambda match: (match.stage_id, match.round)):
        listed = list(of_round)
        waves = _waves(listed, places)
        for match in listed:
            place = places.get(match.pk)
            table = place.table_id if place else tables[match.drawn_table]
            if (match.table_id, match.wave) != (table, waves[match.pk]):
                match.table_id, match.wave = table, waves[match.pk]
                changed.append(match)
    Match.objects.bulk_update(changed, ["table", "wave"], batch_size=_BATCH)


def _waves(matches: Iterable[Match], places: dict[UUID, Place]) -> dict[UUID, int]:
    """The waves of one round's matches, from 1."""
    moments = sorted({places[match.pk].begins_at for match in matches if match.pk in places})
    by_moment = {moment: number for number, moment in enumerate(moments, start=1)}
    return {
        match.pk: by_moment[places[match.pk].begins_at]
        if match.pk in places
        else len(moments) + match.drawn_wave
        for match in matches
    }
