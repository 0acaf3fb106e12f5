"""What a page is offered, to the letter, at the moments that matter."""

from typing import Any

from games.engine import State, legal, legal_events, parse_log, replay
from games.engine.cards import CARDS, OF_COLOR
from games.engine.events import CardsDrawn, ChallengeMade, HandShown

OPENED = """\
{"type": "game_opened", "ruleset": "palio", "seats": [{"name": "Ada"}, {"name": "Bea"}, {"name": "Ciro"}]}
{"type": "dealer_named", "seat": 0}
"""
DEALT = OPENED + '{"type": "deal_started", "dealer": 0}\n{"type": "card_turned", "card": "R7"}\n'
CLOSE = {
    "type": "game_closed",
    "seats": [0, 1, 2],
    "reasons": ["result", "time", "forfeit", "abandoned"],
}
PROMPTING = {"type": "penalty_given", "seats": [0, 1, 2], "reasons": ["prompting"]}


def offered(text: str) -> list[dict[str, Any]]:
    return [option.to_json() for option in legal(replay(parse_log(text)))]


def test_legal_options_are_none_before_the_opening_and_after_the_end() -> None:
    assert legal(State()) == []
    assert offered(OPENED + '{"type": "game_closed", "reason": "time", "winner": null}') == []


def test_legal_options_at_the_cut() -> None:
    assert offered(OPENED.splitlines()[0]) == [
        {"type": "dealer_cut", "seats": [0, 1, 2], "cards": list(CARDS)},
        {"type": "dealer_named", "seats": [0, 1, 2]},
        CLOSE,
    ]


def test_legal_options_at_the_deal_and_the_first_card() -> None:
    assert offered(OPENED) == [{"type": "deal_started", "seats": [0]}, CLOSE]
    dealt = OPENED + '{"type": "deal_started", "dealer": 0}'
    assert offered(dealt) == [{"type": "card_turned", "cards": list(CARDS)}, CLOSE]


def test_legal_options_of_a_turn_with_a_hidden_hand() -> None:
    fitting = [card for card in CARDS if card in OF_COLOR["R"] or card[1:] == "7" or card in ("W", "W+4")]
    assert offered(DEALT) == [
        {
            "type": "cards_played",
            "seats": [1],
            "cards": fitting,
            "needs_color": ["W", "W+4"],
            "colors": ["R", "Y", "G", "B"],
        },
        {"type": "cards_drawn", "seats": [1], "count": 1},
        PROMPTING,
        CLOSE,
    ]


def test_legal_options_after_a_draw() -> None:
    drawn = DEALT + '{"type": "cards_drawn", "seat": 1, "count": 1, "cards": ["G1"]}'
    assert offered(drawn) == [{"type": "turn_passed", "seats": [1]}, PROMPTING, CLOSE]


def test_legal_options_after_a_wild_draw_four_are_draw_or_challenge() -> None:
    hit = DEALT + '{"type": "cards_played", "seat": 1, "cards": ["W+4"], "color": "G"}\n'
    assert offered(hit) == [
        {"type": "cards_drawn", "seats": [2], "count": 4},
        {"type": "challenge_made", "seats": [2], "verdicts": [True, False]},
        PROMPTING,
        CLOSE,
    ]
    assert CardsDrawn(2, 4) in legal_events(replay(parse_log(hit)))
    assert ChallengeMade(2, True) in legal_events(replay(parse_log(hit)))
    owing = hit + '{"type": "challenge_made", "seat": 2, "upheld": false}'
    assert offered(owing) == [{"type": "cards_drawn", "seats": [2], "count": 6}, PROMPTING, CLOSE]


def test_legal_options_ask_for_uno_and_catch_a_forgotten_one() -> None:
    short = DEALT.replace('"palio"', '{"preset": "palio", "hand_size": 2, "prompting_penalty": 0}')
    play, _, _ = offered(short)
    assert play["uno"] is True
    forgotten = short + '{"type": "cards_played", "seat": 1, "cards": ["R1"]}'
    assert [option["type"] for option in offered(forgotten)] == [
        "cards_played",
        "cards_drawn",
        "uno_caught",
        "game_closed",
    ]
    assert offered(forgotten)[2] == {"type": "uno_caught", "seats": [1]}


def test_legal_options_offer_several_cards_where_the_rules_allow_it() -> None:
    house = DEALT.replace('"palio"', '"house"')
    assert offered(house)[0]["several"] is True


def test_legal_options_of_hands_to_be_shown() -> None:
    rules = '{"preset": "to_go", "hand_size": 1}'
    state = replay(
        parse_log(DEALT.replace('"palio"', rules) + '{"type": "cards_played", "seat": 1, "cards": ["R9"]}')
    )
    assert legal(state)[0].to_json() == {"type": "hand_shown", "seats": [0, 2]}
    shown = [event.points for event in legal_events(state) if isinstance(event, HandShown)]
    assert shown == [*range(10), 20, 50] * 2
