"""A sentence for every log event, in both languages, that tells what everybody saw and no more."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation

from drawings.card import card_name
from games.engine import PRESETS, Refusal, Ruleset, Seat, event_to_json
from games.engine.bots import play_random_game
from games.engine.events import EVENT_CLASSES
from publishing import stories
from publishing.replays import Replay, replay
from tests.publishing.logs import STORY, TURNING, table_log

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
    "wild_four_on_wild_four": True,
    "challenge_upheld": "taken_back",
}
ELIMINATION = {"preset": "classic", "scoring": "elimination", "target": 100}
RULES = [*PRESETS, EVERYTHING, ELIMINATION]


def told(log: list[dict[str, Any]], language: str = "en") -> Replay:
    with translation.override(language):
        return replay(log, NAMES, TEAMS)


def opened(ruleset: Any = "palio", seats: int = 2, **more: Any) -> dict[str, Any]:
    people = [{"name": "a", "team": "s"}, {"name": "b", "team": "c"}, {"name": "c", "team": "i"}]
    return {"type": "game_opened", "ruleset": ruleset, "seats": people[:seats], **more}


def sentences(*events: dict[str, Any], ruleset: Any = "palio", seats: int = 2, **more: Any) -> list[str]:
    """The sentences for these events after a deal by seat 0."""
    before = [
        opened(ruleset, seats, **more),
        {"type": "dealer_named", "seat": 0},
        {"type": "deal_started", "dealer": 0},
    ]
    game = told([*before, *events])
    return [step.story.text for step in game.steps[len(before) :]]


def turned(card: str) -> dict[str, Any]:
    return {"type": "card_turned", "card": card}


def played(seat: int, card: str, **more: Any) -> dict[str, Any]:
    return {"type": "cards_played", "seat": seat, "cards": [card], **more}


def test_a_whole_game_is_told() -> None:
    game = told([opened(), *table_log()])
    expected = [line.format("Superiore 7", "Centro 4", "Superiore", "Centro") for line in STORY]
    assert [step.story.text for step in game.steps] == expected
    assert [step.number for step in game.steps if step.story.is_turning] == TURNING
    assert [step.number for step in game.steps if step.is_voided] == [20]


def test_every_type_of_event_has_its_story() -> None:
    assert set(stories._TELLERS) == set(EVENT_CLASSES)


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_any_game_can_be_told(rules: Any, language: str) -> None:
    for seed in range(3):
        log = bot_log(rules, seed)
        for step in told(log, language).steps:
            assert step.story.text
            assert "%" not in step.story.text


def bot_log(rules: Any, seed: int) -> list[dict[str, Any]]:
    """A game that bots played with their cards open."""
    seats = [Seat("a", "s"), Seat("b", "c"), Seat("c", "i")]
    return [event_to_json(event) for event in play_random_game(Ruleset.from_json(rules), seats, seed)]


def test_cards_that_only_their_holder_sees_are_not_told() -> None:
    log = bot_log("palio", 1)
    hidden = 0
    for event, step in zip(log, told(log).steps, strict=True):
        secret = event["type"] in {"deal_started", "cards_drawn", "challenge_made"}
        cards = [*event.get("cards", []), *event.get("hand", [])] if secret else []
        cards += [card for hand in event.get("hands", {}).values() for card in hand]
        hidden += len(cards)
        for card in cards:
            assert card_name(card, "en").lower() not in step.story.text.lower()
    assert hidden > 20


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("RS", "The first card is a red skip. Centro 4 is skipped."),
        ("RR", "The first card is a red reverse. Play goes anticlockwise."),
        ("R+2", "The first card is a red draw two. Centro 4 has to draw 2 cards."),
        ("W", "The first card is a wild. Centro 4 names the colour."),
    ],
)
def test_the_first_card_takes_effect(card: str, expected: str) -> None:
    assert sentences(turned(card), seats=3) == [expected]


def test_a_color_named_for_the_first_card() -> None:
    named = {"type": "color_named", "seat": 1, "color": "Y"}
    assert sentences(turned("W"), named, seats=3)[1] == "Centro 4 names yellow."


def test_a_reverse_turns_the_game_among_three_and_gives_another_turn_among_two() -> None:
    assert sentences(turned("R5"), played(1, "RR"), seats=3)[1] == (
        "Centro 4 plays a red reverse. Play goes anticlockwise."
    )
    assert (
        sentences(turned("R5"), played(1, "RR"))[1] == "Centro 4 plays a red reverse. Centro 4 plays again."
    )


def test_a_drawn_card_that_is_played() -> None:
    draw = {"type": "cards_drawn", "seat": 1, "count": 1}
    assert sentences(turned("R5"), draw, played(1, "R8"))[2] == "Centro 4 plays the card just drawn, a red 8."


def test_a_challenge_in_vain() -> None:
    challenge = {"type": "challenge_made", "seat": 0, "upheld": False}
    assert sentences(turned("R5"), played(1, "W+4", color="G"), challenge)[2] == (
        "Superiore 7 challenges the draw four of Centro 4. It was played by the rules. "
        "Superiore 7 has to draw 6 cards."
    )


SHORT: dict[str, Any] = {"preset": "palio", "hand_size": 2}


def test_the_last_cards_of_a_game() -> None:
    game = (turned("R5"), played(1, "R1", uno=True), played(0, "R2"), played(1, "R3"))
    assert sentences(*game, ruleset=SHORT)[1:] == [
        "Centro 4 plays a red 1. UNO! One card left for Centro 4.",
        "Superiore 7 plays a red 2. One card left for Superiore 7, and UNO wasn't said.",
        "Centro 4 plays a red 3. Centro 4 is out. Centro 4 wins: a point to Centro.",
    ]


@pytest.mark.parametrize(
    ("catcher", "expected"),
    [
        ({"catcher": 0}, "Superiore 7 notices: Centro 4 didn't say UNO. Centro 4 has to draw 2 cards."),
        ({}, "Somebody notices: Centro 4 didn't say UNO. Centro 4 has to draw 2 cards."),
    ],
)
def test_a_forgotten_uno(catcher: dict[str, int], expected: str) -> None:
    caught = {"type": "uno_caught", "seat": 1, **catcher}
    assert sentences(turned("R5"), played(1, "R1"), caught, ruleset=SHORT)[2] == expected


def test_uno_said_late_but_in_time() -> None:
    rules = {**SHORT, "uno_call": "until_caught"}
    called = {"type": "uno_called", "seat": 1}
    assert sentences(turned("R5"), played(1, "R1"), called, ruleset=rules)[2] == (
        "Centro 4 says it just in time: UNO!"
    )


def test_a_wrong_card_is_named_if_the_log_names_it() -> None:
    rules = {"preset": "palio", "wrong_card_penalty": 2}
    wrong = {"type": "penalty_given", "seat": 1, "reason": "wrong_card"}
    assert sentences(turned("R5"), {**wrong, "card": "B8"}, ruleset=rules)[1] == (
        "Centro 4 takes back a wrong card, a blue 8. Centro 4 has to draw 2 cards."
    )
    assert sentences(turned("R5"), wrong, ruleset=rules)[1] == (
        "Centro 4 takes back a wrong card. Centro 4 has to draw 2 cards."
    )


def test_hands_are_shown_and_the_points_of_a_deal_told() -> None:
    rules = {"preset": "palio", "hand_size": 1, "scoring": "winner_takes", "after_out": "new_deal"}
    by_points = sentences(
        turned("R5"), played(1, "R1"), {"type": "hand_shown", "seat": 0, "points": 20}, ruleset=rules
    )
    assert by_points[1:] == [
        "Centro 4 plays a red 1. Centro 4 is out.",
        "Superiore 7 is left with 20 points. Points of this deal: Superiore 7 – 0; Centro 4 – 20.",
    ]
    by_cards = sentences(
        turned("R5"), played(1, "R1"), {"type": "hand_shown", "seat": 0, "cards": ["YS"]}, ruleset=rules
    )
    assert by_cards[2].startswith("Superiore 7 is left with yellow skip.")
    again = sentences(
        turned("R5"),
        played(1, "R1"),
        {"type": "hand_shown", "seat": 0, "points": 20},
        {"type": "deal_started", "dealer": 1},
        ruleset=rules,
    )
    assert again[3] == "Deal 2: Centro 4 deals 1 card to each."


def test_several_cards_and_a_gift() -> None:
    rules = {"preset": "house", "zero_gift": True, "burn": True}
    gift = {"type": "zero_gift", "seat": 1, "to": 0}
    told_so = sentences(
        turned("R5"),
        {"type": "cards_played", "seat": 1, "cards": ["R0", "G0"]},
        gift,
        ruleset=rules,
        seats=3,
        kin=[[0, 1]],
    )
    assert told_so[1:] == [
        "Centro 4 plays red 0 and green 0 together.",
        "The zero of Centro 4 is a gift for Superiore 7. Superiore 7 has to draw 4 cards.",
    ]
    burnt = {"type": "cards_played", "seat": 1, "cards": ["R3", "R3"]}
    assert sentences(turned("R5"), burnt, ruleset=rules, seats=3)[1] == (
        "Centro 4 plays red 3 and red 3 together. Inferiore 2 is skipped."
    )


def test_a_wild_draw_four_that_is_taken_back() -> None:
    rules = {"preset": "palio", "challenge_upheld": "taken_back"}
    challenge = {"type": "challenge_made", "seat": 0, "upheld": True}
    assert sentences(turned("R5"), played(1, "W+4", color="G"), challenge, ruleset=rules)[2] == (
        "Superiore 7 challenges the draw four of Centro 4. It wasn't allowed: Centro 4 takes it back. "
        "Centro 4 has to draw 4 cards."
    )


def test_a_draw_two_that_is_answered() -> None:
    rules = {"preset": "palio", "draw_two_stacks": True}
    answered = sentences(turned("R5"), played(1, "R+2"), played(0, "B+2"), ruleset=rules)
    assert answered[1:] == [
        "Centro 4 plays a red draw two. Superiore 7 has to draw 2 cards, unless there is an answer.",
        "Superiore 7 answers with a blue draw two. Centro 4 has to draw 4 cards, unless there is an answer.",
    ]


def test_who_has_finished_draws_anew_or_leaves_the_table() -> None:
    shown = {"type": "hand_shown", "seat": 0, "points": 20}
    anew = {"preset": "house", "hand_size": 1}
    assert sentences(turned("R5"), played(1, "R1"), shown, ruleset=anew)[2] == (
        "Superiore 7 is left with 20 points. Points of this deal: Superiore 7 – 20; Centro 4 – 0. "
        "Centro 4 has to draw 1 card."
    )
    leaving = {"preset": "classic", "hand_size": 1, "scoring": "elimination", "target": 20}
    third = {"type": "hand_shown", "seat": 2, "points": 1}
    assert sentences(turned("R5"), played(1, "R1"), shown, third, ruleset=leaving, seats=3)[3] == (
        "Inferiore 2 is left with 1 point. Points of this deal: Superiore 7 – 20; Centro 4 – 0; "
        "Inferiore 2 – 1. Superiore 7 leaves the table with 20 points."
    )


@pytest.mark.parametrize(
    ("closed", "expected"),
    [
        ({"reason": "result", "winner": 0}, "The result is entered. Superiore 7 wins: a point to Superiore."),
        ({"reason": "result", "winner": None, "team": "c"}, "The result is entered. A point to Centro."),
        ({"reason": "time", "winner": None}, "The bell ends the game. Nobody wins."),
        ({"reason": "abandoned", "winner": None}, "The game is abandoned. Nobody wins."),
    ],
)
def test_how_a_game_is_closed(closed: dict[str, Any], expected: str) -> None:
    assert sentences({"type": "game_closed", **closed}) == [expected]


def test_a_log_that_breaks_the_rules_is_not_told() -> None:
    with pytest.raises(Refusal):
        told([opened(), {"type": "pile_reshuffled"}])
