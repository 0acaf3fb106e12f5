"""UNO: when it is said, until when who forgot can be caught; and what costs how many cards."""

from games.engine.rules_sheet.model import Row, Section, Voice
from games.engine.ruleset import Ruleset

_FOUR = 4


def saying_uno(voice: Voice, rules: Ruleset) -> Section:
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
    return Section(
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


def what_it_costs(voice: Voice, rules: Ruleset) -> Section:
    """The table of penalties."""
    say = voice.say
    rows = []
    if rules.uno_penalty:
        rows.append(
            Row(
                (),
                say(en="UNO forgotten, and caught", it="UNO dimenticato, e scoperto"),
                voice.cards(rules.uno_penalty),
            )
        )
    if rules.prompting_penalty:
        rows.append(
            Row(
                (),
                say(en="You tell another player what to play", it="Suggerisci a un altro che cosa giocare"),
                voice.cards(rules.prompting_penalty),
            )
        )
    rows.append(
        Row(
            (),
            say(en="You play a card that doesn’t fit", it="Giochi una carta che non va bene"),
            _wrong_card(voice, rules),
        )
    )
    if rules.challenge:
        back = rules.challenge_upheld == "taken_back"
        four = voice.cards(_FOUR)
        rows += [
            Row(
                (),
                say(
                    en="You play a Wild Draw Four that you may not play, and are challenged",
                    it="Giochi un Jolly Pesca quattro che non puoi giocare, e ti contestano",
                ),
                say(en=f"{four}; you take it back", it=f"{four}; lo riprendi") if back else four,
            ),
            Row(
                (),
                say(
                    en="You challenge a Wild Draw Four, and are wrong",
                    it="Contesti un Jolly Pesca quattro, e hai torto",
                ),
                voice.cards(rules.challenge_failed_cards),
            ),
        ]
    return Section("costs", say(en="What costs how many cards", it="Quante carte costa"), rows=tuple(rows))


def _wrong_card(voice: Voice, rules: Ruleset) -> str:
    say = voice.say
    count = voice.cards(rules.wrong_card_penalty)
    if rules.wrong_card_penalty and rules.wrong_card_ends_turn:
        return say(
            en=f"{count}; you take it back and miss the turn", it=f"{count}; la riprendi e perdi il turno"
        )
    return say(en=f"{count}; you take it back", it=f"{count}; la riprendi")
