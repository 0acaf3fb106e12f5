"""One token an event: `2:R7`, `2:W>G`, `2:+1`, `2:pass`, `deal=0` ….

Whoever acts stands first, as a seat's number and a colon; what the table does begins with a word.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

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
    HandShown,
    PenaltyGiven,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    ZeroGift,
)
from games.engine.notation.values import print_by_seat, print_cards, print_text, print_winner

# What a seat does.

_UNO: Final[Mapping[bool | None, str]] = {True: "!", False: "?", None: ""}


def _print_play(event: CardsPlayed) -> str:
    named = "" if event.color is None else f">{event.color}"
    return f"{event.seat}:{print_cards(event.cards)}{named}{_UNO[event.uno]}"


def _print_draw(event: CardsDrawn) -> str:
    cards = "" if event.cards is None else f"={print_cards(event.cards)}"
    return f"{event.seat}:+{event.count}{cards}"


def _print_catch(event: UnoCaught) -> str:
    return f"{event.seat}:caught" if event.catcher is None else f"{event.seat}:caught={event.catcher}"


_VERDICTS: Final[Mapping[bool, str]] = {True: "upheld", False: "failed"}


def _print_challenge(event: ChallengeMade) -> str:
    hand = "" if event.hand is None else f"/{print_cards(event.hand)}"
    return f"{event.seat}:challenge={_VERDICTS[event.upheld]}{hand}"


def _print_penalty(event: PenaltyGiven) -> str:
    card = "" if event.card is None else f"/{event.card}"
    return f"{event.seat}:penalty={event.reason}{card}"


def _print_show(event: HandShown) -> str:
    shown = str(event.points) if event.cards is None else print_cards(event.cards)
    return f"{event.seat}:shows={shown}"


# What happens at the table.


def _print_deal(event: DealStarted) -> str:
    if event.hands is None:
        return f"deal={event.dealer}"
    hands = print_by_seat((seat, print_cards(cards)) for seat, cards in event.hands.items())
    return f"deal={event.dealer}{hands}"


def _print_end(event: GameClosed) -> str:
    scores = ""
    if event.scores is not None:
        scores = print_by_seat((seat, str(total)) for seat, total in event.scores.items())
    places = ""
    if event.places is not None:
        places = ">" + print_by_seat((seat, str(place)) for seat, place in event.places.items())[1:]
    return f"end={event.reason}/{print_winner(event.winner, event.team)}{scores}{places}"


_PRINTERS: Final[Mapping[type[Event], Callable[[Any], str]]] = {
    DealerCut: lambda event: f"cut{print_by_seat(event.cards.items())}",
    DealerNamed: lambda event: f"dealer={event.seat}",
    DealStarted: _print_deal,
    CardTurned: lambda event: f"top={event.card}",
    ColorNamed: lambda event: f"{event.seat}:>{event.color}",
    CardsPlayed: _print_play,
    CardsDrawn: _print_draw,
    TurnPassed: lambda event: f"{event.seat}:pass",
    UnoCalled: lambda event: f"{event.seat}:uno",
    UnoCaught: _print_catch,
    ChallengeMade: _print_challenge,
    PenaltyGiven: _print_penalty,
    ZeroGift: lambda event: f"{event.seat}:gift={event.to}",
    PileReshuffled: lambda event: "reshuffle",
    HandShown: _print_show,
    GameClosed: _print_end,
    EventVoided: lambda event: f"void={event.line}/{print_text(event.reason)}",
}


def print_token(event: Event) -> str:
    """The token of any event but the opening, which is written as headers; without its stamp."""
    return _PRINTERS[event.__class__](event)
