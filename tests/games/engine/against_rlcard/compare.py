"""One moment of RLCard's in the engine's eyes: what is legal there, and what an act leads to.

Every difference has a name; anything else that differs is an AssertionError.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache

from games.engine import Ruleset, State, advance, audit, refusal_of
from games.engine.cards import CARDS, COLORS, REVERSE, SYMBOL, WILD, WILD_FOUR, WILDS, Card
from games.engine.events import (
    CardsDrawn,
    CardsPlayed,
    CardTurned,
    ChallengeMade,
    ColorNamed,
    DealerNamed,
    DealStarted,
    Event,
    GameOpened,
    PileReshuffled,
    Seat,
    TurnPassed,
)
from games.engine.state import ANSWER, COLOR_PHASE, DRAW, PLAY
from tests.games.engine.against_rlcard.corpus import DRAW as DRAW_ACTION
from tests.games.engine.against_rlcard.corpus import Action, Moment, Recorded

RULES = Ruleset.from_json({"preset": "palio", "final_draw": True})
"""What RLCard's environment plays comes closest to: who can play must, a drawn card may be played at once, a
Wild Draw Four is for who has nothing else, and a last draw card is still drawn for."""

EVERY_CARD: tuple[Action, ...] = (
    *((card, None) for card in CARDS if card not in WILDS),
    *((wild, color) for wild in (WILD, WILD_FOUR) for color in COLORS),
)

FOUR_BY_CONDITION = "a Wild Draw Four that its condition forbids can't be played, so nobody bluffs"
TOP_RESHUFFLED = "the top card is shuffled into the draw pile with the other discards"
EARLY_RESHUFFLE = "the discards are reshuffled before the draw pile is used up"
TWO_REVERSE = "with two players a Reverse gives the turn to the other one"
FIRST_DRAW_TWO = "who draws for a Draw Two as first card plays the turn all the same"
FIRST_WILD_AT_RANDOM = "the colour of a Wild as first card is chosen by nobody"
DRAWN_FOUR_HARMLESS = "a Wild Draw Four that was drawn and goes on the pile at once makes nobody draw"
DRAWN_COLOR_FORCED = "a drawn card of the colour, or a Wild, is played without being asked for"
DRAWN_SYMBOL_KEPT = "a drawn card that fits by number or symbol alone can't be played at once"

DEVIATIONS = frozenset(
    (
        FOUR_BY_CONDITION,
        TOP_RESHUFFLED,
        EARLY_RESHUFFLE,
        TWO_REVERSE,
        FIRST_DRAW_TWO,
        FIRST_WILD_AT_RANDOM,
        DRAWN_FOUR_HARMLESS,
        DRAWN_COLOR_FORCED,
        DRAWN_SYMBOL_KEPT,
    )
)
"""Everything in which RLCard plays otherwise, as far as its games show: docs/development/engine-proofs.md."""


def dealt(players: int, first: Card) -> State:
    """A table at which RLCard's seat 0 is the first player, with hidden hands and the first card turned."""
    state = State()
    advance(state, GameOpened(RULES, tuple(Seat(f"Seat {seat}") for seat in range(players))))
    advance(state, DealerNamed(players - 1))
    advance(state, DealStarted(players - 1))
    advance(state, CardTurned(first))
    return state


def state_of(moment: Moment) -> State:
    """The engine's state at a moment, with every hand known."""
    state = dealt(len(moment.hands), "R7")
    state.known = [list(hand) for hand in moment.hands]
    state.unknown = [0] * len(moment.hands)
    state.discards = list(moment.discards)
    state.pile = moment.pile
    state.seen = dict.fromkeys(CARDS, 0)
    for cards in (state.discards, *state.known):
        for card in cards:
            state.seen[card] += 1
    state.top, state.color = moment.top, moment.color
    state.player, state.direction = moment.seat, moment.direction
    return state


@cache
def _table(players: int) -> State:
    """A table for which top card and colour are all that matters: the same one each time."""
    return dealt(players, "R7")


def play(moment: Moment, action: Action) -> CardsPlayed:
    card, color = action
    return CardsPlayed(moment.seat, (card,), color, True)


def compare_fitting(moment: Moment) -> None:
    """By `State.fitting` alone: the cards of the hand that go on the pile."""
    hand = set(moment.hands[moment.seat])
    state = _table(len(moment.hands))
    state.top, state.color = moment.top, moment.color
    fits = state.fitting() & hand
    if fits != {WILD_FOUR}:
        fits -= {WILD_FOUR}
    assert (fits or {"draw"}) == {card for card, _ in moment.legal}, moment


def compare_legal(moment: Moment) -> set[str]:
    """Ask the engine about every card in every colour, about a draw and a pass; the deviations found."""
    state = state_of(moment)
    found = set()
    reshuffled = not moment.discards or moment.discards[-1] != moment.top
    assert [broken.code for broken in audit(state)] == (["top"] if reshuffled else []), moment
    if reshuffled:
        found.add(TOP_RESHUFFLED)
    ours = {action for action in EVERY_CARD if refusal_of(state, play(moment, action)) is None}
    drawing = refusal_of(state, CardsDrawn(moment.seat, 1))
    if drawing is None or drawing.code == "pile-empty":
        # Out of an empty pile a card is drawn after a reshuffle.
        ours.add(DRAW_ACTION)
    passing = refusal_of(state, TurnPassed(moment.seat))
    assert passing is not None, moment
    assert passing.code == "may-not-pass", moment
    fours = {(WILD_FOUR, color) for color in COLORS}
    if ours != moment.legal:
        assert ours - moment.legal == fours, moment
        assert not moment.legal - ours, moment
        found.add(FOUR_BY_CONDITION)
    if fours <= ours:
        _compare_verdict(state, moment, illegal=not fours <= moment.legal)
    return found


def _compare_verdict(state: State, moment: Moment, *, illegal: bool) -> None:
    """A Wild Draw Four that RLCard doesn't offer loses its challenge, one that it offers wins it."""
    if len(moment.hands[moment.seat]) == 1:
        return
    advance(state, play(moment, (WILD_FOUR, "R")))
    assert state.phase == ANSWER
    assert state.player is not None
    for upheld in (True, False):
        refusal = refusal_of(state, ChallengeMade(state.player, upheld))
        assert (refusal is None) == (upheld == illegal), moment


def compare_start(game: Recorded) -> set[str]:
    """The first card's effect on the first player."""
    moment = game.moments[0]
    state = dealt(game.players, moment.top)
    found = set()
    if state.phase == COLOR_PHASE:
        advance(state, ColorNamed(0, moment.color))
        found.add(FIRST_WILD_AT_RANDOM)
    if state.phase == DRAW:
        assert (state.turn, state.owed) == (0, 2)
        advance(state, CardsDrawn(0, 2))
        assert (moment.seat, state.turn) == (0, 1)
        found.add(FIRST_DRAW_TWO)
        state.player = 0
    assert _picture(state) == _picture(state_of(moment))
    return found


def compare_act(moment: Moment, after: Moment) -> set[str]:
    """What the act leads to: whose turn it is then, the direction, top, colour, hands and piles."""
    state = state_of(moment)
    state.unknown, state.known = [len(hand) for hand in moment.hands], [[] for _ in moment.hands]
    state.seen = Counter(state.discards)
    found = set()
    exact = True
    if moment.action == DRAW_ACTION:
        exact = moment.pile > 0
        card, kept = _what_was_drawn(moment, after)
        for event in _draws(state, moment.seat, 1):
            advance(state, event)
        if not exact:
            found.add(TOP_RESHUFFLED)
        if kept:
            if card in state.fitting():
                found.add(DRAWN_SYMBOL_KEPT)
            advance(state, TurnPassed(moment.seat))
        else:
            assert card in state.fitting()
            found.add(DRAWN_COLOR_FORCED)
            color = after.color if card in WILDS else None
            # The top card itself can be drawn where it was shuffled in, so copies are no argument then.
            state.seen[card] -= not exact
            advance(state, CardsPlayed(moment.seat, (card,), color, True))
    else:
        assert moment.action is not None
        card = moment.action[0]
        advance(state, play(moment, moment.action))
    if card == WILD_FOUR and moment.action == DRAW_ACTION and state.phase == ANSWER:
        found.add(DRAWN_FOUR_HARMLESS)
        state.waiting = PLAY
        state.hit = None
    if state.phase in (DRAW, ANSWER):
        seat, owed = state.turn, state.owed
        assert seat is not None
        if state.pile < owed:
            found |= {TOP_RESHUFFLED} if state.pile == 0 else {TOP_RESHUFFLED, EARLY_RESHUFFLE}
            exact = False
        for event in _draws(state, seat, owed):
            advance(state, event)
    ours, theirs = _picture(state), _picture(state_of(after))
    played = moment.action != DRAW_ACTION or not _what_was_drawn(moment, after)[1]
    if state.over:
        assert (state.winner, after.action, after.hands[moment.seat]) == (moment.seat, None, ())
        ours["turn"], ours["direction"] = theirs["turn"], theirs["direction"]
    elif played and SYMBOL[card] == REVERSE and len(moment.hands) == 2:
        assert (ours["turn"], theirs["turn"]) == (moment.seat, 1 - moment.seat)
        found.add(TWO_REVERSE)
        ours["turn"], ours["direction"] = theirs["turn"], theirs["direction"]
    if not exact:
        for side in (ours, theirs):
            del side["pile"], side["discards"]
    assert ours == theirs, (moment, after)
    return found


def _what_was_drawn(moment: Moment, after: Moment) -> tuple[Card, bool]:
    """The card that a draw turned up, and whether it stayed in the hand."""
    gained = Counter(after.hands[moment.seat]) - Counter(moment.hands[moment.seat])
    if gained:
        (card,) = gained
        return card, True
    return after.top, False


def _draws(state: State, seat: int, count: int) -> Iterator[Event]:
    """A draw, in parts where the pile doesn't hold so many."""
    first = min(count, state.pile)
    if first:
        yield CardsDrawn(seat, first)
    if first < count:
        yield PileReshuffled()
        yield CardsDrawn(seat, count - first)


def _picture(state: State) -> dict[str, object]:
    return {
        "turn": state.player,
        "direction": state.direction,
        "top": state.top,
        "color": state.color,
        "hands": state.hands,
        "pile": state.pile,
        "discards": len(state.discards),
    }
