"""Check of a state: every invariant that it breaks, not only the first.

No log that the engine accepts leads to a state that breaks one. So what is found here was altered where it is
stored, or is a mistake of the engine itself.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from games.engine.cards import CARDS, COLOR, COLORS, WILD_FOUR
from games.engine.events import CLOSE_REASONS
from games.engine.invariants import INVARIANTS
from games.engine.legal import is_stuck
from games.engine.refusals import Refusal
from games.engine.state import (
    AFTER_DRAW,
    ANSWER,
    COLOR_PHASE,
    CUT,
    DEAL,
    DEBT_REASONS,
    DRAW,
    HIT,
    HIT_THEN_PLAY,
    OVER,
    PHASES,
    PLAY,
    SHOW,
    START,
    TABLE_PHASES,
    TURN_CARD,
    State,
    copies_in,
)
from games.engine.translations import translate

_CARDS = frozenset(CARDS)
_DEALT = (TURN_CARD, *TABLE_PHASES, SHOW)
"""The phases of a deal: from the hand-out to its points."""


@dataclass(frozen=True, slots=True)
class Broken:
    """One invariant that a state breaks: its `code`, one of `INVARIANTS`, and the values that show it.

    `detail` names fields of the state as a programmer does; `sentence` says it for people.
    """

    code: str
    detail: str

    def sentence(self, language: str) -> str:
        """What doesn't hold, in a language (`it`, else English)."""
        return translate(INVARIANTS[self.code], language)

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


def audit(state: State) -> list[Broken]:
    """Every invariant that a state breaks, each with what shows it; an empty list for a sound state.

    Never changes the state, and reads one that is broken in any way, as long as its fields hold values of
    their kind. Where even the frame is broken (`unknown-phase`, `seats`, `no-card`) only that is told: the
    rest can't be asked. So is `stuck` of a state in which anything else is broken.
    """
    frame = [Broken(code, detail) for code, find in _FRAME for detail in find(state)]
    if frame or state.phase == START:
        return frame
    broken = [Broken(code, detail) for code, find in _FINDERS for detail in find(state)]
    return broken or [Broken("stuck", detail) for detail in _stuck(state)]


_Find = Callable[[State], Iterator[str]]


def _is_seat(state: State, seat: int | None) -> bool:
    return seat is not None and 0 <= seat < len(state.seats)


def _mover(state: State) -> tuple[int, ...]:
    """The seat to play, if it is one."""
    player = state.player
    return (player,) if player is not None and _is_seat(state, player) else ()


def _at_table(state: State) -> bool:
    return state.phase in TABLE_PHASES


# The frame, which the others stand on


def _unknown_phase(state: State) -> Iterator[str]:
    if state.waiting not in PHASES:
        yield f"waiting for {state.waiting!r}"


def _seats(state: State) -> Iterator[str]:
    count = len(state.seats)
    if (state.phase == START) != (count == 0):
        yield f"{count} seats in phase {state.phase}"
    for name, items in (("known", state.known), ("unknown", state.unknown), ("scores", state.scores)):
        if len(items) != count:
            yield f"{name} is for {len(items)} seats of {count}"
    for deal, row in enumerate(state.deal_scores, start=1):
        if len(row) != count:
            yield f"deal_scores of deal {deal} is for {len(row)} seats of {count}"
    if len(set(state.left)) != len(state.left) or not all(_is_seat(state, seat) for seat in state.left):
        yield f"left is {state.left}"


def _no_card(state: State) -> Iterator[str]:
    held = [card for cards in state.known for card in cards]
    single = [card for card in (state.top, state.drawn) if card is not None]
    strange = sorted({*held, *state.discards, *state.named, *single} - _CARDS)
    if strange:
        yield ", ".join(map(repr, strange))


# The packs


def _rules(state: State) -> Iterator[str]:
    try:
        state.ruleset.check(len(state.seats))
    except Refusal as refusal:
        yield refusal.message


def _pack(state: State) -> Iterator[str]:
    ruleset = state.ruleset
    allowed = [copies_in(ruleset.decks)]
    if ruleset.reverse_with_two == "removed":
        allowed.append(copies_in(ruleset.decks, reverses=False))
    if all(state.limit != limit for limit in allowed):
        yield f"{sum(state.limit.values())} cards are dealt from"


def _cards_conserved(state: State) -> Iterator[str]:
    held, discards = sum(state.hands), len(state.discards)
    whole = sum(state.limit.values()) if state.deal else 0
    if held + state.pile + discards != whole:
        yield f"{held} in hands, {state.pile} in the pile, {discards} discards of {whole} cards"


def _visible(state: State) -> Counter[str]:
    visible = Counter(state.discards)
    for cards in state.known:
        visible.update(cards)
    return visible


def _too_many_copies(state: State) -> Iterator[str]:
    for card, count in sorted(_visible(state).items()):
        if count > state.limit.get(card, 0):
            yield f"{count} {card} of {state.limit.get(card, 0)}"


def _negative(state: State) -> Iterator[str]:
    counts = {"pile": state.pile, "deal": state.deal, "turns": state.turns, "last_act": state.last_act}
    counts["events"] = state.events
    for name, count in counts.items():
        if count < 0:
            yield f"{name} is {count}"
    for name, row in (("unknown", state.unknown), ("scores", state.scores)):
        if min(row) < 0:
            yield f"{name} is {row}"
    for deal, row in enumerate(state.deal_scores, start=1):
        if min(row) < 0:
            yield f"deal_scores of deal {deal} is {row}"


def _seen(state: State) -> Iterator[str]:
    visible = _visible(state)
    for card in sorted({*state.seen, *visible}):
        if state.seen.get(card, 0) != visible[card]:
            yield f"{card} is counted {state.seen.get(card, 0)} times and visible {visible[card]} times"


# The pile


def _top(state: State) -> Iterator[str]:
    turned = _at_table(state) or state.phase == SHOW
    # A game can be closed before a card is turned, and between deals.
    if state.phase != OVER and (state.top is not None) != turned:
        yield f"top is {state.top} in phase {state.phase}"
    last = state.discards[-1] if state.discards else None
    if state.top is not None and state.top != last:
        yield f"top is {state.top}, the last discard {last}"
    if state.phase == TURN_CARD and state.discards:
        yield f"{len(state.discards)} discards in phase {TURN_CARD}"


def _color(state: State) -> Iterator[str]:
    if state.top is None:
        if state.color is not None:
            yield f"color is {state.color} without a top card"
        return
    own = COLOR[state.top]
    if own is not None:
        if state.color != own:
            yield f"color is {state.color} on {state.top}"
    elif state.color is None:
        if state.waiting != COLOR_PHASE and state.phase != OVER:
            yield f"no color on {state.top}"
    elif state.color not in COLORS or state.waiting == COLOR_PHASE:
        yield f"color is {state.color!r} on {state.top}, waiting for {state.waiting}"


# Whose move it is


def _turn(state: State) -> Iterator[str]:
    if not _at_table(state):
        return
    if not _is_seat(state, state.player):
        yield f"player is {state.player} in phase {state.phase}"
    for debt in state.debts:
        if not _is_seat(state, debt.seat):
            yield f"seat {debt.seat} owes {debt.count}"


def _turn_left(state: State) -> Iterator[str]:
    if not _at_table(state):
        return
    if state.player in state.left:
        yield f"player is {state.player}, who left"
    for debt in state.debts:
        if debt.seat in state.left:
            yield f"seat {debt.seat}, who left, owes {debt.count}"


def _debt(state: State) -> Iterator[str]:
    for debt in state.debts:
        if debt.count < 1 or debt.reason not in DEBT_REASONS:
            yield f"seat {debt.seat} owes {debt.count} for {debt.reason!r}"
        elif debt.reason in (HIT, HIT_THEN_PLAY) and debt.seat != state.player:
            yield f"seat {debt.seat} is hit in the turn of {state.player}"
    if state.debts and state.debts[-1].count > 0 and not state.drawable():
        yield f"{state.debts[-1].count} are owed where nothing can be drawn"


def _stuck(state: State) -> Iterator[str]:
    if is_stuck(state):
        yield f"nothing is legal for seat {state.turn} in phase {state.phase}"


def _waiting(state: State) -> Iterator[str]:
    if state.waiting == DRAW or (state.debts and state.waiting not in TABLE_PHASES):
        yield f"waiting for {state.waiting} with {len(state.debts)} debts"


# Draw cards, the drawn card, windows


def _hit(state: State) -> Iterator[str]:
    hit = state.hit
    if (hit is not None) != (state.waiting == ANSWER):
        yield f"{'a' if hit else 'no'} draw card to answer, waiting for {state.waiting}"
    if hit is None:
        return
    if not _is_seat(state, hit.offender):
        yield f"seat {hit.offender} played the draw card"
    if hit.total < (4 if hit.four else 2) or hit.four != (state.top == WILD_FOUR):
        yield f"{hit.total} to draw for {state.top}"
    if hit.four and (hit.color not in COLORS or hit.first_color not in COLORS or hit.top not in _CARDS):
        yield f"{WILD_FOUR} was played on {hit.top} in {hit.color}, first {hit.first_color}"


def _hit_hand(state: State) -> Iterator[str]:
    hit = state.hit
    if hit is None or not hit.four or not _is_seat(state, hit.offender):
        return
    judged = len(hit.known) + hit.unknown
    drawn = len(hit.drawn) + hit.drawn_unknown
    if hit.unknown < 0 or hit.drawn_unknown < 0 or judged + drawn != state.held(hit.offender):
        yield f"{judged} cards and {drawn} drawn since, of {state.held(hit.offender)} in hand"


def _drawn(state: State) -> Iterator[str]:
    if not _at_table(state):
        return
    if state.waiting == AFTER_DRAW:
        for seat in _mover(state):
            for card in state.named if state.drawn is None else (state.drawn,):
                if card not in state.known[seat]:
                    yield f"{card} was drawn and isn't held by seat {seat}"
    elif state.drawn is not None:
        yield f"drawn is {state.drawn}, waiting for {state.waiting}"


def _taken_back(state: State) -> Iterator[str]:
    if not _at_table(state):
        return
    if not state.taken_back:
        if state.can_draw_instead:
            yield "a draw instead of another card, where none was taken back"
        return
    if state.ruleset.challenge_upheld != "taken_back" or state.waiting != PLAY:
        yield f"taken back under {state.ruleset.challenge_upheld}, waiting for {state.waiting}"
    elif all(WILD_FOUR not in state.known[seat] for seat in _mover(state)):
        yield f"seat {state.player} took {WILD_FOUR} back and doesn't hold it"


def _turns(state: State) -> Iterator[str]:
    if state.last_act > state.turns:
        yield f"last_act is {state.last_act} of {state.turns} turns"
    for seat, turn in state.missed:
        if not _is_seat(state, seat) or not 0 <= turn <= state.turns:
            yield f"seat {seat} missed a call in turn {turn} of {state.turns}"


def _gift(state: State) -> Iterator[str]:
    if state.gift is None:
        return
    seat, turn = state.gift
    if not state.ruleset.zero_gift or not _is_seat(state, seat) or not 0 <= turn <= state.turns:
        yield f"seat {seat} may give for turn {turn} of {state.turns}"


# The table


def _direction(state: State) -> Iterator[str]:
    early = state.phase in (CUT, DEAL, TURN_CARD)
    if state.direction not in ((1,) if early else (1, -1)):
        yield f"direction is {state.direction} in phase {state.phase}"


def _dealer(state: State) -> Iterator[str]:
    dealer = state.dealer
    if dealer is None:
        # A game can be closed before the cut is over.
        if state.phase not in (CUT, OVER):
            yield f"no dealer in phase {state.phase}"
    elif state.phase == CUT or not _is_seat(state, dealer):
        yield f"dealer is {dealer} in phase {state.phase}"
    elif dealer in state.left and state.phase != OVER:
        yield f"dealer is {dealer}, who left"


def _cut(state: State) -> Iterator[str]:
    if state.phase == OVER:
        return
    numbers = [number for number in state.cut.values() if number is not None]
    due = len(state.cut) > len(numbers)
    if due != (state.phase == CUT) or (numbers and state.phase != CUT):
        yield f"cut is {state.cut} in phase {state.phase}"
    elif not all(_is_seat(state, seat) for seat in state.cut) or any(not 0 <= each <= 9 for each in numbers):
        yield f"cut is {state.cut}"


def _kin(state: State) -> Iterator[str]:
    for one, other in state.kin:
        if one == other or not _is_seat(state, one) or not _is_seat(state, other):
            yield f"seats {one} and {other}"


# Points and the end


def _deals(state: State) -> Iterator[str]:
    ended = len(state.deal_scores)
    under_way = state.deal - ended
    expected = (0, 1) if state.phase == OVER else (1,) if state.phase in _DEALT else (0,)
    if under_way not in expected or (state.phase == CUT and state.deal):
        yield f"deal {state.deal} in phase {state.phase}, with the points of {ended}"


def _scores(state: State) -> Iterator[str]:
    if state.phase == OVER and state.close_reason != "played":
        # A referee who closes a game names the totals.
        return
    sums = [sum(column) for column in zip(*state.deal_scores, strict=True)] or [0] * len(state.seats)
    if state.scores != sums:
        yield f"scores are {state.scores}, the deals make {sums}"


def _points(state: State) -> Iterator[str]:
    if state.points and state.phase not in (SHOW, DEAL, OVER):
        yield f"points are {state.points} in phase {state.phase}"
    for seat, points in state.points.items():
        if not _is_seat(state, seat) or points < 0 or not state.unknown[seat]:
            yield f"points of seat {seat} are {points}"


def _out(state: State) -> Iterator[str]:
    out = state.out
    if out is None:
        if state.phase == SHOW:
            yield f"nobody is out in phase {SHOW}"
    elif not _is_seat(state, out) or state.held(out):
        yield f"seat {out} is out and holds cards" if _is_seat(state, out) else f"out is {out}"
    elif state.phase in (CUT, TURN_CARD, COLOR_PHASE, PLAY, AFTER_DRAW):
        yield f"seat {out} is out in phase {state.phase}"


def _left(state: State) -> Iterator[str]:
    if not state.left:
        return
    if state.ruleset.scoring != "elimination":
        yield f"{state.left} left under {state.ruleset.scoring}"
    if len(state.active()) < (1 if state.phase == OVER else 2):
        yield f"{state.left} left, of {len(state.seats)} seats"
    for seat in state.left:
        if state.phase in _DEALT and state.held(seat):
            yield f"seat {seat} left and holds {state.held(seat)} cards"


def _winner(state: State) -> Iterator[str]:
    if state.phase != OVER:
        if (state.winner, state.team, state.close_reason) != (None, None, None):
            yield f"winner {state.winner}, team {state.team!r}, ended as {state.close_reason!r}, not over"
        return
    if state.close_reason not in ("played", *CLOSE_REASONS):
        yield f"over, ended as {state.close_reason!r}"
    if state.winner is None:
        if state.close_reason == "played":
            yield "played to its end without a winner"
        if state.team is not None and all(seat.team != state.team for seat in state.seats):
            yield f"no seat is of the team {state.team!r}"
    elif not _is_seat(state, state.winner):
        yield f"winner is {state.winner}"
    elif state.team != state.seats[state.winner].team:
        yield f"winner is {state.winner}, team {state.team!r}"


_FRAME: tuple[tuple[str, _Find], ...] = (
    ("unknown-phase", _unknown_phase),
    ("seats", _seats),
    ("no-card", _no_card),
)
_FINDERS: tuple[tuple[str, _Find], ...] = (
    ("rules", _rules),
    ("pack", _pack),
    ("cards-conserved", _cards_conserved),
    ("too-many-copies", _too_many_copies),
    ("negative", _negative),
    ("seen", _seen),
    ("top", _top),
    ("color", _color),
    ("turn", _turn),
    ("turn-left", _turn_left),
    ("debt", _debt),
    ("waiting", _waiting),
    ("hit", _hit),
    ("hit-hand", _hit_hand),
    ("drawn", _drawn),
    ("taken-back", _taken_back),
    ("turns", _turns),
    ("gift", _gift),
    ("direction", _direction),
    ("dealer", _dealer),
    ("cut", _cut),
    ("deals", _deals),
    ("scores", _scores),
    ("points", _points),
    ("out", _out),
    ("left", _left),
    ("winner", _winner),
    ("kin", _kin),
)
