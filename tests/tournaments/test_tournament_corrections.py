"""“Line k was wrong”: previewed, atomic, once, and the log goes on replaying from line to line."""

from uuid import uuid4

import pytest

from games import logbook
from games.engine import Refusal, dump
from games.models import Game
from games.outcome import Outcome
from ledger.errors import ClientIdReusedError, ConflictError
from people.actors import Actor
from tests.support import factories
from tests.support.stored_games import SIX_LINES, types_of
from tournaments.commands import results
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def close(winner: int) -> dict[str, object]:
    return {"type": "game_closed", "reason": "result", "winner": winner}


@pytest.fixture
def game() -> MatchGame:
    return factories.games_of(factories.drawn_tournament(factories.make_event()))[0]


@pytest.fixture
def begun(game: MatchGame) -> MatchGame:
    results.write_log(game, ACTOR, [(None, event) for event in SIX_LINES])
    return game


def assert_replays(game: MatchGame) -> None:
    """The stored state is what the whole log says, from line to line."""
    row = Game.objects.get(pk=game.game_id)
    assert row.snapshot == dump(logbook.replay(game.game_id))


def test_correction_of_a_wrong_winner(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, seat=0)
    written = results.correct(game, ACTOR, 2, [close(1)], "wrong-winner", expected_version=2)
    row = Game.objects.get(pk=game.game_id)
    assert (written.version, written.outcome_changed, row.winner_seat) == (4, True, 1)
    assert types_of(game) == ["game_opened", "game_closed", "event_voided", "game_closed"]
    assert_replays(game)


def test_correction_takes_a_result_back_without_another(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, seat=0)
    results.correct(game, ACTOR, 2, [], "wrong-table")
    assert Outcome.of_row(Game.objects.get(pk=game.game_id)) == Outcome()
    assert_replays(game)


def test_correction_preview_tells_all_and_stores_nothing(begun: MatchGame) -> None:
    right = {"type": "cards_played", "seat": 1, "cards": ["R8"]}
    plan = results.preview_correction(begun, ACTOR, 5, [right], "typing-error")

    assert (plan.version, plan.kept, plan.dropped) == (7, (6, 7), ())
    assert [event["type"] for event in plan.events] == ["event_voided"] * 3 + ["cards_played"] * 3
    assert len(types_of(begun)) == 7


def test_correction_appends_again_what_still_holds(begun: MatchGame) -> None:
    right = {"type": "cards_played", "seat": 1, "cards": ["R8"]}
    results.correct(begun, ACTOR, 5, [right], "typing-error", expected_version=7)
    played = [
        event["cards"] for event in logbook.stored_events(begun.game_id) if event["type"] == "cards_played"
    ]
    assert played == [["R7"], ["R2"], ["R9"], ["R8"], ["R2"], ["R9"]]
    assert_replays(begun)


def test_correction_preview_drops_what_cannot_follow_any_more(begun: MatchGame) -> None:
    skip = {"type": "cards_played", "seat": 1, "cards": ["RS"]}
    plan = results.preview_correction(begun, ACTOR, 5, [skip], "typing-error")
    assert [(dropped.line, dropped.refusal.code) for dropped in plan.dropped] == [(6, "not-your-turn")]
    assert plan.kept == (7,)


@pytest.mark.parametrize("line", [1, 0, 8, 99])
def test_correction_of_an_unfit_line_is_refused(begun: MatchGame, line: int) -> None:
    with pytest.raises(Refusal) as refusal:
        results.preview_correction(begun, ACTOR, line, [], "typing-error")
    assert refusal.value.code in {"void", "malformed"}
    assert len(types_of(begun)) == 7


def test_correction_of_a_line_twice_is_refused(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, seat=0)
    results.correct(game, ACTOR, 2, [close(1)], "wrong-winner")
    with pytest.raises(Refusal) as refusal:
        results.correct(game, ACTOR, 2, [close(0)], "wrong-winner")
    assert refusal.value.code == "void"


def test_correction_with_an_illegal_replacement_changes_nothing(begun: MatchGame) -> None:
    with pytest.raises(Refusal) as refusal:
        results.correct(
            begun, ACTOR, 5, [{"type": "cards_played", "seat": 1, "cards": ["G8"]}], "typing-error"
        )
    assert (refusal.value.code, len(types_of(begun))) == ("no-match", 7)


def test_correction_reason_is_a_code_and_no_free_text(begun: MatchGame) -> None:
    with pytest.raises(Refusal) as refusal:
        results.correct(begun, ACTOR, 7, [], "Ortensia Zampognari had it")
    listed = [(None, {"type": "event_voided", "line": 7, "reason": ["typing-error"]})]
    assert results.write_log(begun, ACTOR, listed).accepted == 0
    assert (refusal.value.code, len(types_of(begun))) == ("malformed", 7)


def test_correction_of_an_older_log_is_a_conflict(begun: MatchGame) -> None:
    with pytest.raises(ConflictError):
        results.correct(begun, ACTOR, 7, [], "typing-error", expected_version=6)


def test_correction_sent_again_is_stored_once(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, seat=0)
    key = uuid4()
    for _ in range(2):
        results.correct(game, ACTOR, 2, [close(1)], "wrong-winner", expected_version=2, client_id=key)
    assert len(types_of(game)) == 4
    with pytest.raises(ClientIdReusedError):
        results.correct(game, ACTOR, 4, [], "wrong-winner", client_id=key)


@pytest.mark.parametrize("wrong", [{**close(1), "by": 1.5}, {**close(1), "scores": {"0": 10**30}}])
def test_correction_that_facts_cannot_hold_is_refused(game: MatchGame, wrong: dict[str, object]) -> None:
    results.enter_result(game, ACTOR, seat=0)
    with pytest.raises(Refusal) as refused:
        results.correct(game, ACTOR, 2, [wrong], "wrong-winner", client_id=uuid4())
    assert (refused.value.code, types_of(game)) == ("malformed", ["game_opened", "game_closed"])
