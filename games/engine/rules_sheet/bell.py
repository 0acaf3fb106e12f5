"""The bell on the rules sheet: a tournament's rule, not one of the rule set."""

from typing import Final

from games.engine.phrases import Wording
from games.engine.rules_sheet.ending import card_values
from games.engine.rules_sheet.model import RulesSection
from games.engine.ruleset import Ruleset

BELL_RULES: Final = ("no_point", "point_each", "one_more_card")
"""What happens when fewest cards and fewest points leave the players level: nobody has the point, everybody
of them has one, or they play on, one card each, until somebody is ahead."""


def when_the_bell_rings(wording: Wording, rules: Ruleset, bell: str) -> RulesSection:
    """`bell` is one of `BELL_RULES`; ValueError if it is none.

    What a card counts is told here where the rule set itself has no points.
    """
    if bell not in BELL_RULES:
        raise ValueError(f"no bell rule {bell!r} (expected one of {', '.join(BELL_RULES)})")
    phrase = wording.phrase
    level = {
        "no_point": phrase("Still level? Then nobody has the point."),
        "point_each": phrase("Still level? Then each of them has a point."),
        "one_more_card": phrase("Still level? Then they play on, one card each, until somebody is ahead."),
    }
    return RulesSection(
        "bell",
        phrase("When the bell rings"),
        (
            phrase("If the bell rings before anybody has won, the game stops."),
            phrase("Who holds the fewest cards wins. If level, who has the fewest points in hand."),
            level[bell],
        ),
        values=() if rules.counts_points else card_values(wording, rules),
    )
