"""Before the first turn: how many play, who deals, what a special first card does."""

from games.engine.phrases import Wording
from games.engine.rules_sheet.derived_rules import has_reverses
from games.engine.rules_sheet.model import RulesSection, RulesTableRow
from games.engine.ruleset import Ruleset


def before_the_start(wording: Wording, rules: Ruleset) -> RulesSection:
    """Players, packs, the dealer, the deal and who begins."""
    phrase = wording.phrase
    return RulesSection(
        "start",
        phrase("Before you start"),
        (
            _players(wording, rules),
            phrase("Everybody draws a card."),
            _dealer(wording, rules),
            phrase("Level? Those who are level draw again. Then all these cards go back into the pack."),
            phrase("The dealer shuffles and deals {cards:count} to each player.", cards=rules.hand_size),
            phrase(
                "The rest, face down, is the draw pile. Its first card is turned over: "
                "there the discard pile begins."
            ),
            phrase("The player on the dealer’s left begins. Play goes clockwise."),
        ),
    )


def _players(wording: Wording, rules: Ruleset) -> str:
    fewest, most = rules.min_players, rules.max_players
    if fewest == most:
        return wording.phrase_counted(
            "{most} people play, with {count} pack of 108 cards.",
            "{most} people play, with {count} packs of 108 cards shuffled together.",
            rules.decks,
            most=most,
        )
    return wording.phrase_counted(
        "{fewest} to {most} people play, with {count} pack of 108 cards.",
        "{fewest} to {most} people play, with {count} packs of 108 cards shuffled together.",
        rules.decks,
        fewest=fewest,
        most=most,
    )


def _dealer(wording: Wording, rules: Ruleset) -> str:
    phrase = wording.phrase
    if rules.dealer_cut == "highest":
        best = phrase("Who has the highest number is the dealer.")
    else:
        best = phrase("Who has the lowest number is the dealer.")
    if rules.cut_action_cards == "zero":
        return f"{best} " + phrase("Cards without a number count as zero.")
    return f"{best} " + phrase("Who gets a card without a number draws another one.")


def the_first_card(wording: Wording, rules: Ruleset) -> RulesSection:
    """What happens when the card that is turned isn't a number."""
    phrase = wording.phrase
    rows = [
        RulesTableRow(("Y+2",), phrase("Draw Two"), _first_draw_two(wording, rules)),
        RulesTableRow(("GS",), phrase("Skip"), phrase("The first player misses the turn.")),
        RulesTableRow(("BR",), phrase("Reverse"), phrase("The dealer begins, and play goes anticlockwise.")),
        RulesTableRow(("W",), phrase("Wild"), phrase("The first player names a colour, and then plays.")),
        RulesTableRow(
            ("W+4",),
            phrase("Wild Draw Four"),
            phrase("It goes back into the pack, and another card is turned."),
        ),
    ]
    if not has_reverses(rules):
        rows = [row for row in rows if row.cards != ("BR",)]
    return RulesSection("first_card", phrase("If the first card is special"), rows=tuple(rows))


def _first_draw_two(wording: Wording, rules: Ruleset) -> str:
    phrase = wording.phrase
    has_answer = rules.draw_two_stacks or rules.wild_four_on_draw_two
    if rules.draw_two_skips:
        return (
            phrase("The first player draws 2 cards and misses the turn, or answers.")
            if has_answer
            else phrase("The first player draws 2 cards and misses the turn.")
        )
    return (
        phrase("The first player draws 2 cards, and then plays, or answers.")
        if has_answer
        else phrase("The first player draws 2 cards, and then plays.")
    )
