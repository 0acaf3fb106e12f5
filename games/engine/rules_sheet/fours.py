"""Wild Draw Four: when it may be played, how it is challenged; and answering a draw card."""

from games.engine.rules_sheet.effects import (
    draws_at_the_end,
    forbids_fours_on_fours,
    forbids_fours_on_twos,
    has_answering_fours,
    has_answers,
    has_two,
    may_draw_after_taking_back,
)
from games.engine.rules_sheet.model import RulesSection, Voice
from games.engine.ruleset import Ruleset

_FOUR = 4


def wild_draw_four(voice: Voice, rules: Ruleset) -> RulesSection:
    """Its condition, and what a challenge costs whom."""
    say = voice.say
    if rules.wild_four_condition == "no_playable_card":
        condition = say(
            en="You may play it only if no other card of yours fits. A Wild fits too. "
            "A second Wild Draw Four doesn’t count.",
            it="Lo puoi giocare solo se nessun’altra tua carta va bene. Anche un Jolly va bene. "
            "Un secondo Jolly Pesca quattro non conta.",
        )
    else:
        condition = say(
            en="You may play it only if you hold no card of the colour in play. "
            "Cards with the same number or symbol, and Wilds, don’t matter.",
            it="Lo puoi giocare solo se non hai carte del colore in gioco. "
            "Le carte con lo stesso numero o simbolo, e i Jolly, non contano.",
        )
    return RulesSection(
        "four",
        say(en="Wild Draw Four", it="Jolly Pesca quattro"),
        (condition, *_challenge(voice, rules)),
    )


def _challenge(voice: Voice, rules: Ruleset) -> tuple[str, ...]:
    say = voice.say
    if not rules.challenge:
        return (
            say(en="Nobody can challenge it: play fair.", it="Non si può contestare: si gioca onestamente."),
        )
    who = say(
        en="Who should draw the 4 cards may challenge it. Nobody else can, and only before drawing. "
        "Then you show that player your cards.",
        it="Chi deve pescare le 4 carte può contestare. Lo può fare solo lui, e prima di pescare. "
        "Allora gli fai vedere le tue carte.",
    )
    if rules.challenge_upheld == "offender_draws":
        upheld = say(
            en="You weren’t allowed to? You draw the 4 cards yourself. The colour you named stays. "
            "Who challenged you plays.",
            it="Non potevi giocarlo? Le 4 carte le peschi tu. Il colore che hai detto resta. "
            "Gioca chi ha contestato.",
        )
    else:
        upheld = say(
            en="You weren’t allowed to? You take the card back and draw 4 cards. Then you must play another "
            "card that fits.",
            it="Non potevi giocarlo? Riprendi la carta e peschi 4 carte. Poi devi giocare un’altra carta "
            "che va bene.",
        )
    extra = rules.challenge_failed_cards - _FOUR
    count = voice.cards(rules.challenge_failed_cards)
    if extra:
        failed = say(
            en=f"You were allowed to? Who challenged you draws {count}, and not 4, and misses a turn.",
            it=f"Potevi giocarlo? Chi ha contestato pesca {count}, e non 4, e salta il turno.",
        )
    else:
        failed = say(
            en=f"You were allowed to? Who challenged you draws the {count} and misses a turn.",
            it=f"Potevi giocarlo? Chi ha contestato pesca le {count} e salta il turno.",
        )
    return who, upheld, failed


def answering(voice: Voice, rules: Ruleset) -> RulesSection:
    """Draw cards on draw cards; without sentences where there is no such thing."""
    title = voice.say(en="Answering a draw card", it="Rispondere a una carta pesca")
    if not has_answers(rules):
        return RulesSection("answers", title)
    return RulesSection(
        "answers", title, (*_which(voice, rules), *_sum(voice, rules), *_answering_fours(voice, rules))
    )


def _which(voice: Voice, rules: Ruleset) -> list[str]:
    say = voice.say
    told = []
    if rules.draw_two_stacks:
        told.append(
            say(
                en="You may answer a Draw Two with a Draw Two of any colour.",
                it="A un Pesca due puoi rispondere con un Pesca due di qualsiasi colore.",
            )
        )
    if rules.wild_four_on_draw_two:
        told.append(
            say(
                en="You may answer a Draw Two with a Wild Draw Four.",
                it="A un Pesca due puoi rispondere con un Jolly Pesca quattro.",
            )
        )
    if rules.wild_four_on_wild_four and rules.draw_two_on_wild_four:
        told.append(
            say(
                en="You may answer a Wild Draw Four with a Wild Draw Four, or with a Draw Two of any colour.",
                it="A un Jolly Pesca quattro puoi rispondere con un Jolly Pesca quattro, o con un Pesca due "
                "di qualsiasi colore.",
            )
        )
    elif rules.draw_two_on_wild_four:
        told.append(
            say(
                en="You may answer a Wild Draw Four with a Draw Two of any colour, and with nothing else.",
                it="A un Jolly Pesca quattro puoi rispondere con un Pesca due di qualsiasi colore, e con "
                "nient’altro.",
            )
        )
    elif rules.wild_four_on_wild_four:
        told.append(
            say(
                en="You may answer a Wild Draw Four with a Wild Draw Four, and with nothing else.",
                it="A un Jolly Pesca quattro puoi rispondere con un Jolly Pesca quattro, e con nient’altro.",
            )
        )
    else:
        told.append(
            say(
                en="There is no answer to a Wild Draw Four.",
                it="A un Jolly Pesca quattro non si risponde.",
            )
        )
    return told


def _sum(voice: Voice, rules: Ruleset) -> list[str]:
    say = voice.say
    told = [
        say(
            en="The cards add up. Who doesn’t answer draws them all.",
            it="Le carte si sommano. Chi non risponde le pesca tutte.",
        )
    ]
    if draws_at_the_end(rules):
        told.append(_last_card(voice, rules))
    return told


def _last_card(voice: Voice, rules: Ruleset) -> str:
    """Whether a draw card that was its player's last can be answered."""
    say = voice.say
    if not rules.stack_on_last_card or rules.max_players == 2:
        return say(
            en="You can’t answer somebody’s last card.",
            it="All’ultima carta di chi ha finito non si risponde.",
        )
    told = say(
        en="You may answer somebody’s last card too, if a third player still has cards.",
        it="Si può rispondere anche all’ultima carta di chi ha finito, se un terzo ha ancora carte.",
    )
    if not has_two(rules):
        return told
    return f"{told} " + say(en="Between two players you can’t.", it="In due non si può.")


def _answering_fours(voice: Voice, rules: Ruleset) -> list[str]:
    """A Wild Draw Four as an answer: on which condition, and what a challenge then costs."""
    if not has_answering_fours(rules):
        return []
    say = voice.say
    told = [_condition(voice, rules)]
    if rules.challenge:
        extra = rules.challenge_failed_cards - _FOUR
        lost = say(
            en="If it is challenged, who is wrong draws the whole sum",
            it="Se lo si contesta, chi ha torto pesca tutta la somma",
        )
        if extra:
            lost += say(
                en=f"; who challenged without reason draws {voice.cards(extra)} more",
                it=f"; chi ha contestato senza ragione pesca {voice.cards(extra)} in più",
            )
        told.append(f"{lost}.")
    if may_draw_after_taking_back(rules):
        told.append(
            say(
                en="If you take it back and none of your cards fits, you draw one card.",
                it="Se lo riprendi e nessuna tua carta va bene, peschi una carta.",
            )
        )
    return told


def _condition(voice: Voice, rules: Ruleset) -> str:
    say = voice.say
    free = say(
        en="As an answer, a Wild Draw Four is always allowed.",
        it="In risposta, il Jolly Pesca quattro si può giocare sempre.",
    )
    if rules.stacked_wild_four_free:
        return free
    if rules.wild_four_condition == "no_playable_card":
        return _no_other_answer(voice, rules) or free
    condition = say(
        en="As an answer too, a Wild Draw Four is allowed only if you hold no card of the colour in play.",
        it="Anche in risposta, il Jolly Pesca quattro si può giocare solo se non hai carte del colore "
        "in gioco.",
    )
    if not rules.wild_four_on_wild_four:
        return condition
    if rules.stacked_wild_four_color == "named":
        return f"{condition} " + say(
            en="On another Wild Draw Four, that is the colour that was just named.",
            it="Su un altro Jolly Pesca quattro, è il colore appena detto.",
        )
    return f"{condition} " + say(
        en="On another Wild Draw Four, that is the colour from before the first of them.",
        it="Su un altro Jolly Pesca quattro, è il colore che c’era prima del primo.",
    )


def _no_other_answer(voice: Voice, rules: Ruleset) -> str:
    """Under `no_playable_card`: nothing else may be held that could answer, which is only ever a Draw Two.

    Empty where none could.
    """
    say = voice.say
    on_twos, on_fours = forbids_fours_on_twos(rules), forbids_fours_on_fours(rules)
    if on_twos and on_fours:
        return say(
            en="You may answer with a Wild Draw Four only if you hold no Draw Two.",
            it="Puoi rispondere con un Jolly Pesca quattro solo se non hai un Pesca due.",
        )
    if on_twos:
        told = say(
            en="You may answer a Draw Two with a Wild Draw Four only if you hold no Draw Two.",
            it="A un Pesca due puoi rispondere con un Jolly Pesca quattro solo se non hai un Pesca due.",
        )
        free = say(
            en="On another Wild Draw Four it is always allowed.",
            it="Su un altro Jolly Pesca quattro si può giocare sempre.",
        )
        return f"{told} {free}" if rules.wild_four_on_wild_four else told
    if on_fours:
        told = say(
            en="You may answer a Wild Draw Four with another only if you hold no Draw Two.",
            it="A un Jolly Pesca quattro puoi rispondere con un altro solo se non hai un Pesca due.",
        )
        free = say(
            en="On a Draw Two it is always allowed.",
            it="Su un Pesca due si può giocare sempre.",
        )
        return f"{told} {free}" if rules.wild_four_on_draw_two else told
    return ""
