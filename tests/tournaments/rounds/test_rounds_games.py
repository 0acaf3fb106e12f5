"""Games won and lost as the standings of matches count them."""

from uuid import UUID

import pytest

from games.outcome import Outcome
from people.actors import Actor
from tests.support.rounds_play import Name, names, open_games, published, squad_named
from tests.tournaments.rounds import brute_force
from tournaments.commands.results import enter_result
from tournaments.commands.squad_changes import remove_squad
from tournaments.facts import stages
from tournaments.models import MatchGame, Tournament
from tournaments.projections.outlooks import foresee
from tournaments.projections.standings_inputs import inputs_now
from tournaments.standings.outlook import OutlookMethod

# Worked out from facts that are read: it hangs on no database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ACTOR = Actor.command()
BEST_OF_3 = {"length": "best_of", "games": 3}
METRICS = ["games_won", "games_difference"]


def win(tournament: Tournament, teams: tuple[int, int], winners: tuple[int, ...]) -> None:
    """Enter the games between these teams, won in turn by these."""
    for winner in winners:
        game, sides = next(
            (game, sides)
            for game in open_games(tournament)
            if sorted(sides := teams_of(game)) == sorted(teams)
        )
        enter_result(game, ACTOR, seat=sides.index(winner))


def teams_of(game: MatchGame) -> list[int]:
    """The numbers of the teams by seat."""
    sides = {side.number: side.squad.team.number for side in game.match.sides.all()}
    return [sides[side] for side in game.sides]


def figures(tournament: Tournament) -> dict[Name, tuple[int, ...]]:
    """Games won and their difference, by squad."""
    known = names(tournament)
    return {
        known[row.team]: tuple(int(row.value(key) or 0) for key in METRICS)
        for row in inputs_now(tournament).rank()
    }


def test_match_counts_with_its_score_once_it_is_decided() -> None:
    tournament = published(3, 1, format="round_robin", match=BEST_OF_3, metrics=["points", *METRICS])

    win(tournament, (1, 2), (1, 2, 1))
    win(tournament, (1, 3), (3, 3))
    win(tournament, (2, 3), (2,))

    assert figures(tournament) == {(1, 1): (2, -1), (2, 1): (1, -1), (3, 1): (2, 2)}


def test_leaving_squad_loses_the_games_that_decide_the_match() -> None:
    options = {"annul": False}
    tournament = published(
        3, 1, format="round_robin", options=options, match=BEST_OF_3, metrics=["points", *METRICS]
    )
    win(tournament, (1, 3), (3,))

    remove_squad(tournament, ACTOR, squad_named(tournament, (3, 1)), "withdrawn")

    assert figures(tournament) == {(1, 1): (2, 1), (2, 1): (2, 2), (3, 1): (1, -3)}


@pytest.mark.parametrize(("bye", "games"), [(None, 2), ("1", 2), ("1/2", 0), ("0", 0)])
def test_bye_that_gives_as_much_as_a_win_gives_its_games(bye: str | None, games: int) -> None:
    tournament = published(
        3,
        1,
        format="swiss",
        options={"rounds": 1, "bye": bye},
        match=BEST_OF_3,
        metrics=["points", *METRICS],
    )
    (one,) = open_games(tournament)
    teams = sorted(teams_of(one))

    win(tournament, (teams[0], teams[1]), (teams[0], teams[1], teams[1]))

    (left_over,) = {1, 2, 3} - set(teams)
    assert figures(tournament) == {
        (left_over, 1): (games, games),
        (teams[0], 1): (1, -1),
        (teams[1], 1): (2, 1),
    }


def played(position: brute_force.Position, winner: int, loser: int, lost: int = 0) -> brute_force.Position:
    """A best of three between two squads, in which the winner lost so many games."""
    for number in [loser] * lost + [winner] * 2:
        course = position.read().courses[-1]
        match = next(each for each in course.matches if {*each.pairing.sides} == {winner, loser})
        following = match.state.next_game
        assert following is not None
        game = stages.game_id(match.id, following.number)
        seat, team = following.sides.index(number), UUID(course.squads[number - 1]["team"])
        position = position.played(game, Outcome(True, "result", seat, team))
    return position


def test_outlook_knows_that_who_left_loses_games_with_the_match() -> None:
    """Squads 1 to 4 have a difference of 0 so far; the open match of 1 and 3, who left, can't end so."""
    given = {
        "format": "round_robin",
        "options": {"annul": False},
        "match": BEST_OF_3,
        "metrics": ["games_difference", "games_won"],
        "bell": "one_more_card",
    }
    position = brute_force.start(4, given)
    for winner, loser, lost in ((1, 2, 1), (4, 1, 1), (2, 3, 0), (4, 2, 1), (3, 4, 0)):
        position = played(position, winner, loser, lost)
    team = position.read().courses[0].squads[2]["team"]
    left = {"team": team, "squad": 1, "reason": "withdrawn", "place": "keeps"}

    found = foresee(position.decided("squad_gone", left).read(), "seed")

    assert found is not None
    assert found.method is OutlookMethod.EXACT
    assert [each.places for each in found.teams] == [(1, 4), (2,), (1, 4), (2,)]
