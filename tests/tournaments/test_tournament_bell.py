"""A game that the bell ended without a winner: what it gives is the tournament's setting."""

from typing import Any

import pytest

from desk.page import names
from desk.standings_impact import of_outcome
from games.outcome import Outcome
from people.actors import Actor
from tests.support import factories
from tests.support.soundness import assert_sound
from tournaments.commands import results
from tournaments.commands.set_up import change_settings
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings
from tournaments.queries import matches
from tournaments.settings.bell import BELL_RULES, bell_rule, is_shared

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def drawn(**settings: Any) -> tuple[Tournament, MatchGame]:
    """A palio of three games, the first of which the bell has ended with both sides level."""
    tournament = factories.drawn_tournament(factories.make_event(), entries=1, **settings)
    game = factories.games_of(tournament)[0]
    results.enter_result(game, ACTOR, reason="time")
    return tournament, game


def points(tournament: Tournament) -> dict[str, str | None]:
    """Everybody's points in the standings of now."""
    version = standings.current(tournament)
    return {row.team.name: dict(row.metrics)["points"] for row in version.rows.select_related("team")}


def of_matches(tournament: Tournament) -> dict[str, int]:
    """Everybody's points as the pages of the matches add them up."""
    first = matches.rounds(tournament)[0].waves[0].matches[0]
    return {side.team.name: side.points for side in first.sides}


EACH_HAS_ONE = {"Superiore": 1, "Centro": 1, "Inferiore": 0}
NOBODY_HAS_ANY = {"Superiore": 0, "Centro": 0, "Inferiore": 0}


@pytest.mark.parametrize(
    ("bell", "expected"),
    [("no_point", NOBODY_HAS_ANY), ("point_each", EACH_HAS_ONE), ("one_more_card", NOBODY_HAS_ANY)],
)
def test_bell_setting_says_what_level_sides_take(bell: str, expected: dict[str, int]) -> None:
    tournament, _ = drawn(bell=bell)
    assert points(tournament) == {name: str(count) for name, count in expected.items()}
    assert of_matches(tournament) == expected


@pytest.mark.parametrize(
    ("closed_by", "wins", "expected"),
    [("time", False, True), ("time", True, False), ("forfeit", False, False), ("abandoned", False, False)],
)
def test_bell_shares_only_a_game_that_ended_without_a_winner(
    closed_by: str, wins: bool, expected: bool
) -> None:
    winner = factories.make_team(factories.make_event()).pk if wins else None
    assert [is_shared(bell, closed_by, winner) for bell in BELL_RULES] == [False, expected, False]


def test_bell_setting_missing_in_earlier_settings_shares_nothing() -> None:
    assert bell_rule({}) == "no_point"


def test_bell_setting_that_is_changed_computes_the_standings_anew() -> None:
    tournament, _ = drawn()
    before = standings.current(tournament)
    changed = change_settings(
        tournament, ACTOR, {**tournament.settings, "bell": "point_each"}, reason="organizer-decision"
    )
    assert points(changed) == {name: str(count) for name, count in EACH_HAS_ONE.items()}
    assert standings.current(changed).number == before.number + 1
    # What stood before stays as it stood.
    assert {dict(row.metrics)["points"] for row in before.rows.all()} == {"0"}
    back = change_settings(
        changed, ACTOR, {**changed.settings, "bell": "no_point"}, reason="organizer-decision"
    )
    assert points(back) == {name: str(count) for name, count in NOBODY_HAS_ANY.items()}


def test_bell_points_that_are_shared_verify_and_are_rebuilt() -> None:
    tournament, _ = drawn()
    standings.current(tournament)
    change_settings(
        tournament, ACTOR, {**tournament.settings, "bell": "point_each"}, reason="organizer-decision"
    )
    standings.current(tournament)
    assert_sound(tournament)


def test_bell_points_that_are_shared_are_in_a_correction_s_preview() -> None:
    tournament, game = drawn(bell="point_each")
    winner = game.game.seats.get(number=0).team
    other = game.game.seats.get(number=1).team
    supposed = Outcome(True, "time", 0, winner)
    found = of_outcome(tournament, game.game_id, supposed, names(tournament.event))
    after = {each.ranked.pk: (each.value, each.new_value) for each in found.rows}

    assert (after[winner], after[other]) == (("1", "1"), ("1", "0"))
