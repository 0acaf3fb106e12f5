"""Cards and rule sets, from the tables of the rules."""

from collections.abc import Mapping
from typing import Any

COLORS = "RYGB"
DIGITS = "0123456789"
PACK = (
    [f"{color}0" for color in COLORS]
    + 2 * [color + digit for color in COLORS for digit in DIGITS[1:]]
    + 2 * [color + symbol for color in COLORS for symbol in ("S", "R", "+2")]
    + 4 * ["W", "W+4"]
)
CARDS = frozenset(PACK)

NAMES = ("palio", "classic", "to_go", "guide", "house")
T, F = True, False
# One row a field, one column a preset, in the order of NAMES.
VALUES: dict[str, tuple[Any, Any, Any, Any, Any]] = {
    "decks": (1, 1, 1, 2, 1),
    "min_players": (2, 2, 2, 2, 2),
    "max_players": (10, 10, 10, 10, 10),
    "hand_size": (7, 7, 7, 7, 7),
    "dealer_cut": ("highest", "highest", "highest", "highest", "lowest"),
    "cut_action_cards": ("zero", "zero", "zero", "zero", "redraw"),
    "single_card_per_turn": (T, T, T, T, F),
    "voluntary_draw": (F, T, T, F, T),
    "drawn_card": ("may_play", "must_play", "may_play", "may_play", "keep"),
    "draw_two_stacks": (F, F, F, F, T),
    "draw_two_skips": (T, T, T, T, T),
    "wild_four_condition": (
        "no_playable_card",
        "no_color_match",
        "no_color_match",
        "no_color_match",
        "no_color_match",
    ),
    "wild_four_on_draw_two": (F, F, F, F, F),
    "draw_two_on_wild_four": (F, F, F, F, F),
    "wild_four_on_wild_four": (F, F, F, F, F),
    "stacked_wild_four_free": (F, F, F, F, F),
    "stacked_wild_four_color": ("named", "named", "named", "named", "named"),
    "stack_on_last_card": (F, F, F, F, F),
    "challenge": (T, T, T, T, T),
    "challenge_upheld": (
        "offender_draws",
        "offender_draws",
        "offender_draws",
        "taken_back",
        "offender_draws",
    ),
    "challenge_failed_cards": (6, 6, 6, 6, 6),
    "uno_call": ("with_card", "until_caught", "until_caught", "with_card", "until_next_acts"),
    "uno_catch_window": ("next_acts", "next_acts", "next_acts", "next_acts", "second_next_acts"),
    "uno_penalty": (2, 2, 2, 2, 2),
    "prompting_penalty": (2, 0, 0, 4, 2),
    "wrong_card_penalty": (0, 0, 0, 4, 2),
    "wrong_card_ends_turn": (F, F, F, F, T),
    "reverse_with_two": ("skip", "skip", "skip", "skip", "skip"),
    "reverse_matches_skip": (F, F, F, F, F),
    "zero_gift": (F, F, F, F, F),
    "burn": (F, F, F, F, F),
    "finish_on_action": (T, T, T, T, T),
    "final_draw": (F, T, T, T, T),
    "after_out": ("game_ends", "new_deal", "new_deal", "new_deal", "finisher_redraws"),
    "scoring": ("first_out", "winner_takes", "winner_takes", "winner_takes", "lowest_wins"),
    "target": (500, 500, 500, 500, 500),
}
WORDS: dict[str, tuple[str, ...]] = {
    "dealer_cut": ("highest", "lowest"),
    "cut_action_cards": ("zero", "redraw"),
    "drawn_card": ("may_play", "must_play", "keep"),
    "wild_four_condition": ("no_color_match", "no_playable_card"),
    "stacked_wild_four_color": ("named", "before_first"),
    "challenge_upheld": ("offender_draws", "taken_back"),
    "uno_call": ("with_card", "until_caught", "until_next_acts"),
    "uno_catch_window": ("next_acts", "second_next_acts"),
    "reverse_with_two": ("skip", "plain", "removed"),
    "after_out": ("game_ends", "new_deal", "finisher_redraws"),
    "scoring": ("first_out", "winner_takes", "lowest_wins", "elimination"),
}
LEAST = {
    "decks": 1,
    "min_players": 2,
    "max_players": 2,
    "hand_size": 1,
    "challenge_failed_cards": 4,
    "target": 1,
}

Rules = Mapping[str, Any]


def rules_of(value: object) -> Rules | None:
    """Every field's value and `preset`, or None if that is no rule set at all."""
    if isinstance(value, str):
        value = {"preset": value}
    if (
        not isinstance(value, dict)
        or not isinstance(value.get("preset"), str)
        or value["preset"] not in NAMES
    ):
        return None
    column = NAMES.index(value["preset"])
    found = {field: row[column] for field, row in VALUES.items()}
    for field, content in value.items():
        if field == "preset":
            continue
        if field not in VALUES:
            return None
        if field in WORDS:
            if not isinstance(content, str) or content not in WORDS[field]:
                return None
        elif type(content) is not type(found[field]):
            return None
        found[field] = content
    return {**found, "preset": value["preset"]}


def playable_by(rules: Rules, players: int) -> bool:
    """Whether so many can play by these rules, and they don't contradict themselves."""
    numbers = [field for field in VALUES if type(rules[field]) is int]
    pack = rules["decks"] * (100 if rules["reverse_with_two"] == "removed" and players == 2 else 108)
    return (
        all(rules[field] >= LEAST.get(field, 0) for field in numbers)
        and rules["min_players"] <= players <= rules["max_players"]
        and (rules["scoring"] != "elimination" or rules["after_out"] == "new_deal")
        and players * rules["hand_size"] + 1 <= pack
    )


def is_wild(card: str) -> bool:
    """A Wild or a Wild Draw Four."""
    return card[0] == "W"


def symbol(card: str) -> str:
    """What is on the card beside its colour."""
    return card if is_wild(card) else card[1:]


def is_number(card: str) -> bool:
    """Neither an action card nor a wild."""
    return symbol(card) in DIGITS


def is_draw_card(card: str) -> bool:
    """A Draw Two or a Wild Draw Four."""
    return card == "W+4" or symbol(card) == "+2"


def points(card: str) -> int:
    """What the card counts in a hand."""
    if is_number(card):
        return int(symbol(card))
    return 50 if is_wild(card) else 20


def fits(card: str, top: str, color: str | None, twins: bool) -> bool:
    """Whether a card goes on the pile."""
    if is_wild(card) or card[0] == color or symbol(card) == symbol(top):
        return True
    return twins and {symbol(card), symbol(top)} == {"S", "R"}
