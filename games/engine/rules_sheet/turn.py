"""A turn, drawing, and what each card does."""

from games.engine.phrases import Wording
from games.engine.rule_fields import FIELDS
from games.engine.rules_sheet.derived_rules import has_reverses, has_two
from games.engine.rules_sheet.model import RulesSection, RulesTableRow
from games.engine.ruleset import Ruleset


def a_turn(wording: Wording, rules: Ruleset) -> RulesSection:
    """What can be played, and when."""
    phrase = wording.phrase
    sentences = [
        phrase(
            "Put a card on the discard pile. It must have the same colour, the same number "
            "or the same symbol as the top card."
        ),
        phrase("A Wild goes on any card. After a Wild the colour that was named counts."),
    ]
    if rules.single_card_per_turn:
        sentences.append(
            phrase("You play only one card a turn (two only for the burn).")
            if rules.burn
            else phrase("You play only one card a turn.")
        )
    else:
        sentences.append(
            phrase(
                "You may put down several cards together if they have the same number. "
                "The first one must fit. The colour of the last one counts."
            )
        )
    return RulesSection("turn", phrase("Your turn"), tuple(sentences))


def drawing(wording: Wording, rules: Ruleset) -> RulesSection:
    """When one draws, and what becomes of the card."""
    phrase = wording.phrase
    return RulesSection(
        "drawing",
        phrase("Drawing"),
        (
            phrase("If you can’t play, draw 1 card from the draw pile."),
            _drawn(wording, rules),
            phrase("You may also choose to draw when you could play.")
            if rules.voluntary_draw
            else phrase("If you can play, you must play: you can’t choose to draw."),
            phrase(
                "When the draw pile is used up, shuffle the discards and go on. "
                "The top card stays where it is."
            ),
        ),
    )


def _drawn(wording: Wording, rules: Ruleset) -> str:
    phrase = wording.phrase
    if rules.drawn_card == "keep":
        return phrase("You keep the card you drew, and it is the next player’s turn.")
    if rules.drawn_card == "must_play":
        return phrase(
            "If the card you drew fits, you must play it at once. If not, it is the next player’s turn. "
            "You can’t play another card."
        )
    return phrase(
        "If the card you drew fits, you may play it at once. If not, it is the next player’s turn. "
        "You can’t play another card."
    )


def what_cards_do(wording: Wording, rules: Ruleset) -> RulesSection:
    """A card, and its effect under these rules."""
    phrase = wording.phrase
    rows = [
        RulesTableRow(("R7",), phrase("Numbers"), phrase("Nothing special. The next player plays.")),
        RulesTableRow(("GS",), phrase("Skip"), phrase("The next player misses a turn.")),
    ]
    if has_reverses(rules):
        turned = phrase("Play goes the other way round.")
        if has_two(rules):
            turned += " " + phrase("See also: two players.")
        rows.append(RulesTableRow(("BR",), phrase("Reverse"), turned))
    rows += [
        RulesTableRow(("Y+2",), phrase("Draw Two"), _draw_two(wording, rules)),
        RulesTableRow(
            ("W",), phrase("Wild"), phrase("You name the colour. You may play it whenever it is your turn.")
        ),
        RulesTableRow(
            ("W+4",),
            phrase("Wild Draw Four"),
            phrase(
                "You name the colour. The next player draws 4 cards and misses a turn. "
                "It is not always allowed: see its own rule."
            ),
        ),
    ]
    return RulesSection("cards", phrase("What the cards do"), rows=tuple(rows))


def _draw_two(wording: Wording, rules: Ruleset) -> str:
    if rules.draw_two_skips:
        return wording.phrase("The next player draws 2 cards and misses a turn.")
    return wording.phrase("The next player draws 2 cards, and then plays.")


def special_rules(wording: Wording, rules: Ruleset) -> RulesSection:
    """The variations that add something to a card: what their fields declare."""
    rows = [
        RulesTableRow(field.sheet.cards, wording.phrase(field.sheet.name), wording.phrase(field.sheet.text))
        for field in FIELDS
        if field.sheet is not None and getattr(rules, field.name)
    ]
    return RulesSection("special", wording.phrase("Special rules"), rows=tuple(rows))
