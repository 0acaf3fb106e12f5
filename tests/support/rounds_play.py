"""Tournaments of formats that are drawn round by round, played to their end by chance."""

import random
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from games.models import Game
from people.actors import Actor
from tests.support.factories import drawn_tournament, make_event
from tournaments.commands.results import correct, enter_result, write_log
from tournaments.models import DrawnRound, Match, MatchGame, Squad, Tournament
from tournaments.queries.match_views import MatchProgress, MatchView
from tournaments.queries.matches import load_matches
from tournaments.tasks import compute_standings

ACTOR = Actor.command()

# A squad as anybody knows it: the number of its team and its own in the team.
Name = tuple[int, int]


def published(teams: int = 3, entries: int = 2, **settings: Any) -> Tournament:
    """A tournament whose first stage is drawn and public, with its first standings."""
    made = drawn_tournament(make_event(), teams, entries, **settings)
    compute_standings(str(made.pk))
    made.refresh_from_db()
    return made


def open_games(tournament: Tournament) -> list[MatchGame]:
    """The games that can be played now, one of each match."""
    matches = load_matches(tournament_matches(tournament))
    following = [match.next_game() for match in matches if match.progress is not MatchProgress.DONE]
    ids = [game.id for game in following if game is not None]
    return list(MatchGame.objects.filter(game__in=ids).select_related("game").order_by("match__round", "pk"))


def tournament_matches(tournament: Tournament) -> QuerySet[Match]:
    """Its matches."""
    return Match.objects.filter(stage__tournament=tournament)


def play(tournament: Tournament, chance: random.Random, most: int | None = None) -> int:
    """Enter results by chance until nothing is open, computing after each; the number of games entered."""
    entered = 0
    while (games := open_games(tournament)) and (most is None or entered < most):
        game = chance.choice(games)
        enter_result(game, ACTOR, seat=chance.randrange(len(game.sides)))
        compute_standings(str(tournament.pk))
        entered += 1
    return entered


def play_out(
    tournament: Tournament,
    fate: str = "",
    order: random.Random | None = None,
    most: int | None = None,
    said: Mapping[Any, Name] | None = None,
) -> int:
    """Play what can be played to the end (or `most` games) so that the same pair ends the same in any
    tournament of this `fate`, in whatever `order` results come in; the number of games entered.

    `said` names the winner of a slot that fate isn't asked about.
    """
    entered = 0
    while games := open_games(tournament):
        if order is not None:
            order.shuffle(games)
        for game in games:
            if entered == most:
                return entered
            enter_result(game, ACTOR, seat=winning_seat(game, fate, said or {}))
            entered += 1
            if order is not None and order.random() < 0.5:
                compute_standings(str(tournament.pk))
        compute_standings(str(tournament.pk))
    return entered


def close_with_places(game: MatchGame, places: Sequence[int], reason: str = "result") -> None:
    """End a game with the places of its seats."""
    event = {
        "type": "game_closed",
        "reason": reason,
        "winner": places.index(1) if places.count(1) == 1 else None,
        "places": {str(seat): place for seat, place in enumerate(places)},
    }
    write_log(game, ACTOR, [(None, event)], whole_batch=True)


def play_tables(tournament: Tournament, chance: random.Random, most: int | None = None) -> int:
    """End games with places by chance, some of them shared, computing after each round; how many."""
    entered = 0
    while (games := open_games(tournament)) and entered != most:
        for game in games if most is None else games[: most - entered]:
            figures = [chance.randint(1, 5) for _ in range(game.game.seats.count())]
            close_with_places(game, [1 + sum(other < own for other in figures) for own in figures])
            entered += 1
        compute_standings(str(tournament.pk))
    return entered


def winning_seat(game: MatchGame, fate: str, said: Mapping[Any, Name]) -> int:
    """Who wins a game by fate, by seat."""
    seated = game.match.sides.order_by("number").select_related("squad__team")
    sides = {side.number: name_of(side.squad) for side in seated}
    names = [sides[side] for side in game.sides]
    if game.match.slot in said:
        return names.index(said[game.match.slot])
    winner = random.Random(f"{fate}/{game.match.slot}/{sorted(names)}/{game.number}").choice(sorted(names))
    return names.index(winner)


def turn_around(game: MatchGame, seat: int | None = None) -> None:
    """Correct a game's winner to another seat (of two: the other one) and compute."""
    row = Game.objects.get(pk=game.game_id)
    other = 1 - (row.winner_seat or 0) if seat is None else seat
    right = {"type": "game_closed", "reason": "result", "winner": other}
    correct(game, ACTOR, row.version, [right], "wrong-winner")
    compute_standings(str(row.group))


def name_of(squad: Squad) -> Name:
    """A squad as anybody knows it."""
    return squad.team.number, squad.number


def names(tournament: Tournament) -> dict[Any, Name]:
    """All squads' names by id, through all stages."""
    squads = Squad.objects.filter(stage__tournament=tournament).select_related("team")
    return {squad.pk: name_of(squad) for squad in squads}


def squad_named(tournament: Tournament, name: Name) -> Squad:
    """A squad of the first stage."""
    return Squad.objects.get(
        stage__tournament=tournament, stage__number=1, team__number=name[0], number=name[1]
    )


def views(tournament: Tournament) -> list[MatchView]:
    """The matches in their order."""
    return load_matches(tournament_matches(tournament))


def told(tournament: Tournament) -> dict[str, Any]:
    """Rounds and standings by numbers and names, comparable between tournaments."""
    known = names(tournament)
    rounds: dict[int, Any] = {
        each.number: (each.title, each.values, sorted(known[UUID(squad)] for squad in each.byes), [])
        for each in DrawnRound.objects.filter(stage__tournament=tournament)
    }
    for match in views(tournament):
        sides = [(side.team.number, side.squad) for side in match.sides]
        games = [
            (game.number, game.sides, None if game.winning_side is None else sides[game.winning_side])
            for game in match.games
            if game.is_needed
        ]
        rounds[match.round][3].append((match.slot, match.wave, match.table.number, sides, games))
    version = tournament.standings_versions.latest("number")
    rows = [
        (known[row.squad_id], row.place, row.games_won, row.games_played, row.metrics, row.placement_points)
        for row in version.rows.order_by("position")
    ]
    groups = [
        (
            group["name"],
            group["missing"],
            [(known[UUID(row["squad"])], row["place"], row["metrics"]) for row in group["rows"]],
        )
        for group in version.groups
    ]
    counted = (version.games_played, version.games_total, version.rounds_played, version.is_all_drawn)
    return {"rounds": rounds, "rows": rows, "groups": groups, "counted": counted}


def meetings(tournament: Tournament) -> list[frozenset[Name]]:
    """Who has met whom, once for each match."""
    return [frozenset((side.team.number, side.squad) for side in match.sides) for match in views(tournament)]


def game_in(tournament: Tournament, slot: str) -> MatchGame:
    """The first game of a slot."""
    return MatchGame.objects.get(match__stage__tournament=tournament, match__slot=slot, number=1)
