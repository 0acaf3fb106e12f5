"""Groups before a knockout, and the order of their squads."""

from typing import Any

from people.actors import Actor
from tests.support.rounds_play import open_games
from tournaments.commands.results import correct, enter_result
from tournaments.models import MatchGame, Tournament
from tournaments.tasks import compute_standings

GROUPS: dict[str, Any] = {
    "format": "round_robin",
    "options": {"groups": 2},
    "later": [{"format": "single_elimination", "qualification": {"first_of_each_group": 2}}],
}


SEED = "1111-2222-3333"


def by_number(tournament: Tournament) -> None:
    """Everybody with the lower number in the draw wins, so that nobody is level."""
    while games := open_games(tournament):
        for game in games:
            sides = {side.number: side.squad_id for side in game.match.sides.all()}
            ranks = ranked(tournament)
            best = min(game.sides, key=lambda side: ranks[sides[side]])
            enter_result(game, Actor.command(), seat=list(game.sides).index(best))
        compute_standings(str(tournament.pk))


def ranked(tournament: Tournament) -> dict[Any, int]:
    """A fixed order of all squads, through all stages: by team and number."""
    found = {}
    for stage in tournament.stages.all():
        for squad in stage.squads.select_related("team"):
            found[squad.pk] = squad.number * 100 + squad.team.number
    return found


def turn_groups_around(tournament: Tournament) -> None:
    """Correct every game of the first stage: the other one has won."""
    games = MatchGame.objects.filter(match__stage__tournament=tournament, match__stage__number=1)
    for game in games.select_related("game"):
        other = 0 if game.game.winner_seat else 1
        right = {"type": "game_closed", "reason": "result", "winner": other}
        correct(game, Actor.command(), game.game.version, [right], "wrong-winner")
    compute_standings(str(tournament.pk))
