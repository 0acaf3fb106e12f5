"""The bell on the rules sheet: a tournament's rule, not one of the rule set."""

from typing import Final

from games.engine.phrases import Wording
from games.engine.rules_sheet.ending import by_cards, card_values
from games.engine.rules_sheet.model import RulesSection
from games.engine.ruleset import Ruleset

BELL_RULES: Final = ("no_point", "point_each", "one_more_card")
"""What happens when fewest cards and fewest points leave players level: nobody has the point, each of them
has one, or they play on, one card each, until somebody is ahead.
"""
NO_POINT, POINT_EACH, ONE_MORE_CARD = BELL_RULES


def when_the_bell_rings(wording: Wording, rules: Ruleset, bell: str, decides: str) -> RulesSection:
    """The section on the bell. `bell` is one of `BELL_RULES`, `decides` is as for `rules_sheet`.

    Raises ValueError for another `bell`. What a card counts is told here where the rule set itself has no
    points.
    """
    if bell not in BELL_RULES:
        raise ValueError(f"no bell rule {bell!r} (expected one of {', '.join(BELL_RULES)})")
    phrase = wording.phrase
    stops = phrase("If the bell rings before anybody has won, the game stops.")
    shared = phrase("Still level? Then they share the place.")
    level = {
        NO_POINT: phrase("Still level? Then nobody has the point."),
        POINT_EACH: phrase("Still level? Then each of them has a point."),
        ONE_MORE_CARD: phrase("Still level? Then they play on, one card each, until somebody is ahead."),
    }
    sentences = {
        "winner": (
            phrase("Who holds the fewest cards wins. If level, who has the fewest points in hand."),
            level[bell],
        ),
        "places": (
            phrase("Who holds the fewest cards comes first. If level, who has the fewest points in hand."),
            level[bell] if bell == ONE_MORE_CARD else shared,
            *by_cards(wording),
        ),
        "points": (phrase("Everybody writes down the points of the cards they hold then."),),
    }
    return RulesSection(
        "bell",
        phrase("When the bell rings"),
        (stops, *sentences[decides]),
        values=() if rules.counts_points else card_values(wording, rules),
    )
