"""Points and penalty cards of games: entered, kept with the game, carried into the standings, put right."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import logbook
from games.engine import Ruleset, event_to_json, play_random_game, replay
from games.models import Game
from games.outcome import penalty_cards
from games.stored_log import stored_log
from ledger.models import Stream
from people.actors import Actor
from people.refusals import Refused
from tests.support import factories
from tests.support.soundness import assert_sound
from tests.support.stored_games import outcome
from tournaments.commands import results
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings
from tournaments.projections.rebuild import rebuild
from tournaments.verification import verify

# What is computed from rows hangs on no database: what reads and writes them is tried on both.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ACTOR = Actor.command()
METRICS = ["points", "card_points_difference", "penalties", "lots"]
BELL = {"type": "game_closed", "reason": "time", "winner": None}


def drawn(**fields: Any) -> Tournament:
    settings = {"ruleset": "classic", "metrics": METRICS, "format": "duel", **fields}
    return factories.drawn_tournament(factories.make_event(), 2, 1, **settings)


@pytest.fixture
def tournament() -> Tournament:
    return drawn()


@pytest.fixture
def game(tournament: Tournament) -> MatchGame:
    return factories.games_of(tournament)[0]


def teams_of(game: MatchGame) -> tuple[UUID, ...]:
    return tuple(game.game.seats.order_by("number").values_list("team", flat=True))


def values(tournament: Tournament) -> dict[UUID, Mapping[str, str | None]]:
    """The metrics of each team as they stand now."""
    return {row.team_id: dict(row.metrics) for row in standings.current(tournament).rows.all()}


def test_points_go_with_a_result(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, seat=0, points={1: 0, 0: 512})
    assert outcome(game).points == (512, 0)
    assert outcome(game).penalties is None


def test_result_without_points_has_none(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, seat=0)
    assert (outcome(game).figures, Game.objects.get(pk=game.game_id).figures) == (None, None)


@pytest.mark.parametrize(
    ("points", "code"),
    [
        ({}, "points-incomplete"),
        ({0: 500}, "points-incomplete"),
        ({0: 500, 1: 0, 2: 0}, "points-incomplete"),
        ({0: 500, 1: -1}, "points-wrong"),
        ({0: 500, 1: True}, "points-wrong"),
        ({0: 500, 1: "3"}, "points-wrong"),
        ({0: 500, 1: results.MOST_POINTS + 1}, "points-wrong"),
    ],
)
def test_points_that_cannot_be_are_refused_and_nothing_is_stored(
    game: MatchGame, points: dict[int, Any], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        results.enter_result(game, ACTOR, seat=0, points=points)
    assert (refused.value.code, refused.value.status) == (code, 422)
    assert not Stream.objects.filter(pk=game.game_id).exists()


def test_points_are_refused_where_nobody_counts_them() -> None:
    game = factories.games_of(drawn(ruleset="palio", metrics=["points", "lots"]))[0]
    with pytest.raises(Refused) as refused:
        results.enter_result(game, ACTOR, seat=0, points={0: 20, 1: 0})
    assert refused.value.code == "points-not-counted"
    assert not Stream.objects.filter(pk=game.game_id).exists()


def test_card_points_decide_between_teams_that_are_level(tournament: Tournament) -> None:
    first, second, third = factories.games_of(tournament)
    one, other = teams_of(first)
    at = {game: teams_of(game).index(one) for game in (first, second, third)}
    results.enter_result(first, ACTOR, seat=at[first], points={at[first]: 40, 1 - at[first]: 0})
    results.enter_result(second, ACTOR, seat=1 - at[second], points={at[second]: 0, 1 - at[second]: 25})
    results.enter_result(third, ACTOR, reason="time", points={0: 0, 1: 0})
    found = values(tournament)
    assert {team: found[team]["card_points_difference"] for team in (one, other)} == {one: "15", other: "-15"}
    leader = standings.current(tournament).rows.get(place=1)
    assert leader.decided_by is not None
    assert (leader.team_id, leader.decided_by["metric"]) == (one, "card_points_difference")
    assert_sound(tournament)


def test_card_points_missing_in_one_game_leave_the_next_metric_to_decide(tournament: Tournament) -> None:
    first, second, third = factories.games_of(tournament)
    one = teams_of(first)[0]
    at = {game: teams_of(game).index(one) for game in (first, second, third)}
    results.enter_result(first, ACTOR, seat=at[first], points={at[first]: 40, 1 - at[first]: 0})
    results.enter_result(second, ACTOR, seat=1 - at[second])
    results.enter_result(third, ACTOR, reason="abandoned")
    found = values(tournament)

    assert [each["card_points_difference"] for each in found.values()] == [None, None]
    assert [each["penalties"] for each in found.values()] == [None, None]


def test_game_that_was_not_played_gives_no_card_points(tournament: Tournament) -> None:
    first, second, third = factories.games_of(tournament)
    one = teams_of(first)[0]
    for game in (first, second):
        at = teams_of(game).index(one)
        seat = at if game is first else 1 - at
        results.enter_result(game, ACTOR, seat=seat, reason="forfeit", points={seat: 90, 1 - seat: 0})
    results.enter_result(third, ACTOR, reason="time", points={0: 5, 1: 5})
    found = values(tournament)

    assert [each["card_points_difference"] for each in found.values()] == ["0", "0"]


def test_points_put_right_change_the_standings(tournament: Tournament) -> None:
    first, second, third = factories.games_of(tournament)
    one, other = teams_of(first)
    at = {game: teams_of(game).index(one) for game in (first, second, third)}
    results.enter_result(first, ACTOR, seat=at[first], points={at[first]: 40, 1 - at[first]: 0})
    results.enter_result(second, ACTOR, seat=1 - at[second], points={at[second]: 0, 1 - at[second]: 25})
    results.enter_result(third, ACTOR, reason="time", points={0: 0, 1: 0})
    assert standings.current(tournament).rows.get(place=1).team_id == one
    number = standings.current(tournament).number
    right = {
        "type": "game_closed",
        "reason": "result",
        "winner": at[first],
        "scores": {str(at[first]): 20, str(1 - at[first]): 0},
    }
    written = results.correct(first, ACTOR, 2, [right], "typing-error")
    assert written.outcome_changed
    assert standings.current(tournament).number == number + 1
    assert standings.current(tournament).rows.get(place=1).team_id == other
    assert_sound(tournament)


def whole_game(seed: int, *, seats: int = 2, ruleset: str = "classic") -> list[dict[str, Any]]:
    """A game that bots play to its end, without its opening."""
    log = play_random_game(Ruleset.from_json(ruleset), seats, seed)
    return [event_to_json(event) for event in log][1:]


# Two games in any run, six with `--long`.
@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.long if seed > 1 else []) for seed in range(6)]
)
def test_stored_figures_are_those_of_the_whole_log(
    tournament: Tournament, game: MatchGame, seed: int
) -> None:
    """Entered in batches, as phones do: each but the last goes on from the snapshot alone."""
    events = whole_game(seed)
    for start in range(0, len(events), 37):
        results.write_log(game, ACTOR, [(uuid4(), event) for event in events[start : start + 37]])
    log = stored_log(game.game_id)
    state = replay(log)
    assert state.over
    assert outcome(game).points == tuple(state.scores)
    assert outcome(game).penalties == penalty_cards(log)
    assert outcome(game) == logbook.outcomes(game.game_id)[-1][1]
    assert_sound(tournament)


def test_games_of_the_figures_test_have_penalties() -> None:
    """Or nothing was tried above."""
    rules = Ruleset.from_json("classic")
    assert all(sum(penalty_cards(play_random_game(rules, 2, seed))) for seed in range(6))


PROMPTED = {"type": "penalty_given", "seat": 0, "reason": "prompting"}
BEGUN = [
    {"type": "dealer_named", "seat": 0},
    {"type": "deal_started", "dealer": 0},
    {"type": "card_turned", "card": "R5"},
    PROMPTED,
    {"type": "cards_drawn", "seat": 0, "count": 3},
]


def test_penalties_taken_back_are_gone() -> None:
    """A correction in the middle replays the rest; the bell is kept, the penalty isn't."""
    rules = {"preset": "palio", "prompting_penalty": 3}
    tournament = drawn(ruleset=rules, metrics=["points", "penalties", "lots"])
    game = factories.games_of(tournament)[0]
    results.write_log(game, ACTOR, [(None, event) for event in (*BEGUN, BELL)])
    assert (outcome(game).penalties, outcome(game).points) == ((3, 0), None)
    assert values(tournament)[teams_of(game)[0]]["penalties"] == "3"
    results.correct(game, ACTOR, 5, [], "typing-error")
    assert outcome(game).penalties == (0, 0)
    assert values(tournament)[teams_of(game)[0]]["penalties"] == "0"
    assert_sound(tournament)


def test_altered_figures_are_found_and_built_again(tournament: Tournament, game: MatchGame) -> None:
    results.enter_result(game, ACTOR, seat=0, points={0: 512, 1: 0})
    row = Game.objects.get(pk=game.game_id)
    assert row.figures is not None
    Game.objects.filter(pk=row.pk).update(figures={**row.figures, "points": [0, 512]})
    assert any(str(row.pk) in wrong.where for wrong in verify.verify())
    rebuild(tournament.event)
    assert outcome(game).points == (512, 0)
    assert [str(wrong) for wrong in verify.verify()] == []


def test_figures_of_a_squad_add_up_its_seats() -> None:
    event = factories.make_event()
    factories.make_field(event, 2, 2)
    tournament = factories.drawn_tournament(
        event, ruleset="classic", metrics=METRICS, format="duel", squad_size=2
    )
    game = factories.games_of(tournament)[0]
    teams = teams_of(game)
    points = {seat: 10 * 4**seat for seat in range(4)}
    results.enter_result(game, ACTOR, seat=0, points=points)
    for team, found in values(tournament).items():
        own = sum(points[seat] for seat in range(4) if teams[seat] == team)
        assert found["card_points_difference"] == str(2 * own - sum(points.values()))


def test_figures_cost_no_query_but_the_log_at_the_end(tournament: Tournament) -> None:
    """A bare result reads nothing more for its points; the last card of a game reads its log once."""
    first, second, third = factories.games_of(tournament)
    counts = []
    for game, points in ((first, None), (second, {0: 5, 1: 0})):
        game.refresh_from_db()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            results.enter_result(game, ACTOR, seat=0, points=points)
        counts.append(len(queries))
    # Beside the game and its seats, with which the points are compared.
    assert counts[1] - counts[0] <= 2
    results.write_log(third, ACTOR, [(None, event) for event in BEGUN[:3]])
    with CaptureQueriesContext(connection) as card:
        results.write_log(third, ACTOR, [(None, {"type": "cards_drawn", "seat": 1, "count": 1})])
    with CaptureQueriesContext(connection) as bell:
        results.write_log(third, ACTOR, [(None, BELL)])
    assert facts_read(bell) - facts_read(card) == 1


def facts_read(queries: CaptureQueriesContext) -> int:
    """How many queries read from the ledger."""
    return sum(
        each["sql"].startswith("SELECT") and "ledger_fact" in each["sql"] for each in queries.captured_queries
    )
