"""A state as JSON: the snapshot from which a game goes on, and what everybody may see of it."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from games.engine.cards import CARDS
from games.engine.events import Seat
from games.engine.ruleset import Ruleset
from games.engine.state import Debt, Hit, State, copies_in

VERSION: Final = 2
"""Goes up when a state is written otherwise; a snapshot of another version is made again from the log."""

_PLAIN: Final = (
    "events",
    "waiting",
    "dealer",
    "deal",
    "player",
    "direction",
    "top",
    "color",
    "unknown",
    "pile",
    "discards",
    "drawn",
    "named",
    "taken_back",
    "turns",
    "last_act",
    "out",
    "scores",
    "left",
    "winner",
    "team",
    "close_reason",
)
_OTHERWISE: Final = frozenset(
    (
        *("ruleset", "seats", "kin", "limit", "cut", "known", "seen", "debts", "hit", "missed"),
        *("can_draw_instead", "gift", "points", "deal_scores"),
    )
)
"""The fields of a state that are written in a form of their own, or follow from others."""
_LATER: Final = tuple(
    field.name for field in fields(State) if field.name not in _PLAIN and field.name not in _OTHERWISE
)
"""What a state has since snapshots are stored: written where it isn't as in a new game."""
_NEW: Final = State()


def dump(state: State) -> dict[str, Any]:
    """The whole state as plain JSON values, which share nothing with it."""
    hit = state.hit
    data: dict[str, Any] = {"version": VERSION}
    for name in _PLAIN:
        value = getattr(state, name)
        data[name] = list(value) if isinstance(value, list) else value
    for name in _LATER:
        if getattr(state, name) != getattr(_NEW, name):
            data[name] = getattr(state, name)
    data["phase"] = state.phase
    data["ruleset"] = state.ruleset.to_json()
    data["seats"] = [[seat.name, seat.team] for seat in state.seats]
    data["kin"] = [list(pair) for pair in state.kin]
    data["cut"] = [[seat, number] for seat, number in state.cut.items()]
    data["known"] = [list(cards) for cards in state.known]
    data["debts"] = [[debt.seat, debt.count, debt.reason] for debt in state.debts]
    data["missed"] = [list(call) for call in state.missed]
    data["gift"] = None if state.gift is None else list(state.gift)
    if state.taken_back:
        data["can_draw_instead"] = state.can_draw_instead
    data["reverses"] = state.limit.get("RR", 0) > 0
    data["points"] = [[seat, points] for seat, points in state.points.items()]
    data["deal_scores"] = [list(row) for row in state.deal_scores]
    if hit is not None:
        data["hit"] = {field.name: getattr(hit, field.name) for field in fields(hit)}
        data["hit"] |= {"known": list(hit.known), "drawn": list(hit.drawn)}
    return data


def load(data: Mapping[str, Any]) -> State:
    """The state that `dump` wrote; ValueError for another version, which has to be replayed instead.

    So has a state in which a card was taken back, where an older engine didn't say whether its player may
    draw.
    """
    if data.get("version") != VERSION:
        raise ValueError(f"a snapshot of version {VERSION} was expected, not {data.get('version')!r}")
    state = State()
    for name in _PLAIN:
        value = data[name]
        setattr(state, name, list(value) if isinstance(value, list) else value)
    for name in _LATER:
        setattr(state, name, data.get(name, getattr(_NEW, name)))
    if state.taken_back:
        if "can_draw_instead" not in data:
            raise ValueError("a snapshot that doesn't say whether a draw is allowed")
        state.can_draw_instead = data["can_draw_instead"]
    state.ruleset = Ruleset.read(data["ruleset"])
    state.seats = tuple(Seat(name, team) for name, team in data["seats"])
    state.kin = tuple((one, other) for one, other in data["kin"])
    state.cut = dict(data["cut"])
    state.known = [list(cards) for cards in data["known"]]
    state.debts = [Debt(seat, count, reason) for seat, count, reason in data["debts"]]
    state.missed = [(seat, turn) for seat, turn in data["missed"]]
    gift = data["gift"]
    state.gift = None if gift is None else (gift[0], gift[1])
    state.points = dict(data["points"])
    state.deal_scores = [list(row) for row in data["deal_scores"]]
    if state.seats:
        state.limit = copies_in(state.ruleset.decks, reverses=data["reverses"])
        state.seen = _seen(state)
    stored = data.get("hit")
    if stored is not None:
        state.hit = Hit(**{**stored, "known": tuple(stored["known"]), "drawn": list(stored["drawn"])})
    return state


def _seen(state: State) -> dict[str, int]:
    seen = dict.fromkeys(CARDS, 0)
    for cards in (state.discards, *state.known):
        for card in cards:
            seen[card] += 1
    return seen


def summarize(state: State) -> dict[str, Any]:
    """The public state of a game, JSON-able; its keys are those of the game log's command line."""
    return {
        "ruleset": state.ruleset.preset,
        "events": state.events,
        "deal": state.deal,
        "phase": state.phase,
        "turn": state.turn,
        "direction": state.direction,
        "dealer": state.dealer,
        "top": state.top,
        "color": state.color,
        "owed": state.owed,
        "hands": state.hands,
        "draw_pile": state.pile,
        "discards": len(state.discards),
        "scores": list(state.scores),
        "deal_scores": [list(row) for row in state.deal_scores],
        "left": sorted(state.left),
        "winner": state.winner,
        "team": state.team,
    }
