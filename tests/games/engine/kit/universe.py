"""Every event that a game can be asked about: what `legal_events` chooses from, and the rest."""

from collections.abc import Iterator

from games.engine import Event, State
from games.engine.cards import CARDS, COLORS
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
    GameClosed,
    HandShown,
    PenaltyGiven,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)

MOST_POINTS = 130
"""Points that are asked for go up to here, those of a hand may go further."""


def universe(state: State) -> Iterator[Event]:
    """Each event that `legal_events` could offer by what it says of itself, and each like it.

    So none has drawn cards, dealt hands, shown cards, a catcher or several cards; and UNO is said where the
    play leaves one card, for it is ignored elsewhere.
    """
    seats = range(len(state.seats))
    counts = sorted({*range(1, 13), state.owed, state.pile, state.pile + 1} - {0})
    yield PileReshuffled()
    yield from map(CardTurned, CARDS)
    for seat in seats:
        yield from (DealerNamed(seat), DealStarted(seat), TurnPassed(seat), UnoCalled(seat), UnoCaught(seat))
        yield from (ColorNamed(seat, color) for color in COLORS)
        yield from _plays(state, seat)
        yield from (CardsDrawn(seat, count) for count in counts)
        yield from (ChallengeMade(seat, upheld) for upheld in (True, False))
        yield from (PenaltyGiven(seat, reason) for reason in PENALTY_REASONS)
        yield from (ZeroGift(seat, to) for to in seats)
        yield from (HandShown(seat, points=points) for points in range(MOST_POINTS))
    for reason in CLOSE_REASONS:
        winners = seats if reason == "result" else (None, *seats)
        yield from (GameClosed(reason, winner) for winner in winners)


def _plays(state: State, seat: int) -> Iterator[Event]:
    for uno in (None, True) if state.held(seat) == 2 else (None,):
        for card in CARDS:
            yield from (CardsPlayed(seat, (card,), color, uno) for color in (None, *COLORS))
