"""Perft a second time: its own moves, its own legality, counted one by one.

What is counted, and how a pile lies, is what `docs/development/perft.md` says.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import permutations

from tests.games.engine.naive.rules import COLORS, PACK, is_number, is_wild, symbol
from tests.games.engine.naive.steps import step
from tests.games.engine.naive.table import Event, Refused, Table


@dataclass(frozen=True)
class Spot:
    """A table, and the draw pile as it lies."""

    table: Table | None
    pile: tuple[str, ...]
    seed: int
    pack: tuple[str, ...]

    def then(self, event: Event) -> "Spot":
        """One event on."""
        pile, table = self.pile, self.table
        match event["type"]:
            case "cards_drawn":
                event = {**event, "cards": list(pile[: event["count"]])}
                pile = pile[event["count"] :]
            case "pile_reshuffled":
                assert table is not None
                pile = lying(table.discards[: table.spare()], self.seed, table.deal)
            case "deal_started":
                pile = self.whole()[sum(map(len, event["hands"].values())) :]
            case "card_turned":
                pile = pile[1:] + (("W+4",) if event["card"] == "W+4" else ())
        return replace(self, table=step(table, event), pile=pile)

    def whole(self) -> tuple[str, ...]:
        """The pack of the next deal."""
        assert self.table is not None
        table = self.table
        first = self.pack if table.deal == 0 else ()
        rest = full_pack(table) - Counter(first)
        return first + lying(rest.elements(), self.seed, table.deal + 1)


def full_pack(table: Table) -> Counter[str]:
    """The cards that are dealt next."""
    removed = table.rules["reverse_with_two"] == "removed" and table.two()
    return Counter(
        card for card in PACK for _ in range(table.rules["decks"]) if not (removed and symbol(card) == "R")
    )


def lying(cards: Iterable[str], seed: int, deal: int) -> tuple[str, ...]:
    """Cards as they lie in a pile."""
    seen = Counter[str]()
    digests = {}
    for card in cards:
        digests[sha256(f"{seed}/{deal}/{card}/{seen[card]}".encode()).hexdigest()] = card
        seen[card] += 1
    return tuple(digests[digest] for digest in sorted(digests))


def root(
    ruleset: object, seats: int, seed: int, pack: Sequence[str] = (), kin: Sequence[Sequence[int]] = ()
) -> Spot:
    """The spot after the first card that stays."""
    people = [{"name": str(seat)} for seat in range(seats)]
    opened = {"type": "game_opened", "ruleset": ruleset, "seats": people, "kin": [list(pair) for pair in kin]}
    spot = Spot(None, (), seed, tuple(pack)).then(opened).then({"type": "dealer_named", "seat": 0})
    while spot.table is not None and spot.table.phase in ("deal", "turn_card"):
        spot = spot.then(moves(spot, "moves")[0])
    return spot


def perft(spot: Spot, depth: int, profile: str) -> int:
    """How many sequences there are."""
    return 1 if depth == 0 else sum(count for _, count in divide(spot, depth, profile))


def divide(spot: Spot, depth: int, profile: str) -> list[tuple[Event, int]]:
    """The same by first event."""
    return [(event, perft(spot.then(event), depth - 1, profile)) for event in moves(spot, profile)]


def moves(spot: Spot, profile: str) -> list[Event]:
    """Every event that is counted: whatever could be tried, less what is refused."""
    found = []
    for event in tried(spot, profile):
        try:
            spot.then(event)
        except Refused:
            continue
        found.append(event)
    return found


def tried(spot: Spot, profile: str) -> Iterator[Event]:
    """Whatever somebody could try."""
    table, pile = spot.table, spot.pile
    assert table is not None
    seats = range(table.seats)
    if table.phase == "deal":
        pack, size = spot.whole(), table.rules["hand_size"]
        hands = {str(seat): list(pack[n * size : (n + 1) * size]) for n, seat in enumerate(table.present())}
        yield {"type": "deal_started", "dealer": table.dealer, "hands": hands}
    elif table.phase == "turn_card":
        yield {"type": "card_turned", "card": pile[0]}
    elif table.phase == "over":
        return
    else:
        for seat in seats:
            yield from turns(table, seat, len(pile), profile)
        yield {"type": "pile_reshuffled"}
        if profile == "all":
            yield from interrupts(seats)


def turns(table: Table, seat: int, pile: int, profile: str) -> Iterator[Event]:
    """What a seat could try, as if it were its turn."""
    for color in COLORS:
        yield {"type": "color_named", "seat": seat, "color": color}
    for cards in lists(table.known[seat]):
        for color in COLORS if is_wild(cards[0]) else "-":
            event: Event = {"type": "cards_played", "seat": seat, "cards": list(cards)}
            if color in COLORS:
                event["color"] = color
            leaves_one = table.held(seat) - len(cards) == 1
            if leaves_one:
                yield {**event, "uno": True}
            if not leaves_one or profile == "all":
                yield event
    for count in {1, table.due(), pile} - {0}:
        yield {"type": "cards_drawn", "seat": seat, "count": count}
    yield {"type": "turn_passed", "seat": seat}
    yield {"type": "challenge_made", "seat": seat, "upheld": True}
    yield {"type": "challenge_made", "seat": seat, "upheld": False}


def lists(hand: Sequence[str]) -> set[tuple[str, ...]]:
    """Every different list of cards of one number, and every card alone."""
    found: set[tuple[str, ...]] = {(card,) for card in hand}
    for digit in "0123456789":
        alike = [card for card in hand if is_number(card) and card[1] == digit]
        for length in range(2, len(alike) + 1):
            found |= set(permutations(alike, length))
    return found


def interrupts(seats: Sequence[int]) -> Iterator[Event]:
    """What can come at any moment."""
    for seat in seats:
        yield {"type": "uno_called", "seat": seat}
        yield {"type": "uno_caught", "seat": seat}
        yield {"type": "penalty_given", "seat": seat, "reason": "prompting"}
        yield {"type": "penalty_given", "seat": seat, "reason": "wrong_card"}
        for to in seats:
            yield {"type": "zero_gift", "seat": seat, "to": to}
