"""State of a bracket: who is on which side of every match, as far as results say.

A result counts for the match as it was drawn. Where a correction makes an earlier match end otherwise, the
later one keeps its sides, and `due` says who would be there now.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ..errors import CannotDraw, gettext_noop
from ..format import PairingOutcome, PlayedRound, RoundPairing, StageProgress
from .plan import BracketSource, Node, Plan, SectionKind
from .seeding import standard_order

NOBODY = 0
"""Stands for a contestant that there will never be: a bye."""

Who = int | None
"""A contestant's number, NOBODY, or None while it is open."""

_NO_POINTS = (Fraction(0), Fraction(0))


@dataclass(frozen=True, slots=True)
class BracketStatus:
    """A match of the plan as it stands.

    `is_match`: both sides are, or will be, somebody; otherwise who there is passes through. `drawn_in` is the
    number of the round in which it was drawn, and `pairing` what was drawn. `due` are the sides that follow
    from the results; they differ from `sides` only after a correction. `losers` are none while it is open,
    and two where both are gone.
    """

    node: Node
    is_match: bool
    sides: tuple[Who, Who]
    due: tuple[Who, Who]
    pairing: RoundPairing | None
    drawn_in: int | None
    outcome: PairingOutcome | None
    winner: Who
    losers: tuple[int, ...]

    @property
    def is_open(self) -> bool:
        """Whether it isn't known yet who goes on."""
        return self.winner is None

    @property
    def is_changed(self) -> bool:
        """Whether, after a correction, somebody else would be in it than was drawn."""
        return any(who != NOBODY and who not in self.sides for who in self.due)


State = Mapping[str, BracketStatus]


def walkover(sides: tuple[Who, ...], gone: frozenset[int]) -> PairingOutcome | None:
    """How a match ends whose sides are known and one or both are gone; None if both are there."""
    there = [one for one in sides if one not in gone]
    if len(there) == len(sides):
        return None
    return PairingOutcome(_NO_POINTS, there[0] if there else None, walkover=True)


def settled(progress: StageProgress) -> StageProgress:
    """The same with a walkover for everybody whose opponent in an undecided match is gone.

    Where both are gone, one after the other, it is whoever was drawn again that had the walkover. A match
    that ended level since both are gone has no winner: nobody goes on.
    """
    if not progress.gone:
        return progress
    latest = {one: each.plan.number for each in progress.rounds for one in each.plan.taking_part()}
    return replace(
        progress,
        rounds=tuple(
            PlayedRound(
                each.plan,
                tuple(
                    _as_nobody_goes_on(pairing, outcome, progress.gone)
                    if outcome is not None
                    else walkover(
                        pairing.sides,
                        progress.gone - {one for one in pairing.sides if latest[one] > each.plan.number},
                    )
                    for pairing, outcome in each.matches()
                ),
            )
            for each in progress.rounds
        ),
    )


def _as_nobody_goes_on(
    pairing: RoundPairing, outcome: PairingOutcome, gone: frozenset[int]
) -> PairingOutcome:
    """The outcome itself, or without a winner where the match is level and both sides are gone."""
    if outcome.winner is None and gone.issuperset(pairing.sides):
        return replace(outcome, walkover=True)
    return outcome


Entrants = tuple[int, ...]
"""Who stands on each place of the bracket from the top; NOBODY is a bye."""


def entrants_drawn(progress: StageProgress) -> Entrants:
    """Who stands where, read from what was drawn: the first round, and late entries on byes since."""
    first, *later = [each.plan for each in progress.rounds]
    sides = {pairing.slot: pairing.sides for pairing in first.pairings}
    matches = len(sides) + len(first.byes)
    if matches & (matches - 1) or any(slot not in _first_slots(matches) for slot in sides):
        raise CannotDraw(
            "not_a_bracket",
            gettext_noop("The first round is no round of a bracket. Matches: %(matches)d, byes: %(byes)d."),
            matches=len(sides),
            byes=len(first.byes),
        )
    rank = standard_order(matches.bit_length())
    byes = iter(first.byes)
    places: list[int] = []
    for index, slot in enumerate(_first_slots(matches)):
        if slot in sides:
            places += sides[slot]
        else:
            # The better seed of the two is there.
            holder = next(byes)
            places += (holder, NOBODY) if rank[2 * index] < rank[2 * index + 1] else (NOBODY, holder)
    for plan in later:
        for pairing in plan.pairings:
            if pairing.slot.startswith("W1."):
                index = int(pairing.slot.removeprefix("W1.")) - 1
                places[2 * index : 2 * index + 2] = pairing.sides
    return tuple(places)


def _first_slots(matches: int) -> list[str]:
    return [f"W1.{number}" for number in range(1, matches + 1)]


def resolve(plan: Plan, entrants: Entrants, progress: StageProgress) -> State:
    """Every match of the plan as it stands; `progress` is settled."""
    drawn = {
        pairing.slot: (pairing, outcome, each.plan.number)
        for each in progress.rounds
        for pairing, outcome in each.matches()
    }
    unknown = next((slot for slot in drawn if slot not in plan.nodes), None)
    if unknown is not None:
        raise CannotDraw(
            "unknown_slot",
            gettext_noop("A match was drawn as %(slot)s, which this bracket doesn't have."),
            slot=unknown,
        )
    state: dict[str, BracketStatus] = {}
    leads_to = {
        source.slot: node.slot
        for node in plan.nodes.values()
        for source in node.sources
        if source.kind is SectionKind.WINNER
    }

    def went_on(slot: str, who: Who) -> bool:
        """Whether somebody was drawn in a match that only the winner of this one can come to."""
        following = leads_to.get(slot)
        while following is not None:
            if following in drawn and who in drawn[following][0].sides:
                return True
            following = leads_to.get(following)
        return False

    for node in plan.nodes.values():
        due = (_value(node.sources[0], entrants, state), _value(node.sources[1], entrants, state))
        if node.slot not in drawn and is_twice(due):
            # A match before was corrected, and one after it stays as it was drawn: nobody can tell who meets.
            due = (None, None)
        is_match = node.slot in drawn or all(_is_live(source, entrants, state) for source in node.sources)
        # Who left later than the opponent had the walkover, if it was made use of.
        gone = progress.gone - {one for one in due if one in progress.gone and went_on(node.slot, one)}
        standing = _standing(node, is_match, due, drawn.get(node.slot), gone)
        if is_spared(standing):
            standing = replace(standing, losers=state[node.sources[0].slot].losers)
        state[node.slot] = standing
    return state


def is_twice(due: tuple[Who, Who]) -> bool:
    """Whether somebody would meet themselves."""
    return due[0] == due[1] and due[0] not in (None, NOBODY)


def is_spared(standing: BracketStatus) -> bool:
    """Whether it is a deciding final that isn't played, because the final has decided."""
    again = standing.node.sources[0].kind is SectionKind.AGAIN
    return again and standing.pairing is None and NOBODY in standing.sides


def _standing(
    node: Node,
    is_match: bool,
    due: tuple[Who, Who],
    drawn: tuple[RoundPairing, PairingOutcome | None, int] | None,
    gone: frozenset[int],
) -> BracketStatus:
    if drawn is not None:
        pairing, outcome, number = drawn
        sides = (pairing.sides[0], pairing.sides[1])
        winner, losers = _ended(sides, outcome)
        return BracketStatus(node, is_match, sides, due, pairing, number, outcome, winner, losers)
    one, other = due
    if NOBODY in due:
        # Who there is passes through; who is gone meets their opponent's walkover where there is one.
        return BracketStatus(node, is_match, due, due, None, None, None, other if one == NOBODY else one, ())
    outcome = None if None in due else walkover(due, gone)
    winner, losers = _ended(due, outcome)
    return BracketStatus(node, is_match, due, due, None, None, outcome, winner, losers)


def _ended(sides: tuple[Who, Who], outcome: PairingOutcome | None) -> tuple[Who, tuple[int, ...]]:
    """Who goes on, and who lost."""
    if outcome is None or (outcome.winner is None and not outcome.walkover):
        return None, ()
    losers = tuple(one for one in sides if one is not None and one != outcome.winner)
    return outcome.winner or NOBODY, losers


def _value(source: BracketSource, entrants: Entrants, state: Mapping[str, BracketStatus]) -> Who:
    if source.kind is SectionKind.PLACE:
        return entrants[source.place]
    before = state[source.slot]
    if source.kind is SectionKind.WINNER:
        return before.winner
    if source.kind is SectionKind.LOSER:
        if before.is_match and before.is_open:
            return None
        return before.losers[0] if len(before.losers) == 1 else NOBODY
    if before.is_open:
        return None
    if before.winner != before.sides[1] or before.winner == NOBODY:
        # The one without a defeat has won: that is that.
        return before.winner if source.place == 0 else NOBODY
    return before.sides[source.place]


def _is_live(source: BracketSource, entrants: Entrants, state: Mapping[str, BracketStatus]) -> bool:
    """Whether somebody will come from there, whatever the results."""
    if source.kind is SectionKind.PLACE:
        return entrants[source.place] != NOBODY
    before = state[source.slot]
    if source.kind is SectionKind.LOSER or source.kind is SectionKind.AGAIN:
        return before.is_match
    return before.is_match or any(_is_live(each, entrants, state) for each in before.node.sources)
