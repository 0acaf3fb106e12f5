"""The page on round robins: every figure of its worked examples is recomputed."""

import re
from collections.abc import Iterable
from dataclasses import fields, replace

import pytest

from tests.support import ROOT
from tests.support.contestants import field_of
from tests.support.doc_pages import first_column, section
from tests.support.round_robins import longest_run, play, seats
from tournaments.formats.format import Contestant, RoundPairing, RoundPlan, StageProgress
from tournaments.formats.round_robin.berger import berger_round
from tournaments.formats.round_robin.format import RoundRobin
from tournaments.formats.round_robin.groups import ATTEMPTS, Grouping, divide
from tournaments.formats.round_robin.lots import group_lot, number_lot

PAGE = ROOT / "docs" / "reference" / "formats" / "round-robin.md"
SEED = "palio-2022"
FIVE = StageProgress(field_of(5))


def tables(heading: str) -> list[list[list[str]]]:
    """The tables below a heading: rows of cells, without head and rule."""
    found = re.findall(r"(?:^\|.*\n)+", section(PAGE, heading), re.MULTILINE)
    return [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
        for table in found
    ]


def written(pairs: Iterable[RoundPairing | tuple[int, ...]]) -> str:
    """Pairs as the page writes them."""
    return ", ".join(
        "–".join(map(str, pair.sides if isinstance(pair, RoundPairing) else pair)) for pair in pairs
    )


def listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def as_rows(plans: Iterable[RoundPlan]) -> list[list[str]]:
    return [[str(plan.number), written(plan.pairings), listed(plan.byes)] for plan in plans]


def test_round_robin_page_lots_give_the_numbers() -> None:
    lots, _ = tables("Five contestants")
    (group,) = RoundRobin().division(FIVE, SEED)
    assert lots == [
        [str(one), f"`{number_lot(SEED, one)[:8]}`", str(group.index(one) + 1)] for one in range(1, 6)
    ]


def test_round_robin_page_rounds_follow_the_berger_table() -> None:
    _, rounds = tables("Five contestants")
    assert rounds == [
        [str(plan.number), written(berger_round(6, plan.number)), written(plan.pairings), listed(plan.byes)]
        for plan in RoundRobin().coming_rounds(FIVE, SEED)
    ]


def test_round_robin_page_two_legs_are_as_shown() -> None:
    four = StageProgress(field_of(4))
    plans = list(RoundRobin(legs=2).coming_rounds(four, SEED))
    (rows,) = tables("Two legs")
    assert rows == [[str(plan.number), written(plan.pairings)] for plan in plans]
    (group,) = RoundRobin().division(four, SEED)
    assert f"the numbers in the order {listed(group)}:" in section(PAGE, "Two legs")
    assert max(longest_run(seats(plans, one)) for one in range(1, 5)) == 2
    three = list(RoundRobin(legs=3).coming_rounds(four, SEED))
    assert max(longest_run(seats(three, one)) for one in range(1, 5)) == 3


def test_round_robin_page_groups_are_as_shown() -> None:
    pots, groups = tables("Groups")
    rows = []
    for number, pot in enumerate(([1, 2, 3], [4, 5, 6], [7, 8]), start=1):
        lots = {one: group_lot(SEED, 1, one) for one in pot}
        begin = ", ".join(f"{one} `{lot[:8]}`" for one, lot in lots.items())
        rows.append([str(number), begin, listed(sorted(lots, key=lots.__getitem__))])
    assert pots == rows

    plain = field_of(8)
    related = [one._replace(labels=frozenset({1})) if one.number in (1, 4) else one for one in plain]
    divided = [
        divide(plain, 3, Grouping.POTS, SEED),
        divide(related, 3, Grouping.POTS, SEED),
        divide(plain, 3, Grouping.SNAKE, SEED),
    ]
    assert [row[1:] for row in groups] == [
        [listed(one.number for one in members) for members in each] for each in divided
    ]
    assert f"up to {ATTEMPTS} attempts" in section(PAGE, "Groups")


def test_round_robin_page_late_contestant_is_as_shown() -> None:
    drawn = play(RoundRobin(), FIVE, SEED, rounds=2)
    late = replace(drawn, contestants=(*drawn.contestants, Contestant(6, 6, since=3)))
    (rows,) = tables("Who comes late")
    assert rows == as_rows(RoundRobin().coming_rounds(late, SEED))


def test_round_robin_page_withdrawn_contestant_is_as_shown() -> None:
    form = RoundRobin()
    drawn = replace(play(form, FIVE, SEED, rounds=2), gone=frozenset({3}))
    (rows,) = tables("Who goes")

    assert rows == as_rows(form.coming_rounds(drawn, SEED))
    assert form.annulled(drawn, SEED) == frozenset()
    assert form.annulled(replace(drawn, rounds=drawn.rounds[:1]), SEED) == {3}


def test_round_robin_page_lists_every_setting() -> None:
    told = section(PAGE, "How it works")
    points = {"win", "draw", "loss"}
    listed = first_column(told)

    assert points <= set(listed)
    assert sorted([*(set(listed) - points), "points"]) == sorted(each.name for each in fields(RoundRobin))


def test_round_robin_page_contents_are_its_headings() -> None:
    text = PAGE.read_text("utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert re.findall(r"^- \[(.*)\]\(#(.*)\)$", text, re.MULTILINE) == [
        (heading, heading.lower().replace(" ", "-")) for heading in headings
    ]


@pytest.mark.parametrize("name", re.findall(r"form\.(\w+)\(", PAGE.read_text("utf-8")))
def test_round_robin_page_names_methods_that_exist(name: str) -> None:
    assert callable(getattr(RoundRobin, name))


def test_round_robin_page_lists_every_refusal() -> None:
    source = "".join(
        path.read_text("utf-8") for path in (ROOT / "tournaments" / "formats" / "round_robin").glob("*.py")
    )
    raised = re.findall(r"CannotDraw\(\s*\"(\w+)\"", source)
    listed_codes = first_column(section(PAGE, "For programmers"))
    assert sorted(listed_codes) == sorted([*raised, "contestant_twice", "seed"])
