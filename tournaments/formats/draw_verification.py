"""Rounds that were drawn, drawn again from the rounds before them, and compared."""

from collections.abc import Iterator
from dataclasses import dataclass

from .edits import ContestantSwap, swap_all
from .errors import CannotDraw
from .format import RoundPlan
from .record import StageRecord


@dataclass(frozen=True, slots=True)
class Repeated:
    """A round as it was drawn, and as it is drawn from what was known before it.

    `again` is None where nothing would be drawn, and `why` then says why, in English. Where the round was
    changed by hand, `edits` say how, and `again` is what they make of what is drawn. Free seats that were
    taken since are in it.
    """

    drawn: RoundPlan
    again: RoundPlan | None
    why: str = ""
    edits: tuple[ContestantSwap, ...] = ()

    @property
    def told(self) -> str:
        """Whether it is the same, in English."""
        if not self.is_same:
            return "differs"
        return "the same, then changed by hand" if self.edits else "the same"

    def edit_lines(self) -> Iterator[str]:
        """How it was changed by hand, swap after swap."""
        for swap in self.edits:
            why = f" ({swap.reason})" if swap.reason else ""
            yield f"round {self.drawn.number} by hand: {swap.one} and {swap.other} change places{why}"

    @property
    def is_same(self) -> bool:
        """Whether it is the same: the slots in their order, who sits first in each, and who has a bye."""
        return self.again is not None and list(round_lines(self.drawn)) == list(round_lines(self.again))

    def differences(self) -> Iterator[str]:
        """What isn't the same, line by line: `-` as it was drawn, `+` as it is drawn again."""
        if self.again is None:
            yield self.why
            return
        before, after = list(round_lines(self.drawn)), list(round_lines(self.again))
        yield from (f"- {line}" for line in before if line not in after)
        yield from (f"+ {line}" for line in after if line not in before)
        if before != after and sorted(before) == sorted(after):
            yield "The same matches, in another order."


def repeat_round(record: StageRecord, number: int) -> Repeated:
    """A round that was drawn, from what was known before it."""
    drawn = record.drawn[number - 1]
    edits = record.edits[number - 1]
    try:
        again = record.draw(number)
        if again is None:
            return Repeated(drawn, None, "No round follows: by then all is drawn.", edits)
        again = swap_all(again, edits)
        for seat in drawn.taken:
            again = again.with_taken(seat)
        return Repeated(drawn, again, "", edits)
    except CannotDraw as error:
        return Repeated(drawn, None, str(error), edits)


def repeat_all(record: StageRecord) -> Iterator[Repeated]:
    """Every round that was drawn, in order."""
    return (repeat_round(record, number) for number in range(1, len(record.drawn) + 1))


def round_lines(plan: RoundPlan) -> Iterator[str]:
    """A round by numbers alone: each slot with its sides, the first seat's first; last who has a bye."""
    for pairing in plan.pairings:
        yield f"round {plan.number} {pairing.slot}: {'  '.join(map(str, pairing.sides))}"
    if plan.byes:
        yield f"round {plan.number} bye: {'  '.join(map(str, plan.byes))}"


def record_lines(record: StageRecord) -> Iterator[str]:
    """What a stage is drawn by: the method of its lots, its seed, its format."""
    yield head_line(record.choice.key, record.method, record.seed)


def head_line(format_key: str, method: str, seed: str) -> str:
    """Method, seed and format in a line; a format without lots has no method."""
    return f"method {method or '-'}, seed {seed}, format {format_key}"
