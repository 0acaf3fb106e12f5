"""The page on table elimination: every figure of its examples, worked out again."""

from dataclasses import fields
from fractions import Fraction

from tests.docs.format_pages import tables_of
from tournaments.formats.format import Contestant, PairingOutcome, PlayedRound, StageProgress
from tournaments.formats.order import drawn_lot
from tournaments.formats.table_elimination.format import TableElimination
from tournaments.formats.table_elimination.tables import METHOD

PAGE = "table-elimination.md"
SEED = "palio-2022"


def tables(heading: str) -> list[list[list[str]]]:
    return tables_of(PAGE, heading)


def numbers(cell: str) -> list[int]:
    return [] if cell == "–" else [int(number) for number in cell.split(",")]


def place_of(format_: TableElimination, progress: StageProgress) -> dict[int, int]:
    places: dict[int, int] = {}
    for group in format_.places(progress):
        places |= dict.fromkeys(group, len(places) + 1)
    return places


def test_table_elimination_page_lots_are_those_of_the_method() -> None:
    lots = tables("Seven contestants")[0]
    expected = sorted(range(1, 8), key=lambda one: drawn_lot(f"{METHOD}/{SEED}/{one}"))
    assert lots == [[str(one), f"`{drawn_lot(f'{METHOD}/{SEED}/{one}')[:8]}`"] for one in expected]


def test_table_elimination_page_example_is_what_is_drawn() -> None:
    _, rounds, places = tables("Seven contestants")
    format_ = TableElimination(seats=4, target=200)
    progress = StageProgress(tuple(Contestant(number, number) for number in range(1, 8)))
    for number in range(1, 1 + max(int(row[0]) for row in rounds)):
        plan = format_.next_round(progress, SEED)
        assert plan is not None
        rows = [row for row in rounds if int(row[0]) == number]
        outcomes = []
        for pairing, (_, table, cell, _, moved) in zip(plan.pairings, rows, strict=True):
            points = {
                int(side): int(added)
                for side, _, added in (part.partition(": ") for part in cell.split(", "))
            }
            assert (pairing.slot, pairing.sides) == (f"r{number}t{table}", tuple(points))
            assert [one for _, one in pairing.notes] == numbers(moved)
            winner = next(side for side, added in points.items() if added == 0)
            outcomes.append(PairingOutcome(tuple(map(Fraction, points.values())), winner))
        progress = StageProgress(progress.contestants, (*progress.rounds, PlayedRound(plan, tuple(outcomes))))
        left = [each.contestant for each in format_.course(progress).leavers if each.round == number]
        assert sorted(left) == sorted(one for row in rows for one in numbers(row[3]))
    assert format_.is_finished(progress)
    course = format_.course(progress)
    left_in = {each.contestant: str(each.round) for each in course.leavers}
    assert places == [
        [str(place), str(one), left_in.get(one, "–"), str(course.totals[one])]
        for one, place in place_of(format_, progress).items()
    ]


def test_table_elimination_page_places_of_all_out_at_once_are_as_shown() -> None:
    rows = tables("All at once")[0]
    format_ = TableElimination()
    progress = StageProgress(tuple(Contestant(int(row[0]), int(row[0])) for row in rows))
    for column in (1, 2):
        plan = format_.next_round(progress, SEED)
        assert plan is not None
        added = {int(row[0]): Fraction(row[column]) for row in rows if row[column] != "–"}
        (pairing,) = plan.pairings
        assert set(pairing.sides) == set(added)
        outcome = PairingOutcome(tuple(added[side] for side in pairing.sides), None)
        progress = StageProgress(progress.contestants, (*progress.rounds, PlayedRound(plan, (outcome,))))

    assert place_of(format_, progress) == {int(row[0]): int(row[3]) for row in rows}


def test_table_elimination_page_lists_every_setting() -> None:
    settings = [row[0].strip("`") for row in tables("How it works")[0]]
    assert settings == [field.name for field in fields(TableElimination)]
