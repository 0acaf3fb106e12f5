"""From a tournament's decisions to its rows: one function for each type of decision.

The same functions run when a decision is made and when everything is built again.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from games import logbook
from games.models import Game, Seat
from ledger.entries import StoredFact
from tournaments import drawing
from tournaments.formats import seating
from tournaments.models import Match, MatchGame, MatchSide, Squad, SquadMember, Stage, Table, Tournament


def project(tournament: Tournament, fact: StoredFact) -> None:
    """Bring the tournament's rows from before this decision to after it."""
    _PROJECT[fact.type](tournament, fact.body)
    tournament.version = fact.sequence
    tournament.save(update_fields=["settings", "status", "version"])


def _set_up(tournament: Tournament, body: dict[str, Any]) -> None:
    tournament.settings = body["settings"]
    if tournament.status == Tournament.Status.DRAWN:
        # What was drawn under other settings doesn't hold any more.
        _remove_stage(tournament, 1)
        tournament.status = Tournament.Status.SET_UP


def _draw_made(tournament: Tournament, body: dict[str, Any]) -> None:
    _remove_stage(tournament, body["number"])
    stage = Stage.objects.create(
        id=UUID(body["stage"]),
        tournament=tournament,
        number=body["number"],
        format=body["format"],
        seed=body["seed"],
        method=body["method"],
    )
    _create_squads(stage, body)
    _create_matches(tournament, stage, body)
    tournament.status = Tournament.Status.DRAWN


def _draw_published(tournament: Tournament, body: dict[str, Any]) -> None:
    tournament.status = Tournament.Status.PUBLISHED


def _closed(tournament: Tournament, body: dict[str, Any]) -> None:
    tournament.status = Tournament.Status.CLOSED


def _reopened(tournament: Tournament, body: dict[str, Any]) -> None:
    tournament.status = Tournament.Status.PUBLISHED


def _only_standings(tournament: Tournament, body: dict[str, Any]) -> None:
    """Lots, play-offs and adjusted points are read when standings are computed; no other row depends on
    them.
    """


_PROJECT: dict[str, Callable[[Tournament, dict[str, Any]], None]] = {
    "tournament_set_up": _set_up,
    "draw_made": _draw_made,
    "draw_published": _draw_published,
    "lots_drawn": _only_standings,
    "play_off_decided": _only_standings,
    "points_adjusted": _only_standings,
    "tournament_closed": _closed,
    "tournament_reopened": _reopened,
}


def _remove_stage(tournament: Tournament, number: int) -> None:
    stage = tournament.stages.filter(number=number).first()
    if stage is not None:
        games = list(MatchGame.objects.filter(match__stage=stage).values_list("game_id", flat=True))
        stage.delete()
        Game.objects.filter(pk__in=games).delete()


def _create_squads(stage: Stage, body: dict[str, Any]) -> None:
    size = body["squad_size"]
    squads, members = [], []
    for index, team in enumerate(body["teams"]):
        for number in range(1, len(team["entries"]) // size + 1):
            squad = Squad(
                id=drawing.squad_id(stage.pk, index, number),
                stage=stage,
                team_id=UUID(team["team"]),
                number=number,
            )
            squads.append(squad)
            entries = drawing.squad_entries(team, size, number)
            members += [
                SquadMember(squad=squad, entry_id=UUID(entry), position=position)
                for position, entry in enumerate(entries, start=1)
            ]
    Squad.objects.bulk_create(squads, batch_size=500)
    SquadMember.objects.bulk_create(members, batch_size=500)


def _create_matches(tournament: Tournament, stage: Stage, body: dict[str, Any]) -> None:
    tables = _tables(tournament, {match["table"] for match in body["matches"]})
    ruleset = tournament.settings["ruleset"]
    matches, sides, games, seats, match_games = [], [], [], [], []
    for place, drawn in enumerate(body["matches"], start=1):
        match = Match(
            id=drawing.match_id(stage.pk, place),
            stage=stage,
            round=drawn["round"],
            wave=drawn["wave"],
            table=tables[drawn["table"]],
        )
        matches.append(match)
        sides += [
            MatchSide(match=match, number=number, squad_id=drawing.squad_id(stage.pk, team, squad))
            for number, (team, squad) in enumerate(drawn["sides"])
        ]
        for number, pair in enumerate(drawn["games"], start=1):
            game = Game(
                id=drawing.game_id(match.pk, number),
                group=tournament.pk,
                scope=tournament.event_id,
                ruleset=ruleset,
            )
            games.append(game)
            match_games.append(MatchGame(match=match, number=number, sides=pair, game=game))
            players = [
                [(entry, team["team"]) for entry in drawing.squad_entries(team, body["squad_size"], squad)]
                for team, squad in (
                    (body["teams"][index], squad) for index, squad in (drawn["sides"][side] for side in pair)
                )
            ]
            seats += [
                Seat(game=game, number=seat, entry=UUID(entry), team=UUID(team))
                for seat, (entry, team) in enumerate(seating(*players))
            ]
    Match.objects.bulk_create(matches, batch_size=500)
    MatchSide.objects.bulk_create(sides, batch_size=500)
    Game.objects.bulk_create(games, batch_size=500)
    Seat.objects.bulk_create(seats, batch_size=500)
    MatchGame.objects.bulk_create(match_games, batch_size=500)
    # A draw that is built again finds the games' logs as they are.
    logbook.rebuild([game.pk for game in games])


def _tables(tournament: Tournament, numbers: set[int]) -> dict[int, Table]:
    """The event's tables of these numbers; those that aren't there yet are set up."""
    there = set(tournament.event.tables.values_list("number", flat=True))
    Table.objects.bulk_create(
        [Table(event=tournament.event, number=number) for number in sorted(numbers - there)]
    )
    return {table.number: table for table in tournament.event.tables.filter(number__in=numbers)}
