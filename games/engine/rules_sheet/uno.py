"""UNO: when it is said, until when who forgot can be caught; and what costs how many cards."""

from games.engine.rules_sheet.model import RulesSection, RulesTableRow, Voice
from games.engine.ruleset import Ruleset

_FOUR = 4


def saying_uno(voice: Voice, rules: Ruleset) -> RulesSection:
    """The call, its time, and its catch."""
    say = voice.say
    when = {
        "with_card": say(
            en="Say it loudly before your card touches the discard pile. After that it is too late.",
            it="Dillo forte prima che la carta tocchi il mazzo scarti. Dopo è tardi.",
        ),
        "until_caught": say(
            en="You are in time as long as nobody has noticed that you forgot.",
            it="Sei in tempo finché nessuno si è accorto che te ne sei dimenticato.",
        ),
        "until_next_acts": say(
            en="You are in time until the next player plays or draws.",
            it="Sei in tempo finché il prossimo non gioca o pesca.",
        ),
    }
    return RulesSection(
        "uno",
        say(en="UNO!", it="UNO!"),
        (
            say(
                en="When you play and have only 1 card left, say “UNO!”",
                it="Quando giochi e ti resta in mano 1 carta sola, di’ «UNO!».",
            ),
            when[rules.uno_call],
            *_catch(voice, rules),
        ),
    )


def _catch(voice: Voice, rules: Ruleset) -> tuple[str, ...]:
    say = voice.say
    if not rules.uno_penalty:
        return (
            say(
                en="If you forget it, you draw nothing.",
                it="Se te ne dimentichi, non peschi niente.",
            ),
        )
    count = voice.cards(rules.uno_penalty)
    caught = say(
        en=f"If you forget it and anybody at the table says so, you draw {count}.",
        it=f"Se te ne dimentichi e qualcuno al tavolo lo dice, peschi {count}.",
    )
    window = {
        "next_acts": say(
            en="You can be caught until the next player plays or draws.",
            it="Ti possono scoprire finché il prossimo non gioca o pesca.",
        ),
        "second_next_acts": say(
            en="You can be caught even when the next player has played, until the one after plays or draws.",
            it="Ti possono scoprire anche dopo che il prossimo ha giocato, "
            "finché quello dopo non gioca o pesca.",
        ),
    }
    return caught, window[rules.uno_catch_window]


def what_it_costs(voice: Voice, rules: Ruleset) -> RulesSection:
    """The table of penalties."""
    say = voice.say
    costs: list[tuple[str, int]] = []
    if rules.uno_penalty:
        costs.append(
            (say(en="You forget UNO, and are caught", it="Dimentichi UNO, e ti scoprono"), rules.uno_penalty)
        )
    if rules.prompting_penalty:
        costs.append(
            (
                say(en="You tell another player what to play", it="Suggerisci a un altro che cosa giocare"),
                rules.prompting_penalty,
            )
        )
    costs.append((_wrong_card(voice, rules), rules.wrong_card_penalty))
    if rules.challenge:
        costs += _challenges(voice, rules)
    return RulesSection(
        "costs",
        say(en="What costs how many cards", it="Quante carte costa"),
        values=tuple(RulesTableRow((), what, voice.cards(count)) for what, count in costs),
    )


def _wrong_card(voice: Voice, rules: Ruleset) -> str:
    say = voice.say
    if rules.wrong_card_penalty and rules.wrong_card_ends_turn:
        return say(
            en="You play a card that doesn’t fit: take it back, and miss the turn",
            it="Giochi una carta che non va bene: la riprendi, e salti il turno",
        )
    return say(
        en="You play a card that doesn’t fit: take it back",
        it="Giochi una carta che non va bene: la riprendi",
    )


def _challenges(voice: Voice, rules: Ruleset) -> list[tuple[str, int]]:
    say = voice.say
    wrong = say(
        en="You play a Wild Draw Four that you may not play, and are challenged",
        it="Giochi un Jolly Pesca quattro che non puoi giocare, e ti contestano",
    )
    if rules.challenge_upheld == "taken_back":
        wrong += say(en=": take it back", it=": lo riprendi")
    failed = say(
        en="You challenge a Wild Draw Four, and are wrong",
        it="Contesti un Jolly Pesca quattro, e hai torto",
    )
    return [(wrong, _FOUR), (failed, rules.challenge_failed_cards)]
