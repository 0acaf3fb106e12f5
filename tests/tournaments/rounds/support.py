"""Tournaments of formats that are drawn round by round, played to their end by chance."""

import random
from typing import Any

from people.actors import Actor
from tests.factories import make_event, make_field
from tournaments.actions.draw import make_draw, publish_draw
from tournaments.actions.set_up import create_tournament
from tournaments.models import MatchGame, Tournament
from tournaments.reading import Progress, load_matches
from tournaments.results import enter_result
from tournaments.tasks import compute_standings

SEED = "3f5a-90c2-71de"


def published(teams: int = 3, entries: int = 2, **settings: Any) -> Tournament:
    """A tournament whose first stage is drawn and public."""
    event = make_event()
    make_field(event, teams, entries)
    made = create_tournament(event, Actor.command(), "Torneo", settings)
    make_draw(made, Actor.command(), SEED)
    publish_draw(made, Actor.command())
    compute_standings(str(made.pk))
    made.refresh_from_db()
    return made


def open_games(tournament: Tournament) -> list[MatchGame]:
    """The games that can be played now, one of each match."""
    matches = load_matches(tournament_matches(tournament))
    following = [match.next_game() for match in matches if match.progress is not Progress.DONE]
    ids = [game.id for game in following if game is not None]
    return list(MatchGame.objects.filter(game__in=ids).select_related("game").order_by("match__round", "pk"))


def tournament_matches(tournament: Tournament) -> Any:
    """Its matches."""
    from tournaments.models import Match

    return Match.objects.filter(stage__tournament=tournament)


def play(tournament: Tournament, chance: random.Random, most: int | None = None) -> int:
    """Enter results by chance until nothing is open, computing after each; the number of games entered."""
    entered = 0
    while (games := open_games(tournament)) and (most is None or entered < most):
        game = chance.choice(games)
        enter_result(game, Actor.command(), seat=chance.randrange(len(game.sides)))
        compute_standings(str(tournament.pk))
        entered += 1
    return entered
