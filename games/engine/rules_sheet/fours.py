"""Wild Draw Four: when it may be played, how it is challenged; and answering a draw card."""

from games.engine.phrases import Wording
from games.engine.rules_sheet.derived_rules import (
    draws_at_the_end,
    forbids_fours_on_fours,
    forbids_fours_on_twos,
    has_answering_fours,
    has_answers,
    has_two,
    may_draw_after_taking_back,
)
from games.engine.rules_sheet.model import RulesSection
from games.engine.ruleset import Ruleset

_FOUR = 4


def wild_draw_four(wording: Wording, rules: Ruleset) -> RulesSection:
    """The section on a Wild Draw Four: its condition, and what a challenge costs whom."""
    phrase = wording.phrase
    if rules.wild_four_condition == "no_playable_card":
        condition = phrase(
            "You may play it only if no other card of yours fits. A Wild fits too. "
            "A second Wild Draw Four doesn’t count."
        )
    else:
        condition = phrase(
            "You may play it only if you hold no card of the colour in play. "
            "Cards with the same number or symbol, and Wilds, don’t matter."
        )
    return RulesSection("four", phrase("Wild Draw Four"), (condition, *_challenge(wording, rules)))


def _challenge(wording: Wording, rules: Ruleset) -> tuple[str, ...]:
    phrase = wording.phrase
    if not rules.challenge:
        return (phrase("Nobody can challenge it: play fair."),)
    who = phrase(
        "Who should draw the 4 cards may challenge it. Nobody else can, and only before drawing. "
        "Then you show that player your cards."
    )
    if rules.challenge_upheld == "offender_draws":
        upheld = phrase(
            "You weren’t allowed to? You draw the 4 cards yourself. The colour you named stays. "
            "Who challenged you plays."
        )
    else:
        upheld = phrase(
            "You weren’t allowed to? You take the card back and draw 4 cards. Then you must play another "
            "card that fits."
        )
    extra = rules.challenge_failed_cards - _FOUR
    if extra:
        failed = phrase(
            "You were allowed to? Who challenged you draws {cards:count}, and not 4, and misses a turn.",
            cards=rules.challenge_failed_cards,
        )
    else:
        failed = phrase(
            "You were allowed to? Who challenged you draws the {cards:count} and misses a turn.",
            cards=rules.challenge_failed_cards,
        )
    return who, upheld, failed


def answering(wording: Wording, rules: Ruleset) -> RulesSection:
    """The section on draw cards that answer draw cards; without sentences where no rule lets them."""
    title = wording.phrase("Answering a draw card")
    if not has_answers(rules):
        return RulesSection("answers", title)
    return RulesSection(
        "answers", title, (*_which(wording, rules), *_sum(wording, rules), *_answering_fours(wording, rules))
    )


def _which(wording: Wording, rules: Ruleset) -> list[str]:
    phrase = wording.phrase
    told = []
    if rules.draw_two_stacks:
        told.append(phrase("You may answer a Draw Two with a Draw Two of any colour."))
    if rules.wild_four_on_draw_two:
        told.append(phrase("You may answer a Draw Two with a Wild Draw Four."))
    if rules.wild_four_on_wild_four and rules.draw_two_on_wild_four:
        told.append(
            phrase("You may answer a Wild Draw Four with a Wild Draw Four, or with a Draw Two of any colour.")
        )
    elif rules.draw_two_on_wild_four:
        told.append(
            phrase("You may answer a Wild Draw Four with a Draw Two of any colour, and with nothing else.")
        )
    elif rules.wild_four_on_wild_four:
        told.append(phrase("You may answer a Wild Draw Four with a Wild Draw Four, and with nothing else."))
    else:
        told.append(phrase("There is no answer to a Wild Draw Four."))
    return told


def _sum(wording: Wording, rules: Ruleset) -> list[str]:
    phrase = wording.phrase
    told = [phrase("The cards add up. Who doesn’t answer draws them all.")]
    if draws_at_the_end(rules):
        told.append(_last_card(wording, rules))
    return told


def _last_card(wording: Wording, rules: Ruleset) -> str:
    """Whether a draw card that was its player's last can be answered."""
    phrase = wording.phrase
    if not rules.stack_on_last_card or rules.max_players == 2:
        return phrase("You can’t answer somebody’s last card.")
    told = phrase("You may answer somebody’s last card too, if a third player still has cards.")
    if not has_two(rules):
        return told
    return f"{told} " + phrase("Between two players you can’t.")


def _answering_fours(wording: Wording, rules: Ruleset) -> list[str]:
    """A Wild Draw Four as an answer: on which condition, and what a challenge then costs."""
    if not has_answering_fours(rules):
        return []
    phrase = wording.phrase
    told = [_condition(wording, rules)]
    if rules.challenge:
        extra = rules.challenge_failed_cards - _FOUR
        told.append(
            phrase(
                "If it is challenged, who is wrong draws the whole sum; "
                "who challenged without reason draws {extra:count} more.",
                extra=extra,
            )
            if extra
            else phrase("If it is challenged, who is wrong draws the whole sum.")
        )
    if may_draw_after_taking_back(rules):
        told.append(phrase("If you take it back and none of your cards fits, you draw one card."))
    return told


def _condition(wording: Wording, rules: Ruleset) -> str:
    phrase = wording.phrase
    free = phrase("As an answer, a Wild Draw Four is always allowed.")
    if rules.stacked_wild_four_free:
        return free
    if rules.wild_four_condition == "no_playable_card":
        return _no_other_answer(wording, rules) or free
    condition = phrase(
        "As an answer too, a Wild Draw Four is allowed only if you hold no card of the colour in play."
    )
    if not rules.wild_four_on_wild_four:
        return condition
    if rules.stacked_wild_four_color == "named":
        return f"{condition} " + phrase("On another Wild Draw Four, that is the colour that was just named.")
    return f"{condition} " + phrase(
        "On another Wild Draw Four, that is the colour from before the first of them."
    )


def _no_other_answer(wording: Wording, rules: Ruleset) -> str:
    """Under `no_playable_card`: nothing else may be held that could answer, which is only ever a Draw Two.

    Empty where none could.
    """
    phrase = wording.phrase
    on_twos, on_fours = forbids_fours_on_twos(rules), forbids_fours_on_fours(rules)
    if on_twos and on_fours:
        return phrase("You may answer with a Wild Draw Four only if you hold no Draw Two.")
    if on_twos:
        told = phrase("You may answer a Draw Two with a Wild Draw Four only if you hold no Draw Two.")
        free = phrase("On another Wild Draw Four it is always allowed.")
        return f"{told} {free}" if rules.wild_four_on_wild_four else told
    if on_fours:
        told = phrase("You may answer a Wild Draw Four with another only if you hold no Draw Two.")
        free = phrase("On a Draw Two it is always allowed.")
        return f"{told} {free}" if rules.wild_four_on_draw_two else told
    return ""
