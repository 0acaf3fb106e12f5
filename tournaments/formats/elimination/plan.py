"""The plan of a bracket: its matches, what each side comes from, in which rounds they are drawn, and what
they decide. It knows nothing of contestants.

Slots: `W2.3` is the third match from the top in round 2 of the bracket (of the winners' one in a double
elimination). `L4.1` is one of the losers' bracket, `F1` and `F2` its finals. `P3` is the match for the third
place. `P5-8.1`, `P5-8.2`, `P5` and `P7` are those for the places after it.
"""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from . import titles
from .titles import Title


class SectionKind(Enum):
    """What a side comes from: a place of the bracket, how another match ended, or the same match again."""

    PLACE = "place"
    WINNER = "winner"
    LOSER = "loser"
    AGAIN = "again"


class BracketSource(NamedTuple):
    """Where a side comes from. `place` counts from 0: of the bracket, or (AGAIN) of the match's sides."""

    kind: SectionKind
    slot: str = ""
    place: int = 0


class SectionPart(Enum):
    """The part of a bracket that a match belongs to."""

    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"
    PLACES = "places"


@dataclass(frozen=True, slots=True)
class Node:
    """A match of the plan; `number` counts from the top of its round."""

    slot: str
    part: SectionPart
    round: int
    number: int
    sources: tuple[BracketSource, BracketSource]
    name: Title


@dataclass(frozen=True, slots=True)
class BracketStage:
    """Matches that are drawn together."""

    title: Title
    slots: tuple[str, ...]


Rung = tuple[BracketSource, ...]
"""Who shares a place, as winners and losers of slots."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole bracket.

    `nodes` by slot, each after those that it follows from. `stages` in the order in which they are drawn.
    `rungs` are the places that it decides, the first one first. `rounds` are what the rounds of each part are
    called.
    """

    nodes: dict[str, Node]
    stages: tuple[BracketStage, ...]
    rungs: tuple[Rung, ...]
    rounds: dict[tuple[SectionPart, int], Title]


def _won(slot: str) -> BracketSource:
    return BracketSource(SectionKind.WINNER, slot)


def _lost(slot: str) -> BracketSource:
    return BracketSource(SectionKind.LOSER, slot)


def _slots(letter: str, round_: int, count: int) -> tuple[str, ...]:
    return tuple(f"{letter}{round_}.{number}" for number in range(1, count + 1))


def _main(depth: int, name: str) -> list[Node]:
    """The matches between those who haven't lost; `name` is "knockout" or "winners"."""
    nodes = []
    for round_ in range(1, depth + 1):
        for number in range(1, (1 << (depth - round_)) + 1):
            first = 2 * number - 2
            sources = (
                (
                    BracketSource(SectionKind.PLACE, place=first),
                    BracketSource(SectionKind.PLACE, place=first + 1),
                )
                if round_ == 1
                else (_won(f"W{round_ - 1}.{first + 1}"), _won(f"W{round_ - 1}.{first + 2}"))
            )
            left = 1 << (depth - round_ + 1)
            called = (
                titles.knockout_match(left, number)
                if name == "knockout"
                else titles.winners_match(round_, number)
            )
            nodes.append(Node(f"W{round_}.{number}", SectionPart.WINNERS, round_, number, sources, called))
    return nodes


@lru_cache(maxsize=32)
def single_plan(depth: int, places: int) -> Plan:
    """A knockout in which the places up to `places` (2, 4 or 8) are played for."""
    nodes = _main(depth, "knockout")
    by_round = {r: _slots("W", r, 1 << (depth - r)) for r in range(1, depth + 1)}
    name = {r: titles.knockout_round(1 << (depth - r + 1)) for r in by_round}
    final = by_round[depth][0]
    stages = {r: BracketStage(name[r], by_round[r]) for r in by_round}
    losers: dict[int, tuple[Rung, ...]] = {r: (tuple(map(_lost, by_round[r])),) for r in by_round}
    if places >= 4 and depth >= 2:
        one, other = by_round[depth - 1]
        nodes.append(Node("P3", SectionPart.PLACES, depth, 1, (_lost(one), _lost(other)), titles.THIRD))
        losers[depth - 1] = ((_won("P3"),), (_lost("P3"),))
        stages[depth] = BracketStage(titles.FINAL_AND_THIRD, ("P3", final))
    if places >= 8 and depth >= 3:
        quarters = by_round[depth - 2]
        for number, (one, other) in enumerate((quarters[:2], quarters[2:]), start=1):
            slot, called = f"P5-8.{number}", titles.fifth_to_eighth(number)
            nodes.append(
                Node(slot, SectionPart.PLACES, depth - 1, number, (_lost(one), _lost(other)), called)
            )
        one, other = "P5-8.1", "P5-8.2"
        nodes.append(Node("P5", SectionPart.PLACES, depth, 2, (_won(one), _won(other)), titles.FIFTH))
        nodes.append(Node("P7", SectionPart.PLACES, depth, 3, (_lost(one), _lost(other)), titles.SEVENTH))
        losers[depth - 2] = ((_won("P5"),), (_lost("P5"),), (_won("P7"),), (_lost("P7"),))
        stages[depth - 1] = BracketStage(titles.SEMI_FINALS_AND_FIFTH, (one, other, *by_round[depth - 1]))
        stages[depth] = BracketStage(titles.FINALS, ("P7", "P5", "P3", final))
    rungs = ((_won(final),), *(rung for r in sorted(losers, reverse=True) for rung in losers[r]))
    rounds = {(SectionPart.WINNERS, r): name[r] for r in by_round}
    if any(node.slot == "P7" for node in nodes):
        rounds[SectionPart.PLACES, depth - 1] = titles.FIFTH_TO_EIGHTH
    if any(node.slot == "P3" for node in nodes):
        rounds[SectionPart.PLACES, depth] = titles.PLACES
    return Plan({node.slot: node for node in nodes}, tuple(stages.values()), rungs, rounds)


def crossing(entering: int, bits: int) -> int:
    """Where the losers of a winners' round go in the losers' bracket: match i to i XOR this number.

    `entering` counts the rounds of losers that come in after the first ones, from 1. Each has 2 ** `bits`
    matches. The number is `entering` with its bits reversed. So the losers of each round come from another
    part of the bracket than all who are there already, while there are parts enough. They stay apart from
    those for as many rounds as possible.
    """
    return int(format(entering % (1 << bits), f"0{bits}b")[::-1], 2) if bits else 0


@lru_cache(maxsize=32)
def double_plan(depth: int, reset: bool) -> Plan:
    """A double elimination; with `reset`, the final is played again if the one without a defeat loses it."""
    nodes = _main(depth, "winners")
    winners = {r: _slots("W", r, 1 << (depth - r)) for r in range(1, depth + 1)}
    losers: dict[int, tuple[str, ...]] = {}
    stages = [BracketStage(titles.winners_round(1), winners[1])]
    for entering in range(1, depth):
        bits = depth - 1 - entering
        minor, major = 2 * entering - 1, 2 * entering
        losers[minor], losers[major] = _slots("L", minor, 1 << bits), _slots("L", major, 1 << bits)
        for index, slot in enumerate(losers[minor]):
            sources = (
                (_lost(winners[1][2 * index]), _lost(winners[1][2 * index + 1]))
                if entering == 1
                else (_won(losers[minor - 1][2 * index]), _won(losers[minor - 1][2 * index + 1]))
            )
            called = titles.losers_match(minor, index + 1)
            nodes.append(Node(slot, SectionPart.LOSERS, minor, index + 1, sources, called))
        mask = crossing(entering, bits)
        for index, slot in enumerate(losers[major]):
            sources = (_lost(winners[entering + 1][index ^ mask]), _won(losers[minor][index]))
            called = titles.losers_match(major, index + 1)
            nodes.append(Node(slot, SectionPart.LOSERS, major, index + 1, sources, called))
        both = (*winners[entering + 1], *losers[minor])
        stages.append(BracketStage(titles.both_rounds(entering + 1, minor), both))
        stages.append(BracketStage(titles.losers_round(major), losers[major]))
    unbeaten = winners[depth][0]
    survivor = _won(losers[2 * depth - 2][0]) if losers else _lost(unbeaten)
    nodes.append(Node("F1", SectionPart.FINAL, 1, 1, (_won(unbeaten), survivor), titles.FINAL))
    stages.append(BracketStage(titles.FINAL, ("F1",)))
    last = "F1"
    rounds = {(SectionPart.WINNERS, r): titles.winners_round(r) for r in winners}
    rounds |= {(SectionPart.LOSERS, r): titles.losers_round(r) for r in losers}
    rounds[SectionPart.FINAL, 1] = titles.FINAL
    if reset:
        again = (BracketSource(SectionKind.AGAIN, "F1", 0), BracketSource(SectionKind.AGAIN, "F1", 1))
        nodes.append(Node("F2", SectionPart.FINAL, 2, 1, again, titles.DECIDING_FINAL))
        stages.append(BracketStage(titles.DECIDING_FINAL, ("F2",)))
        rounds[SectionPart.FINAL, 2] = titles.DECIDING_FINAL
        last = "F2"
    rungs = ((_won(last),), (_lost(last),), *(tuple(map(_lost, losers[r])) for r in sorted(losers)[::-1]))
    return Plan({node.slot: node for node in nodes}, tuple(stages), rungs, rounds)
