"""Tables that are planned in advance: everybody at a table, as few second meetings as can be, even seats."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import comb
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import ROOT
from tests.support.contestants import field_of
from tests.support.run import long
from tests.support.run.long import examples, some
from tests.tournaments.formats.tables_play import (
    RANDOMS,
    SEED,
    SEEDS,
    choice_of,
    fields,
    meetings,
    of_one_team,
    play,
    played,
    repeats,
    seats_of,
    short_search,
    spread,
)
from tournaments.formats import CannotDraw
from tournaments.formats.catalogue import STAGE_FORMATS
from tournaments.formats.command import main
from tournaments.formats.draw_verification import repeat_all, round_lines
from tournaments.formats.edits import ContestantSwap, swap_all
from tournaments.formats.format import Contestant, PlayedRound, StageProgress
from tournaments.formats.order import drawn_lot
from tournaments.formats.record import StageRecord, read_record
from tournaments.formats.tables.bounds import even_pairs, fewest_of_one_team, fewest_repeats
from tournaments.formats.tables.finite_ring import FiniteRing
from tournaments.formats.tables.format import PlannedTables, TablesByStanding
from tournaments.formats.tables.lot_order import METHOD
from tournaments.formats.tables.rotations import rotated_rounds
from tournaments.formats.tables.search import PairCosts, TableSearch, drawn_numbers
from tournaments.formats.tables.seats import coloured
from tournaments.formats.tables.sizes import fitting_seats, most_seated, table_sizes

MATCH = {"length": "one_game", "games": 1}
PLANNED = st.builds(PlannedTables, seats=st.integers(3, 5), rounds=st.integers(1, 6))


# --- sizes


def test_table_sizes_are_k_or_one_less_at_as_few_tables_as_can_be() -> None:
    for seats in range(3, 11):
        for contestants in range(1, 120):
            allowed = [size for size in (seats, seats - 1) if size >= 3]
            ways = [
                full + less
                for full in range(contestants // seats + 1)
                for less in range(contestants // (seats - 1) + 1)
                if full * seats + less * (seats - 1) == contestants and (not less or seats > 3)
            ]
            sizes = table_sizes(contestants, seats)

            assert (sizes is not None) == bool(ways), (contestants, seats)
            if sizes is not None:
                assert sum(sizes) == contestants
                assert set(sizes) <= set(allowed)
                assert len(sizes) == min(ways)


def test_table_sizes_let_as_few_as_possible_sit_out() -> None:
    for seats in range(3, 11):
        for contestants in range(1, 60):
            seated = most_seated(contestants, seats)
            assert all(table_sizes(number, seats) is None for number in range(seated + 1, contestants + 1))
            assert not seated or table_sizes(seated, seats)


@pytest.mark.parametrize(
    ("contestants", "seats", "sits_out", "code", "words"),
    [
        (2, 4, True, "contestants", "2; a table of 4 takes 3 at least"),
        (2, 3, True, "contestants", "2; a table of 3 takes 3 at least"),
        (5, 7, True, "contestants", "takes 6 at least. They can all sit at tables of: 5, 6."),
        (5, 4, False, "sizes", "tables of: 5, 6."),
        (7, 3, False, "sizes", "tables of: 4, 7, 8."),
        (11, 5, False, "sizes", "tables of: 4, 6."),
    ],
)
def test_planned_tables_refuse_a_field_with_the_sizes_that_fit(
    contestants: int, seats: int, sits_out: bool, code: str, words: str
) -> None:
    form = PlannedTables(seats=seats, sits_out=sits_out)

    with pytest.raises(CannotDraw) as refusal:
        form.next_round(StageProgress(field_of(contestants)), SEED)

    assert refusal.value.code == code
    assert words in str(refusal.value)
    if code == "sizes":
        assert all(table_sizes(contestants, each) for each in fitting_seats(contestants))


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"seats": 2}, "seats"),
        ({"seats": 11}, "seats"),
        ({"rounds": 0}, "rounds"),
        ({"scale": "1-2"}, "scale"),
    ],
)
def test_table_settings_that_cannot_be_played_are_refused(settings: dict[str, object], code: str) -> None:
    for form in (PlannedTables, TablesByStanding):
        with pytest.raises(CannotDraw) as refusal:
            form(**settings)  # type: ignore[arg-type]
        assert refusal.value.code == code


def seated_at_most(count: int, seats: int) -> int:
    """How many can sit at once at tables of so many seats or of one less, by trying all numbers of tables."""
    less = range(count // (seats - 1) + 1) if seats > 3 else (0,)
    sums = (full * seats + one * (seats - 1) for full in range(count // seats + 1) for one in less)
    return max(number for number in sums if number <= count)


@pytest.mark.parametrize("seats", range(3, 11))
def test_planned_tables_of_3_to_40_seat_the_most_with_even_seats_and_teams(seats: int) -> None:
    for count in Random(seats).sample(range(3, 41), some(38)):
        field = field_of(count, -(-count // 3))
        seated = seated_at_most(count, seats)
        strict = PlannedTables(seats=seats, sits_out=False)
        if not seated or seated < count:
            with pytest.raises(CannotDraw) as refusal:
                strict.next_round(StageProgress(field), SEED)
            fitting = [each for each in range(3, 11) if seated_at_most(count, each) == count]
            assert refusal.value.code == ("sizes" if seated else "contestants")
            told = ", ".join(map(str, fitting)) or ("–" if seated else None)
            assert refusal.value.values.get("fitting") == told
        if not seated:
            continue
        with short_search():
            plans = PlannedTables(seats=seats).coming_rounds(StageProgress(field), SEED)
        by_standing = TablesByStanding(seats=seats).next_round(StageProgress(field), SEED)
        assert by_standing is not None

        team = {one.number: one.team for one in field}
        for plan in (*plans, by_standing):
            sides = [side for pairing in plan.pairings for side in pairing.sides]
            sizes = [len(pairing.sides) for pairing in plan.pairings]
            assert sorted([*sides, *plan.byes]) == list(range(1, count + 1))
            assert (len(sides), min(sizes) >= 3, set(sizes) <= {seats, seats - 1}) == (seated, True, True)
            bound = fewest_of_one_team([team[side] for side in sides], len(sizes))
            assert of_one_team([plan], field) == bound
        out = Counter(one for plan in plans for one in plan.byes)
        assert spread([out[one.number] for one in field]) <= 1
        # Who plays as many rounds as there are seats has one of them twice unless the last one is left, too,
        # and that is at full tables only.
        had = seats_of(plans)
        uneven = [one for one in had if spread([had[one][seat] for seat in range(seats)]) > 1]
        last_seats = sum(counts[seats - 1] for counts in had.values())
        assert len(uneven) == max(0, sum(counts.total() == seats for counts in had.values()) - last_seats)


# --- every plan


@examples(60)
@given(PLANNED, fields(), SEEDS)
def test_planned_tables_seat_everybody_or_let_them_sit_out_in_turn(
    form: PlannedTables, field: tuple[Contestant, ...], seed: str
) -> None:
    with short_search():
        plans = form.coming_rounds(StageProgress(field), seed)

    assert [plan.number for plan in plans] == list(range(1, form.rounds_for(len(field)) + 1))
    sizes = table_sizes(most_seated(len(field), form.seats), form.seats)
    for plan in plans:
        assert sorted(plan.taking_part()) == [one.number for one in field]
        assert tuple(len(pairing.sides) for pairing in plan.pairings) == sizes
        slots = [pairing.slot for pairing in plan.pairings]
        assert slots == [f"r{plan.number}t{table}" for table in range(1, len(slots) + 1)]
    out = Counter(one for plan in plans for one in plan.byes)
    assert spread([out[one.number] for one in field]) <= 1


@examples(60)
@given(PLANNED, fields(), SEEDS)
def test_planned_tables_share_seats_evenly(
    form: PlannedTables, field: tuple[Contestant, ...], seed: str
) -> None:
    with short_search():
        plans = form.coming_rounds(StageProgress(field), seed)

    sizes = {len(pairing.sides) for plan in plans for pairing in plan.pairings}
    at_full = Counter(
        side
        for plan in plans
        for pairing in plan.pairings
        for side in pairing.sides
        if len(pairing.sides) == form.seats
    )
    for one, counts in seats_of(plans).items():
        if len(sizes) == 1:
            assert spread([counts[seat] for seat in range(max(sizes))]) <= 1
        else:
            # The last seat is at full tables only: as often as any there, give or take one.
            assert spread([counts[seat] for seat in range(form.seats - 1)]) <= 1
            assert counts[form.seats - 1] - at_full[one] // form.seats in (0, 1)


@pytest.mark.parametrize(("count", "rounds"), [(11, 4), (14, 6), (19, 8)])
def test_planned_tables_share_the_seat_that_only_larger_tables_have(count: int, rounds: int) -> None:
    with short_search():
        plans = PlannedTables(seats=4, rounds=rounds).coming_rounds(StageProgress(field_of(count)), SEED)

    larger = Counter(
        side
        for plan in plans
        for pairing in plan.pairings
        for side in pairing.sides
        if len(pairing.sides) == 4
    )
    last = {one: counts[3] for one, counts in seats_of(plans).items()}
    assert all(last[one] - larger[one] // 4 in (0, 1) for one in last)


def test_planned_tables_give_each_seat_once_in_as_many_rounds() -> None:
    plans = PlannedTables(seats=4).coming_rounds(StageProgress(field_of(24)), SEED)

    assert len(plans) == 4
    assert list(seats_of(plans).values()) == [Counter(range(4))] * 24


@examples(30)
@given(PLANNED, fields())
def test_planned_tables_keep_to_the_lower_bounds(form: PlannedTables, field: tuple[Contestant, ...]) -> None:
    with short_search():
        plans = form.coming_rounds(StageProgress(field), SEED)

    sizes = tuple(len(pairing.sides) for pairing in plans[0].pairings)
    out = len(field) - sum(sizes)
    assert repeats(plans) >= fewest_repeats(sizes, len(plans), comb(len(field), 2), out)
    team = {one.number: one.team for one in field}
    for plan in plans:
        seated = [team[side] for pairing in plan.pairings for side in pairing.sides]
        assert of_one_team([plan], field) >= fewest_of_one_team(seated, len(sizes))


@examples(40)
@given(PLANNED, st.integers(6, 20), st.integers(1, 8))
def test_planned_tables_sit_the_own_team_together_as_little_as_possible(
    form: PlannedTables, count: int, teams: int
) -> None:
    field = field_of(count, teams)
    plans = form.coming_rounds(StageProgress(field), SEED)

    team = {one.number: one.team for one in field}
    for plan in plans:
        seated = [team[side] for pairing in plan.pairings for side in pairing.sides]
        assert of_one_team([plan], field) == fewest_of_one_team(seated, len(plan.pairings))


def seatings(row: tuple[int, ...], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to seat them at tables of these sizes."""
    if not sizes:
        yield []
        return
    for others in combinations(row[1:], sizes[0] - 1):
        table = (row[0], *others)
        for rest in seatings(tuple(one for one in row if one not in table), sizes[1:]):
            yield [table, *rest]


@pytest.mark.parametrize(
    ("count", "seats"), [(6, 3), (7, 4), (8, 4), (9, 3), (9, 5), (10, 4), (10, 5), (12, 4)]
)
@pytest.mark.parametrize("teams", [1, 2, 3, 4, 5])
def test_planned_tables_avoid_the_own_team_as_far_as_brute_force_does(
    count: int, seats: int, teams: int
) -> None:
    field = field_of(count, teams)
    team = [one.team for one in field]
    sizes = table_sizes(count, seats)
    assert sizes is not None
    fewest = min(
        sum(team[one] == team[other] for table in tables for one, other in combinations(table, 2))
        for in_order in set(permutations(sizes))
        for tables in seatings(tuple(range(count)), in_order)
    )

    assert fewest_of_one_team(team, len(sizes)) == fewest
    plans = PlannedTables(seats=seats, rounds=2).coming_rounds(StageProgress(field), SEED)
    assert [of_one_team([plan], field) for plan in plans] == [fewest] * 2


def test_planned_tables_weigh_labels_more_than_teams_at_two_tables() -> None:
    """At two tables one of three pairs meets: two of a team, not one with another of the same class."""
    both, one, other = (
        Contestant(1, 1, frozenset({1, 2})),
        Contestant(2, 2, frozenset({1})),
        Contestant(3, 2, frozenset({2})),
    )
    rest = [Contestant(number, number) for number in (4, 5, 6)]

    plans = PlannedTables(seats=3, rounds=2).coming_rounds(StageProgress((both, one, other, *rest)), SEED)

    together = [{1, 2, 3} & set(pairing.sides) for plan in plans for pairing in plan.pairings]
    assert sorted(map(sorted, together)) == [[1], [1], [2, 3], [2, 3]]


def test_planned_tables_ignore_teams_with_teams_apart_off() -> None:
    progress = StageProgress(field_of(16, 4))
    apart = PlannedTables(rounds=5).coming_rounds(progress, SEED)
    mixed = PlannedTables(rounds=5, teams_apart=False).coming_rounds(progress, SEED)

    assert of_one_team(apart, progress.contestants) == 0
    # In five rounds everybody meets everybody, also the three of the own team.
    assert (of_one_team(mixed, progress.contestants), repeats(mixed)) == (24, 0)


def test_planned_tables_weigh_a_shared_label_more_than_teams_over_rounds() -> None:
    # At two tables one pair of the three has to sit together: a label is shared by two of another team.
    field = tuple(
        Contestant(number, 1 if number < 4 else number, frozenset({9} if number in (1, 2) else ()))
        for number in range(1, 7)
    )
    plans = PlannedTables(seats=3, rounds=4).coming_rounds(StageProgress(field), SEED)

    assert meetings(plans)[1, 2] == 0
    assert of_one_team(plans, field) == 4


# --- how good plans are


@pytest.mark.parametrize(
    ("contestants", "seats", "rounds", "reached"),
    [
        (16, 4, 5, 0),
        (9, 3, 4, 0),
        (25, 5, 6, 0),
        (15, 3, 7, 0),
        (20, 4, 5, 0),
        (24, 4, 7, 0),
        (36, 4, 8, 0),
        (12, 4, 3, 9),
        (13, 4, 4, 0),
        (14, 4, 4, 0),
        (15, 4, 4, 0),
        (17, 4, 4, 0),
        (19, 4, 4, 0),
        (7, 3, 7, 21),
        (8, 3, 4, 0),
    ],
)
def test_planned_tables_reach_the_listed_second_meetings(
    contestants: int, seats: int, rounds: int, reached: int
) -> None:
    form = PlannedTables(seats=seats, rounds=rounds)
    plans = form.coming_rounds(StageProgress(field_of(contestants)), SEED)

    sizes = tuple(len(pairing.sides) for pairing in plans[0].pairings)
    pairs = comb(contestants, 2)
    assert repeats(plans) == reached
    assert fewest_repeats(sizes, rounds, pairs, contestants - sum(sizes)) == reached


def test_planned_tables_by_exchange_can_be_better_than_turned_ones() -> None:
    """By turning alone thirteen have 15 repeated meetings in six rounds; 12 can't be avoided."""
    plans = PlannedTables(rounds=6).coming_rounds(StageProgress(field_of(13)), SEED)

    assert repeats(plans) == 13


def test_planned_tables_are_as_good_with_every_seed() -> None:
    form = PlannedTables(rounds=6)
    found = {
        repeats(form.coming_rounds(StageProgress(field_of(13, 6)), f"seed-{number}"))
        for number in range(5 if long.asked else 2)
    }

    assert len(found) == 1


def test_planned_tables_bound_is_reached_by_brute_force() -> None:
    first = [(0, 1, 2), (3, 4, 5)]
    fewest = min(
        sum(comb(times, 2) for times in Counter(
            pair for table in (*first, *second) for pair in combinations(sorted(table), 2)
        ).values())
        for second in seatings(tuple(range(6)), (3, 3))
    )  # fmt: skip

    assert fewest == fewest_repeats((3, 3), 2, comb(6, 2)) == 2


def test_even_pairs_are_those_of_trying_every_spread() -> None:
    for count in range(9):
        spreads = [(a, b, count - a - b) for a in range(count + 1) for b in range(count - a + 1)]
        assert even_pairs(count, 3) == min(sum(comb(each, 2) for each in parts) for parts in spreads)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 25, 27, 36, 49])
def test_finite_ring_has_a_one_and_divides_by_differences_of_units(size: int) -> None:
    ring = FiniteRing(size)
    some = range(min(size, 9))
    for one in some:
        assert ring.minus(ring.add(one, 1), 1) == one
        for other in some:
            assert ring.add(one, other) == ring.add(other, one)
            assert ring.times(one, other) == ring.times(other, one)
            for third in some:
                assert ring.times(one, ring.add(other, third)) == ring.add(
                    ring.times(one, other), ring.times(one, third)
                )
    units = [ring.unit(number) for number in range(ring.units)]
    for one, other in combinations(units[:9], 2):
        difference = ring.minus(one, other)
        assert len({ring.times(difference, each) for each in range(size)}) == size


@examples(40)
@given(st.integers(3, 10), st.integers(2, 30), st.integers(0, 9), st.integers(1, 8))
def test_rotated_rounds_repeat_no_meeting(seats: int, tables: int, empty: int, rounds: int) -> None:
    contestants = tables * seats - min(empty, tables)
    found = rotated_rounds(contestants, seats, rounds)

    assert 1 <= len(found) <= rounds
    pairs: Counter[tuple[int, int]] = Counter()
    for each in found:
        assert sorted(one for table in each for one in table) == list(range(contestants))
        pairs.update(pair for table in each for pair in combinations(sorted(table), 2))
    assert set(pairs.values()) == {1}


@examples(60)
@given(RANDOMS, st.booleans())
def test_table_search_knows_what_its_rounds_cost(random: Random, mixed: bool) -> None:
    count, rounds = 11 if mixed else 12, 3
    sizes = [4, 4, 3] if mixed else [4, 4, 4]
    apart = [[0] * count for _ in range(count)]
    met = [[0] * count for _ in range(count)]
    for one, other in combinations(range(count), 2):
        apart[one][other] = apart[other][one] = random.choice((0, 0, 50))
        met[one][other] = met[other][one] = random.choice((0, 1, 2))
    costs = PairCosts(100, apart, met, [random.randint(0, 2) for _ in range(count)])
    rows = [random.sample(range(count), count) for _ in range(rounds)]
    search = TableSearch(
        costs,
        [[row[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(len(sizes))] for row in rows],
    )
    begun = search.cost
    search.run(drawn_numbers("some"), 300, 0)

    assert search.cost <= begun
    assert search.cost == costs.of(search.rounds())
    pairs = Counter(
        pair for each in search.rounds() for table in each for pair in combinations(sorted(table), 2)
    )
    smaller = Counter(one for each in search.rounds() for table in each if len(table) == 3 for one in table)
    assert search.cost == sum(
        times * apart[one][other] + 100 * (comb(met[one][other] + times, 2) - comb(met[one][other], 2))
        for (one, other), times in pairs.items()
    ) + sum(
        comb(costs.at_smaller[one] + times, 2) - comb(costs.at_smaller[one], 2)
        for one, times in smaller.items()
    )


@examples(60)
@given(st.integers(3, 6), st.integers(1, 12), st.integers(1, 9), RANDOMS)
def test_edge_colours_never_come_twice_at_a_table_and_are_even(
    colours: int, tables: int, rounds: int, random: Random
) -> None:
    edges = []
    for number in range(rounds):
        row = random.sample(range(tables * colours), tables * colours)
        edges += [(one, number * tables + at // colours) for at, one in enumerate(row)]
    found = coloured(edges, colours)

    at_tables = Counter((table, colour) for (_, table), colour in zip(edges, found, strict=True))
    assert set(at_tables.values()) == {1}
    of_each = Counter((one, colour) for (one, _), colour in zip(edges, found, strict=True))
    for one in range(tables * colours):
        assert spread([of_each[one, colour] for colour in range(colours)]) <= 1


# --- who comes, who goes, swaps


@examples(25)
@given(RANDOMS, st.integers(7, 14))
def test_planned_tables_are_planned_anew_when_somebody_comes_or_goes(random: Random, count: int) -> None:
    form = PlannedTables(rounds=5)
    contestants = field_of(count, 4)
    kept = random.randint(1, 3)
    late = Contestant(count + 1, 5, since=kept + 1)
    gone = frozenset({random.randint(1, count)})
    with short_search():
        first = form.coming_rounds(StageProgress(contestants), SEED)[:kept]
        rounds = tuple(played(form, plan, random) for plan in first)
        after = form.coming_rounds(StageProgress((*contestants, late), rounds, gone), SEED)

    assert [plan.number for plan in after] == list(range(kept + 1, 6))
    here = {*range(1, count + 2)} - gone
    assert [set(plan.taking_part()) for plan in after] == [here] * len(after)
    out = Counter(one for plan in (*first, *after) for one in plan.byes)
    stayed = [out[one] for one in here - {late.number}]
    assert spread(stayed) <= 1 + bool(late.number in out)


@examples(25)
@given(RANDOMS, st.integers(7, 14), st.booleans())
def test_planned_tables_record_repeats_any_round(random: Random, count: int, swap: bool) -> None:
    form = PlannedTables(rounds=5)
    contestants = field_of(count, 4)
    one, other = random.sample(range(1, count + 1), 2)
    swaps = (ContestantSwap(one, other),) if swap else ()
    late = Contestant(count + 1, 5, since=4)
    none = (frozenset[int](),) * 5

    with short_search():
        drawn = form.coming_rounds(StageProgress(contestants), SEED)[:3]
        drawn[1] = swap_all(drawn[1], swaps)
        before = StageProgress((*contestants, late), tuple(played(form, plan, random) for plan in drawn))
        plans = [*drawn, *form.coming_rounds(before, SEED)]
        record = StageRecord(
            choice_of(PlannedTables),
            {"seats": 4, "rounds": 5},
            MATCH,
            SEED,
            StageProgress(
                before.contestants,
                tuple(PlayedRound(plan, (None,) * len(plan.pairings)) for plan in plans),
            ),
            none,
            none,
            ((), swaps, (), (), ()),
            METHOD,
        )
        found = [list(each.differences()) for each in repeat_all(record)]

    assert found == [[]] * 5


def test_planned_tables_that_are_planned_anew_have_the_fairest_seats() -> None:
    """Beside every order of every table: whoever can has another seat than before."""
    form = PlannedTables(rounds=5)
    contestants = field_of(13)
    with short_search():
        first = form.coming_rounds(StageProgress(contestants), SEED)[:2]
        rounds = tuple(played(form, plan, Random(1)) for plan in first)
        after = form.coming_rounds(StageProgress(contestants, rounds, gone=frozenset({13})), SEED)

    had = Counter((side, seat) for side, counts in seats_of(first).items() for seat in counts.elements())
    for plan in after:
        for pairing in plan.pairings:
            orders = permutations(pairing.sides)
            fewest = min(sum(had[side, seat] for seat, side in enumerate(order)) for order in orders)
            assert sum(had[side, seat] for seat, side in enumerate(pairing.sides)) == fewest
        had.update((side, seat) for each in plan.pairings for seat, side in enumerate(each.sides))


def test_planned_tables_end_after_the_last_round_or_with_too_few() -> None:
    form = PlannedTables(rounds=2)
    contestants = field_of(8)
    progress = play(form, contestants, SEED, Random(1))

    assert (len(progress.rounds), form.is_finished(progress)) == (2, True)
    assert form.coming_rounds(progress, SEED) == []
    assert not form.is_finished(StageProgress(contestants))
    one = StageProgress(contestants, progress.rounds[:1], gone=frozenset(range(2, 9)))
    assert (form.next_round(one, SEED), form.is_finished(one)) == (None, True)
    assert form.matches_left(StageProgress(contestants, progress.rounds[:1])) == 2


def test_planned_tables_refuse_rounds_of_other_contestants() -> None:
    form = PlannedTables(rounds=2)
    progress = play(form, field_of(8), SEED, Random(1))

    with pytest.raises(CannotDraw) as refusal:
        form.next_round(StageProgress(field_of(7), progress.rounds[:1]), SEED)

    assert refusal.value.code == "other_contestants"


# --- the method


def test_planned_tables_lot_has_its_published_test_vector() -> None:
    assert METHOD == "tendone-seating-sha256-1"
    lot = "b42aba6d9953ec693f35b594f8f112855b50d0867b2661a6bdf0c41927c395d3"
    assert drawn_lot(f"{METHOD}/{SEED}/1") == lot
    lots = (ROOT / "tournaments" / "formats" / "tables" / "lot_order.py").read_text("utf-8")
    assert lot in lots


def test_table_search_numbers_are_read_from_digests() -> None:
    digest = drawn_lot("text/0") + drawn_lot("text/1")
    numbers = drawn_numbers("text")

    assert [next(numbers) for _ in range(16)] == [int(digest[at : at + 8], 16) for at in range(0, 128, 8)]


_IN_ANOTHER_PROCESS = """
from tests.support.contestants import field_of
from tests.tournaments.formats.tables_play import SEED
from tournaments.formats.format import StageProgress
from tournaments.formats.draw_verification import round_lines
from tournaments.formats.tables.format import PlannedTables
for plan in PlannedTables(rounds=5).coming_rounds(StageProgress(field_of(16, 4)), SEED):
    print(*round_lines(plan), sep="\\n")
"""


def test_planned_tables_are_the_same_in_another_process() -> None:
    plans = PlannedTables(rounds=5).coming_rounds(StageProgress(field_of(16, 4)), SEED)
    here = [line for plan in plans for line in round_lines(plan)]

    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", _IN_ANOTHER_PROCESS],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines() == here


def test_planned_tables_differ_with_another_seed() -> None:
    form = PlannedTables()
    drawn = {tuple(round_lines(form.coming_rounds(StageProgress(field_of(16)), seed)[0])) for seed in "abcde"}

    assert len(drawn) == 5


def test_planned_tables_are_drawn_and_repeated_by_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    choice = choice_of(PlannedTables)
    monkeypatch.setitem(STAGE_FORMATS, "tables", choice)
    drawn = PlannedTables(rounds=3).coming_rounds(StageProgress(field_of(8)), SEED)
    lines = [line for plan in drawn for line in round_lines(plan)]

    arguments = ["draw", "--format", "tables", "--contestants", "8", "--seed", SEED, "--option", "rounds=3"]
    assert main(arguments) == 0
    head = f"method {METHOD}, seed {SEED}, format tables"
    assert capsys.readouterr().out.splitlines() == [head, *lines]

    rounds = tuple(played(PlannedTables(rounds=3), plan, Random(3)) for plan in drawn)
    none = (frozenset[int](),) * 3
    record = StageRecord(
        choice, choice.complete({"rounds": 3}), MATCH, SEED,
        StageProgress(field_of(8), rounds), none, none, ((), (), ()), METHOD,
    )  # fmt: skip
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record.to_json()), "utf-8")
    assert read_record(record.to_json()).to_json() == record.to_json()
    assert main(["round", str(file)]) == 0
    told = [f"round {number}: the same" for number in (1, 2, 3)]
    assert capsys.readouterr().out.splitlines() == [head, *told, "all rounds are drawn"]
