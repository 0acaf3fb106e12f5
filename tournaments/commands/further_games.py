"""Adding a further game to a match that is level and has to be decided."""

from people.actors import Actor
from tournaments.commands.decision_recording import decide
from tournaments.models import Tournament
from tournaments.projections.rounds.course import PlayedMatch, StageHistory


def add_missing_games(tournament: Tournament, course: StageHistory) -> None:
    """Add the next game of each match all of whose games are over without deciding it."""
    if not course.choice.is_played:
        return
    for match in course.matches:
        following = match.state.next_game
        if following is None or following.number <= len(match.games):
            continue
        add_game(tournament, course, match, following.number)


def add_game(tournament: Tournament, course: StageHistory, match: PlayedMatch, number: int) -> None:
    """Add a match's next game, which is its `number`th."""
    body = {"stage": str(course.stage), "match": str(match.id), "number": number}
    decide(tournament, "game_added", body, Actor.service())
