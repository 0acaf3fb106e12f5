"""What is offered is what can happen: whatever bots do can be tapped, under every preset."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.utils import translation

from games.engine import (
    PRESETS,
    Event,
    Ruleset,
    State,
    advance,
    dump,
    event_to_json,
    load,
    parse_event,
    play_random_game,
)
from games.engine.events import CardsPlayed, DealerCut, GameOpened, HandShown, PenaltyGiven
from people.models import Team
from referee.offers import Step, offer
from referee.words import People, asked, said

PLAYERS = 3
KIN = ((0, 1),)
PEOPLE = People(tuple(f"Seat {seat}" for seat in range(PLAYERS)), {})
TEAMS = [Team(name=f"Team {seat}", short_name=f"T{seat}") for seat in range(PLAYERS)]
RULES: dict[str, Any] = {
    **{name: name for name in PRESETS},
    "house with all variations": {
        "preset": "house",
        "zero_gift": True,
        "burn": True,
        "wild_four_on_draw_two": True,
        "wild_four_on_wild_four": True,
        "stack_on_last_card": True,
    },
}


def steps(state: State, depth: int = 3) -> Iterator[Step]:
    """Every step that can be come to by tapping."""
    seen, front = {""}, [""]
    for _ in range(depth):
        coming = []
        for href in front:
            step = offer(state, PEOPLE, TEAMS, parse_qs(href.removeprefix("?")))
            yield step
            links = [tap.href for group in step.groups for tap in group.taps if tap.href]
            if step.is_first:
                links.append("?do=more")
            coming += [link for link in links if link not in seen]
            seen.update(links)
        front = coming


def events_of(step: Step) -> list[dict[str, Any]]:
    return [json.loads(tap.event) for group in step.groups for tap in group.taps if tap.event]


def can_be_tapped(state: State, event: Event) -> bool:
    """Whether an event is behind some taps, or is what a form of this step puts together."""
    if isinstance(event, DealerCut):
        return any(set(step.cut) == set(event.cards) for step in steps(state))
    if isinstance(event, HandShown):
        return event.seat in offer(state, PEOPLE, TEAMS, {}).hands
    wanted = event_to_json(event)
    deep = 1 + len(event.cards) if isinstance(event, CardsPlayed) else 0
    return any(wanted in events_of(step) for step in steps(state, 3 + deep))


@pytest.mark.parametrize("rules", RULES)
def test_whatever_bots_do_can_be_tapped(rules: str) -> None:
    ruleset = Ruleset.from_json(RULES[rules])
    log = play_random_game(ruleset, PLAYERS, 8, table=True, kin=KIN, longest=90)
    state = State()
    lost = []
    for event in log:
        if not isinstance(event, GameOpened) and not can_be_tapped(state, bare(event)):
            lost.append(event)
        advance(state, event)
    assert [event for event in lost if event.type != "game_closed"] == []


def bare(event: Event) -> Event:
    """An event without the wrong card's name, which only adds knowledge."""
    return replace(event, card=None) if isinstance(event, PenaltyGiven) else event


@pytest.mark.parametrize("rules", RULES)
def test_whatever_can_be_tapped_is_legal(rules: str) -> None:
    ruleset = Ruleset.from_json(RULES[rules])
    state = State()
    for number, event in enumerate(play_random_game(ruleset, PLAYERS, 4, table=True, kin=KIN, longest=60)):
        advance(state, event)
        if number % 6:
            continue
        for step in steps(state, 2):
            for offered in events_of(step):
                copy = _copy(state)
                advance(copy, parse_event(offered))


def _copy(state: State) -> State:
    return load(dump(state))


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_moment_and_every_entry_has_words(language: str) -> None:
    state = State()
    told = set()
    with translation.override(language):
        for event in play_random_game(Ruleset.from_json("house"), PLAYERS, 274, table=True):
            advance(state, event)
            told |= {asked(state, PEOPLE), said(event, PEOPLE)}
    assert all(told)


@pytest.mark.parametrize(
    "query",
    [
        {"color": ["X"]},
        {"card": ["R99"]},
        {"card": ["R7", "G7", "nonsense"]},
        {"do": ["caught"]},
        {"do": ["x"]},
        {"do": ["cut"]},
        {"seat": ["99"]},
    ],
)
def test_an_address_that_makes_no_sense_is_the_first_step(query: dict[str, list[str]]) -> None:
    state = State()
    for event in play_random_game(Ruleset.from_json("palio"), PLAYERS, 1, table=True)[:2]:
        advance(state, event)
    assert offer(state, PEOPLE, TEAMS, query).groups == offer(state, PEOPLE, TEAMS, {}).groups
