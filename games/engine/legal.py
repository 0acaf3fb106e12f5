"""Legal events: for a page as a few options, for programs as a list.

Whatever is offered was checked by the same transitions that would refuse it. Of hidden hands everything is
offered that the public can't rule out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any

from games.engine.cards import CARDS, COLORS, WILDS, Card, Color
from games.engine.events import (
    CLOSE_REASONS,
    PENALTY_REASONS,
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerNamed,
    DealStarted,
    Event,
    GameClosed,
    HandShown,
    PenaltyGiven,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from games.engine.state import CUT, DEAL, OVER, PLAY, SHOW, START, TABLE_PHASES, TURN_CARD, State
from games.engine.transitions import refusal_of
from games.engine.transitions.closing import possible_points, unshown


@dataclass(frozen=True, slots=True)
class Option:
    """One kind of event that may come next, and with what in it.

    `seats` can do it (or have it done to them). What is empty, None or False has no meaning for the type:
    `cards` it can be done with, one at a time; `several`, others may go with it; `needs_color`, those of the
    cards that need a colour; `colors` to name; `count` to draw; `uno`, the play leaves one card, so it is
    asked whether UNO was said; `verdicts` of a challenge that the known cards don't rule out; `reasons` of a
    penalty or of closing; `to`, the seats that can be given cards.
    """

    type: str
    seats: tuple[int, ...] = ()
    cards: tuple[Card, ...] = ()
    several: bool = False
    needs_color: tuple[Card, ...] = ()
    colors: tuple[Color, ...] = ()
    count: int | None = None
    uno: bool = False
    verdicts: tuple[bool, ...] = ()
    reasons: tuple[str, ...] = ()
    to: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Only what is set, as JSON values."""
        found: dict[str, Any] = {"type": self.type}
        for field in fields(self):
            name, value = field.name, getattr(self, field.name)
            if name != "type" and value not in ((), None, False):
                found[name] = list(value) if isinstance(value, tuple) else value
        return found


def legal(state: State) -> list[Option]:
    """Everything that may come next, one option a type, the main thing first; nothing once the game is over.

    A penalty's seats are those of prompting where both reasons are possible; a wrong card is always the
    player's whose move it is.
    """
    if state.phase in (START, OVER):
        return []
    found: dict[str, list[Event]] = {}
    if state.phase == CUT:
        found["dealer_cut"] = []
    for event in _possible(state):
        found.setdefault(event.type, []).append(event)
    return [_option(state, type_, events) for type_, events in found.items()]


def is_stuck(state: State) -> bool:
    """Whether a game is being played, but nothing that the seat to move could do is legal.

    A reshuffle is its doing, too: it is what a draw then waits for.
    """
    if state.phase not in TABLE_PHASES or state.turn is None:
        return False
    # Most games need no look at their cards.
    moves = chain(_moves_without_cards(state, state.turn), _moves(state, state.turn))
    return all(refusal_of(state, event) is not None for event in moves)


def legal_events(state: State) -> list[Event]:
    """Every event that may come next, written out: with each colour, and with and without UNO.

    Left out are a cut (it has one card for every seat), several cards played together, and what only adds
    knowledge: drawn cards, a hand shown to a challenger, a wrong card's name.
    """
    return [full for event in _possible(state) for full in _written_out(state, event)]


def _possible(state: State) -> Iterator[Event]:
    return (event for event in _candidates(state) if refusal_of(state, event) is None)


def _candidates(state: State) -> Iterator[Event]:
    """Whatever could be worth asking for in this phase; a Wild with one colour for all."""
    phase = state.phase
    seats = range(len(state.seats))
    turn = state.turn
    if phase == CUT:
        yield from map(DealerNamed, seats)
    elif phase == DEAL and state.dealer is not None:
        yield DealStarted(state.dealer)
    elif phase == TURN_CARD:
        yield from map(CardTurned, CARDS)
    elif phase == SHOW:
        for seat in unshown(state):
            yield from (HandShown(seat, points=points) for points in possible_points(state, seat))
    elif phase in TABLE_PHASES and turn is not None:
        yield from _moves(state, turn)
        for seat in seats:
            yield UnoCalled(seat)
            yield UnoCaught(seat)
            yield from (PenaltyGiven(seat, reason) for reason in PENALTY_REASONS)
            yield from (ZeroGift(seat, to) for to in seats if seat != to)
    for reason in CLOSE_REASONS:
        if reason != "result":
            yield GameClosed(reason, None)
        yield from (GameClosed(reason, seat) for seat in seats)


def _moves(state: State, turn: int) -> Iterator[Event]:
    yield from (ColorNamed(turn, color) for color in COLORS)
    yield from (CardsPlayed(turn, (card,), COLORS[0] if card in WILDS else None) for card in CARDS)
    yield from _moves_without_cards(state, turn)


def _moves_without_cards(state: State, turn: int) -> Iterator[Event]:
    for count in sorted({1, state.owed, state.pile} - {0}):
        yield CardsDrawn(turn, count)
    yield TurnPassed(turn)
    yield from (ChallengeMade(turn, upheld) for upheld in (True, False))
    yield PileReshuffled()


def _written_out(state: State, event: Event) -> Iterator[Event]:
    if not isinstance(event, CardsPlayed):
        yield event
        return
    colors = (None,) if event.color is None else COLORS
    calls = (None, True) if state.held(event.seat) == 2 else (None,)
    for color in colors:
        for uno in calls:
            yield replace(event, color=color, uno=uno)


def _option(state: State, type_: str, events: list[Event]) -> Option:
    if type_ == "dealer_cut":
        return Option(type_, tuple(seat for seat, number in state.cut.items() if number is None), CARDS)
    seats = _unlike(_seat_of(event) for event in events)
    first = events[0]
    if isinstance(first, CardsPlayed):
        cards = tuple(event.cards[0] for event in events if isinstance(event, CardsPlayed))
        return Option(
            type_,
            seats,
            cards,
            several=state.phase == PLAY and (state.ruleset.burn or not state.ruleset.single_card_per_turn),
            needs_color=tuple(card for card in cards if card in WILDS),
            colors=() if WILDS.isdisjoint(cards) else COLORS,
            uno=state.held(first.seat) == 2,
        )
    if isinstance(first, CardsDrawn):
        return Option(type_, seats, count=first.count)
    return Option(
        type_,
        seats,
        cards=tuple(event.card for event in events if isinstance(event, CardTurned)),
        colors=tuple(event.color for event in events if isinstance(event, ColorNamed)),
        verdicts=tuple(event.upheld for event in events if isinstance(event, ChallengeMade)),
        reasons=tuple(
            dict.fromkeys(event.reason for event in events if isinstance(event, (PenaltyGiven, GameClosed)))
        ),
        to=_unlike(event.to for event in events if isinstance(event, ZeroGift)),
    )


def _seat_of(event: Event) -> int | None:
    names = ("seat", "dealer", "winner")
    return next((getattr(event, name) for name in names if hasattr(event, name)), None)


def _unlike(seats: Iterator[int | None]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(seat for seat in seats if seat is not None))
