"""Whole games by bots, from the cut to the end: sound throughout, by any rules."""

import json

import pytest

from games.engine import (
    Ruleset,
    dump,
    load,
    parse_log,
    play_random_game,
    replay,
    summarize,
)
from tests.games.engine.kit.any_games import any_game, audited
from tests.games.engine.rulesets import RULESETS
from tests.support.run.long import some


def test_bot_that_is_out_second_plays_on_without_cards() -> None:
    ruleset = next(rules for rules in RULESETS if isinstance(rules, dict) and "stack_on_last_card" in rules)
    log = play_random_game(Ruleset.from_json(ruleset), 5, 58, style="random", longest=400, kin=((0, 1),))
    assert replay(log).over


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_table_log_of_the_same_seed_ends_the_same(ruleset: object) -> None:
    for seed in range(5):
        full = replay(play_random_game(Ruleset.from_json(ruleset), 3, seed))
        table = replay(play_random_game(Ruleset.from_json(ruleset), 3, seed, table=True))
        assert {**summarize(table), "events": 0} == {**summarize(full), "events": 0}


@pytest.mark.parametrize("number", range(some(600)))
def test_bots_play_any_rules_without_a_refusal_and_are_never_stuck(number: int) -> None:
    """`python -m benchmarks.any_rules` plays many more of them."""
    log = any_game(number).play()

    assert audited(log).over


def test_bots_go_on_where_a_card_that_was_taken_back_leaves_nothing_that_fits() -> None:
    """In this game seat 0 took back a Wild Draw Four that was judged by red, with green in play."""
    rules = {
        "preset": "guide",
        "decks": 1,
        "wild_four_on_wild_four": True,
        "wild_four_on_draw_two": True,
        "draw_two_stacks": True,
        "stacked_wild_four_color": "before_first",
    }

    log = play_random_game(Ruleset.from_json(rules), 3, 88, style="random")

    assert audited(log).over


JUDGED_BY_ANOTHER_COLOR = """
{"type": "dealer_named", "seat": 0}
{"type": "deal_started", "dealer": 0}
{"type": "card_turned", "card": "R7"}
{"type": "cards_played", "seat": 1, "cards": ["W+4"], "color": "G"}
{"type": "cards_played", "seat": 2, "cards": ["W+4"], "color": "Y"}
{"type": "challenge_made", "seat": 0, "upheld": true}
{"type": "cards_drawn", "seat": 2, "count": 8}
"""


@pytest.mark.parametrize(("color", "can_draw"), [("before_first", True), ("named", False)])
def test_stored_state_says_whether_who_took_a_card_back_may_draw(color: str, can_draw: bool) -> None:
    rules = {"preset": "guide", "wild_four_on_wild_four": True, "stacked_wild_four_color": color}
    opened = json.dumps(
        {"type": "game_opened", "ruleset": rules, "seats": [{"name": name} for name in "abc"]}
    )
    kept = dump(replay(parse_log(opened + JUDGED_BY_ANOTHER_COLOR)))

    assert load(kept).can_draw_instead == can_draw
    # An engine that didn't know of it stored such a state without a word: the log says it.
    del kept["can_draw_instead"]
    with pytest.raises(ValueError, match="doesn't say whether a draw is allowed"):
        load(kept)
