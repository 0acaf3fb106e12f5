"""The bell on the rules sheet: a tournament's rule, not one of the rule set."""

from typing import Final

from games.engine.rules_sheet.ending import card_values
from games.engine.rules_sheet.model import RulesSection, Voice
from games.engine.ruleset import Ruleset

BELL_RULES: Final = ("no_point", "point_each", "one_more_card")
"""What happens when fewest cards and fewest points leave the players level: nobody has the point, everybody
of them has one, or they play on, one card each, until somebody is ahead."""


def when_the_bell_rings(voice: Voice, rules: Ruleset, bell: str) -> RulesSection:
    """`bell` is one of `BELL_RULES`; ValueError if it is none.

    What a card counts is told here where the rule set itself has no points.
    """
    if bell not in BELL_RULES:
        raise ValueError(f"no bell rule {bell!r} (expected one of {', '.join(BELL_RULES)})")
    say = voice.say
    level = {
        "no_point": say(
            en="Still level? Then nobody has the point.",
            it="Ancora pari? Allora il punto non va a nessuno.",
        ),
        "point_each": say(
            en="Still level? Then each of them has a point.",
            it="Ancora pari? Allora hanno un punto ciascuno.",
        ),
        "one_more_card": say(
            en="Still level? Then they play on, one card each, until somebody is ahead.",
            it="Ancora pari? Allora giocano ancora, una carta a testa, finché uno è in vantaggio.",
        ),
    }
    return RulesSection(
        "bell",
        say(en="When the bell rings", it="Quando suona la campana"),
        (
            say(
                en="If the bell rings before anybody has won, the game stops.",
                it="Se la campana suona prima che uno abbia vinto, la partita si ferma.",
            ),
            say(
                en="Who holds the fewest cards wins. If level, who has the fewest points in hand.",
                it="Vince chi ha meno carte in mano. A pari carte, chi ha meno punti in mano.",
            ),
            level[bell],
        ),
        values=() if rules.counts_points else card_values(voice, rules),
    )
