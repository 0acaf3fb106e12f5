"""Sections of a large bracket, each of which can be read at once: on a screen, a leaf, a projector."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .plan import SectionPart
from .tree import Bracket, BracketMatch, BracketRound

MOST_ROUNDS = 4
MOST_ROWS = 8


@dataclass(frozen=True, slots=True)
class Section:
    """Part of a bracket: rounds that follow each other, with the matches that belong to this piece.

    `number` of `count` are the pieces of the same rounds; 1 of 1 has them whole.
    """

    part: SectionPart
    rounds: tuple[BracketRound, ...]
    number: int
    count: int


def sections(bracket: Bracket) -> tuple[Section, ...]:
    """The pieces of a bracket in the order in which it is played.

    Each has at most four rounds. It has at most eight matches one below the other, except where late rounds
    have more.

    The finals of a double elimination are a piece of their own; matches for places stand with the round in
    which they are played.
    """
    found = [piece for part in (SectionPart.WINNERS, SectionPart.LOSERS) for piece in _of_part(bracket, part)]
    for part in (SectionPart.FINAL, SectionPart.PLACES):
        if rounds := bracket.part(part):
            found.append(Section(part, rounds, 1, 1))
    return tuple(found)


def _of_part(bracket: Bracket, part: SectionPart) -> Iterator[Section]:
    rounds = bracket.part(part)
    start = 0
    for length in _lengths(len(rounds)):
        chunk = rounds[start : start + length]
        start += length
        pieces = list(_pieces(chunk))
        for number, piece in enumerate(pieces, start=1):
            yield Section(part, piece, number, len(pieces))


def _lengths(rounds: int) -> list[int]:
    """How many rounds to show together: four, but rather three and two than four and one."""
    lengths = []
    while rounds:
        length = MOST_ROUNDS if rounds != MOST_ROUNDS + 1 else MOST_ROUNDS - 1
        length = min(length, rounds)
        lengths.append(length)
        rounds -= length
    return lengths


def _pieces(rounds: Sequence[BracketRound]) -> Iterator[tuple[BracketRound, ...]]:
    """The rounds cut between matches of the last one, so that each piece has few enough rows."""
    slots = {match.slot: match for each in rounds for match in each.matches}
    batch: list[BracketMatch] = []
    rows = 0
    for match in rounds[-1].matches:
        height = _rows(match, slots)
        if batch and rows + height > MOST_ROWS:
            yield _cut(rounds, batch, slots)
            batch, rows = [], 0
        batch.append(match)
        rows += height
    yield _cut(rounds, batch, slots)


def feeding(match: BracketMatch, slots: dict[str, BracketMatch]) -> list[BracketMatch]:
    """The matches among `slots` whose winners come to this one."""
    return [
        slots[side.after]
        for side in match.sides
        if side.after is not None and side.after in slots and not side.as_loser
    ]


def _rows(match: BracketMatch, slots: dict[str, BracketMatch]) -> int:
    return max(1, sum(_rows(each, slots) for each in feeding(match, slots)))


def _cut(
    rounds: Sequence[BracketRound], last: Sequence[BracketMatch], slots: dict[str, BracketMatch]
) -> tuple[BracketRound, ...]:
    kept: set[str] = set()
    open_ = list(last)
    while open_:
        match = open_.pop()
        kept.add(match.slot)
        open_ += feeding(match, slots)
    return tuple(
        BracketRound(each.part, each.number, each.title, matches)
        for each in rounds
        if (matches := tuple(match for match in each.matches if match.slot in kept))
    )
