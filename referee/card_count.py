"""Counting what is left in a hand by tapping its cards: the engine says what each counts, and what for whom.

The cards that were tapped stand in the address: as `card` while a hand is counted, then as `hand-<seat>`. A
hand that has none is `hand-<seat>` once, without a card.
"""

from collections import Counter as Tally
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from games.engine.cards import CARDS, COLOR, COLORS, POINTS, WILDS, Card, hand_points
from games.engine.events import GameClosed
from games.engine.state import SHOW
from games.engine.transitions.closing import deal_points
from games.outcome import WINNER_TAKES
from people.models import Team
from referee.table_game import TableGame

_CARRIED = ("reason", "team", "seat")


@dataclass(frozen=True, slots=True)
class Tile:
    """A card that can be tapped: what it counts, how often it was tapped, and how often it can be.

    The address taps it once more; it is empty where there is no more of it.
    """

    card: Card
    points: int
    times: int
    left: int
    href: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """A card of the hand, and the address that takes it back; empty for one that the log knows of."""

    card: Card
    href: str


@dataclass(frozen=True, slots=True)
class HandCounter:
    """A hand that is being counted. `held` is how many cards it has, None where nobody wrote that down."""

    seat: int
    name: str
    team: Team
    chosen: tuple[Chosen, ...]
    groups: tuple[tuple[str, tuple[Tile, ...]], ...]
    points: int
    held: int | None

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the hand, as far as they are counted."""
        return tuple(each.card for each in self.chosen)

    @property
    def field(self) -> str:
        """The field of the address that holds this hand."""
        return f"hand-{self.seat}"

    @property
    def is_whole(self) -> bool:
        """Whether all cards are there that the hand is known to have."""
        return self.held is None or self.held == len(self.chosen)


@dataclass(frozen=True, slots=True)
class CountedHand:
    """A seat's line at the confirmation: the points that are filled in (empty: none yet).

    If its cards were counted, it has them and their points. The address of its counter is empty for who went
    out.
    """

    seat: int
    name: str
    team: Team
    value: str
    hand: tuple[int, int] | None
    query: str


def counter(found: TableGame, seat: int, query: QueryDict, held: int | None = None) -> HandCounter:
    """The counter of a seat's hand, with the cards that `query` says were tapped; of `held` cards, where
    somebody has counted those.
    """
    state = found.state
    is_shown = held is None and state.phase == SHOW
    known = tuple(state.known[seat]) if is_shown else ()
    held = state.held(seat) if is_shown else held
    left = {card: state.limit[card] - (state.seen[card] if is_shown else 0) for card in CARDS}
    most = sum(state.limit.values()) if held is None else held - len(known)
    tapped = _there(query.getlist("card"), left)[:most]
    times = Tally(tapped)
    rest = [(name, value) for name, values in query.lists() if name != "card" for value in values]

    def href(cards: Iterable[Card]) -> str:
        return "?" + urlencode([*rest, *(("card", card) for card in cards)])

    def tile(card: Card) -> Tile:
        more = times[card] < left[card] and len(tapped) < most
        return Tile(card, POINTS[card], times[card], left[card], href([*tapped, card]) if more else "")

    taken_back = (Chosen(card, href(tapped[:at] + tapped[at + 1 :])) for at, card in enumerate(tapped))
    chosen = (*(Chosen(card, "") for card in known), *taken_back)
    colors = ((color, tuple(tile(card) for card in CARDS if COLOR[card] == color)) for color in COLORS)
    wilds = ("", tuple(tile(card) for card in CARDS if card in WILDS))
    ((_, name, team),) = found.seated([seat])
    points = hand_points([*known, *tapped])
    return HandCounter(seat, name, team, chosen, (*colors, wilds), points, held)


def with_points(query: QueryDict) -> dict[str, str]:
    """An address as `bell_count.count` reads it: the points of a hand that was counted are filled in."""
    hands = {
        f"points-{name.removeprefix('hand-')}": str(hand_points(card for card in cards if card in POINTS))
        for name, cards in query.lists()
        if name.startswith("hand-")
    }
    return {name: str(query[name]) for name in query} | hands


def carried(query: QueryDict, *more: str) -> list[tuple[str, str]]:
    """What of an address goes on to the next page: the end that it names, and the hands that were counted.

    With `more`, only the fields that begin so.
    """
    return [
        (name, value)
        for name, values in query.lists()
        if name.startswith(more or (*_CARRIED, "hand-"))
        for value in values
    ]


def counted_hands(found: TableGame, ending: GameClosed, query: QueryDict) -> list[CountedHand]:
    """All seats with the points that an end brings them, as far as the hands in the address say it."""
    seats = range(len(found.seat_teams))
    out = ending.winner if ending.reason == "result" else None
    left = dict(found.state.limit)
    hands = {seat: _there(query.getlist(f"hand-{seat}"), left) for seat in seats if f"hand-{seat}" in query}
    points = {seat: hand_points(cards) for seat, cards in hands.items()}
    if out is not None:
        hands.pop(out, None)
        points[out] = 0
    values = _values(found, points, out)
    fields = carried(query)
    return [
        CountedHand(
            seat,
            name,
            team,
            values.get(seat, ""),
            (len(hands[seat]), points[seat]) if seat in hands else None,
            "" if seat == out else _address_of(seat, hands.get(seat, ()), fields),
        )
        for seat, name, team in found.seated(seats)
    ]


def _address_of(seat: int, cards: Iterable[Card], fields: Sequence[tuple[str, str]]) -> str:
    return urlencode([*fields, ("of", seat), *(("card", card) for card in cards)])


def _values(found: TableGame, points: dict[int, int], out: int | None) -> dict[int, str]:
    scoring = found.state.ruleset.scoring
    seats = range(len(found.seat_teams))
    if set(points) <= {out}:
        # Nothing was counted yet.
        return {}
    if scoring == WINNER_TAKES:
        if out is None or len(points) < len(seats):
            return {}
        row = deal_points(scoring, [points[seat] for seat in seats], out)
        return {seat: str(each) for seat, each in enumerate(row)}
    return {seat: str(each) for seat, each in points.items()}


def _there(cards: Iterable[str], left: dict[Card, int]) -> list[Card]:
    """Those of these that are cards, no card more often than it is there."""
    times: Tally[Card] = Tally()
    there = []
    for card in cards:
        if times[card] < left.get(card, 0):
            times[card] += 1
            there.append(card)
    return there
