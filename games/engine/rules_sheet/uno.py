"""UNO: when it is said, until when who forgot can be caught; and what costs how many cards."""

from games.engine.phrases import Wording
from games.engine.rules_sheet.model import RulesSection, RulesTableRow
from games.engine.ruleset import Ruleset

_FOUR = 4


def saying_uno(wording: Wording, rules: Ruleset) -> RulesSection:
    """The call, its time, and its catch."""
    phrase = wording.phrase
    when = {
        "with_card": phrase(
            "Say it loudly before your card touches the discard pile. After that it is too late."
        ),
        "until_caught": phrase("You are in time as long as nobody has noticed that you forgot."),
        "until_next_acts": phrase("You are in time until the next player plays or draws."),
    }
    return RulesSection(
        "uno",
        phrase("UNO!"),
        (
            phrase("When you play and have only 1 card left, say “UNO!”"),
            when[rules.uno_call],
            *_catch(wording, rules),
        ),
    )


def _catch(wording: Wording, rules: Ruleset) -> tuple[str, ...]:
    phrase = wording.phrase
    if not rules.uno_penalty:
        return (phrase("If you forget it, you draw nothing."),)
    caught = phrase(
        "If you forget it and anybody at the table says so, you draw {cards:count}.", cards=rules.uno_penalty
    )
    window = {
        "next_acts": phrase("You can be caught until the next player plays or draws."),
        "second_next_acts": phrase(
            "You can be caught even when the next player has played, until the one after plays or draws."
        ),
    }
    return caught, window[rules.uno_catch_window]


def what_it_costs(wording: Wording, rules: Ruleset) -> RulesSection:
    """The table of penalties."""
    phrase = wording.phrase
    costs: list[tuple[str, int]] = []
    if rules.uno_penalty:
        costs.append((phrase("You forget UNO, and are caught"), rules.uno_penalty))
    if rules.prompting_penalty:
        costs.append((phrase("You tell another player what to play"), rules.prompting_penalty))
    costs.append((_wrong_card(wording, rules), rules.wrong_card_penalty))
    if rules.challenge:
        costs += _challenges(wording, rules)
    return RulesSection(
        "costs",
        phrase("What costs how many cards"),
        values=tuple(RulesTableRow((), what, wording.cards(count)) for what, count in costs),
    )


def _wrong_card(wording: Wording, rules: Ruleset) -> str:
    phrase = wording.phrase
    if rules.wrong_card_penalty and rules.wrong_card_ends_turn:
        return phrase("You play a card that doesn’t fit: take it back, and miss the turn")
    return phrase("You play a card that doesn’t fit: take it back")


def _challenges(wording: Wording, rules: Ruleset) -> list[tuple[str, int]]:
    phrase = wording.phrase
    if rules.challenge_upheld == "taken_back":
        wrong = phrase("You play a Wild Draw Four that you may not play, and are challenged: take it back")
    else:
        wrong = phrase("You play a Wild Draw Four that you may not play, and are challenged")
    failed = phrase("You challenge a Wild Draw Four, and are wrong")
    return [(wrong, _FOUR), (failed, rules.challenge_failed_cards)]
