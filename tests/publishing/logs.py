"""A short game, written down as a referee does: hands are hidden, one correction."""

from typing import Any


def table_log() -> list[dict[str, Any]]:
    """The log after the game's own opening: seat 0 deals, and seat 1 has won when the bell rings."""
    return [
        {"type": "dealer_cut", "cards": {"0": "R9", "1": "B9"}},
        {"type": "dealer_cut", "cards": {"0": "R9", "1": "B3"}},
        {"type": "deal_started", "dealer": 0},
        {"type": "card_turned", "card": "W+4"},
        {"type": "card_turned", "card": "R5"},
        {"type": "cards_played", "seat": 1, "cards": ["RS"]},
        {"type": "cards_played", "seat": 1, "cards": ["R+2"]},
        {"type": "cards_drawn", "seat": 0, "count": 2},
        {"type": "cards_played", "seat": 1, "cards": ["W"], "color": "G"},
        {"type": "cards_drawn", "seat": 0, "count": 1},
        {"type": "turn_passed", "seat": 0},
        {"type": "penalty_given", "seat": 0, "reason": "prompting"},
        {"type": "cards_drawn", "seat": 0, "count": 2, "cards": ["B1", "B2"]},
        {"type": "cards_played", "seat": 1, "cards": ["W+4"], "color": "B"},
        {"type": "challenge_made", "seat": 0, "upheld": True, "hand": ["G1", "G2", "G3"]},
        {"type": "cards_drawn", "seat": 1, "count": 4},
        {"type": "cards_played", "seat": 0, "cards": ["B1"]},
        {"type": "cards_played", "seat": 1, "cards": ["B3"]},
        {"type": "game_closed", "reason": "forfeit", "winner": 0},
        {"type": "event_voided", "line": 20, "reason": "typing-error"},
        {"type": "game_closed", "reason": "time", "winner": 1},
    ]


STORY = [
    "At the table: {0} and {1}.",
    "They cut for the deal: {0} – red 9; {1} – blue 9. It is not decided: {0} and {1} cut again.",
    "They cut for the deal: {0} – red 9; {1} – blue 3. {0} is the dealer.",
    "{0} deals 7 cards to each.",
    "The first card is a wild draw four: it goes back into the pile.",
    "The first card is a red 5.",
    "{1} plays a red skip. {0} is skipped.",
    "{1} plays a red draw two. {0} has to draw 2 cards.",
    "{0} draws 2 cards.",
    "{1} plays a wild and names green.",
    "{0} draws 1 card.",
    "{0} passes.",
    "{0} prompted another player. {0} has to draw 2 cards.",
    "{0} draws 2 cards.",
    "{1} plays a wild draw four and names blue. {0} has to draw 4 cards, unless there is an answer.",
    "{0} challenges the draw four of {1}. It wasn't allowed. {1} has to draw 4 cards.",
    "{1} draws 4 cards.",
    "{0} plays a blue 1.",
    "{1} plays a blue 3.",
    "The game isn't played: one side isn't there. {0} wins: a point to {2}.",
    "Correction: what was written as number 20 doesn't count.",
    "The bell ends the game. {1} wins: a point to {3}.",
]
"""The story of each line, from the opening on: {0} and {1} are the players, {2} and {3} their teams."""

TURNING = [15, 16, 20, 22]
