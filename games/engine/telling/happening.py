"""An event in words; the state before makes them more exact where it is known."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.engine.cards import WILD_FOUR
from games.engine.events import (
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerCut,
    DealerNamed,
    DealStarted,
    Event,
    EventVoided,
    GameClosed,
    GameOpened,
    HandShown,
    PenaltyGiven,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from games.engine.presets import TITLES
from games.engine.state import AFTER_DRAW, ANSWER, State
from games.engine.telling.parts import Line, Part, Parts, as_line, inside
from games.engine.telling.voice import Texts, Voice
from games.engine.words import translate

_OPENED: Final[Texts] = {
    "en": "at the table: {names}. They play by {rules}",
    "it": "al tavolo: {names}. Si gioca con {rules}",
}
_CHANGED: Final[Texts] = {"en": "{rules}, with changes", "it": "{rules}, con modifiche"}
_CUT: Final[Texts] = {"en": "they cut for the deal: {cuts}", "it": "si pesca per il mazziere: {cuts}"}
_DEALER: Final[Texts] = {"en": "{seat} is the dealer", "it": "il mazziere è {seat}"}
_DEALT: Final[Texts] = {"en": "{seat} deals the cards", "it": "{seat} distribuisce le carte"}
_DEALT_SO_MANY: Final[Texts] = {
    "en": "{seat} deals {cards} to each",
    "it": "{seat} distribuisce {cards} a testa",
}
_DEALT_AGAIN: Final[Texts] = {"en": "deal {number}: {dealt}", "it": "mano {number}: {dealt}"}
_HANDS: Final[Texts] = {"en": "{dealt}. They hold: {hands}", "it": "{dealt}. In mano hanno: {hands}"}
_TURNED: Final[Texts] = {"en": "the first card is {card}", "it": "la prima carta è {card}"}
_NAMED: Final[Texts] = {"en": "{seat} names {color}", "it": "{seat} chiama il {color}"}

_PLAYS: Final[Texts] = {"en": "{seat} plays {cards}", "it": "{seat} gioca {cards}"}
_PLAYS_TOGETHER: Final[Texts] = {
    "en": "{seat} plays {cards} together",
    "it": "{seat} gioca insieme {cards}",
}
_PLAYS_DRAWN: Final[Texts] = {
    "en": "{seat} plays the card just drawn, {cards}",
    "it": "{seat} gioca la carta appena pescata, {cards}",
}
_ANSWERS: Final[Texts] = {"en": "{seat} answers with {cards}", "it": "{seat} risponde con {cards}"}
_NAMES_IT: Final[Texts] = {"en": "names {color}", "it": "chiama il {color}"}
_SAYS_UNO: Final[Texts] = {"en": "says UNO", "it": "dice UNO"}

_DRAWS: Final[Texts] = {"en": "{seat} draws {cards}", "it": "{seat} pesca {cards}"}
_DRAWS_THESE: Final[Texts] = {"en": "{seat} draws {cards}: {these}", "it": "{seat} pesca {cards}: {these}"}
_PASSES: Final[Texts] = {"en": "{seat} passes", "it": "{seat} passa"}
_CALLED: Final[Texts] = {
    "en": "{seat} says it just in time: UNO!",
    "it": "{seat} lo dice appena in tempo: UNO!",
}
_CAUGHT: Final[Texts] = {
    "en": "{catcher} notices: {seat} didn’t say UNO",
    "it": "{catcher} se ne accorge: {seat} non ha detto UNO",
}
_CAUGHT_BY_SOMEBODY: Final[Texts] = {
    "en": "somebody notices: {seat} didn’t say UNO",
    "it": "qualcuno se ne accorge: {seat} non ha detto UNO",
}
_CHALLENGES_WHOSE: Final[Texts] = {
    "en": "{seat} challenges {offender}’s {four}",
    "it": "{seat} contesta il {four} di {offender}",
}
_CHALLENGES: Final[Texts] = {"en": "{seat} challenges the {four}", "it": "{seat} contesta il {four}"}
_RIGHTLY: Final[Texts] = {"en": "{challenged}, and is right", "it": "{challenged}, e ha ragione"}
_WRONGLY: Final[Texts] = {"en": "{challenged}, and is wrong", "it": "{challenged}, e ha torto"}
_SHOWN_HAND: Final[Texts] = {
    "en": "{challenged}. The hand that is shown: {hand}",
    "it": "{challenged}. La mano mostrata: {hand}",
}
_PROMPTED: Final[Texts] = {
    "en": "{seat} prompted another player",
    "it": "{seat} ha suggerito a un altro giocatore",
}
_WRONG: Final[Texts] = {
    "en": "{seat} takes back a wrong card",
    "it": "{seat} riprende una carta sbagliata",
}
_WRONG_THIS: Final[Texts] = {
    "en": "{seat} takes back a wrong card, {card}",
    "it": "{seat} riprende una carta sbagliata, {card}",
}
_GIFT: Final[Texts] = {
    "en": "{seat}’s zero is a gift for {to}",
    "it": "lo zero di {seat} è un regalo per {to}",
}
_RESHUFFLED: Final[Texts] = {
    "en": "the draw pile is used up: the discards are shuffled and become the new one",
    "it": "il mazzo pesca è finito: gli scarti si mescolano e prendono il suo posto",
}
_SHOWN: Final[Texts] = {"en": "{seat} is left with {what}", "it": "{seat} resta con {what}"}
_SHOWN_POINTS: Final[Texts] = {
    "en": "{seat} is left with {what} in hand",
    "it": "{seat} resta con {what} in mano",
}
_CLOSED: Final[Mapping[str, Texts]] = {
    "result": {"en": "the result: {who}", "it": "il risultato: {who}"},
    "time": {"en": "the bell ends the game: {who}", "it": "la campana chiude la partita: {who}"},
    "forfeit": {
        "en": "one side isn’t there: {who}",
        "it": "una parte non si è presentata: {who}",
    },
    "abandoned": {"en": "the game is broken off: {who}", "it": "la partita è interrotta: {who}"},
}
_WINS: Final[Texts] = {"en": "{who} wins", "it": "vince {who}"}
_NOBODY: Final[Texts] = {"en": "nobody wins", "it": "non vince nessuno"}
_VOIDED: Final[Texts] = {
    "en": "correction: line {line} doesn’t count any more",
    "it": "correzione: la riga {line} non vale più",
}
_VOIDED_THIS: Final[Texts] = {
    "en": "correction: line {line} doesn’t count any more, “{was}”",
    "it": "correzione: la riga {line} non vale più, «{was}»",
}
_REASON: Final[Texts] = {"en": "{voided} ({reason})", "it": "{voided} ({reason})"}


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What a sentence may draw on beside the event: the state before it, where that is known.

    `was` is the telling of what a correction takes out. `is_open`: cards that only their holder sees are
    told, where the event has them.
    """

    voice: Voice
    before: State | None
    was: Line | None
    is_open: bool


def happened(event: Event, glimpse: Glimpse) -> Line:
    """The sentence of one event."""
    return as_line(_HAPPENED[type(event)](event, glimpse))


def _of_seat(texts: Texts) -> Callable[[Any, Glimpse], Parts]:
    """How an event is told of which only the seat is said."""
    return lambda event, glimpse: glimpse.voice.fill(texts, seat=glimpse.voice.seat(event.seat))


# The beginning


def _opened(event: GameOpened, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    title = translate(TITLES[event.ruleset.preset], voice.language)
    rules: Parts = (Part(title[0].lower() + title[1:]),)
    if not isinstance(event.ruleset.to_json(), str):
        rules = voice.fill(_CHANGED, rules=rules)
    return voice.fill(_OPENED, names=voice.seats(range(len(event.seats))), rules=rules)


def _cut(event: DealerCut, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    return voice.fill(
        _CUT, cuts=voice.rows((seat, voice.card(card)) for seat, card in sorted(event.cards.items()))
    )


def _dealt(event: DealStarted, glimpse: Glimpse) -> Parts:
    voice, before = glimpse.voice, glimpse.before
    seat = voice.seat(event.dealer)
    if before is None:
        dealt = voice.fill(_DEALT, seat=seat)
    else:
        dealt = voice.fill(_DEALT_SO_MANY, seat=seat, cards=voice.count(before.ruleset.hand_size))
        if before.deal:
            dealt = voice.fill(_DEALT_AGAIN, number=voice.number(before.deal + 1), dealt=dealt)
    hands = {seat: cards for seat, cards in sorted((event.hands or {}).items()) if cards}
    if not hands or not glimpse.is_open:
        return dealt
    rows = voice.rows((seat, voice.listed([voice.card(card) for card in hands[seat]])) for seat in hands)
    return voice.fill(_HANDS, dealt=dealt, hands=rows)


def _turned(event: CardTurned, glimpse: Glimpse) -> Parts:
    return glimpse.voice.fill(_TURNED, card=glimpse.voice.a_card(event.card))


def _color_named(event: ColorNamed, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    return voice.fill(_NAMED, seat=voice.seat(event.seat), color=voice.color(event.color))


# Turns


def _played(event: CardsPlayed, glimpse: Glimpse) -> Parts:
    voice, before = glimpse.voice, glimpse.before
    cards = event.cards
    texts = _PLAYS
    if len(cards) > 1:
        texts = _PLAYS_TOGETHER
    elif before is not None and before.phase == AFTER_DRAW:
        texts = _PLAYS_DRAWN
    elif before is not None and before.phase == ANSWER:
        texts = _ANSWERS
    told = voice.a_card(cards[0], event.color) if len(cards) == 1 else voice.cards(cards)
    acts = [voice.fill(texts, seat=voice.seat(event.seat), cards=told)]
    if event.color is not None:
        acts.append(voice.fill(_NAMES_IT, color=voice.color(event.color)))
    # Said with more cards in hand, it means nothing.
    if event.uno and (before is None or before.hands[event.seat] - len(cards) == 1):
        acts.append((*voice.fill(_SAYS_UNO), Part("!")))
    if texts is _PLAYS_DRAWN and len(acts) > 1:
        # The card stands between commas.
        acts[0] = (*acts[0], Part(","))
    return voice.listed(acts)


def _drawn(event: CardsDrawn, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    seat, cards = voice.seat(event.seat), voice.count(event.count)
    if event.cards and glimpse.is_open:
        return voice.fill(_DRAWS_THESE, seat=seat, cards=cards, these=voice.cards(event.cards))
    return voice.fill(_DRAWS, seat=seat, cards=cards)


def _caught(event: UnoCaught, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    seat = voice.seat(event.seat)
    if event.catcher is None:
        return voice.fill(_CAUGHT_BY_SOMEBODY, seat=seat)
    return voice.fill(_CAUGHT, seat=seat, catcher=voice.seat(event.catcher))


def _challenged(event: ChallengeMade, glimpse: Glimpse) -> Parts:
    voice, before = glimpse.voice, glimpse.before
    seat, four = voice.seat(event.seat), voice.card(WILD_FOUR)
    if before is None or before.hit is None:
        told = voice.fill(_CHALLENGES, seat=seat, four=four)
    else:
        told = voice.fill(_CHALLENGES_WHOSE, seat=seat, four=four, offender=voice.seat(before.hit.offender))
    told = voice.fill(_RIGHTLY if event.upheld else _WRONGLY, challenged=told)
    if event.hand and glimpse.is_open:
        told = voice.fill(_SHOWN_HAND, challenged=told, hand=voice.cards(event.hand))
    return told


def _penalty(event: PenaltyGiven, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    seat = voice.seat(event.seat)
    if event.reason == "prompting":
        return voice.fill(_PROMPTED, seat=seat)
    if event.card is None:
        return voice.fill(_WRONG, seat=seat)
    return voice.fill(_WRONG_THIS, seat=seat, card=voice.a_card(event.card))


def _gift(event: ZeroGift, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    return voice.fill(_GIFT, seat=voice.seat(event.seat), to=voice.seat(event.to))


def _reshuffled(event: PileReshuffled, glimpse: Glimpse) -> Parts:
    return glimpse.voice.fill(_RESHUFFLED)


# The end


def _shown(event: HandShown, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    seat = voice.seat(event.seat)
    if event.cards is not None:
        return voice.fill(_SHOWN, seat=seat, what=voice.cards(event.cards))
    return voice.fill(_SHOWN_POINTS, seat=seat, what=voice.points(event.points or 0))


def _closed(event: GameClosed, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    if event.winner is not None:
        who = voice.fill(_WINS, who=voice.seat(event.winner))
    elif event.team is not None:
        who = voice.fill(_WINS, who=voice.team(event.team))
    else:
        who = voice.fill(_NOBODY)
    return voice.fill(_CLOSED[event.reason], who=who)


def _voided(event: EventVoided, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    line = voice.number(event.line)
    if glimpse.was is None:
        told = voice.fill(_VOIDED, line=line)
    else:
        told = voice.fill(_VOIDED_THIS, line=line, was=inside(glimpse.was))
    reason = voice.reason(event.reason)
    return voice.fill(_REASON, voided=told, reason=reason) if reason else told


_HAPPENED: Final[Mapping[type[Event], Callable[[Any, Glimpse], Parts]]] = {
    GameOpened: _opened,
    DealerCut: _cut,
    DealerNamed: _of_seat(_DEALER),
    DealStarted: _dealt,
    CardTurned: _turned,
    ColorNamed: _color_named,
    CardsPlayed: _played,
    CardsDrawn: _drawn,
    TurnPassed: _of_seat(_PASSES),
    UnoCalled: _of_seat(_CALLED),
    UnoCaught: _caught,
    ChallengeMade: _challenged,
    PenaltyGiven: _penalty,
    ZeroGift: _gift,
    PileReshuffled: _reshuffled,
    HandShown: _shown,
    GameClosed: _closed,
    EventVoided: _voided,
}
