"""Corrections as the service makes them: one event after the other, or a list that puts a line right."""

from collections.abc import Sequence

import pytest

from games.engine import (
    Log,
    Refusal,
    Ruleset,
    State,
    advance,
    correct,
    dump,
    effective_log,
    parse_log,
    play_random_game,
    replay,
)
from games.engine.corrections import Correction
from games.engine.events import CardsDrawn, CardsPlayed, Event, EventVoided, PenaltyGiven
from games.engine.transitions import refusal_of

GAME = parse_log("""\
{"type": "game_opened", "ruleset": "palio", "seats": [{"name": "Ada"}, {"name": "Bea"}, {"name": "Ciro"}]}
{"type": "dealer_named", "seat": 0}
{"type": "deal_started", "dealer": 0}
{"type": "card_turned", "card": "R7"}
{"type": "cards_played", "seat": 1, "cards": ["G7"]}
{"type": "cards_played", "seat": 2, "cards": ["G1"]}
{"type": "cards_played", "seat": 0, "cards": ["B1"]}
""")


def test_correction_gives_a_new_state_and_leaves_the_old_one() -> None:
    state = replay(GAME)
    before = dump(state)
    void = EventVoided(7, "it was blue")
    log = Log.of(GAME, state)

    log.add(void)

    assert dump(state) == before
    assert dump(log.state) == {**dump(replay(GAME, until=6)), "events": 8}
    assert [line for line, _ in effective_log([*GAME, void])] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(Refusal) as caught:
        log.add(EventVoided(7, "again"))
    assert (caught.value.code, caught.value.line, caught.value.type) == ("void", 9, "event_voided")


def test_correction_needs_the_log() -> None:
    with pytest.raises(TypeError, match="needs the whole log"):
        advance(replay(GAME), EventVoided(7, "it was blue"))


def grown(events: Sequence[Event]) -> Log:
    """A log of these events."""
    return Log.of(events, replay(events))


def test_correction_puts_a_line_right_and_keeps_what_came_later() -> None:
    correction = correct(grown(GAME), [CardsPlayed(2, ("B7",))], EventVoided(6, "it was blue"))
    assert correction == Correction(
        (EventVoided(7, "it was blue"), EventVoided(6, "it was blue"), CardsPlayed(2, ("B7",)), GAME[6]),
        kept=(7,),
        dropped=(),
    )
    state = replay([*GAME, *correction.appended])
    assert (state.events, state.top, state.turn) == (11, "B1", 1)


def test_correction_drops_an_event_that_can_not_follow_any_more() -> None:
    correction = correct(grown(GAME), [CardsPlayed(2, ("Y7",))], EventVoided(6, "it was yellow"))
    assert [event.type for event in correction.appended] == ["event_voided", "event_voided", "cards_played"]
    assert [(line, refusal.code) for line, refusal in correction.dropped] == [(7, "no-match")]


def test_correction_keeps_each_later_event_by_itself() -> None:
    penalty, drawn = PenaltyGiven(2, "prompting"), CardsDrawn(2, 2)
    told = [*GAME, penalty, drawn, CardsPlayed(1, ("B2",))]
    correction = correct(grown(told), [], EventVoided(8, "nobody prompted"))

    assert [line for line, _ in correction.dropped] == [9]
    assert correction.kept == (10,)


def test_correction_of_a_line_that_can_not_be_put_right_is_refused() -> None:
    for line in (1, 8):
        with pytest.raises(Refusal) as caught:
            correct(grown(GAME), [], EventVoided(line, "mistake"))
        assert caught.value.code == "void"
    with pytest.raises(Refusal) as caught:
        correct(grown(GAME), [CardsPlayed(2, ("B9",))], EventVoided(6, "mistake"))
    assert (caught.value.code, caught.value.line) == ("no-match", 1)


def test_correction_from_the_end_back_replays_nothing_until_the_state_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The promise: a whole list of corrections costs one replay, a single one too."""
    game = play_random_game(Ruleset.from_json("palio"), 4, 5)
    log = Log()
    for event in game:
        log.add(event)
    expected = {**dump(replay(game, until=5)), "events": 2 * len(game) - 5}
    applied: list[Event] = []

    def counted(state: State, event: Event) -> None:
        applied.append(event)
        advance(state, event)

    monkeypatch.setattr("games.engine.corrections.advance", counted)
    for line in range(len(game), 5, -1):
        log.add(EventVoided(line, "from the last one back"))
    assert applied == []
    assert dump(log.state) == expected
    assert len(applied) == 5
    assert refusal_of(log.state, game[5]) is None
    log.add(game[5])
    assert len(applied) == 6


def test_refusal_in_a_corrected_log_counts_every_line() -> None:
    log = [*GAME, EventVoided(7, "wrong"), EventVoided(6, "wrong"), CardsPlayed(0, ("G2",))]
    with pytest.raises(Refusal) as caught:
        replay(log)
    assert (caught.value.line, caught.value.code) == (10, "not-your-turn")
