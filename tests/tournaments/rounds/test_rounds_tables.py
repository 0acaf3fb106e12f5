"""Rounds at tables: drawn, played with places, ranked."""

import random
from fractions import Fraction

import pytest

from people.actors import Actor
from tests.tournaments.rounds.support import open_games, published
from tournaments.commands.results import write_log
from tournaments.models import MatchGame, Tournament
from tournaments.tasks import compute_standings

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ACTOR = Actor.command()


def close_with_places(game: MatchGame, places: list[int]) -> None:
    """End a game with the places of its seats."""
    winner = places.index(1) if places.count(1) == 1 else None
    event = {
        "type": "game_closed",
        "reason": "result",
        "winner": winner,
        "places": {str(seat): place for seat, place in enumerate(places)},
    }
    write_log(game, ACTOR, [(None, event)], whole_batch=True)


def play(tournament: Tournament, chance: random.Random, most: int | None = None) -> int:
    """End games with places by chance, at most so many; how many were ended."""
    count = 0
    while (games := open_games(tournament)) and count != most:
        for game in games if most is None else games[: most - count]:
            figures = [chance.randint(1, 5) for _ in game.sides]
            close_with_places(game, [1 + sum(other < own for other in figures) for own in figures])
            count += 1
        compute_standings(str(tournament.pk))
    return count


@pytest.mark.parametrize("key", ["tables", "tables_by_standing"])
def test_rounds_at_tables_are_played_to_their_end(key: str) -> None:
    tournament = published(3, 8, format=key)

    games = play(tournament, random.Random(1))

    rows = tournament.standings_versions.latest("number").rows.order_by("position")
    points = [Fraction(dict(row.metrics)["points"]) for row in rows]
    assert (games, points) == (24, sorted(points, reverse=True))
    assert sum(points) == 24 * 4 * Fraction(7, 4)
