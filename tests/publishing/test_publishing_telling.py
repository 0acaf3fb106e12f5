"""A sentence for every log event, in both languages, that tells what everybody saw and no more."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation

from games.engine import PRESETS, Refusal, Ruleset, Seat, event_to_json
from games.engine.bots import play_random_game
from games.engine.cards import WILD_FOUR, WILDS
from games.engine.telling import card_words
from publishing.replays import Replay, replay
from tests.support.recorded_game import STORY, TURNING, table_log

NAMES = {"a": "Superiore 7", "b": "Centro 4", "c": "Inferiore 2"}
TEAMS: Any = {
    "s": SimpleNamespace(name="Superiore"),
    "c": SimpleNamespace(name="Centro"),
    "i": SimpleNamespace(name="Inferiore"),
}
EVERYTHING = {
    "preset": "house",
    "zero_gift": True,
    "burn": True,
    "stack_on_last_card": True,
    "wild_four_on_draw_two": True,
    "draw_two_on_wild_four": True,
    "wild_four_on_wild_four": True,
    "stacked_wild_four_color": "before_first",
    "challenge_upheld": "taken_back",
}
ELIMINATION = {"preset": "classic", "scoring": "elimination", "target": 100}
RULES = [*PRESETS, EVERYTHING, ELIMINATION]


def told(log: list[dict[str, Any]], language: str = "en") -> Replay:
    with translation.override(language):
        return replay(log, NAMES, TEAMS)


def opened() -> dict[str, Any]:
    seats = [{"name": "a", "team": "s"}, {"name": "b", "team": "c"}]
    return {"type": "game_opened", "ruleset": "palio", "seats": seats}


def test_game_log_is_told_with_its_turning_points() -> None:
    game = told([opened(), *table_log()])
    expected = [line.format("Superiore 7", "Centro 4", "Superiore", "Centro") for line in STORY]

    assert [str(step) for step in game.steps] == expected
    assert [step.number for step in game.steps if step.is_turning] == TURNING
    assert [step.number for step in game.steps if step.is_voided] == [20]


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_game_log_of_every_rule_set_can_be_told(rules: Any, language: str) -> None:
    for seed in range(3):
        log = bot_log(rules, seed)
        for step in told(log, language).steps:
            assert str(step)


def bot_log(rules: Any, seed: int) -> list[dict[str, Any]]:
    """A game that bots played with their cards open."""
    seats = [Seat("a", "s"), Seat("b", "c"), Seat("c", "i")]
    return [event_to_json(event) for event in play_random_game(Ruleset.from_json(rules), seats, seed)]


def test_game_log_does_not_tell_cards_that_only_their_holder_sees() -> None:
    log = bot_log("palio", 1)
    hidden = 0
    for event, step in zip(log, told(log).steps, strict=True):
        secret = event["type"] in {"deal_started", "cards_drawn", "challenge_made"}
        cards = [*event.get("cards", []), *event.get("hand", [])] if secret else []
        cards += [card for hand in event.get("hands", {}).values() for card in hand]
        hidden += len(cards)
        if secret:
            # The card that a challenge is about lies on the table.
            assert {part.card for part in step.told} <= {None, WILD_FOUR}
        for card in set(cards) - WILDS:
            assert card_words(card, "en") not in str(step)
    assert hidden > 20


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "it",
            "Correzione: la riga 2 non vale più, «Il mazziere è Superiore 7». Ora si pesca per il mazziere.",
        ),
        (
            "en",
            "Correction: line 2 doesn’t count any more, “Superiore 7 is the dealer”. "
            "Now they cut for the deal.",
        ),
    ],
)
def test_game_log_does_not_tell_the_reason_of_a_correction(language: str, expected: str) -> None:
    named = {"type": "dealer_named", "seat": 0}
    voided = {"type": "event_voided", "line": 2, "reason": "misconduct"}
    assert str(told([opened(), named, voided], language).steps[2]) == expected


def test_game_log_that_breaks_the_rules_is_refused() -> None:
    with pytest.raises(Refusal):
        told([opened(), {"type": "pile_reshuffled"}])
