"""What stands on the table: one immutable value, and questions about it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.games.engine.naive.rules import PACK, Rules, fits, is_draw_card, is_number, is_wild, points, symbol

Event = dict[str, Any]


class Refused(Exception):  # noqa: N818 - an answer, as the engine's Refusal is
    """An event that can't be, with the code that the papers give it."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Debt:
    """Cards that a seat has to draw; `act`: drawing them is that seat's act in its turn."""

    seat: int
    count: int
    act: bool = False


@dataclass(frozen=True)
class Hit:
    """A draw card that hits the seat to play, and all that a challenge will ask about.

    `others` are the known cards that its player held beside it, `hidden` the number of those not known,
    `since` the cards drawn after it, with None for an unseen one. `color` and `first_color` are the colours
    in play before it, and before the first Wild Draw Four of its row.
    """

    total: int
    four: bool
    offender: int | None = None
    others: tuple[str, ...] = ()
    hidden: int = 0
    since: tuple[str | None, ...] = ()
    color: str | None = None
    first_color: str | None = None
    answered: "Hit | None" = None
    last: bool = False


@dataclass(frozen=True)
class Missed:
    """An UNO that wasn't said in turn number `turn`; `late`: somebody has acted in a later one."""

    seat: int
    turn: int
    late: bool = False


@dataclass(frozen=True)
class Table:
    """A game between two events.

    `phase` is what waits below the debts, the last of which is paid first. `drawn` is the card drawn in this
    turn, `?` if nobody saw it; `perhaps_drawn` are the cards named since: each may have been that one.
    `may_hold_nothing`: a verdict says of who took a card back that it held one by which the card was judged,
    but not that it holds one that goes on the pile.
    """

    rules: Rules
    seats: int
    teams: tuple[str | None, ...]
    kin: frozenset[frozenset[int]]
    phase: str = "cut"
    cuts: Mapping[int, str | None] = field(default_factory=dict)
    deal: int = 0
    dealer: int | None = None
    copies: Mapping[str, int] = field(default_factory=lambda: Counter(PACK))
    known: tuple[tuple[str, ...], ...] = ()
    unknown: tuple[int, ...] = ()
    pile: int = 0
    discards: tuple[str, ...] = ()
    top: str | None = None
    color: str | None = None
    direction: int = 1
    turn: int | None = None
    turns: int = 0
    drawn: str | None = None
    perhaps_drawn: tuple[str, ...] = ()
    debts: tuple[Debt, ...] = ()
    hit: Hit | None = None
    took_back: bool = False
    may_hold_nothing: bool = False
    missed: tuple[Missed, ...] = ()
    gift: tuple[int, int] | None = None
    out: int | None = None
    shown: Mapping[int, int] = field(default_factory=dict)
    scores: tuple[int, ...] = ()
    deal_scores: tuple[tuple[int, ...], ...] = ()
    left: frozenset[int] = frozenset()
    winner: int | None = None
    team: str | None = None

    def waits_for(self) -> str:
        """The phase as it is shown."""
        return "draw" if self.debts else self.phase

    def mover(self) -> int | None:
        """The seat whose move it is."""
        if self.debts:
            return self.debts[-1].seat
        return self.turn if self.phase in ("color", "play", "after_draw", "answer") else None

    def present(self) -> list[int]:
        """The seats still in the game."""
        return [seat for seat in range(self.seats) if seat not in self.left]

    def after(self, seat: int, direction: int | None = None) -> int:
        """The next seat still in the game."""
        step = self.direction if direction is None else direction
        seat = (seat + step) % self.seats
        return self.after(seat, step) if seat in self.left else seat

    def held(self, seat: int) -> int:
        """How many cards a seat holds."""
        return len(self.known[seat]) + self.unknown[seat]

    def is_out(self, seat: int) -> bool:
        """Whether a seat went out in this deal."""
        return self.out is not None and self.held(seat) == 0

    def two(self) -> bool:
        """Whether two players are in the game."""
        return len(self.present()) == 2

    def goes(self, card: str) -> bool:
        """Whether a card goes on the pile."""
        assert self.top is not None
        return fits(card, self.top, self.color, self.rules["reverse_matches_skip"] and self.two())

    def visible(self) -> Counter[str]:
        """How often each card can be seen."""
        return Counter([*self.discards, *(card for hand in self.known for card in hand)])

    def crowded(self) -> bool:
        """Whether some card can be seen more often than the packs hold it."""
        return any(count > self.copies.get(card, 0) for card, count in self.visible().items())

    def knowing(self, seat: int, cards: list[str], hidden: int = 0) -> "Table":
        """The same with one hand known otherwise; Refused `too-many-copies`."""
        found = replace(
            self,
            known=changed(self.known, seat, tuple(cards)),
            unknown=changed(self.unknown, seat, hidden),
        )
        if found.crowded():
            raise Refused("too-many-copies")
        return found

    def challengeable(self) -> bool:
        """Whether the seat to play may challenge, debts aside."""
        return self.phase == "answer" and self.hit is not None and self.hit.four and self.rules["challenge"]

    def spare(self) -> int:
        """How many discards a reshuffle would take."""
        return max(0, len(self.discards) - (2 if self.challengeable() else 1))

    def dry(self) -> bool:
        """Whether nothing can be drawn, with or without a reshuffle."""
        return self.pile == 0 and self.spare() == 0

    def due(self) -> int:
        """How many cards the seat to move has to draw, or would, whether they are there or not."""
        if self.debts:
            return self.debts[-1].count
        return self.hit.total if self.phase == "answer" and self.hit is not None else 0

    def answers(self, card: str, hit: Hit) -> bool:
        """Whether the seat to play may answer a draw card with a card."""
        if self.out is not None:
            others = [seat for seat in self.present() if seat != self.turn and not self.is_out(seat)]
            if not others or not self.rules["stack_on_last_card"]:
                return False
        return self.goes_in_answer(card, hit)

    def goes_in_answer(self, card: str, hit: Hit) -> bool:
        """Whether by the rules a card answers a draw card at all."""
        if card == "W+4":
            return bool(self.rules["wild_four_on_wild_four" if hit.four else "wild_four_on_draw_two"])
        if symbol(card) != "+2":
            return False
        return bool(self.rules["draw_two_on_wild_four" if hit.four else "draw_two_stacks"])

    def finishing(self, card: str, held: int) -> bool:
        """Whether a card would be a last card that can't be one."""
        return held == 1 and not self.rules["finish_on_action"] and not is_number(card)

    def playable(self, seat: int, card: str) -> bool:
        """Whether what is known of a hand says that this card of it can be played in a turn."""
        if self.finishing(card, self.held(seat)):
            return False
        if card != "W+4":
            return self.goes(card)
        if self.unknown[seat] or self.took_back:
            return False
        others = [other for other in self.known[seat] if other != "W+4"]
        return not any(self.forbids(other) for other in others)

    def forbids(self, other: str) -> bool:
        """Whether holding that other card forbids a Wild Draw Four in a turn."""
        if self.rules["wild_four_condition"] == "no_color_match":
            return not is_wild(other) and other[0] == self.color
        return self.goes(other)

    def must_play(self, seat: int) -> bool:
        """Whether a seat may not draw, as far as its cards are known."""
        holds = any(self.playable(seat, card) for card in self.known[seat])
        if self.took_back:
            return holds or (self.may_hide_one(seat) and not self.may_hold_nothing)
        return holds and not self.rules["voluntary_draw"]

    def may_hide_one(self, seat: int) -> bool:
        """Whether among the unknown cards of a hand may be one that goes on the pile, no Wild Draw Four."""
        visible = self.visible()
        hidden = [card for card, copies in self.copies.items() if visible[card] < copies and card != "W+4"]
        return self.unknown[seat] > 0 and any(map(self.goes, hidden))

    def counting(self) -> list[int]:
        """The seats whose hands have to be shown yet."""
        if self.rules["scoring"] == "first_out":
            return []
        return [seat for seat in self.present() if self.unknown[seat] and seat not in self.shown]

    def summary(self, lines: int) -> dict[str, Any]:
        """What the command line prints of this table after so many lines."""
        phase = self.waits_for()
        return {
            "ruleset": self.rules["preset"],
            "events": lines,
            "deal": self.deal,
            "phase": phase,
            "turn": self.mover(),
            "direction": self.direction,
            "dealer": self.dealer,
            "top": self.top,
            "color": self.color,
            "owed": self.due(),
            "hands": [self.held(seat) for seat in range(self.seats)],
            "draw_pile": self.pile,
            "discards": len(self.discards),
            "scores": list(self.scores),
            "deal_scores": [list(row) for row in self.deal_scores],
            "left": sorted(self.left),
            "winner": self.winner,
            "team": self.team,
        }

    def possible_points(self, seat: int) -> set[int]:
        """Every sum of points that a hand can have, as far as its cards are known."""
        visible = self.visible()
        hidden = Counter[int]()
        for card, copies in self.copies.items():
            hidden[points(card)] += copies - visible[card]
        # sums[n]: what n hidden cards can make, kind by kind.
        sums: dict[int, set[int]] = {0: {sum(map(points, self.known[seat]))}}
        for value, copies in hidden.items():
            wider: dict[int, set[int]] = {}
            for count, found in sums.items():
                for more in range(min(copies, self.unknown[seat] - count) + 1):
                    wider.setdefault(count + more, set()).update(total + more * value for total in found)
            sums = wider
        return sums.get(self.unknown[seat], set())


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Cards with one copy of a card less."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def changed(row: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    """A row by seat with one seat's value changed."""
    return (*row[:seat], value, *row[seat + 1 :])


def draw_value(card: str) -> int:
    """How many cards a draw card costs."""
    return (4 if card == "W+4" else 2) if is_draw_card(card) else 0
