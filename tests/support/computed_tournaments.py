"""Tournaments as these tests need them: with results by team, and standings computed."""

from collections.abc import Sequence
from typing import Any

from people.actors import Actor
from people.models import Event, Team
from tests.support.factories import drawn_tournament, games_of, make_event
from tournaments.commands import results
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings

HEADERS = {"HTTP_ACCEPT_ENCODING": "identity"}


def palio(entries: int = 1, event: Event | None = None, **settings: Any) -> Tournament:
    """A drawn palio of Superiore, Centro and Inferiore, on one table if they are singles."""
    return drawn_tournament(event or make_event(slug="palio", name="Palio"), entries=entries, **settings)


def sides_of(game: MatchGame) -> list[Team]:
    """The teams of a game, in the order of its sides."""
    teams = {side.number: side.squad.team for side in game.match.sides.select_related("squad__team")}
    return [teams[number] for number in game.sides]


def win(game: MatchGame, team: Team | None, reason: str = "result") -> None:
    """The game is won by this team (or nobody), and the standings follow."""
    enter(game, team, reason)
    standings.compute(game.match.stage.tournament_id)


def enter(game: MatchGame, team: Team | None, reason: str = "result") -> None:
    """The game is won by this team (or nobody)."""
    results.enter_result(game, Actor.command(), team=team.pk if team else None, reason=reason)


def play(tournament: Tournament, strength: Sequence[str]) -> None:
    """Every game that isn't over is won by whoever comes first in `strength` (short names)."""
    for game in games_of(tournament):
        if not game.game.is_over:
            enter(game, min(sides_of(game), key=lambda team: strength.index(team.short_name)))
    standings.compute(tournament.pk)


def address(tournament: Tournament, rest: str = "", language: str = "/en") -> str:
    """A page of the tournament, English unless said otherwise."""
    return f"{language}/{tournament.event.slug}/{tournament.slug}/{rest}"
