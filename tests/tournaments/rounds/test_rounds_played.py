"""Every format that is drawn round by round, played to its end by chance, through the actions."""

import random
from typing import Any

import pytest
from django.core.management import call_command

from people.actors import Actor
from tests.tournaments.rounds.support import play, published
from tournaments.commands.adjust import adjust_points
from tournaments.commands.close import close_tournament
from tournaments.refusals import Refused
from tournaments.verification.verify import verify

# What formats promise hangs on no database: the other files of this folder run on both.
pytestmark = pytest.mark.sqlite
CASES: list[Any] = [
    ({"format": "swiss"}, 12),
    pytest.param({"format": "round_robin"}, 28, marks=pytest.mark.long),
    ({"format": "round_robin", "options": {"groups": 2}}, 12),
    ({"format": "single_elimination"}, 8),
    ({"format": "single_elimination", "options": {"played_for": 2}}, 7),
    ({"format": "double_elimination", "options": {"reset": False}}, 14),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("settings", "games"), CASES, ids=str)
def test_it_is_played_to_its_end(settings: dict[str, Any], games: int) -> None:
    tournament = published(4, 2, **settings)
    assert play(tournament, random.Random(1)) == games
    version = tournament.standings_versions.latest("number")
    assert (version.games_played, version.games_total, version.is_all_drawn) == (games, games, True)
    assert version.rows.count() == 8
    close_tournament(tournament, Actor.command())
    assert list(verify(tournament.event)) == []


@pytest.mark.django_db
def test_a_match_ends_when_it_is_decided() -> None:
    best_of_three = {"length": "best_of", "games": 3}
    tournament = published(4, 2, format="single_elimination", match=best_of_three)
    games = play(tournament, random.Random(1))
    version = tournament.standings_versions.latest("number")
    assert 16 <= games < 24
    assert (version.games_played, version.games_total) == (games, games)


@pytest.mark.django_db
def test_it_isnt_closed_before_all_rounds_are_drawn() -> None:
    tournament = published(4, 2, format="swiss", draws_itself=False)
    assert play(tournament, random.Random(1)) == 4
    with pytest.raises(Refused) as refused:
        close_tournament(tournament, Actor.command())
    assert refused.value.code == "rounds-to-draw"


@pytest.mark.django_db
def test_the_command_line_names_squads_by_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    tournament = published(2, 2, format="single_elimination")
    play(tournament, random.Random(1))
    call_command("standings", tournament.event.slug, tournament.slug)
    names = [line.split()[1:3] for line in capsys.readouterr().out.splitlines()]
    assert sorted(names) == [["Centro", "1"], ["Centro", "2"], ["Superiore", "1"], ["Superiore", "2"]]


@pytest.mark.django_db
def test_points_are_not_adjusted_where_nobody_is_ranked_by_them() -> None:
    tournament = published(2, 2, format="single_elimination")
    squad = tournament.stages.get().squads.select_related("team").first()
    assert squad is not None
    with pytest.raises(Refused) as refused:
        adjust_points(tournament, Actor.command(), squad.team, 1, "misconduct", squad)
    assert refused.value.code == "no-points"
