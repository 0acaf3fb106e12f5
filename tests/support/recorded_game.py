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
    "At the table: {0} and {1}. They play by the rules of the palio.",
    "They cut for the deal: {0} – red 9; {1} – blue 9. It isn’t decided: {0} and {1} cut again.",
    "They cut for the deal: {0} – red 9; {1} – blue 3. {0} is the dealer.",
    "{0} deals 7 cards to each.",
    "The first card is a Wild Draw Four. It goes back into the pile, and another one is turned.",
    "The first card is a red 5. {1} begins.",
    "{1} plays a red Skip. {0} is skipped. {1} plays again.",
    "{1} plays a red Draw Two. {0} has to draw 2 cards.",
    "{0} draws 2 cards. The turn is lost.",
    "{1} plays a Wild and names green.",
    "{0} draws 1 card.",
    "{0} passes.",
    "{0} prompted another player. {0} has to draw 2 cards.",
    "{0} draws 2 cards.",
    "{1} plays a Wild Draw Four and names blue. {0} has to draw 4 cards or challenge.",
    "{0} challenges {1}’s Wild Draw Four, and is right. {1} held another card to play. "
    "{1} has to draw 4 cards.",
    "{1} draws 4 cards.",
    "{0} plays a blue 1.",
    "{1} plays a blue 3.",
    "One side isn’t there: {0} wins. The win goes to {2}.",
    "Correction: line 20 doesn’t count any more, “One side isn’t there: {0} wins”. Now it is {0}’s turn.",
    "The bell ends the game: {1} wins. The win goes to {3}.",
]
"""The story of each line, from the opening on: {0} and {1} are the players, {2} and {3} their teams."""

TURNING = [15, 16, 20, 22]
