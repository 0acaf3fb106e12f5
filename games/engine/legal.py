"""Legal events: for a page as a few options, for programs as a list.

Whatever is offered was checked by the same transitions that would refuse it. Of hidden hands everything is
offered that the public can't rule out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import Any, Final

from games.engine.cards import CARDS, COLORS, WILDS, Card, Color
from games.engine.events import (
    CLOSE_REASONS,
    EVENT_CLASSES,
    EVENT_FIELDS,
    NEEDED,
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
    PileReshuffled,
    TurnPassed,
)
from games.engine.field_kinds import FieldKind
from games.engine.state import CUT, DEAL, OVER, PLAY, SHOW, START, TABLE_PHASES, TURN_CARD, State
from games.engine.transitions import TRANSITIONS, refusal_of
from games.engine.transitions.closing import possible_points, unshown
from games.engine.transitions.transition_types import never

_OTHERS: Final[tuple[type[Event], ...]] = (
    *(GameOpened, DealerCut, DealerNamed, DealStarted, CardTurned),
    *(ColorNamed, CardsPlayed, CardsDrawn, TurnPassed, ChallengeMade, PileReshuffled),
    *(HandShown, GameClosed, EventVoided),
)
"""The beginning, the moves and the end."""

ASIDES: Final = tuple(cls for cls in EVENT_CLASSES if cls not in _OTHERS)
"""The types that can come beside the moves. Each is offered with all that its needed fields can hold."""

_CHOICES: Final = {
    cls: {name: kind for name, kind in kinds.items() if kind.is_choice} for cls, kinds in EVENT_FIELDS.items()
}
"""The fields of each type that needn't be there and are offered with each value."""


@dataclass(frozen=True, slots=True)
class Option:
    """One kind of event that may come next, and with what in it.

    `seats` can do it (or have it done to them). What is empty, None or False has no meaning for the type.
    `cards` are those that it can be done with, one at a time; with `several` others may go along.
    `needs_color` are those of the cards that need a colour, `colors` those to name. `count` is how many cards
    to draw. `uno`: the play leaves one card, so it is asked whether UNO was said. `verdicts` are those of a
    challenge that the known cards don't rule out, `reasons` those of a penalty or of closing. `to` are the
    other seats that it can be for. `choices` are values by field that can be added to some of it.
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
    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Only what is set, as JSON values."""
        found: dict[str, Any] = {"type": self.type}
        for each in fields(self):
            name, value = each.name, getattr(self, each.name)
            if name != "type" and value not in ((), None, False, {}):
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
    """Every event that may come next, written out: with each colour and choice, and with and without UNO.

    Left out are a cut (it has one card for every seat) and several cards played together. So is what only
    adds knowledge: drawn cards, a hand shown to a challenger, a wrong card's name.
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
        asides = [cls for cls in ASIDES if _can_come(state, cls)]
        for seat in seats:
            for cls in asides:
                yield from _with_every_value(state, cls, seat)
    for reason in CLOSE_REASONS:
        if reason != "result":
            yield GameClosed(reason, None)
        yield from (GameClosed(reason, seat) for seat in seats)


def legal_asides(state: State, cls: type[Event]) -> list[Event]:
    """All legal events of one of the `ASIDES`."""
    if state.phase not in TABLE_PHASES or not _can_come(state, cls):
        return []
    every = chain(*[_with_every_value(state, cls, seat) for seat in range(len(state.seats))])
    return [event for event in every if refusal_of(state, event) is None]


def _can_come(state: State, cls: type[Event]) -> bool:
    """Whether the phase and the rules have the type, whatever it says."""
    evolve = TRANSITIONS[state.phase][cls][1]
    return evolve is not never and cls.is_possible(state.ruleset, has_kin=bool(state.kin))


def _with_every_value(state: State, cls: type[Event], seat: int) -> Iterator[Event]:
    """The events of a type by a seat, with each value of what is needed; those without a seat once."""
    kinds = {name: kind for name, kind in EVENT_FIELDS[cls].items() if name in NEEDED[cls]}
    if "seat" not in kinds and seat:
        return
    found: list[dict[str, Any]] = [{}]
    for name, kind in kinds.items():
        values = (seat,) if name == "seat" else _values(state, kind)
        found = [{**each, name: value} for each in found for value in values]
    for each in found:
        yield cls(**each)


def _values(state: State, kind: FieldKind) -> Sequence[Any]:
    """What a field can hold; nothing where that can't be listed."""
    match kind.name:
        case "seat":
            return range(len(state.seats))
        case "card":
            return CARDS
        case "color":
            return COLORS
        case "flag":
            return (True, False)
        case "choice":
            return kind.choices
    return ()


def with_choices(state: State, event: Event) -> list[Event]:
    """A legal event, first as it is, then with each choice that can be added to it."""
    found = [event]
    for name, kind in _CHOICES[event.__class__].items():
        if not kind.rule or getattr(state.ruleset, kind.rule):
            values = _values(state, kind)
            more = [replace(each, **{name: value}) for each in found for value in values]
            found += [each for each in more if refusal_of(state, each) is None]
    return found


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
        yield from with_choices(state, event)
        return
    colors = (None,) if event.color is None else COLORS
    calls = (None, True) if state.held(event.seat) == 2 else (None,)
    for color in colors:
        for uno in calls:
            yield from with_choices(state, replace(event, color=color, uno=uno))


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
            choices=_choices(state, events),
        )
    if isinstance(first, CardsDrawn):
        return Option(type_, seats, count=first.count)
    lists: dict[str, dict[Any, None]] = {}
    for event in events:
        for name, kind in EVENT_FIELDS[event.__class__].items():
            if name in NEEDED[event.__class__] and name not in _ACTORS and kind.name in _LISTED:
                lists.setdefault(_LISTED[kind.name], {})[getattr(event, name)] = None
    listed_values: dict[str, Any] = {name: tuple(values) for name, values in lists.items()}
    return Option(type_, seats, **listed_values, choices=_choices(state, events))


_ACTORS: Final = ("seat", "dealer", "winner")
"""The fields that say whose an event is."""
_LISTED: Final = {"card": "cards", "color": "colors", "flag": "verdicts", "choice": "reasons", "seat": "to"}
"""Where an option lists the values of a kind."""


def _choices(state: State, events: list[Event]) -> dict[str, list[Any]]:
    names = _CHOICES[events[0].__class__]
    full = [each for event in events for each in with_choices(state, event)[1:]] if names else []
    found = {name: _unlike(getattr(event, name) for event in full) for name in names}
    return {name: sorted(values) for name, values in found.items() if values}


def _seat_of(event: Event) -> int | None:
    return next((getattr(event, name) for name in _ACTORS if hasattr(event, name)), None)


def _unlike(values: Iterator[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(value for value in values if value is not None))
