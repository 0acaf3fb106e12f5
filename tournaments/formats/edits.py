"""A draw that is changed by hand: two who change places, and what becomes of what a draw promises.

Nothing is drawn here. Whoever repeats a draw gets it from seed and method, and puts the swaps that are told
beside them on top, one after another.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

from .constraints import Constraints
from .entry_numbers import read_numbers, read_players, write_numbers, write_players
from .errors import CannotDraw, gettext_noop
from .fairness import Remark, fairness
from .format import RoundPairing, RoundPlan
from .match_sequence import Course
from .model import DrawSquad

_REMATCHES = ("rematches", "no_rematch")
_Side = TypeVar("_Side", DrawSquad, int)
_SWAP = re.compile(r"([\d,-]+):(.+)")


@dataclass(frozen=True, slots=True)
class ContestantSwap:
    """Two contestants change places in a round that was drawn; `reason` is a code, or empty."""

    one: int
    other: int
    reason: str = ""


def _swapped(sides: Iterable[_Side], instead: Mapping[_Side, _Side]) -> tuple[_Side, ...]:
    return tuple(instead.get(side, side) for side in sides)


def swap_contestants(plan: RoundPlan, one: int, other: int) -> RoundPlan:
    """The round with two contestants in each other's places: table, side, or bye.

    What was said of their pairings isn't said any more. Raises CannotDraw where they are one and
    the same, or aren't drawn in it.
    """
    if one == other:
        raise CannotDraw(
            "swap_same", gettext_noop("Two different ones change places; this is one and the same.")
        )
    if not {one, other} <= set(plan.taking_part()):
        raise CannotDraw(
            "swap_absent",
            gettext_noop("Only who is drawn in round %(round)d can change places there."),
            round=plan.number,
        )
    instead = {one: other, other: one}

    def swapped(pairing: RoundPairing) -> RoundPairing:
        if instead.keys().isdisjoint(pairing.sides):
            return pairing
        return RoundPairing(pairing.slot, _swapped(pairing.sides, instead))

    return replace(plan, pairings=tuple(map(swapped, plan.pairings)), byes=_swapped(plan.byes, instead))


def swap_all(plan: RoundPlan, swaps: Iterable[ContestantSwap]) -> RoundPlan:
    """The round after all these swaps, one after another; raises CannotDraw."""
    for swap in swaps:
        plan = swap_contestants(plan, swap.one, swap.other)
    return plan


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that a draw avoids where it can.

    `code`: `rematch` (two meet in all these rounds), `own_team` (two of one team meet), `together` (two at
    one table who should be kept apart). Or `strong` (two strong ones at one table), `bye_again` (one sits out
    all these rounds).
    """

    code: str
    rounds: tuple[int, ...]
    who: tuple[DrawSquad, ...]


TROUBLES = ("own_team", "together", "rematch", "bye_again", "strong")
"""The codes, what weighs most first."""


def troubles(course: Course, constraints: Constraints) -> tuple[Trouble, ...]:
    """All of them, by code, round and who. At tables of many second meetings are counted by `fairness`."""
    met: defaultdict[tuple[DrawSquad, DrawSquad], list[int]] = defaultdict(list)
    found = []
    for sitting in course.sittings:
        for one, other in combinations(sorted(sitting.sides, key=_order), 2):
            met[one, other].append(sitting.round)
            rounds = (sitting.round,)
            if one.team == other.team:
                found.append(Trouble("own_team", rounds, (one, other)))
            if any(_share(one, other, members) for members in constraints.groups):
                found.append(Trouble("together", rounds, (one, other)))
            if _share(one, other, constraints.strong):
                found.append(Trouble("strong", rounds, (one, other)))
    if not course.seats_many:
        found += [Trouble("rematch", tuple(rounds), pair) for pair, rounds in met.items() if len(rounds) > 1]
    sat_out: defaultdict[DrawSquad, list[int]] = defaultdict(list)
    for number, squad in course.byes:
        sat_out[squad].append(number)
    found += [
        Trouble("bye_again", tuple(rounds), (squad,)) for squad, rounds in sat_out.items() if len(rounds) > 1
    ]
    return tuple(sorted(found, key=_weight))


def _share(one: DrawSquad, other: DrawSquad, members: Iterable[object]) -> bool:
    listed = set(members)
    return not listed.isdisjoint(one.players()) and not listed.isdisjoint(other.players())


def _order(squad: DrawSquad) -> tuple[int, int]:
    return squad.team, squad.number


def _weight(trouble: Trouble) -> tuple[int, tuple[int, ...], list[tuple[int, int]]]:
    return TROUBLES.index(trouble.code), trouble.rounds, [_order(squad) for squad in trouble.who]


@dataclass(frozen=True, slots=True)
class EditEffect:
    """What a change by hand does: what it breaks and what it mends. Beside it the figures of fairness that
    are others, each as it was and as it is then (None where it isn't told of).
    """

    broken: tuple[Trouble, ...]
    mended: tuple[Trouble, ...]
    remarks: tuple[tuple[Remark | None, Remark | None], ...]

    @property
    def is_clean(self) -> bool:
        """Whether nothing is worse than before."""
        return not self.broken and not any(
            after is not None and not after.is_even for _before, after in self.remarks
        )


def effect(before: Course, after: Course, constraints: Constraints) -> EditEffect:
    """Compare what was drawn with what it becomes; `constraints` are what it was to keep apart."""
    was, becomes = Counter(troubles(before, constraints)), Counter(troubles(after, constraints))
    # Second meetings are told one by one.
    told = [
        {each.code: each for each in fairness(course).remarks if each.code not in _REMATCHES}
        for course in (before, after)
    ]
    codes = dict.fromkeys([*told[0], *told[1]])
    remarks = ((told[0].get(code), told[1].get(code)) for code in codes)
    return EditEffect(
        tuple(sorted((becomes - was).elements(), key=_weight)),
        tuple(sorted((was - becomes).elements(), key=_weight)),
        tuple((old, new) for old, new in remarks if old != new),
    )


def swap_in_course(course: Course, rounds: Collection[int], one: DrawSquad, other: DrawSquad) -> Course:
    """Who sits when with whom after two have changed places in these rounds."""
    instead = {one: other, other: one}
    return Course(
        course.sides,
        tuple(
            replace(sitting, sides=_swapped(sitting.sides, instead)) if sitting.round in rounds else sitting
            for sitting in course.sittings
        ),
        tuple(
            (number, instead.get(side, side) if number in rounds else side) for number, side in course.byes
        ),
    )


def swapped_plans(plans: Sequence[RoundPlan], swaps: Iterable[tuple[int, ContestantSwap]]) -> list[RoundPlan]:
    """Rounds after swaps, each in the round of a number; raises CannotDraw."""
    by_number = {plan.number: plan for plan in plans}
    for number, swap in swaps:
        if number not in by_number:
            raise CannotDraw("swap_round", gettext_noop("Round %(round)d isn't drawn."), round=number)
        by_number[number] = swap_contestants(by_number[number], swap.one, swap.other)
    return [by_number[plan.number] for plan in plans]


def write_squads(rounds: Iterable[int], swap: ContestantSwap, squads: Mapping[int, DrawSquad]) -> str:
    """`2:1/3,1/5`: in round 2 the squad of entry 3 of team 1 and that of entry 5 change places."""
    players = [next(squads[one].players()) for one in (swap.one, swap.other)]
    return f"{write_numbers(rounds)}:{write_players(players)}"


def read_squads(text: str, squads: Mapping[int, DrawSquad]) -> list[tuple[int, ContestantSwap]]:
    """By round the swap that `2:1/3,1/5` stands for; raises CannotDraw for what can't be read."""
    found = _SWAP.fullmatch(text)
    players = read_players(found[2]) if found else ()
    if found is None or len(players) != 2 or players[0].team != players[1].team:
        raise _unreadable(text, "2:1/3,1/5")
    numbers = {player: number for number, squad in squads.items() for player in squad.players()}
    for player in players:
        if player not in numbers:
            raise CannotDraw("swap_unknown", gettext_noop("There is no such squad in this draw."))
    swap = ContestantSwap(numbers[players[0]], numbers[players[1]])
    return [(number, swap) for number in read_numbers(found[1])]


def read_contestants(text: str) -> list[tuple[int, ContestantSwap]]:
    """By round the swap that `1:3,5` stands for (in round 1 contestants 3 and 5); raises CannotDraw."""
    found = _SWAP.fullmatch(text)
    numbers = read_numbers(found[2]) if found else ()
    if found is None or len(numbers) != 2:
        raise _unreadable(text, "1:3,5")
    return [(number, ContestantSwap(numbers[0], numbers[1])) for number in read_numbers(found[1])]


def _unreadable(text: str, example: str) -> CannotDraw:
    return CannotDraw(
        "unreadable_swap",
        gettext_noop("A swap is written like %(example)s, not %(given)s."),
        example=example,
        given=repr(text),
    )
