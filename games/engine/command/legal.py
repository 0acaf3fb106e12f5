"""`legal FILE`: what may happen next, as events that would be accepted, one JSON object a line.

Written out are all events of `games.engine.legal_events`; besides, for the cut one event for each seat that
can become dealer by it, and plays of several cards from what is known of the hand. Left out are corrections,
other cards in a cut, and what only adds knowledge: dealt hands, drawn cards, a hand shown to a challenger,
the name of a wrong card, and a shown hand's cards (its points are there).
"""

import argparse
import json
from collections.abc import Iterator
from itertools import combinations, islice
from pathlib import Path

from games.engine.cards import NUMBER, Card
from games.engine.command.files import (
    REFUSED,
    REPLAYED,
    UNREADABLE,
    lines_of,
    not_followed,
    number_of_lines,
    unreadable,
)
from games.engine.events import CardsPlayed, DealerCut, Event
from games.engine.jsonl import parse_lines, print_event
from games.engine.legal import legal_events
from games.engine.refusals import Refusal
from games.engine.replay import replay
from games.engine.state import CUT, PLAY, ImpossibleStateError, State
from games.engine.transitions import refusal_of


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    command.add_argument("file", type=Path, metavar="FILE", help="a game log, *.jsonl")
    command.add_argument("--until", type=number_of_lines, metavar="N", help="after the first N lines")


def run(options: argparse.Namespace) -> int:
    """Print the events; or the one refusal, as `replay` does."""
    try:
        with options.file.open("rb") as file:
            state = replay(parse_lines(islice(lines_of(file), options.until)))
    except Refusal as refusal:
        print(json.dumps({"error": refusal.to_json()}))
        return REFUSED
    except ImpossibleStateError as fault:
        print(json.dumps(not_followed(fault)))
        return REFUSED
    except OSError as error:
        print(json.dumps(unreadable(options.file, error)))
        return UNREADABLE
    for event in next_events(state):
        print(print_event(event))
    return REPLAYED


def next_events(state: State) -> Iterator[Event]:
    """What may happen next; nothing once the game is over."""
    if state.phase == CUT:
        yield from _cuts(state)
    events = legal_events(state)
    yield from events
    if state.phase == PLAY:
        for event in events:
            if isinstance(event, CardsPlayed) and event.uno is None:
                yield from _with_others(state, event)


def _cuts(state: State) -> Iterator[DealerCut]:
    """For each seat that has to cut, one in which it wins."""
    best, other = ("R9", "R1") if state.ruleset.dealer_cut == "highest" else ("R1", "R9")
    cutters = [seat for seat, number in state.cut.items() if number is None]
    for winner in cutters:
        yield DealerCut({seat: best if seat == winner else other for seat in cutters})


def _with_others(state: State, event: CardsPlayed) -> Iterator[CardsPlayed]:
    """The same card with others of its number: each choice of them, with each card as the last."""
    first = event.cards[0]
    rest = sorted(card for card in state.known[event.seat] if NUMBER[card] == NUMBER[first] is not None)
    if first in rest:
        rest.remove(first)
    for others in _choices(rest):
        cards = (first, *others)
        left = state.held(event.seat) - len(cards)
        for uno in (None, True) if left == 1 else (None,):
            play = CardsPlayed(event.seat, cards, uno=uno)
            if refusal_of(state, play) is None:
                yield play


def _choices(cards: list[Card]) -> Iterator[tuple[Card, ...]]:
    """Each choice of some of the cards, once for each card that can be put last: its colour counts."""
    found: dict[tuple[Card, ...], None] = {}
    for size in range(1, len(cards) + 1):
        for chosen in combinations(cards, size):
            for last in chosen:
                before = list(chosen)
                before.remove(last)
                found[(*before, last)] = None
    yield from found
