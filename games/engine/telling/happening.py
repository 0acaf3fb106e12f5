"""An event in words; the state before makes them more exact where it is known."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.engine.cards import WILD_FOUR
from games.engine.events import (
    EVENT_FIELDS,
    CardsDrawn,
    CardsPlayed,
    ChallengeMade,
    DealStarted,
    Event,
    EventVoided,
    GameClosed,
    GameOpened,
    HandShown,
    PenaltyGiven,
    UnoCaught,
)
from games.engine.presets import TITLES
from games.engine.state import AFTER_DRAW, ANSWER, State
from games.engine.telling.model import Line, Part, Parts, as_line, inside
from games.engine.telling.wording import Voice
from games.engine.translations import mark, translate

_OPENED: Final = mark("at the table: {names}. They play by {rules}")
_CHANGED: Final = mark("{rules}, with changes")
_DEALT_SO_MANY: Final = mark("{seat} deals {cards} to each")
_DEALT_AGAIN: Final = mark("deal {number}: {dealt}")
_HANDS: Final = mark("{dealt}. They hold: {hands}")

_PLAYS_TOGETHER: Final = mark("{seat} plays {cards} together")
_PLAYS_DRAWN: Final = mark("{seat} plays the card just drawn, {cards}")
_ANSWERS: Final = mark("{seat} answers with {cards}")
_SAYS_UNO: Final = mark("says UNO")

_DRAWS_THESE: Final = mark("{seat} draws {cards}: {these}")
_CAUGHT: Final = mark("{catcher} notices: {seat} didn’t say UNO")
_CHALLENGES_WHOSE: Final = mark("{seat} challenges {offender}’s {four}")
_CHALLENGES: Final = mark("{seat} challenges the {four}")
_RIGHTLY: Final = mark("{challenged}, and is right")
_WRONGLY: Final = mark("{challenged}, and is wrong")
_SHOWN_HAND: Final = mark("{challenged}. The hand that is shown: {hand}")
_PROMPTED: Final = mark("{seat} prompted another player")
_WRONG: Final = mark("{seat} takes back a wrong card")
_WRONG_THIS: Final = mark("{seat} takes back a wrong card, {card}")
_SHOWN: Final = mark("{seat} is left with {what}")
_SHOWN_POINTS: Final = mark("{seat} is left with {what} in hand")
_CLOSED: Final = {
    "result": mark("the result: {who}"),
    "time": mark("the bell ends the game: {who}"),
    "forfeit": mark("one side isn’t there: {who}"),
    "abandoned": mark("the game is broken off: {who}"),
}
_WINS: Final = mark("{who} wins")
_NOBODY: Final = mark("nobody wins")
_FIRST_SHARED: Final = mark("several share the first place")
_VOIDED: Final = mark("correction: line {line} doesn’t count any more")
_VOIDED_THIS: Final = mark("correction: line {line} doesn’t count any more, “{was}”")
_REASON: Final = mark("{voided} ({reason})")


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
    """The sentence of one event: that of its type, where nothing more is to be told."""
    own = _HAPPENED.get(type(event))
    return as_line(_of_type(event, glimpse.voice) if own is None else own(event, glimpse))


def _of_type(event: Event, voice: Voice) -> Parts:
    fields = EVENT_FIELDS[type(event)].items()
    values = {
        name: voice.value(kind, getattr(event, name))
        for name, kind in fields
        if "{" + name + "}" in event.sentence
    }
    return voice.listed([voice.fill(event.sentence, **values), *_clauses(event, voice)])


def _clauses(event: Event, voice: Voice) -> list[Parts]:
    """What the fields add that are there."""
    return [
        voice.fill(kind.clause, **{name: voice.value(kind, getattr(event, name))})
        for name, kind in EVENT_FIELDS[type(event)].items()
        if kind.clause and getattr(event, name) is not None
    ]


# The beginning


def _opened(event: GameOpened, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    title = translate(TITLES[event.ruleset.preset], voice.language)
    rules: Parts = (Part(title[0].lower() + title[1:]),)
    if not isinstance(event.ruleset.to_json(), str):
        rules = voice.fill(_CHANGED, rules=rules)
    return voice.fill(_OPENED, names=voice.seats(range(len(event.seats))), rules=rules)


def _dealt(event: DealStarted, glimpse: Glimpse) -> Parts:
    voice, before = glimpse.voice, glimpse.before
    if before is None:
        dealt = _of_type(event, voice)
    else:
        dealer = voice.seat(event.dealer)
        dealt = voice.fill(_DEALT_SO_MANY, seat=dealer, cards=voice.count(before.ruleset.hand_size))
        if before.deal:
            dealt = voice.fill(_DEALT_AGAIN, number=voice.number(before.deal + 1), dealt=dealt)
    hands = {seat: cards for seat, cards in sorted((event.hands or {}).items()) if cards}
    if not hands or not glimpse.is_open:
        return dealt
    rows = voice.rows((seat, voice.listed([voice.card(card) for card in hands[seat]])) for seat in hands)
    return voice.fill(_HANDS, dealt=dealt, hands=rows)


# Turns


def _played(event: CardsPlayed, glimpse: Glimpse) -> Parts:
    voice, before = glimpse.voice, glimpse.before
    cards = event.cards
    template = event.sentence
    if len(cards) > 1:
        template = _PLAYS_TOGETHER
    elif before is not None and before.phase == AFTER_DRAW:
        template = _PLAYS_DRAWN
    elif before is not None and before.phase == ANSWER:
        template = _ANSWERS
    told = voice.a_card(cards[0], event.color) if len(cards) == 1 else voice.cards(cards)
    acts = [voice.fill(template, seat=voice.seat(event.seat), cards=told)]
    acts += _clauses(event, voice)
    # Said with more cards in hand, it means nothing.
    if event.uno and (before is None or before.hands[event.seat] - len(cards) == 1):
        acts.append((*voice.fill(_SAYS_UNO), Part("!")))
    if template is _PLAYS_DRAWN and len(acts) > 1:
        # The card stands between commas.
        acts[0] = (*acts[0], Part(","))
    return voice.listed(acts)


def _drawn(event: CardsDrawn, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    if not event.cards or not glimpse.is_open:
        return _of_type(event, voice)
    seat, cards = voice.seat(event.seat), voice.count(event.count)
    return voice.fill(_DRAWS_THESE, seat=seat, cards=cards, these=voice.cards(event.cards))


def _caught(event: UnoCaught, glimpse: Glimpse) -> Parts:
    voice = glimpse.voice
    if event.catcher is None:
        return _of_type(event, voice)
    return voice.fill(_CAUGHT, seat=voice.seat(event.seat), catcher=voice.seat(event.catcher))


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
        who = voice.fill(_NOBODY if event.places is None else _FIRST_SHARED)
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
    DealStarted: _dealt,
    CardsPlayed: _played,
    CardsDrawn: _drawn,
    UnoCaught: _caught,
    ChallengeMade: _challenged,
    PenaltyGiven: _penalty,
    HandShown: _shown,
    GameClosed: _closed,
    EventVoided: _voided,
}
"""How a type is told of which its own sentence isn't all."""
