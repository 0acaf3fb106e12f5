"""Drawing, free or owed, and making the draw pile again from the discards."""

from typing import Any, Final, NoReturn

from games.engine.events import CardsDrawn, PileReshuffled
from games.engine.refusals import Refusal
from games.engine.state import AFTER_DRAW, ANSWER, DRAW, HIT, HIT_THEN_PLAY, PLAY, State
from games.engine.transitions.challenge import must_draw
from games.engine.transitions.effects import hit_reason
from games.engine.transitions.flow import act, end_turn, owe, settle
from games.engine.transitions.hands import check_copies, receive
from games.engine.transitions.transition_types import Handles
from games.engine.transitions.turns import check_may_keep, check_turn
from games.engine.translations import mark


def check_draw(state: State, event: CardsDrawn) -> None:
    """In `play`: one card, by the seat to play, if it needn't play."""
    check_turn(state, event.seat)
    if event.cards is not None:
        check_copies(state, event.cards)
    if event.count != 1:
        raise Refusal("wrong-count", "who doesn't play draws 1 card, not {given}", given=event.count)
    check_may_keep(state, event.seat)
    if not state.pile:
        raise _pile_empty(state)


def check_forced_draw(state: State, event: CardsDrawn) -> None:
    """In `answer` and `draw`: the whole total or debt, by the seat that was hit or that owes it."""
    if state.phase == ANSWER:
        check_turn(state, event.seat)
    elif event.seat != state.turn:
        refuse_owing(state, event)
    if event.cards is not None:
        check_copies(state, event.cards)
    _check_count(state, event.count)


def refuse_owing(state: State, event: Any) -> NoReturn:
    """In `draw`: anything but the draw that is owed."""
    raise must_draw(state)


def _check_count(state: State, count: int) -> None:
    """The number owed, or all that the pile holds where that is less."""
    due, pile = state.owed, state.pile
    if count == due and pile < due:
        raise _pile_empty(state)
    if count != due and not (count == pile < due):
        if 0 < pile < due:
            raise Refusal(
                "wrong-count",
                mark(
                    "{seat:seat} draws {pile:count}, all there is, and the rest after a reshuffle, "
                    "not {given}"
                )
                if _refills(state)
                else mark("{seat:seat} draws {pile:count}, all there is, not {given}"),
                seat=state.turn,
                pile=pile,
                given=count,
            )
        raise Refusal(
            "wrong-count", "{seat:seat} draws {due:count}, not {given}", seat=state.turn, due=due, given=count
        )


def _pile_empty(state: State) -> Refusal:
    if state.pile:
        return Refusal(
            "pile-empty",
            mark("the draw pile holds only {pile:count}: draw what there is, reshuffle, then draw the rest")
            if _refills(state)
            else mark("the draw pile holds only {pile:count}: draw what there is, and that is all"),
            pile=state.pile,
        )
    if state.spare_discards():
        return Refusal("pile-empty", "the draw pile is empty: reshuffle the discards first")
    return Refusal("pile-empty", "draw pile and discards are used up: expected is a pass")


def _refills(state: State) -> bool:
    """Whether discards can be turned over once the pile is drawn; who draws gives up a challenge."""
    return len(state.discards) > 1 if state.phase == ANSWER else state.spare_discards() > 0


def evolve_draw(state: State, event: CardsDrawn) -> None:
    """The turn's first act; the card can be played at once, unless it has to be kept."""
    act(state)
    receive(state, event.seat, 1, event.cards)
    state.taken_back = state.can_draw_instead = False
    if state.ruleset.drawn_card == "keep":
        end_turn(state)
        return
    state.drawn = None if event.cards is None else event.cards[0]
    state.named = []
    state.waiting = AFTER_DRAW


def evolve_draw_answering(state: State, event: CardsDrawn) -> None:
    """The seat that was hit gives in: what it doesn't draw at once it owes."""
    hit = state.awaited_hit()
    state.hit = None
    state.waiting = PLAY
    owe(state, event.seat, hit.total, hit_reason(state))
    evolve_draw_owing(state, event)


def evolve_draw_owing(state: State, event: CardsDrawn) -> None:
    """The debt is paid, or its first part."""
    debt = state.debts[-1]
    debt.count -= event.count
    if debt.reason in (HIT, HIT_THEN_PLAY):
        act(state)
    receive(state, event.seat, event.count, event.cards)
    settle(state)


def check_reshuffle(state: State, event: PileReshuffled) -> None:
    """Only when nothing is left to draw and something can be reshuffled."""
    if state.pile:
        raise Refusal(
            "pile-not-empty",
            "the draw pile still holds {pile:count}: it is made again when it is empty",
            pile=state.pile,
        )
    if not state.spare_discards():
        raise Refusal("pile-not-empty", "there is no discard under the top that could be reshuffled")


def evolve_reshuffle(state: State, event: PileReshuffled) -> None:
    """The discards under the top, unknown again, are the new draw pile."""
    taken = state.spare_discards()
    for card in state.discards[:taken]:
        state.seen[card] -= 1
    del state.discards[:taken]
    state.pile = taken


HANDLES: Final[Handles] = {
    CardsDrawn: {
        PLAY: (check_draw, evolve_draw),
        ANSWER: (check_forced_draw, evolve_draw_answering),
        DRAW: (check_forced_draw, evolve_draw_owing),
    },
    PileReshuffled: dict.fromkeys((PLAY, AFTER_DRAW, ANSWER, DRAW), (check_reshuffle, evolve_reshuffle)),
}
