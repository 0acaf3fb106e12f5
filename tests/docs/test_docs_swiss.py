"""The page on Swiss rounds: every figure of its worked examples is recomputed."""

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction

from tests.support import ROOT
from tests.support.contestants import field_of
from tests.support.doc_pages import first_column, section
from tests.support.swiss_play import assess
from tournaments.formats.catalogue import STAGE_FORMATS
from tournaments.formats.format import (
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
)
from tournaments.formats.swiss.criteria import CRITERIA, LOTS, NOTES, lot
from tournaments.formats.swiss.format import Swiss

PAGE = ROOT / "docs" / "reference" / "formats" / "swiss.md"
SEED = "palio-2022"
EXAMPLE = "Six contestants, three rounds"
CHOSEN = Swiss()


def tables(heading: str) -> list[list[list[str]]]:
    """The tables below a heading: rows of cells, with the head and without the rule."""
    found = re.findall(r"(?:^\|.*\n)+", section(PAGE, heading), re.MULTILINE)
    return [
        [
            [cell.strip() for cell in line.removesuffix("|").removeprefix("|").split("|")]
            for line in table.splitlines()
            if not line.startswith("|--")
        ]
        for table in found
    ]


def sides(written: str) -> tuple[int, ...]:
    return tuple(map(int, written.split("–")))


def outcome(pair: tuple[int, ...], won_by: str) -> PairingOutcome:
    if won_by == "draw":
        return PairingOutcome((Fraction(1, 2), Fraction(1, 2)), None)
    assert int(won_by) in pair
    return PairingOutcome(tuple(Fraction(side == int(won_by)) for side in pair), int(won_by))


def floats(pairing: RoundPairing) -> str:
    """The notes of a pairing as the page writes them."""
    again = {one for code, one in pairing.notes if code == "float_again"}
    words = {"float_down": "down", "float_up": "up"}
    assert {code for code, _ in pairing.notes} <= {*words, "float_again"}
    return ", ".join(
        f"{one} {words[code]}{' again' if one in again else ''}"
        for code, one in pairing.notes
        if code in words
    )


def steps() -> Iterator[tuple[StageProgress, RoundPlan]]:
    """Each round of the example, with what was known before: results are the page's."""
    won_by = {(row[0], row[1]): row[3] for row in tables(EXAMPLE)[0][1:]}
    progress = StageProgress(field_of(6))
    while plan := CHOSEN.next_round(progress, SEED):
        yield progress, plan
        if plan.number < 3:
            outcomes = tuple(
                outcome(each.sides, won_by[str(plan.number), str(table)])
                for table, each in enumerate(plan.pairings, start=1)
            )
            progress = replace(progress, rounds=(*progress.rounds, PlayedRound(plan, outcomes)))
        else:
            return


def test_swiss_page_example_is_what_is_drawn() -> None:
    drawn = [
        [str(plan.number), str(table), "–".join(map(str, each.sides)), floats(each)]
        for _, plan in steps()
        for table, each in enumerate(plan.pairings, start=1)
    ]
    assert drawn == [[*row[:3], row[4]] for row in tables(EXAMPLE)[0][1:]]


def test_swiss_page_comparisons_show_every_criterion_that_differs() -> None:
    _, *compared = tables(EXAMPLE)
    later = list(steps())[1:]
    for (progress, plan), (head, *rows) in zip(later, compared, strict=True):
        plans = [
            replace(plan, pairings=tuple(RoundPairing("", sides(each)) for each in cell.split(", ")))
            for cell in head[1:]
        ]
        assert [each.sides for each in plans[0].pairings] == [each.sides for each in plan.pairings]
        drawn, other = (assess(CHOSEN, progress, each) for each in plans)
        assert rows == [
            [f"`{key}`", str(value), str(there)]
            for (key, value), there in zip(drawn.items(), other.values(), strict=True)
            if value != there
        ]


def test_swiss_page_lots_are_those_of_the_method() -> None:
    told = section(PAGE, "What a round is chosen by")
    assert f"`{LOTS}/<seed>/<round>/<lower number>/<higher number>`" in told
    assert f"it is `{lot(SEED, 1, 1, 2):08x}`" in told
    assert f"that of 1 and 4 is `{lot(SEED, 1, 1, 4):08x}`, which is even" in section(PAGE, EXAMPLE)


def test_swiss_page_bye_is_the_one_drawn() -> None:
    first = RoundPlan(1, "", (), (RoundPairing("", (1, 3)), RoundPairing("", (2, 4))), (5,))
    second = RoundPlan(2, "", (), (RoundPairing("", (2, 1)), RoundPairing("", (3, 5))), (4,))
    rounds = (
        PlayedRound(first, (outcome((1, 3), "1"), outcome((2, 4), "2"))),
        PlayedRound(second, (outcome((2, 1), "1"), outcome((3, 5), "5"))),
    )
    plan = CHOSEN.next_round(StageProgress(field_of(5), rounds), SEED)
    assert plan is not None
    ((_, row),) = tables("Byes")
    written = ", ".join("–".join(map(str, each.sides)) for each in plan.pairings)
    assert row == [str(plan.number), written, ", ".join(map(str, plan.byes))]


def test_swiss_page_lists_every_setting_criterion_and_note() -> None:
    told = section(PAGE, "How it works")
    of_the_code = ["points", "bye_points", "asked_points", "missed_points", "method"]
    assert all(f"`{name}`" in told for name in of_the_code)
    assert first_column(told) == [option.key for option in STAGE_FORMATS["swiss"].options]
    points = {"win", "draw", "loss", "bye", "asked_bye", "missed"}
    assert sorted([*(set(first_column(told)) - points), *of_the_code]) == sorted(
        each.name for each in fields(Swiss)
    )
    assert first_column(section(PAGE, "What a round is chosen by")) == [each.key for each in CRITERIA]
    assert first_column(section(PAGE, "What is said of a pairing")) == list(NOTES)
