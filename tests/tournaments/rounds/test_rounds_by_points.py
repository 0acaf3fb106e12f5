"""Table elimination by the points of deals, and places that are entered by hand."""

import random

import pytest

from people.actors import Actor
from people.refusals import Refused
from tests.tournaments.rounds.support import open_games, published
from tournaments.commands.close import close_tournament
from tournaments.commands.placements import enter_placements
from tournaments.commands.results import enter_result
from tournaments.tasks import compute_standings
from tournaments.verification.verify import verify

# What formats promise hangs on no database: the other files of this folder run on both.
pytestmark = pytest.mark.sqlite
TABLES = {"format": "table_elimination", "options": {"seats": 4, "target": 100}, "ruleset": "house"}


@pytest.mark.django_db
def test_tables_empty_until_one_is_left() -> None:
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


@pytest.mark.django_db
def test_a_deal_without_points_is_refused_there() -> None:
    tournament = published(3, 3, **TABLES)
    with pytest.raises(Refused) as refused:
        enter_result(open_games(tournament)[0], Actor.command(), seat=0)
    assert refused.value.code == "points-needed"


@pytest.mark.django_db
def test_places_are_entered_by_hand_and_corrected() -> None:
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
def test_places_that_do_not_go_together_are_refused() -> None:
    tournament = published(4, 1, format="by_hand")
    squads = list(tournament.stages.get().squads.order_by("team__number"))
    with pytest.raises(Refused) as refused:
        enter_placements(tournament, Actor.command(), [(squad.pk, 2) for squad in squads])
    assert (refused.value.code, refused.value.params["why"]) == ("cannot-draw", "places")
