"""The page of a game's cards as a phone without a network draws it.

Online, `referee.views.card_by_card` shows the same.

Plain values in and out, since a page's script asks for it. It runs on the phone.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from games.engine import Event, ImpossibleStateError, Refusal, State, advance, load, parse_event
from games.engine.cards import WILDS
from games.engine.events import EventVoided
from games.engine.state import DEAL
from referee.offers import offer
from referee.sentences import People, entry_text, next_step_heading, why
from referee.tap_steps import Tap, TapStep
from rendering.components.playing_cards import drawn_card, drawn_color
from rendering.components.table_alt_text import table_words
from rendering.svg.table import DrawnSeat, table_view


def guided(kit: Mapping[str, Any], language: str) -> dict[str, Any]:
    """What can be tapped after a game's entries, and how its table looks.

    `kit`: the game's `snapshot`, the `events` entered on this phone since, and by seat `names`, `plates` (the
    names beside a banner) and `teams` (keys). Also `banners` (colours, division and emblem by such a key),
    `team_names`, and the `query` of the address, lists by name. Where one of the events isn't legal, the
    answer only has its place as `refused`, and `why`. Where the engine comes to an impossible state, the
    answer only says that the game `is_lost`.
    """
    try:
        return _guided(kit, language)
    except ImpossibleStateError:
        return {"is_lost": True}


def _guided(kit: Mapping[str, Any], language: str) -> dict[str, Any]:
    state = load(kit["snapshot"])
    people = People(kit["names"], kit["team_names"])
    last: Event | None = None
    for place, each in enumerate(kit["events"]):
        try:
            last = parse_event(each)
            if isinstance(last, EventVoided):
                return {"refused": place, "why": ""}
            advance(state, last)
        except Refusal as refusal:
            return {"refused": place, "why": str(why(refusal, people, state.ruleset))}
    teams: Sequence[Any] = kit["teams"]
    step = TapStep() if state.over else offer(state, people, teams, kit["query"])
    turn = state.dealer if state.phase == DEAL else state.turn
    heading = next_step_heading(state, people)
    return {
        "asked": heading,
        "question": step.question or heading,
        "mover": None if turn is None or not step.is_first else teams[turn],
        "table": _table(state, kit, language),
        "groups": [
            {
                "title": group.title,
                "layout": group.layout,
                "taps": [_tap(tap, people, language) for tap in group.taps],
            }
            for group in step.groups
        ],
        "hands": [{"seat": seat, "name": people.names[seat], "team": teams[seat]} for seat in step.hands],
        "is_first": step.is_first,
        "is_more": step.is_more,
        "is_over": state.over,
        "winner": state.winner,
        "last": "" if last is None else str(entry_text(last, people)),
    }


def _tap(tap: Tap, people: People, language: str) -> dict[str, Any]:
    event = parse_event(json.loads(tap.event)) if tap.event else None
    return {
        "label": tap.label,
        "event": tap.event,
        "href": tap.href,
        "idle": not (tap.event or tap.href),
        "look": _look(tap.card, tap.color, language),
        "team": tap.team,
        "is_main": tap.is_main,
        "said": "" if event is None else str(entry_text(event, people)),
    }


@cache
def _look(card: str, color: str, language: str) -> str:
    if card:
        return drawn_card(card, language)
    return drawn_color(color, language) if color else ""


def _table(state: State, kit: Mapping[str, Any], language: str) -> str:
    names: Sequence[str] = kit["plates"]
    color = state.color if state.top in WILDS else None
    seats = [
        DrawnSeat(
            name,
            tuple(kit["banners"][kit["teams"][seat]]),
            state.held(seat) if state.deal else None,
            out=seat in state.left or (state.deal > 0 and seat == state.out),
        )
        for seat, name in enumerate(names)
    ]
    return table_view(
        seats,
        label=table_words(names, state.turn, state.direction, state.top, color, language),
        turn=state.turn,
        direction=state.direction,
        pile="" if state.top is None else drawn_card(state.top, language, color),
        is_flat=True,
    )
