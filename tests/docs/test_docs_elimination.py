"""The page on eliminations: every figure of its worked examples is recomputed."""

import re
from dataclasses import fields
from fractions import Fraction

import pytest

from tests.support import ROOT
from tests.support.doc_pages import first_column, section
from tournaments.formats.elimination.format import DoubleElimination, Elimination, SingleElimination
from tournaments.formats.elimination.plan import crossing, double_plan, single_plan
from tournaments.formats.elimination.seeding import standard_order
from tournaments.formats.elimination.spread import METHOD
from tournaments.formats.format import Contestant, PairingOutcome, PlayedRound, StageProgress
from tournaments.formats.order import drawn_lot

PAGE = ROOT / "docs" / "reference" / "formats" / "elimination.md"
TEXT = PAGE.read_text("utf-8")
SEED = "palio-2022"
EXAMPLES: dict[str, tuple[Elimination, int]] = {
    "A knockout of six": (SingleElimination(seeded=2, played_for=4), 3),
    "A double elimination of six": (DoubleElimination(), 6),
}


def tables(heading: str) -> list[list[list[str]]]:
    """The tables below a heading: rows of cells, without head and rule."""
    found = re.findall(r"(?:^\|.*\n)+", section(PAGE, heading), re.MULTILINE)
    return [
        [[cell.strip().strip("`") for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
        for table in found
    ]


@pytest.mark.parametrize("heading", EXAMPLES)
def test_elimination_page_examples_are_drawn_as_shown(heading: str) -> None:
    form, teams = EXAMPLES[heading]
    *_, matches, places = tables(heading)
    winners = {slot: int(won_by) for _, slot, _, won_by in matches}
    progress = StageProgress(tuple(Contestant(number, (number - 1) % teams + 1) for number in range(1, 7)))
    drawn = []
    while plan := form.next_round(progress, SEED):
        title = plan.title % dict(plan.values)
        outcomes = []
        for pairing in plan.pairings:
            winner = winners[pairing.slot]
            drawn.append([title, pairing.slot, "–".join(map(str, pairing.sides)), str(winner)])
            outcomes.append(PairingOutcome(tuple(Fraction(side == winner) for side in pairing.sides), winner))
        progress = StageProgress(progress.contestants, (*progress.rounds, PlayedRound(plan, tuple(outcomes))))

    assert drawn == matches
    assert form.is_finished(progress)
    assert [
        [
            str(place.first) if place.first == place.last else f"{place.first}–{place.last}",
            ", ".join(map(str, place.contestants)),
        ]
        for place in form.ranking(progress)
    ] == places


def test_elimination_page_double_elimination_counts_hold() -> None:
    rounds = {slot: sides for _, slot, sides, _ in tables("A double elimination of six")[0]}
    met: dict[frozenset[str], list[str]] = {}
    for slot, sides in rounds.items():
        met.setdefault(frozenset(sides.split("–")), []).append(slot)

    assert met[frozenset("14")] == ["W2.1", "L4.1"]
    assert len(rounds) == 2 * 6 - 1


def test_elimination_page_lots_are_those_of_the_method() -> None:
    shown = {row[0]: row[1] for row in tables("A knockout of six")[0]}
    assert shown == {str(number): drawn_lot(f"{METHOD}/{SEED}/{number}")[:8] for number in (3, 4, 5, 6)}
    assert f"`{METHOD}/<seed>/<number>`" in TEXT
    assert f"it begins with `{drawn_lot(f'{METHOD}/{SEED}/1')[:8]}`" in TEXT


def test_elimination_page_seeds_stand_as_shown() -> None:
    for places, order in tables("Where seeds stand")[0]:
        assert tuple(map(int, order.split(","))) == standard_order(int(places).bit_length() - 1)


def test_elimination_page_crossing_is_as_shown() -> None:
    shown = [tuple(map(int, row)) for row in tables("Double elimination")[0]]
    assert shown == [(r, 1 << (5 - r), crossing(r - 1, 5 - r)) for r in range(2, 6)]


def test_elimination_page_settings_and_slots_are_those_of_the_code() -> None:
    settings = {each.name for form in (SingleElimination, DoubleElimination) for each in fields(form)}
    # The edition of the rules for standings says whether the last one is on; nobody chooses it.
    assert {*first_column(section(PAGE, "How it works")), "ranks_passed_over"} == settings
    named = set(re.findall(r"`([WLFP]\d[\w.-]*)`", section(PAGE, "For programmers")))
    assert named == {"W2.3", "L4.1", "F1", "F2", "P3", "P5-8.1", "P5-8.2", "P5", "P7"}
    assert named <= {*double_plan(4, True).nodes, *single_plan(4, 8).nodes}
