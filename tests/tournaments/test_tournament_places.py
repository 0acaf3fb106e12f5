"""Places of a game's seats: entered with its end, kept with the game, put right."""

from typing import Any
from uuid import uuid4

import pytest

from games.engine import Ruleset
from games.outcome import Outcome
from ledger.models import Stream
from people.actors import Actor
from people.refusals import Refused
from tests.support.factories import games_of
from tests.support.rounds_play import published
from tests.support.stored_games import outcome
from tournaments.commands import results
from tournaments.models import MatchGame

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ACTOR = Actor.command()


@pytest.fixture
def game() -> MatchGame:
    """A game of four seats."""
    options = {"seats": 4, "target": 100}
    return games_of(published(4, 1, format="table_elimination", ruleset="house", options=options))[0]


POINTS = {0: 30, 1: 0, 2: 12, 3: 12}


def test_places_of_seats_say_who_has_won(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, places={3: 2, 1: 1, 0: 4, 2: 2}, points=POINTS)

    assert (outcome(game).places, outcome(game).seat) == ((4, 1, 2, 2), 1)


def test_places_of_seats_with_a_shared_first_have_no_winner(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, places={0: 1, 1: 1, 2: 3, 3: 4}, points=POINTS)

    assert (outcome(game).places, outcome(game).seat, outcome(game).is_over) == ((1, 1, 3, 4), None, True)


@pytest.mark.parametrize(
    "places",
    [
        {},
        {0: 1, 1: 2, 2: 3},
        {0: 1, 1: 2, 2: 3, 3: 4, 4: 5},
        {0: 1, 1: 2, 2: 3, 4: 4},
        {0: 0, 1: 1, 2: 2, 3: 3},
        {0: 2, 1: 3, 2: 4, 3: 5},
        {0: 1, 1: 1, 2: 2, 3: 3},
        {0: 1, 1: 2, 2: 2, 3: 3},
        {0: 1, 1: 2, 2: 3, 3: True},
        {0: 1, 1: 2, 2: 3, 3: "4"},
    ],
)
def test_places_of_seats_that_cannot_be_are_refused_and_not_stored(
    game: MatchGame, places: dict[int, Any]
) -> None:
    with pytest.raises(Refused) as refused:
        results.enter_result(game, ACTOR, places=places, points=POINTS)

    assert (refused.value.code, refused.value.status) == ("malformed", 422)
    assert "1, 1, 3" in str(refused.value)
    assert not Stream.objects.filter(pk=game.game_id).exists()


def test_places_of_seats_with_another_winner_are_refused(game: MatchGame) -> None:
    places = {0: 1, 1: 2, 2: 3, 3: 4}

    written = results.enter_result(game, ACTOR, seat=2, places=places, points=POINTS)

    assert written.refusal is not None
    assert (written.refusal.code, written.accepted, outcome(game)) == ("malformed", 0, Outcome())


def test_places_of_seats_in_a_phone_s_batch_are_checked(game: MatchGame) -> None:
    closed = {"type": "game_closed", "reason": "result", "winner": 0, "scores": {"0": 0, "1": 1, "2": 2}}
    closed["scores"] |= {"3": 3}  # type: ignore[operator]
    wrong = closed | {"places": {"0": 1, "1": 2, "2": 2, "3": 3}}
    right = closed | {"places": {"0": 1, "1": 2, "2": 2, "3": 4}}

    refused = results.write_log(game, ACTOR, [(uuid4(), wrong)])
    stored = results.write_log(game, ACTOR, [(uuid4(), right)])

    assert refused.refusal is not None
    assert (refused.refusal.code, stored.accepted) == ("malformed", 1)
    assert outcome(game).places == (1, 2, 2, 4)


def test_places_of_seats_are_put_right_by_a_correction(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, places={0: 1, 1: 2, 2: 3, 3: 4}, points=POINTS)
    closed = {"type": "game_closed", "reason": "result", "winner": 3}
    right = closed | {
        "places": {"0": 2, "1": 3, "2": 4, "3": 1},
        "scores": {str(seat): points for seat, points in POINTS.items()},
    }

    plan = results.preview_correction(game, ACTOR, 2, [right], "typing-error")
    results.correct(game, ACTOR, 2, [right], "typing-error")

    assert (plan.before.places, plan.after.places) == ((1, 2, 3, 4), (2, 3, 4, 1))
    assert (outcome(game).places, outcome(game).seat) == ((2, 3, 4, 1), 3)


@pytest.mark.parametrize(("ruleset", "places"), [("house", [3, 1, 2, 4]), ("classic", [2, 4, 3, 1])])
def test_places_of_seats_follow_from_points_by_the_rules_direction(ruleset: str, places: list[int]) -> None:
    found = results.places_by_points(Ruleset.from_json(ruleset), {3: 40, 0: 30, 1: 0, 2: 12})

    assert [found[seat] for seat in range(4)] == places
