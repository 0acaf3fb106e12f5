"""Table elimination by the points of deals, and places that are entered by hand."""

import random
from typing import Any

import pytest

from games.stored_log import stored_log
from people.actors import Actor
from people.refusals import Refused
from tests.support.rounds_play import ACTOR, open_games, published
from tournaments.commands.close import close_tournament
from tournaments.commands.entered_places import enter_placements
from tournaments.commands.results import correct, enter_result, preview_correction, write_log
from tournaments.models import MatchGame
from tournaments.tasks import compute_standings
from tournaments.verification.verify import verify

# What formats promise hangs on no database: the other files of this folder run on both.
pytestmark = pytest.mark.sqlite
TABLES = {"format": "table_elimination", "options": {"seats": 4, "target": 100}, "ruleset": "house"}


@pytest.mark.django_db
def test_table_elimination_tables_empty_until_one_is_left() -> None:
    tournament = published(3, 3, **TABLES)
    chance = random.Random(4)
    rounds = 0
    while games := open_games(tournament):
        rounds += 1
        for game in games:
            points = {seat: chance.randrange(60) for seat in range(len(game.sides))}
            best = min(points, key=lambda seat: points[seat])
            points[best] = 0
            enter_result(game, Actor.command(), seat=best, points=points)
        compute_standings(str(tournament.pk))
    assert rounds > 2
    version = tournament.standings_versions.latest("number")
    assert version.is_all_drawn
    assert version.rows.get(position=1).place == 1
    assert version.rows.count() == 9
    close_tournament(tournament, Actor.command())
    assert list(verify(tournament.event)) == []


def closed(reason: str = "result", scores: dict[str, int] | None = None) -> dict[str, Any]:
    """A log event that ends a game, won by its first seat."""
    event = {"type": "game_closed", "reason": reason, "winner": 0}
    return event if scores is None else {**event, "scores": scores}


def everybody_has(points: int, game: MatchGame) -> dict[str, int]:
    """The points of a deal that the first seat has won."""
    return {str(seat): points if seat else 0 for seat in range(len(game.sides))}


INCOMPLETE = [closed(), closed("time"), closed(scores={"1": 20}), closed("time", {"0": 0})]


@pytest.mark.django_db
@pytest.mark.parametrize("end", INCOMPLETE)
def test_game_end_without_the_points_of_everybody_is_refused(end: dict[str, Any]) -> None:
    game = open_games(published(3, 3, **TABLES))[0]

    with pytest.raises(Refused) as refused:
        write_log(game, ACTOR, [(None, {"type": "dealer_named", "seat": 0}), (None, end)])

    assert (refused.value.code, refused.value.status) == ("points-needed", 422)
    assert stored_log(game.game_id) == []


@pytest.mark.django_db
@pytest.mark.parametrize("end", INCOMPLETE)
def test_correction_that_takes_points_away_is_refused(end: dict[str, Any]) -> None:
    tournament = published(3, 3, **TABLES)
    game = open_games(tournament)[0]
    write_log(game, ACTOR, [(None, closed(scores=everybody_has(20, game)))])
    before = stored_log(game.game_id)

    for command in (preview_correction, correct):
        with pytest.raises(Refused) as refused:
            command(game, ACTOR, 2, [end], "typing-error")
        assert refused.value.code == "points-needed"

    assert stored_log(game.game_id) == before


@pytest.mark.django_db
def test_table_elimination_round_ends_with_forfeits_and_broken_off_deals() -> None:
    """They add nothing, so nobody is asked for points."""
    tournament = published(3, 3, **TABLES)
    first, *others = open_games(tournament)
    write_log(first, ACTOR, [(None, closed(scores=everybody_has(20, first)))])
    correct(first, ACTOR, 2, [closed("forfeit")], "typing-error")
    for game in others:
        write_log(game, ACTOR, [(None, {"type": "game_closed", "reason": "abandoned", "winner": None})])

    compute_standings(str(tournament.pk))

    assert {game.match.round for game in open_games(tournament)} == {2}


@pytest.mark.django_db
@pytest.mark.parametrize("end", INCOMPLETE)
def test_game_end_without_points_is_taken_where_points_do_not_add_up(end: dict[str, Any]) -> None:
    game = open_games(published(3, 1, format="swiss", options={"rounds": 1}, ruleset="house"))[0]

    written = write_log(game, ACTOR, [(None, closed(scores=everybody_has(20, game)))])
    corrected = correct(game, ACTOR, 2, [end], "typing-error")

    assert (written.refusal, corrected.refusal) == (None, None)


@pytest.mark.django_db
def test_placements_by_hand_are_entered_and_corrected() -> None:
    tournament = published(4, 1, format="by_hand", tie_policy="average")
    squads = list(tournament.stages.get().squads.order_by("team__number"))
    with pytest.raises(Refused) as refused:
        close_tournament(tournament, Actor.command())
    assert refused.value.code == "rounds-to-draw"
    places = [(squads[0].pk, 2), (squads[1].pk, 1), (squads[2].pk, 2), (squads[3].pk, 4)]
    enter_placements(tournament, Actor.command(), places)
    compute_standings(str(tournament.pk))
    rows = tournament.standings_versions.latest("number").rows.order_by("position")
    assert list(rows.values_list("team__number", "place", "placement_points")) == [
        (2, 1, "30"),
        (1, 2, "15"),
        (3, 2, "15"),
        (4, 4, "0"),
    ]
    with pytest.raises(Refused) as refused:
        enter_placements(tournament, Actor.command(), places)
    assert refused.value.code == "reason-needed"
    enter_placements(
        tournament, Actor.command(), [(squad.pk, at) for at, squad in enumerate(squads, 1)], "typing-error"
    )
    compute_standings(str(tournament.pk))
    rows = tournament.standings_versions.latest("number").rows.order_by("position")
    assert list(rows.values_list("team__number", "place")) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    close_tournament(tournament, Actor.command())
    assert list(verify(tournament.event)) == []


@pytest.mark.django_db
def test_placements_by_hand_that_do_not_go_together_are_refused() -> None:
    tournament = published(4, 1, format="by_hand")
    squads = list(tournament.stages.get().squads.order_by("team__number"))
    with pytest.raises(Refused) as refused:
        enter_placements(tournament, Actor.command(), [(squad.pk, 2) for squad in squads])
    assert (refused.value.code, refused.value.params["why"]) == ("cannot-draw", "places")
