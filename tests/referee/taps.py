"""The shortest way of taps to an event on the pages of a game's cards."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

from games.engine import Event, State, event_to_json
from games.engine.events import CardsPlayed, CardTurned, DealerCut, PenaltyGiven
from people.models import Team
from referee.offers import offer
from referee.sentences import People
from referee.tap_steps import TapStep

MORE = "?do=more"
DEEPEST = 12


def events_of(step: TapStep) -> list[dict[str, Any]]:
    """The events that one tap on this step enters."""
    return [json.loads(tap.event) for group in step.groups for tap in group.taps if tap.event]


def links_of(step: TapStep) -> list[str]:
    """Where this step's other taps lead."""
    links = [tap.href for group in step.groups for tap in group.taps if tap.href]
    return [*links, MORE] if step.is_first else links


def step_at(state: State, href: str) -> TapStep:
    """What a page with this address offers, between people without names."""
    seats = range(len(state.seats))
    people = People(tuple(f"Seat {seat}" for seat in seats), {})
    teams = [Team(name=f"Team {seat}", short_name=f"T{seat}") for seat in seats]
    return offer(state, people, teams, parse_qs(href.removeprefix("?")))


def steps(
    state: State, depth: int = 3, leads_on: Callable[[str], bool] = lambda _link: True
) -> Iterator[tuple[tuple[str, ...], TapStep]]:
    """Every step that can be come to by so few taps, with the addresses on the way to it; nearest first."""
    seen: set[str] = {""}
    front: list[tuple[str, ...]] = [()]
    for _ in range(depth):
        coming: list[tuple[str, ...]] = []
        for way in front:
            step = step_at(state, way[-1] if way else "")
            yield way, step
            for link in links_of(step):
                if link not in seen and leads_on(link):
                    seen.add(link)
                    coming.append((*way, link))
        front = coming


def way_to(state: State, event: Event) -> tuple[str, ...] | None:
    """The steps to tap through before the tap that enters an event; None if nothing leads to it."""
    wanted = event_to_json(bare(event))
    cards = _cards_of(event)

    def leads_on(link: str) -> bool:
        query = parse_qs(link.removeprefix("?"))
        chosen = query.get("card", [])
        colors = query.get("color", [])
        following = cards[len(chosen) : len(chosen) + 1]
        return chosen == cards[: len(chosen)] and all(
            card[0] == color for card in following for color in colors
        )

    found = steps(state, DEEPEST, leads_on)
    return next((way for way, step in found if wanted in events_of(step)), None)


def _cards_of(event: Event) -> list[str]:
    """The cards that have to be tapped for an event, in order."""
    match event:
        case CardsPlayed(cards=cards):
            return list(cards)
        case CardTurned(card=card):
            return [card]
        case DealerCut(cards=cut):
            return list(cut.values())
    return []


def bare(event: Event) -> Event:
    """An event without the wrong card's name, which only adds knowledge."""
    return replace(event, card=None) if isinstance(event, PenaltyGiven) else event


def kind(state: State, event: Event) -> str:
    """What is entered, in the words of the table of taps."""
    if not isinstance(event, CardsPlayed):
        return event.type
    words = "cards_played"
    if len(event.cards) > 1:
        words += f", {len(event.cards)} together"
    if event.color is not None:
        words += ", a wild with its colour"
    if state.held(event.seat) == len(event.cards) + 1:
        words += ", one card left: with or without UNO"
    return words
