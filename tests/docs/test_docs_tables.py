"""The page on tables: every figure of its examples, worked out again."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from tests.docs.format_pages import tables_of
from tests.support import ROOT
from tests.support.contestants import field_of
from tests.support.doc_pages import section
from tournaments.formats.format import PlayedRound, StageProgress
from tournaments.formats.order import drawn_lot
from tournaments.formats.tables.bounds import fewest_repeats
from tournaments.formats.tables.format import PlannedTables, TablesByStanding
from tournaments.formats.tables.lot_order import METHOD
from tournaments.formats.tables.scale import mean_points
from tournaments.formats.tables.sizes import most_seated, table_sizes

PAGE = "tables.md"
SEED = "palio-2022"


def text_of(heading: str) -> str:
    return section(ROOT / "docs" / "reference" / "formats" / PAGE, heading)


def numbers(cell: str) -> tuple[int, ...]:
    return tuple(int(number) for number in cell.split(", "))


def fractions(cell: str) -> tuple[Fraction, ...]:
    return tuple(Fraction(points) for points in cell.split(", "))


def test_tables_page_sizes_of_tables_are_as_shown() -> None:
    for row in tables_of(PAGE, "How many sit at a table")[0]:
        contestants = int(row[0])
        found = []
        for seats in (3, 4, 5, 6):
            seated = most_seated(contestants, seats)
            sizes = " ".join(map(str, table_sizes(seated, seats) or ()))
            found.append(f"{sizes}, {contestants - seated} out" if seated < contestants else sizes)
        assert row[1:] == found


def test_tables_page_sixteen_at_tables_of_four_are_drawn_as_shown() -> None:
    rows = tables_of(PAGE, "Sixteen at tables of four")[0]
    plans = PlannedTables(rounds=5).coming_rounds(StageProgress(field_of(16)), SEED)

    assert [[plan.number, *(pairing.sides for pairing in plan.pairings)] for plan in plans] == [
        [int(row[0]), *map(numbers, row[1:])] for row in rows
    ]
    met = Counter(pair for row in rows for cell in row[1:] for pair in combinations(sorted(numbers(cell)), 2))
    assert (len(met), set(met.values())) == (comb(16, 2), {1})
    told = text_of("Sixteen at tables of four")
    assert f"`{METHOD}/{SEED}/1`" in told
    assert f"`{drawn_lot(f'{METHOD}/{SEED}/1')[:8]}`" in told


def repeated() -> Iterator[tuple[int, int, int, int]]:
    """Contestants, rounds, repeated meetings and how many are needed, as the page has them."""
    for row in tables_of(PAGE, "How rarely two meet again")[0]:
        for rounds, cell in enumerate(row[1:], start=3):
            found, _, least = cell.partition(" (≥ ")
            yield int(row[0]), rounds, int(found), int(least.rstrip(")") or found)


def expect_repeats(contestants: int, rounds: int, expected: int) -> None:
    plans = PlannedTables(rounds=rounds).coming_rounds(StageProgress(field_of(contestants)), SEED)
    met = Counter(
        pair for plan in plans for each in plan.pairings for pair in combinations(sorted(each.sides), 2)
    )
    assert sum(comb(times, 2) for times in met.values()) == expected, (contestants, rounds)


def test_tables_page_least_repeated_meetings_are_as_shown() -> None:
    for contestants, rounds, _, least in repeated():
        sizes = table_sizes(contestants, 4)
        assert sizes is not None
        assert fewest_repeats(sizes, rounds, comb(contestants, 2)) == least, (contestants, rounds)


def test_tables_page_least_repeated_meetings_are_drawn() -> None:
    for contestants, rounds, found, least in repeated():
        if found == least and contestants in (12, 16, 20, 36):
            expect_repeats(contestants, rounds, found)


@pytest.mark.long
def test_tables_page_repeated_meetings_are_drawn_as_shown() -> None:
    for contestants, rounds, found, _ in repeated():
        expect_repeats(contestants, rounds, found)


def test_tables_page_rounds_by_the_standings_are_as_shown() -> None:
    form = TablesByStanding(rounds=3)
    rows = tables_of(PAGE, "By the standings")[0]
    progress = StageProgress(field_of(11))
    for number in (1, 2, 3):
        plan = form.next_round(progress, SEED)
        assert plan is not None
        totals = form.totals(progress)
        listed = [row[1:] for row in rows if int(row[0]) == number]
        outcomes = []
        for table, (pairing, (at, sides, places, points)) in enumerate(
            zip(plan.pairings, listed, strict=True), start=1
        ):
            assert int(at) == table
            assert sides == ", ".join(f"{side} ({totals[side]})" for side in pairing.sides)
            outcomes.append(form.outcome_of_places(pairing, numbers(places)))
            assert outcomes[-1].points == fractions(points)
        progress = StageProgress(progress.contestants, (*progress.rounds, PlayedRound(plan, tuple(outcomes))))

    assert form.is_finished(progress)


def test_tables_page_points_of_places_are_as_shown() -> None:
    form = PlannedTables()
    for row in tables_of(PAGE, "Points")[0]:
        points = tuple(Fraction(cell) for cell in row[1:-1] if cell)
        assert form.scale_of(int(row[0])) == points
        assert mean_points(points) == Fraction(row[-1])


def test_tables_page_seven_at_tables_of_three_are_drawn_as_shown() -> None:
    rows = tables_of(PAGE, "Who sits out, comes late or goes")[0]
    plans = PlannedTables(seats=3, rounds=4).coming_rounds(StageProgress(field_of(7)), SEED)

    assert [[plan.number, *(pairing.sides for pairing in plan.pairings), plan.byes] for plan in plans] == [
        [int(row[0]), *map(numbers, row[1:])] for row in rows
    ]
