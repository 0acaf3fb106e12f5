"""Ends of games that a format can't count: refused by whatever command, and no obstacle once stored."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from games.stored_log import stored_log
from people.refusals import Refused
from tests.support.rounds_play import ACTOR, open_games, published
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.models import MatchGame, Tournament
from tournaments.projections import mini_tournament_games
from tournaments.projections.standings_inputs import inputs_now
from tournaments.standings import CannotRank, GameClosing
from tournaments.tasks import compute_standings
from tournaments.verification.verify import verify

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

TAKE_WINNERS = [
    {"format": "triangle", "rounds": 1},
    {"format": "duel", "rounds": 1},
    {"format": "swiss"},
    {"format": "round_robin"},
    {"format": "single_elimination"},
    {"format": "double_elimination"},
]
SHARED = {"type": "game_closed", "reason": "result", "winner": None, "places": {"0": 1, "1": 1}}
WON = {"type": "game_closed", "reason": "result", "winner": 0}
TABLES = {"format": "tables", "options": {"seats": 3, "rounds": 1}}


def first_game(**settings: Any) -> MatchGame:
    """A game of a tournament of three teams of one."""
    return open_games(published(3, 1, **settings))[0]


def by_result(game: MatchGame) -> None:
    """The first place is shared, as a result."""
    results.enter_result(game, ACTOR, places={0: 1, 1: 1})


def by_log(game: MatchGame) -> None:
    """The same, as a log event."""
    results.write_log(game, ACTOR, [(None, SHARED)])


@pytest.mark.parametrize("enter", [by_result, by_log])
@pytest.mark.parametrize("settings", TAKE_WINNERS, ids=lambda each: each["format"])
def test_result_without_a_winner_is_refused(
    settings: dict[str, Any], enter: Callable[[MatchGame], None]
) -> None:
    game = first_game(**settings)

    with pytest.raises(Refused) as refused:
        enter(game)

    assert (refused.value.code, refused.value.status) == ("winner-needed", 422)
    assert stored_log(game.game_id) == []


@pytest.mark.parametrize("settings", TAKE_WINNERS, ids=lambda each: each["format"])
def test_correction_that_takes_the_winner_away_is_refused(settings: dict[str, Any]) -> None:
    game = first_game(**settings)
    results.write_log(game, ACTOR, [(None, WON)])
    before = stored_log(game.game_id)

    for command in (results.preview_correction, results.correct):
        with pytest.raises(Refused) as refused:
            command(game, ACTOR, 2, [SHARED], "wrong-winner")
        assert refused.value.code == "winner-needed"

    assert stored_log(game.game_id) == before


def test_shared_first_place_at_the_bell_and_at_a_table_of_many_is_taken() -> None:
    by_bell, table = first_game(format="duel", rounds=1), first_game(**TABLES)

    results.enter_result(by_bell, ACTOR, places={0: 1, 1: 1}, reason="time")
    results.enter_result(table, ACTOR, places={0: 1, 1: 1, 2: 3})

    assert [len(stored_log(game.game_id)) for game in (by_bell, table)] == [2, 2]


@pytest.fixture
def anything_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a database from before such ends were refused."""
    monkeypatch.setattr(results, "_expect_end", lambda _game, _outcome: None)


def played_with_a_shared_first_place(**settings: Any) -> Tournament:
    """All games are over; in the first one nobody won."""
    tournament = published(3, 1, **settings)
    results.enter_result(open_games(tournament)[0], ACTOR, places={0: 1, 1: 1})
    compute_standings(str(tournament.pk))
    while games := open_games(tournament):
        results.enter_result(games[0], ACTOR, seat=0)
        compute_standings(str(tournament.pk))
    return tournament


@pytest.mark.usefixtures("anything_is_taken")
@pytest.mark.parametrize("settings", TAKE_WINNERS[:4], ids=lambda each: each["format"])
def test_stored_result_without_a_winner_stops_nothing(settings: dict[str, Any]) -> None:
    tournament = played_with_a_shared_first_place(**settings, tie_policy="same")
    count = inputs_now(tournament).count()

    close_tournament(tournament, ACTOR)

    assert tournament.standings_versions.latest("number").games_played == len(count.results)
    assert [each.closed for each in count.results.values() if each.winner is None] == [GameClosing.BELL]
    assert list(verify(tournament.event)) == []


@pytest.mark.usefixtures("anything_is_taken")
def test_twin_shared_end_counted_as_played_stops_the_standings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mini_tournament_games, "closing_of", lambda *_, **__: GameClosing.PLAYED)

    with pytest.raises(CannotRank):
        played_with_a_shared_first_place(format="triangle", rounds=1)


UNPLAYED = ["abandoned", "forfeit"]


@pytest.mark.parametrize("reason", UNPLAYED)
@pytest.mark.parametrize("settings", [TABLES, {"format": "swiss"}], ids=lambda each: each["format"])
def test_places_of_a_game_that_was_not_played_out_are_refused(settings: dict[str, Any], reason: str) -> None:
    game = first_game(**settings)
    places = {seat: seat + 1 for seat in range(len(game.sides))}

    with pytest.raises(Refused) as refused:
        results.enter_result(game, ACTOR, places=places, reason=reason)

    assert (refused.value.code, refused.value.status) == ("places-unplayed", 422)
    assert stored_log(game.game_id) == []


@pytest.mark.usefixtures("anything_is_taken")
@pytest.mark.parametrize("reason", UNPLAYED)
def test_stored_places_of_a_game_that_was_not_played_out_do_not_count(reason: str) -> None:
    """Abandoned with a winner is a forfeit: of that the others have nothing."""
    game = first_game(**TABLES)

    results.enter_result(game, ACTOR, places={0: 1, 1: 2, 2: 3}, reason=reason)

    (course,) = inputs_now(game.match.stage.tournament).courses
    (outcome,) = course.progress.rounds[0].outcomes
    assert outcome is not None
    assert (outcome.points, outcome.walkover) == ((Fraction(3), Fraction(0), Fraction(0)), True)


@pytest.mark.usefixtures("anything_is_taken")
def test_stored_shared_places_of_an_abandoned_game_give_the_mean() -> None:
    game = first_game(**TABLES)

    results.enter_result(game, ACTOR, places={0: 1, 1: 1, 2: 3}, reason="abandoned")

    (course,) = inputs_now(game.match.stage.tournament).courses
    (outcome,) = course.progress.rounds[0].outcomes
    assert outcome is not None
    assert (len(set(outcome.points)), outcome.places, outcome.walkover) == (1, (), True)
