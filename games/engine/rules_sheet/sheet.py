"""The sheet as a whole: its title, and the sections that have something to say."""

from typing import Final

from games.engine.rules_sheet.bell import when_the_bell_rings
from games.engine.rules_sheet.ending import the_last_card, the_points, two_players
from games.engine.rules_sheet.fours import answering, wild_draw_four
from games.engine.rules_sheet.model import RulesSection, RulesSheet, Voice
from games.engine.rules_sheet.start import before_the_start, the_first_card
from games.engine.rules_sheet.turn import a_turn, drawing, special_rules, what_cards_do
from games.engine.rules_sheet.uno import saying_uno, what_it_costs
from games.engine.ruleset import Ruleset

TITLES: Final = {
    "palio": {"en": "The rules of the palio", "it": "Le regole del palio"},
    "classic": {"en": "The classic rules", "it": "Le regole classiche"},
    "to_go": {"en": "The travel rules", "it": "Le regole da viaggio"},
    "guide": {"en": "The rules of the guide", "it": "Le regole della guida"},
    "house": {"en": "The house rules", "it": "Le regole di casa"},
}
"""What the sheet of each preset is called."""

ABOUT: Final = {
    "palio": {
        "en": "For a palio of children: each game is one deal, and whoever is out first wins.",
        "it": "Per un palio di ragazzi: ogni partita è una mano sola, e vince chi finisce per primo.",
    },
    "classic": {
        "en": "The official rules: points for the winner of each deal, up to 500.",
        "it": "Le regole ufficiali: chi vince la mano prende i punti, fino a 500.",
    },
    "to_go": {
        "en": "The rules of the travel edition: as the classic ones, but a drawn card may be kept.",
        "it": "Le regole dell’edizione da viaggio: come le classiche, ma la carta pescata si può tenere.",
    },
    "guide": {
        "en": "For many players: two packs, and dearer penalties.",
        "it": "Per tanti giocatori: due mazzi, e penalità più care.",
    },
    "house": {
        "en": "Among friends: several cards at once, answers to a Draw Two, and the fewest points win.",
        "it": "Tra amici: più carte insieme, si risponde al Pesca due, e vince chi ha meno punti.",
    },
}
"""What each preset is for, in a sentence."""


def rules_sheet(rules: Ruleset, language: str, bell: str | None = None) -> RulesSheet:
    """The rules for players, in `it` or `en`; ValueError for another language.

    `bell` is one of `BELL_RULES` where a tournament has one: who wins a game that the bell ends.
    """
    voice = Voice(language)
    sections: list[RulesSection] = [
        before_the_start(voice, rules),
        the_first_card(voice, rules),
        a_turn(voice, rules),
        drawing(voice, rules),
        what_cards_do(voice, rules),
        wild_draw_four(voice, rules),
        answering(voice, rules),
        special_rules(voice, rules),
        saying_uno(voice, rules),
        what_it_costs(voice, rules),
        the_last_card(voice, rules),
        the_points(voice, rules),
        two_players(voice, rules),
    ]
    if bell is not None:
        sections.append(when_the_bell_rings(voice, rules, bell))
    told = tuple(section for section in sections if not section.is_empty)
    return RulesSheet(language, _title(rules, language), told)


def _title(rules: Ruleset, language: str) -> str:
    title = TITLES[rules.preset][language]
    if isinstance(rules.to_json(), str):
        return title
    return {"en": f"{title}, with changes", "it": f"{title}, con modifiche"}[language]
