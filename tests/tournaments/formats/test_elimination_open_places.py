"""Places that a bracket leaves open, held to every way in which its matches can end."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from tests.support.knockouts import SEED, at_random, drawn, field, played, with_round
from tournaments.formats import CannotDraw
from tournaments.formats.elimination.format import DoubleElimination, Elimination, SingleElimination
from tournaments.formats.format import PlayedRound, StageProgress

FORMS = [
    *(SingleElimination(seeded=None, played_for=places) for places in (2, 4, 8)),
    DoubleElimination(seeded=None),
    DoubleElimination(seeded=None, reset=False),
]


def ends(form: Elimination, progress: StageProgress) -> Iterator[StageProgress]:
    """All ways in which a bracket goes on to its end."""
    if progress.rounds and None in progress.rounds[-1].outcomes:
        *before, last = progress.rounds
        for filled in filled_in(replace(progress, rounds=tuple(before)), last):
            yield from ends(form, filled)
        return
    plan = form.next_round(progress, SEED)
    if plan is None:
        yield progress
        return
    for winners in product(*(pairing.sides for pairing in plan.pairings)):
        yield from ends(form, with_round(progress, plan, winners))


def filled_in(progress: StageProgress, last: PlayedRound) -> Iterator[StageProgress]:
    """The same after its last round, with a winner for each open match of it; who is gone has lost."""
    sides = [
        pairing.sides if outcome is None else (outcome.winner,)
        for pairing, outcome in zip(last.plan.pairings, last.outcomes, strict=True)
    ]
    there = [[one for one in each if one not in progress.gone] or [*each] for each in sides]
    for winners in product(*there):
        yield with_round(progress, last.plan, winners)


def places_at(form: Elimination, progress: StageProgress, ranked_last: set[int]) -> dict[int, int]:
    """The place of everybody but those in `ranked_last`, who share a place counting from the first of it."""
    found: dict[int, int] = {}
    for level in form.order(progress):
        here = [one for one in level if one not in ranked_last]
        found |= dict.fromkeys(here, len(found) + 1)
    return found


def true_places(form: Elimination, progress: StageProgress, ranked_last: set[int]) -> dict[int, set[int]]:
    """Every place that is taken at some end."""
    found: dict[int, set[int]] = {}
    for end in ends(form, progress):
        for one, place in places_at(form, end, ranked_last).items():
            found.setdefault(one, set()).add(place)
    return found


def position(form: Elimination, count: int, chance: random.Random, gone: int = 0) -> StageProgress:
    """A bracket after some rounds and some matches of one more, with so many who left then."""
    rounds = chance.randrange(5)
    progress = played(form, field(count), at_random(chance.randrange(1000)), rounds)
    if (plan := form.next_round(progress, SEED)) is not None:
        winners = [chance.choice([*pairing.sides, None]) for pairing in plan.pairings]
        progress = with_round(progress, plan, winners)
    return replace(progress, gone=frozenset(chance.sample(range(1, count + 1), gone)))


def cases(form: Elimination, gone: int) -> Iterator[StageProgress]:
    """Positions from which the ways are few enough to go through."""
    most = 6 if isinstance(form, SingleElimination) else 4
    chance = random.Random(f"{form}/{gone}")
    for count in range(2 + (gone > 1), most + 1):
        for _ in range(4):
            yield position(form, count, chance, gone)


def firsts(form: Elimination, progress: StageProgress, ranked_last: set[int]) -> dict[int, set[int]]:
    """The first of the places that everybody can come to."""
    found = form.open_places(progress, ranked_last).by_contestant
    return {
        one: {place for each in shared for place in range(each.best, each.worst + 1)}
        for one, shared in found.items()
    }


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_open_places_of_a_bracket_are_those_of_every_way(form: Elimination) -> None:
    for progress in cases(form, 0):
        assert form.open_places(progress).is_exact
        assert firsts(form, progress, set()) == true_places(form, progress, set())


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("gone", [1, 2])
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_open_places_of_a_bracket_miss_none_where_somebody_left(
    form: Elimination, gone: int, last: bool
) -> None:
    for progress in cases(form, gone):
        ranked_last = set(progress.gone) if last else set()

        found = firsts(form, progress, ranked_last)

        true = true_places(form, progress, ranked_last)
        assert all(true[one] <= found[one] for one in true)
        if form.open_places(progress, ranked_last).is_exact:
            assert found == true


def test_open_places_of_a_bracket_fix_the_place_of_who_is_out() -> None:
    """Of six, with the third place played for, who loses a quarter-final shares the fifth place."""
    form = SingleElimination(seeded=None, played_for=4)
    plan = drawn(form, field(6))
    lost, won = plan.pairings[0].sides

    found = form.open_places(with_round(field(6), plan, [won, None])).by_contestant

    assert found[lost] == {(5, 5, 6)}
    assert found[won] == {(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4)}


@pytest.mark.parametrize("gone", [0, 1])
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_best_places_of_a_bracket_are_the_least_that_are_open(form: Elimination, gone: int) -> None:
    for progress in cases(form, gone):
        true = true_places(form, progress, set())
        assert form.best_places(progress) == {one: min(places) for one, places in true.items()}


def with_turned_match(progress: StageProgress, chance: random.Random) -> StageProgress:
    """The same after a correction that gives a match of an earlier round to its loser."""
    at = chance.randrange(len(progress.rounds) - 1)
    turned = progress.rounds[at]
    which = chance.randrange(len(turned.outcomes))
    winners = [None if outcome is None else outcome.winner for outcome in turned.outcomes]
    one, other = turned.plan.pairings[which].sides
    winners[which] = one if winners[which] == other else other
    again = with_round(replace(progress, rounds=()), turned.plan, winners).rounds
    return replace(progress, rounds=(*progress.rounds[:at], *again, *progress.rounds[at + 1 :]))


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_open_places_of_a_bracket_miss_none_after_a_correction(form: Elimination) -> None:
    chance = random.Random(f"{form}/corrected")
    positions = [position(form, count, chance) for count in (3, 4, 5, 6) for _ in range(12)]
    most = 6 if isinstance(form, SingleElimination) else 4
    tried = 0
    for progress in positions:
        if len(progress.rounds) < 2 or len(progress.contestants) > most:
            continue
        corrected = with_turned_match(progress, chance)
        try:
            true = true_places(form, corrected, set())
        except CannotDraw:
            # Somebody would meet themselves.
            continue
        tried += 1

        found, best = firsts(form, corrected, set()), form.best_places(corrected)

        assert all(true[one] <= found[one] for one in true)
        if form != SingleElimination(seeded=None, played_for=8):
            # There whoever went on is also drawn in the place of who lost, where a bye led to it.
            assert all(best[one] <= min(places) for one, places in true.items())

    assert tried > 5


def test_open_places_of_a_bracket_are_all_while_a_late_entry_waits() -> None:
    form = SingleElimination(seeded=None)
    progress = with_round(field(3), drawn(form, field(3)), [None])

    late = replace(progress, contestants=field(4).contestants)

    assert not form.open_places(late).is_exact
    assert firsts(form, late, set()) == {one: {1, 2, 3, 4} for one in (1, 2, 3, 4)}
