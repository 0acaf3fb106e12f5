"""Table elimination: who reaches the target leaves, tables are merged as they empty, until one is left."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.contestants import field_of
from tests.support.run.long import examples
from tests.tournaments.formats.table_eliminations import (
    FORMATS,
    SEEDS,
    bells,
    deals,
    fields,
    play,
    played,
    round_of,
)
from tournaments.formats import CannotDraw
from tournaments.formats.format import Contestant, Format, PairingOutcome, PlayedRound, StageProgress
from tournaments.formats.order import drawn_lot
from tournaments.formats.table_elimination.format import TableElimination
from tournaments.formats.table_elimination.tables import METHOD, rebalance

RANDOMS = st.integers(0, 2**32).map(Random)


def totals(progress: StageProgress) -> Counter[int]:
    """The points of everybody, counted by hand."""
    count: Counter[int] = Counter()
    for pairing, outcome in progress.played():
        for side, points in zip(pairing.sides, outcome.points, strict=True):
            count[side] += int(points)
    return count


def seated(progress: StageProgress) -> list[set[int]]:
    """Who sits in each round."""
    return [{side for pairing in each.plan.pairings for side in pairing.sides} for each in progress.rounds]


# --- what holds for any points


@examples(30)
@given(FORMATS, fields(), SEEDS, RANDOMS, st.booleans())
def test_table_elimination_is_played_until_one_is_left(
    format_: TableElimination, field: tuple[Contestant, ...], seed: str, random: Random, bell: bool
) -> None:
    progress = play(format_, field, seed, bells(random) if bell else deals(random))
    places = format_.places(progress)
    assert len(places[0]) == 1
    assert sorted(one for group in places for one in group) == [one.number for one in field]
    sitting = seated(progress)
    assert sitting[0] == {one.number for one in field}
    for earlier, later in pairwise(sitting):
        assert later <= earlier
    # Who sat longer is ahead; of those who left together who has fewer points; who shares a place, is level.
    points = totals(progress)
    sat = Counter(one for each in sitting for one in each)
    winner = places[0][0]
    for group, following in pairwise(places):
        for one, other in product(group, following):
            assert one == winner or (-sat[one], points[one]) < (-sat[other], points[other])
    for group in places:
        assert len({(sat[one], points[one]) for one in group}) == 1


@examples(30)
@given(FORMATS, fields(), SEEDS, RANDOMS)
def test_table_elimination_leaver_has_reached_the_target(
    format_: TableElimination, field: tuple[Contestant, ...], seed: str, random: Random
) -> None:
    """Who goes out takes nothing and so never leaves: as the rule set's `elimination` says."""
    progress = play(format_, field, seed, deals(random))
    sitting = [*seated(progress), set(format_.places(progress)[0])]
    for number in range(1, len(sitting)):
        points = totals(StageProgress(field, progress.rounds[:number]))
        assert sitting[number] == {one for one in sitting[number - 1] if points[one] < format_.target}


@examples(30)
@given(FORMATS, fields(), SEEDS, RANDOMS)
def test_table_elimination_s_tables_are_few_and_even_and_few_move(
    format_: TableElimination, field: tuple[Contestant, ...], seed: str, random: Random
) -> None:
    progress = play(format_, field, seed, deals(random))
    before: list[set[int]] = []
    for each in progress.rounds:
        sizes = sorted((len(pairing.sides) for pairing in each.plan.pairings), reverse=True)
        count = sum(sizes)
        tables = -(-count // format_.seats)
        assert sizes == [count // tables + (index < count % tables) for index in range(tables)]
        assert min(sizes) > 1
        notes = [(code, one) for pairing in each.plan.pairings for code, one in pairing.notes]
        here = {side for pairing in each.plan.pairings for side in pairing.sides}
        if before:
            left = sorted((len(table & here) for table in before), reverse=True)
            needed = count - sum(min(had, size) for had, size in zip(left, sizes, strict=False))
            assert (len(notes), {code for code, _ in notes}) == (needed, {"moved"} if needed else set())
        before = [set(pairing.sides) for pairing in each.plan.pairings]


@examples(30)
@given(FORMATS, fields(), SEEDS, RANDOMS)
def test_table_elimination_does_not_depend_on_the_order_of_its_input(
    format_: TableElimination, field: tuple[Contestant, ...], seed: str, random: Random
) -> None:
    progress = play(format_, field, seed, deals(random))
    shuffled = list(field)
    random.shuffle(shuffled)
    rounds: list[PlayedRound] = []
    for each in progress.rounds:
        assert format_.next_round(StageProgress(tuple(shuffled), tuple(rounds)), seed) == each.plan
        tables = list(zip(each.plan.pairings, each.outcomes, strict=True))
        random.shuffle(tables)
        pairings, outcomes = zip(*tables, strict=True)
        rounds.append(PlayedRound(replace(each.plan, pairings=pairings), outcomes))

    assert format_.places(StageProgress(tuple(shuffled), tuple(rounds))) == format_.places(progress)


@examples(30)
@given(FORMATS, fields(), SEEDS, RANDOMS)
def test_table_elimination_is_played_to_the_end_after_a_correction(
    format_: TableElimination, field: tuple[Contestant, ...], seed: str, random: Random
) -> None:
    """Rounds that were drawn stay as they are; who is in by the corrected points plays on, nobody else."""
    progress = play(format_, field, seed, deals(random))
    index = random.randrange(len(progress.rounds))
    rounds = list(progress.rounds)
    rounds[index] = played(rounds[index].plan, deals(random))
    while (plan := format_.next_round(StageProgress(field, tuple(rounds)), seed)) is not None:
        staying = format_.course(StageProgress(field, tuple(rounds))).staying
        assert sorted(side for pairing in plan.pairings for side in pairing.sides) == list(staying)
        rounds.append(played(plan, deals(random)))
    corrected = StageProgress(field, tuple(rounds))
    assert format_.is_finished(corrected)
    places = format_.places(corrected)
    assert len(places[0]) == 1
    assert sorted(one for group in places for one in group) == [one.number for one in field]


@examples(20)
@given(FORMATS, fields(), SEEDS, RANDOMS)
def test_table_elimination_places_grow_from_the_last_one_up(
    format_: TableElimination, field: tuple[Contestant, ...], seed: str, random: Random
) -> None:
    progress = play(format_, field, seed, deals(random))
    final = format_.places(progress)
    for number in range(len(progress.rounds) + 1):
        known = format_.places(StageProgress(field, progress.rounds[:number]))
        assert known == final[len(final) - len(known) :]


@examples(20)
@given(FORMATS, fields(fewest=4), SEEDS, RANDOMS, st.data())
def test_table_elimination_seats_no_withdrawn_one_and_leaves_somebody(
    format_: TableElimination, field: tuple[Contestant, ...], seed: str, random: Random, data: st.DataObject
) -> None:
    first = format_.next_round(StageProgress(field), seed)
    assert first is not None
    rounds: tuple[PlayedRound, ...] = (played(first, deals(random)),)
    gone = data.draw(st.frozensets(st.sampled_from([one.number for one in field]), max_size=len(field) - 1))
    while (plan := format_.next_round(StageProgress(field, rounds, gone), seed)) is not None:
        assert not gone & {side for pairing in plan.pairings for side in pairing.sides}
        rounds += (played(plan, deals(random)),)
    progress = StageProgress(field, rounds, gone)
    assert format_.is_finished(progress)
    places = format_.places(progress)
    assert sorted(one for group in places for one in group) == [one.number for one in field]
    points = totals(StageProgress(field, rounds[:1]))
    stayed = {one.number for one in field if points[one.number] < format_.target} - gone
    if stayed:
        assert places[0][0] in stayed


# --- who sits where


@examples(30)
@given(fields(most=14), st.integers(3, 10), SEEDS)
def test_table_elimination_no_exchange_of_seats_would_keep_more_apart(
    field: tuple[Contestant, ...], seats: int, seed: str
) -> None:
    tables = rebalance(field, {}, {}, seats, seed)
    cost = together(field, tables.values())
    for one, other in combinations(field, 2):
        swap = {one.number: other.number, other.number: one.number}
        exchanged = [[swap.get(side, side) for side in table] for table in tables.values()]
        assert together(field, exchanged) >= cost


def together(field: Sequence[Contestant], tables: Iterable[Sequence[int]]) -> tuple[int, int]:
    """Labels and teams that sit together, in pairs."""
    of = {one.number: one for one in field}
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    return (
        sum(len(of[one].labels & of[other].labels) for one, other in pairs),
        sum(of[one].team == of[other].team for one, other in pairs),
    )


@examples(25)
@given(
    st.lists(st.frozensets(st.integers(1, 3), max_size=1), min_size=6, max_size=6),
    SEEDS,
)
def test_table_elimination_keeps_labels_apart_where_possible(labels: list[frozenset[int]], seed: str) -> None:
    """Against every way in which six can sit at two tables."""
    field = tuple(Contestant(index, index, each) for index, each in enumerate(labels, start=1))
    least = min(together(field, (order[:3], order[3:])) for order in permutations(range(1, 7)))
    assert together(field, tuple(rebalance(field, {}, {}, 3, seed).values())) == least


def test_table_elimination_moves_a_contestant_to_those_met_least() -> None:
    """Table 3 breaks up; 7 has sat with 1 and 2 before, 8 with 4 and 5: so they cross."""
    field = field_of(8)
    met = {frozenset(pair): 1 for pair in ((7, 1), (7, 2), (8, 4), (8, 5))}
    seats = rebalance(field, {1: (1, 2, 3), 2: (4, 5, 6), 3: (7, 8)}, met, 4, "palio-2022")
    assert seats == {1: (1, 2, 3, 8), 2: (4, 5, 6, 7)}


def test_table_elimination_breaks_up_the_last_of_equally_empty_tables() -> None:
    seats = rebalance(field_of(6), {1: (1, 2), 4: (3, 4), 2: (5, 6)}, {}, 3, "palio-2022")
    assert {table: set(sides) & {1, 2, 5, 6} for table, sides in seats.items()} == {1: {1, 2}, 2: {5, 6}}


def test_table_elimination_lot_has_its_published_test_vector() -> None:
    assert (
        drawn_lot(f"{METHOD}/palio-2022/1")
        == "255f499bbfc09bb049aca6d888441a5f0bcf133ceb3c5622efe9f7f79c13841d"
    )


# --- the first seat, late ones, and all at once


def test_table_elimination_passes_the_first_seat_to_the_left() -> None:
    field = field_of(4)
    first = round_of(1, ({1: 0, 2: 10, 3: 600, 4: 20}, 1))
    plan = TableElimination(seats=4).next_round(StageProgress(field, (first,)), "x")

    assert plan is not None
    assert [pairing.sides for pairing in plan.pairings] == [(2, 4, 1)]


def test_table_elimination_late_one_begins_with_the_most_points() -> None:
    field = (*field_of(3), Contestant(4, 4, since=2))
    progress = StageProgress(field, (round_of(1, ({1: 0, 2: 120, 3: 80}, 1)),))
    format_ = TableElimination(seats=4)
    assert format_.course(progress).totals == {1: 0, 2: 120, 3: 80, 4: 120}
    plan = format_.next_round(progress, "x")
    assert plan is not None
    assert plan.pairings[0].sides == (2, 3, 1, 4)


def test_table_elimination_puts_who_comes_after_the_end_last() -> None:
    field = (*field_of(3), Contestant(4, 4, since=3))
    progress = StageProgress(field, (round_of(1, ({1: 0, 2: 600, 3: 500}, 1)),))
    assert TableElimination().places(progress) == ((1,), (3,), (2,), (4,))


def test_table_elimination_is_won_by_the_lowest_if_all_reach_the_target() -> None:
    progress = StageProgress(field_of(3), (round_of(1, ({1: 510, 2: 505, 3: 700}, 1)),))
    assert TableElimination().places(progress) == ((2,), (1,), (3,))


def test_table_elimination_lets_the_lowest_play_on_if_level() -> None:
    format_ = TableElimination()
    field = field_of(4)
    rounds = (round_of(1, ({1: 510, 2: 505, 3: 700, 4: 505}, 1)),)
    plan = format_.next_round(StageProgress(field, rounds), "x")
    assert plan is not None
    assert [pairing.sides for pairing in plan.pairings] == [(2, 4)]
    assert format_.places(StageProgress(field, rounds)) == ((1,), (3,))
    again = (*rounds, round_of(2, ({2: 30, 4: 30}, 1)), round_of(3, ({4: 0, 2: 20}, 1)))
    assert format_.places(StageProgress(field, again)) == ((4,), (2,), (1,), (3,))


def test_table_elimination_leavers_with_equal_points_share_the_place() -> None:
    progress = StageProgress(field_of(4), (round_of(1, ({1: 0, 2: 520, 3: 520, 4: 510}, 1)),))
    assert TableElimination().places(progress) == ((1,), (4,), (2, 3))


def test_table_elimination_puts_a_withdrawal_behind_leavers_of_the_round() -> None:
    rounds = (round_of(1, ({1: 0, 2: 520, 3: 10}, 1)),)
    progress = StageProgress(field_of(3), rounds, frozenset({3}))
    assert TableElimination().places(progress) == ((1,), (2,), (3,))


def test_table_elimination_winner_who_is_disqualified_cedes_to_the_next() -> None:
    progress = StageProgress(field_of(2), (round_of(1, ({1: 0, 2: 520}, 1)),), frozenset({1}))
    assert TableElimination().places(progress) == ((2,), (1,))


def test_table_elimination_does_not_count_points_after_leaving() -> None:
    """A correction made 3 leave in the first round, when the second one was already played."""
    rounds = (round_of(1, ({1: 0, 2: 10, 3: 500}, 1)), round_of(2, ({2: 15, 3: 0, 1: 20}, 1)))
    course = TableElimination().course(StageProgress(field_of(3), rounds))
    assert course.totals == {1: 20, 2: 25, 3: 500}
    assert course.staying == (1, 2)


# --- what is refused


@pytest.mark.parametrize(
    ("chosen", "code"), [({"seats": 2}, "seats"), ({"seats": 11}, "seats"), ({"target": 0}, "target")]
)
def test_table_elimination_settings_that_can_not_be_played_are_refused(
    chosen: dict[str, int], code: str
) -> None:
    with pytest.raises(CannotDraw) as caught:
        TableElimination(**chosen)
    assert caught.value.code == code


def test_table_elimination_of_one_is_refused() -> None:
    with pytest.raises(CannotDraw) as caught:
        TableElimination().next_round(StageProgress(field_of(1)), "x")
    assert caught.value.code == "contestants"


def test_table_elimination_waits_for_the_last_table() -> None:
    plan = TableElimination(seats=3).next_round(StageProgress(field_of(6)), "x")
    assert plan is not None
    half = PlayedRound(plan, (PairingOutcome((Fraction(0), Fraction(1), Fraction(2)), None), None))
    with pytest.raises(CannotDraw) as caught:
        TableElimination(seats=3).next_round(StageProgress(field_of(6), (half,)), "x")
    assert (caught.value.code, caught.value.values) == ("results_missing", {"missing": 1})
    assert not TableElimination(seats=3).is_finished(StageProgress(field_of(6), (half,)))


@pytest.mark.parametrize("points", [(1,), (1, -1)])
def test_table_elimination_refuses_points_that_are_not_those_of_the_sides(points: tuple[int, ...]) -> None:
    plan = TableElimination().next_round(StageProgress(field_of(2)), "x")
    assert plan is not None
    wrong = PlayedRound(plan, (PairingOutcome(tuple(map(Fraction, points)), None),))
    with pytest.raises(CannotDraw) as caught:
        TableElimination().places(StageProgress(field_of(2), (wrong,)))
    assert caught.value.code == "points"


def test_table_elimination_is_a_round_format() -> None:
    format_: Format = TableElimination()
    assert (format_.key, format_.rounds_for(40)) == ("table_elimination", None)
