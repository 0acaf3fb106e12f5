"""The sheet as a whole: its title, and the sections that have something to say."""

from games.engine.phrases import Wording
from games.engine.presets import TITLES
from games.engine.rules_sheet.bell import when_the_bell_rings
from games.engine.rules_sheet.ending import the_last_card, the_points, two_players
from games.engine.rules_sheet.fours import answering, wild_draw_four
from games.engine.rules_sheet.model import RulesSection, RulesSheet
from games.engine.rules_sheet.start import before_the_start, the_first_card
from games.engine.rules_sheet.turn import a_turn, drawing, special_rules, what_cards_do
from games.engine.rules_sheet.uno import saying_uno, what_it_costs
from games.engine.ruleset import Ruleset


def rules_sheet(
    rules: Ruleset, language: str, bell: str | None = None, decides: str = "winner"
) -> RulesSheet:
    """The rules for players, in a language by its tag.

    `bell` is one of `BELL_RULES` where a tournament has one: who wins a game that the bell ends. `decides`
    is what a tournament takes from a game. That is its `winner`, the `places` of all at the table, or the
    `points` that each has left in hand.
    """
    wording = Wording(language)
    sections: list[RulesSection] = [
        before_the_start(wording, rules),
        the_first_card(wording, rules),
        a_turn(wording, rules),
        drawing(wording, rules),
        what_cards_do(wording, rules),
        wild_draw_four(wording, rules),
        answering(wording, rules),
        special_rules(wording, rules),
        saying_uno(wording, rules),
        what_it_costs(wording, rules),
        the_last_card(wording, rules, decides),
        the_points(wording, rules, decides),
        two_players(wording, rules),
    ]
    if bell is not None:
        sections.append(when_the_bell_rings(wording, rules, bell, decides))
    told = tuple(section for section in sections if not section.is_empty)
    return RulesSheet(language, _title(rules, wording), told)


def _title(rules: Ruleset, wording: Wording) -> str:
    title = wording.phrase(TITLES[rules.preset])
    return title if isinstance(rules.to_json(), str) else wording.phrase("{title}, with changes", title=title)
