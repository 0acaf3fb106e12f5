"""A bracket as plain data for pages: every match with its sides, resolved or as "winner of" another one."""

from dataclasses import dataclass

from ..format import PairingOutcome
from .plan import BracketSource, Plan, SectionKind, SectionPart
from .state import NOBODY, BracketStatus, Entrants, State, Who, is_spared
from .titles import Title


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a match: a contestant, or None while it is open.

    `after` is the match whose winner (or loser, if `as_loser`) comes here; None for a place of the bracket.
    A deciding final is between the loser of the final, who had no defeat before, and its winner.
    """

    contestant: int | None
    after: str | None = None
    as_loser: bool = False


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match. `outcome` is there once it is decided, also by a walkover that was never drawn.

    `winner` is None while it is open, and where both sides are gone. `drawn_in` is the number of the round in
    which it was drawn. `due` are the contestants who would be its sides by the results as they are now, where
    those aren't who was drawn. A side that is open has None there.
    """

    slot: str
    name: Title
    sides: tuple[Side, Side]
    drawn_in: int | None
    outcome: PairingOutcome | None
    winner: int | None
    due: tuple[int | None, int | None] | None

    @property
    def is_decided(self) -> bool:
        """Whether it is known who goes on."""
        return self.outcome is not None and (self.winner is not None or self.outcome.walkover)


@dataclass(frozen=True, slots=True)
class BracketRound:
    """The matches of one round of a part from top to bottom; byes are none."""

    part: SectionPart
    number: int
    title: Title
    matches: tuple[BracketMatch, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """A whole bracket: the rounds of its parts in order, and who has a bye in the first one."""

    rounds: tuple[BracketRound, ...]
    byes: tuple[int, ...]

    def part(self, part: SectionPart) -> tuple[BracketRound, ...]:
        """The rounds of one part."""
        return tuple(each for each in self.rounds if each.part is part)


def tree(plan: Plan, entrants: Entrants, state: State) -> Bracket:
    """The bracket as it stands."""
    matches: dict[tuple[SectionPart, int], list[BracketMatch]] = {key: [] for key in plan.rounds}
    for standing in state.values():
        if standing.is_match and not is_spared(standing):
            matches[standing.node.part, standing.node.round].append(_match(standing, state))
    pairs = zip(entrants[::2], entrants[1::2], strict=True)
    return Bracket(
        tuple(
            BracketRound(part, number, plan.rounds[part, number], tuple(found))
            for (part, number), found in matches.items()
            if found
        ),
        tuple(one or other for one, other in pairs if NOBODY in (one, other)),
    )


def _match(standing: BracketStatus, state: State) -> BracketMatch:
    one, other = standing.node.sources
    first, second = standing.sides
    return BracketMatch(
        slot=standing.node.slot,
        name=standing.node.name,
        sides=(_side(first, one, state), _side(second, other, state)),
        drawn_in=standing.drawn_in,
        outcome=standing.outcome,
        winner=standing.winner or None,
        due=(standing.due[0] or None, standing.due[1] or None) if standing.is_changed else None,
    )


def _side(who: Who, source: BracketSource, state: State) -> Side:
    source = _behind_byes(source, state)
    if source.kind is SectionKind.WINNER:
        return Side(who or None, source.slot)
    if source.kind is SectionKind.LOSER:
        return Side(who or None, source.slot, as_loser=True)
    if source.kind is SectionKind.AGAIN:
        return Side(who or None, source.slot, as_loser=source.place == 0)
    return Side(who or None)


def _behind_byes(source: BracketSource, state: State) -> BracketSource:
    """The match or place from which somebody comes who may have passed through others without playing."""
    while source.kind is SectionKind.WINNER and not state[source.slot].is_match:
        before = state[source.slot]
        one, other = before.node.sources
        source = other if _is_empty(one, state, before, 0) else one
    return source


def _is_empty(source: BracketSource, state: State, before: BracketStatus, side: int) -> bool:
    """Whether nobody ever comes from there."""
    if source.kind is SectionKind.PLACE:
        return before.due[side] == NOBODY
    if source.kind is SectionKind.LOSER:
        return not state[source.slot].is_match
    feeding = state[source.slot]
    return not feeding.is_match and all(
        _is_empty(each, state, feeding, index) for index, each in enumerate(feeding.node.sources)
    )
