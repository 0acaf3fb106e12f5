"""The end of a deal, the points, who wins, and what is different for two."""

from games.engine.cards import POINTS
from games.engine.phrases import Wording
from games.engine.rules_sheet.derived_rules import has_reverses, has_skip_twins, has_two, plays_to_a_target
from games.engine.rules_sheet.model import RulesSection, RulesTableRow
from games.engine.ruleset import Ruleset
from games.engine.translations import translate


def the_last_card(wording: Wording, rules: Ruleset, decides: str) -> RulesSection:
    """How somebody goes out, and what happens then; `decides` as `rules_sheet` has it."""
    then = _then(wording, rules)
    if decides == "places" and not rules.counts_points:
        then = (
            wording.phrase("Who has no cards left comes first, and the game is over."),
            *by_cards(wording),
        )
    return RulesSection("end", wording.phrase("The last card"), (*_last_card(wording, rules), *then))


def by_cards(wording: Wording) -> tuple[str, ...]:
    """Who comes where behind the first, by the cards in hand."""
    return (
        wording.phrase("The others come in by the cards they hold, the fewest first."),
        wording.phrase("Who holds as many shares the place."),
    )


def _last_card(wording: Wording, rules: Ruleset) -> list[str]:
    phrase = wording.phrase
    if not rules.finish_on_action:
        return [phrase("Your last card must be a number. You can’t finish with any other card.")]
    return [
        phrase("You may finish with any card, special cards and Wilds too."),
        phrase("If the last card is a Draw Two or a Wild Draw Four, the next player still draws.")
        if rules.final_draw
        else phrase("If the last card is a Draw Two or a Wild Draw Four, nobody draws any more."),
    ]


def _then(wording: Wording, rules: Ruleset) -> tuple[str, ...]:
    phrase = wording.phrase
    if not rules.counts_points:
        return (phrase("Who has no cards left wins the game, and the game is over."),)
    if rules.after_out == "game_ends":
        return (phrase("Who has no cards left wins the game. The points are counted, and the game is over."),)
    if rules.after_out == "finisher_redraws":
        return (
            phrase(
                "The points are counted. Who has finished draws {cards:count}, the others keep theirs, "
                "and the next player plays.",
                cards=rules.hand_size,
            ),
        )
    return (
        phrase(
            "The points are counted. Then all cards are shuffled and dealt again, "
            "by the player on the dealer’s left."
        ),
    )


def the_points(wording: Wording, rules: Ruleset, decides: str) -> RulesSection:
    """What cards count, whose they are, who wins the game, and who comes where if places decide; empty where
    there are no points.
    """
    title = translate("Points", wording.language, "rules sheet")
    if not rules.counts_points:
        return RulesSection("points", title)
    sentences = [_whose(wording, rules)]
    if plays_to_a_target(rules):
        sentences.append(_winner(wording, rules))
    if decides == "places":
        sentences.append(_places(wording, rules))
    return RulesSection("points", title, tuple(sentences), values=card_values(wording, rules))


def _whose(wording: Wording, rules: Ruleset) -> str:
    if rules.scoring == "winner_takes":
        return wording.phrase("Who has finished gets the points of all the cards that the others still hold.")
    return wording.phrase("Everybody writes down the points of the cards they hold. Few points are good.")


def _winner(wording: Wording, rules: Ruleset) -> str:
    phrase = wording.phrase
    if rules.scoring == "winner_takes":
        return phrase("Who is first to have {target:points} or more wins the game.", target=rules.target)
    if rules.scoring == "elimination":
        return phrase(
            "Who has {target:points} or more leaves the table. Who has just finished stays in. "
            "The last one left wins.",
            target=rules.target,
        )
    level = (
        phrase("Level? You play on.")
        if rules.after_out == "finisher_redraws"
        else phrase("Level? You play one more deal.")
    )
    won = phrase(
        "When somebody has {target:points} or more, whoever has the fewest wins the game.",
        target=rules.target,
    )
    return f"{won} {level}"


def _places(wording: Wording, rules: Ruleset) -> str:
    if rules.scoring == "winner_takes":
        return wording.phrase(
            "The points say who comes where at the table: the most first. Who has as many shares the place."
        )
    return wording.phrase(
        "The points say who comes where at the table: the fewest first. Who has as many shares the place."
    )


def card_values(wording: Wording, rules: Ruleset) -> tuple[RulesTableRow, ...]:
    """What each kind of card counts when it is left in a hand."""
    phrase = wording.phrase
    actions = ("GS", "BR", "Y+2") if has_reverses(rules) else ("GS", "Y+2")
    return (
        RulesTableRow(("R7",), phrase("Numbers"), phrase("their number")),
        RulesTableRow(
            actions,
            phrase("Skip, Reverse, Draw Two") if has_reverses(rules) else phrase("Skip, Draw Two"),
            wording.points(POINTS["GS"]),
        ),
        RulesTableRow(("W", "W+4"), phrase("Wild, Wild Draw Four"), wording.points(POINTS["W"])),
    )


def two_players(wording: Wording, rules: Ruleset) -> RulesSection:
    """What is different when two are left or only two play; empty where that can't be."""
    phrase = wording.phrase
    title = phrase("Two players")
    if not has_two(rules):
        return RulesSection("two", title)
    reverse = {
        "skip": phrase("Skip and Reverse do the same: it is your turn again."),
        "plain": phrase("After a Skip it is your turn again. A Reverse does nothing: the other one plays."),
        "removed": phrase("All Reverses are taken out of the pack. After a Skip it is your turn again."),
    }
    sentences = [reverse[rules.reverse_with_two]]
    if has_skip_twins(rules):
        sentences.append(phrase("Skip and Reverse go on each other, whatever their colour."))
    return RulesSection("two", title, tuple(sentences))
