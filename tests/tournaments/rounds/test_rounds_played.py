"""Every format that is drawn round by round, played to its end by chance, through the actions."""

import random
from typing import Any

import pytest
from django.core.management import call_command

from people.actors import Actor
from people.refusals import Refused
from tests.support.rounds_play import play, published
from tournaments.commands.adjust import adjust_points
from tournaments.commands.close import close_tournament
from tournaments.formats.elimination.format import Elimination
from tournaments.projections.standings_inputs import courses_now
from tournaments.standings import EDITION
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
def test_tournament_of_every_round_format_is_played_to_its_end(settings: dict[str, Any], games: int) -> None:
    tournament = published(4, 2, **settings)
    assert play(tournament, random.Random(1)) == games
    version = tournament.standings_versions.latest("number")
    assert (version.games_played, version.games_total, version.is_all_drawn) == (games, games, True)
    assert version.rows.count() == 8
    close_tournament(tournament, Actor.command())
    assert list(verify(tournament.event)) == []


@pytest.mark.django_db
def test_match_ends_when_it_is_decided() -> None:
    best_of_three = {"length": "best_of", "games": 3}
    tournament = published(4, 2, format="single_elimination", match=best_of_three)

    games = play(tournament, random.Random(1))
    version = tournament.standings_versions.latest("number")

    assert 16 <= games < 24
    assert (version.games_played, version.games_total) == (games, games)


# The places of six squads after each of the first four matches.
AT_BEST = ["1 1 1 1 1 5", "1 1 1 1 5 5", "1 1 1 3 5 5", "1 1 3 3 5 5"]
BEHIND_ALL = ["1 1 1 1 1 6", "1 1 1 1 5 5", "1 1 1 4 5 5", "1 1 3 3 5 5"]


@pytest.mark.django_db
@pytest.mark.parametrize(("edition", "expected"), [(EDITION, AT_BEST), (4, BEHIND_ALL)])
def test_knockout_loser_has_the_place_of_the_round_since_edition_5(
    edition: int, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to edition 4 it stood behind all who were still in."""
    monkeypatch.setattr("tournaments.commands.set_up.EDITION", edition)
    tournament = published(3, 2, format="single_elimination", scale=[60, 50, 40, 30, 20, 10])
    found = []
    for _ in expected:
        play(tournament, random.Random(1), most=1)
        rows = tournament.standings_versions.latest("number").rows.order_by("position")
        found.append(" ".join(str(row.place) for row in rows))
        assert rows[5].placement_points == {5: "20", 6: "10"}[rows[5].place]

    assert found == expected
    play(tournament, random.Random(1))
    close_tournament(tournament, Actor.command())
    rows = tournament.standings_versions.latest("number").rows.order_by("position")
    assert [row.place for row in rows] == [1, 2, 3, 4, 5, 5]
    assert list(verify(tournament.event)) == []


@pytest.mark.django_db
@pytest.mark.parametrize(("edition", "expected"), [(EDITION, True), (7, False)])
def test_knockout_ranks_who_is_passed_over_since_edition_8(
    edition: int, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to edition 7 their place stayed open."""
    monkeypatch.setattr("tournaments.commands.set_up.EDITION", edition)
    (course,) = courses_now(published(2, 2, format="single_elimination"))
    assert isinstance(course.format, Elimination)
    assert course.format.ranks_passed_over is expected


@pytest.mark.django_db
def test_tournament_with_rounds_to_draw_is_not_closed() -> None:
    tournament = published(4, 2, format="swiss", draws_itself=False)
    assert play(tournament, random.Random(1)) == 4
    with pytest.raises(Refused) as refused:
        close_tournament(tournament, Actor.command())
    assert refused.value.code == "rounds-to-draw"


@pytest.mark.django_db
def test_standings_command_names_squads_by_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    tournament = published(2, 2, format="single_elimination")
    play(tournament, random.Random(1))
    call_command("standings", tournament.event.slug, tournament.slug)
    names = [line.split()[1:3] for line in capsys.readouterr().out.splitlines()]

    assert sorted(names) == [["Centro", "1"], ["Centro", "2"], ["Superiore", "1"], ["Superiore", "2"]]


@pytest.mark.django_db
def test_points_adjustment_is_refused_where_nobody_is_ranked_by_points() -> None:
    tournament = published(2, 2, format="single_elimination")
    squad = tournament.stages.get().squads.select_related("team").first()
    assert squad is not None
    with pytest.raises(Refused) as refused:
        adjust_points(tournament, Actor.command(), squad.team, 1, "misconduct", squad)
    assert refused.value.code == "no-points"
