"""The five presets as data: what each Italian document says, field by field."""

from collections.abc import Mapping
from typing import Any, Final

from games.engine.words import mark

PALIO: Final[Mapping[str, Any]] = {
    "decks": 1,
    "min_players": 2,
    "max_players": 10,
    "hand_size": 7,
    "dealer_cut": "highest",
    "cut_action_cards": "zero",
    "single_card_per_turn": True,
    "voluntary_draw": False,
    "drawn_card": "may_play",
    "draw_two_stacks": False,
    "draw_two_skips": True,
    "wild_four_condition": "no_playable_card",
    "wild_four_on_draw_two": False,
    "draw_two_on_wild_four": False,
    "wild_four_on_wild_four": False,
    "stacked_wild_four_free": False,
    "stacked_wild_four_color": "named",
    "stack_on_last_card": False,
    "challenge": True,
    "challenge_upheld": "offender_draws",
    "challenge_failed_cards": 6,
    "uno_call": "with_card",
    "uno_catch_window": "next_acts",
    "uno_penalty": 2,
    "prompting_penalty": 2,
    "wrong_card_penalty": 0,
    "wrong_card_ends_turn": False,
    "reverse_with_two": "skip",
    "reverse_matches_skip": False,
    "zero_gift": False,
    "burn": False,
    "finish_on_action": True,
    "final_draw": False,
    "after_out": "game_ends",
    "scoring": "first_out",
    "target": 500,
}

CLASSIC: Final[Mapping[str, Any]] = {
    **PALIO,
    "voluntary_draw": True,
    "drawn_card": "must_play",
    "wild_four_condition": "no_color_match",
    "uno_call": "until_caught",
    "prompting_penalty": 0,
    "final_draw": True,
    "after_out": "new_deal",
    "scoring": "winner_takes",
}

TO_GO: Final[Mapping[str, Any]] = {**CLASSIC, "drawn_card": "may_play"}

GUIDE: Final[Mapping[str, Any]] = {
    **CLASSIC,
    "decks": 2,
    "voluntary_draw": False,
    "drawn_card": "may_play",
    "challenge_upheld": "taken_back",
    "uno_call": "with_card",
    "prompting_penalty": 4,
    "wrong_card_penalty": 4,
}

HOUSE: Final[Mapping[str, Any]] = {
    **CLASSIC,
    "dealer_cut": "lowest",
    "cut_action_cards": "redraw",
    "single_card_per_turn": False,
    "drawn_card": "keep",
    "draw_two_stacks": True,
    "uno_call": "until_next_acts",
    "uno_catch_window": "second_next_acts",
    "prompting_penalty": 2,
    "wrong_card_penalty": 2,
    "wrong_card_ends_turn": True,
    "after_out": "finisher_redraws",
    "scoring": "lowest_wins",
}

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "palio": PALIO,
    "classic": CLASSIC,
    "to_go": TO_GO,
    "guide": GUIDE,
    "house": HOUSE,
}
DEFAULT_PRESET: Final = "palio"

TITLES: Final = {
    "palio": mark("The rules of the palio"),
    "classic": mark("The classic rules"),
    "to_go": mark("The travel rules"),
    "guide": mark("The rules of the guide"),
    "house": mark("The house rules"),
}
"""What the rules of each preset are called, a msgid."""

ABOUT: Final = {
    "palio": mark("For a palio of children: each game is one deal, and whoever is out first wins."),
    "classic": mark("The official rules: points for the winner of each deal, up to 500."),
    "to_go": mark("The rules of the travel edition: as the classic ones, but a drawn card may be kept."),
    "guide": mark("For many players: two packs, and dearer penalties."),
    "house": mark("Among friends: several cards at once, answers to a Draw Two, and the fewest points win."),
}
"""What each preset is for, in a sentence, a msgid."""
