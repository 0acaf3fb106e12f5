"""The page on stages: every line of its examples, worked out again."""

from fractions import Fraction

import pytest

from tests.docs.format_pages import tables_of
from tests.support.knockouts import first_pairs
from tournaments.formats.format import PairingOutcome, RoundPairing
from tournaments.formats.stages.compared import points_compared
from tournaments.formats.stages.model import (
    REASONS,
    TIES,
    BestOfPlace,
    FirstOfEachGroup,
    Group,
    Qualification,
    Rule,
    Seeding,
    StagePreview,
    StageResult,
    Tie,
    UnequalGroups,
    Value,
)
from tournaments.formats.stages.preview import preview_stage

PAGE = "stages.md"
NAMES = "ABCDEFGH"


def number(name: str) -> int:
    """`A3` is 13, `B1` is 21."""
    return 10 * (1 + NAMES.index(name[0])) + int(name[1:])


def named(one: int) -> str:
    return f"{NAMES[one // 10 - 1]}{one % 10}"


def groups_of(*sizes: int) -> tuple[Group, ...]:
    return tuple(
        Group(name, tuple((number(f"{name}{place}"),) for place in range(1, size + 1)))
        for name, size in zip(NAMES, sizes, strict=False)
    )


def sentences(preview: StagePreview) -> dict[str, str]:
    """What is told of each contestant."""
    return {
        named(each.contestant): REASONS[each.reason.code] % dict(each.reason.values)
        for each in (*preview.goes_on, *preview.stays, *preview.waits)
    }


def pairs(preview: StagePreview) -> str:
    return ", ".join(
        named(one) if other is None else f"{named(one)}–{named(other)}"
        for one, other in first_pairs([each.contestant for each in preview.goes_on])
    )


def thirds(points: dict[str, int]) -> StagePreview:
    values = {number(name): (Value("points", Fraction(value)),) for name, value in points.items()}
    result = StageResult(groups_of(3, 3, 3, 3, 3, 3), lambda left_out: values)
    return preview_stage(result, Qualification((FirstOfEachGroup(2), BestOfPlace(3, 4))))


def test_stages_page_lists_every_rule_tie_and_seeding() -> None:
    rules = [row[0].strip("`") for row in tables_of(PAGE, "Rules")[0]]
    assert rules == [rule.__name__ for rule in Rule.__args__]
    assert {row[0].strip("`"): row[1] for row in tables_of(PAGE, "Ties")[0]} == TIES
    assert [row[0].strip("`") for row in tables_of(PAGE, "Who meets whom next")[0]] == list(Seeding)
    unequal = [row[0].strip("`") for row in tables_of(PAGE, "Groups of different sizes")[0]]
    assert unequal == list(UnequalGroups)


def test_stages_page_best_thirds_are_as_shown() -> None:
    rows = tables_of(PAGE, "Best thirds")[0]
    told = sentences(thirds({name: int(points) for name, points, _ in rows}))
    assert [told[name] for name, _, _ in rows] == [sentence for _, _, sentence in rows]


def test_stages_page_example_with_a_tie_at_the_cut() -> None:
    points = {name: int(value) for name, value, _ in tables_of(PAGE, "Best thirds")[0]} | {"D3": 2}
    assert thirds(points).ties == (Tie("cut", (number("D3"), number("F3")), 1),)


@pytest.mark.parametrize(
    ("rule", "a_third", "b_third", "goes_on"), tables_of(PAGE, "Groups of different sizes")[1]
)
def test_stages_page_groups_of_different_sizes_are_as_shown(
    rule: str, a_third: str, b_third: str, goes_on: str
) -> None:
    matches = [("A1", "A3"), ("A2", "A3"), ("A3", "A4"), ("B1", "B3")]
    played = [
        (
            RoundPairing("", (number(one), number(other))),
            PairingOutcome((Fraction(3), Fraction(0)), number(one)),
        )
        for one, other in matches
    ]
    played.append(
        (RoundPairing("", (number("B2"), number("B3"))), PairingOutcome((Fraction(1), Fraction(1)), None))
    )
    compare = points_compared(played)
    qualification = Qualification(
        (FirstOfEachGroup(2), BestOfPlace(3, 1)), unequal=UnequalGroups(rule.strip("`"))
    )
    preview = preview_stage(StageResult(groups_of(4, 3), compare), qualification)
    values = compare(preview.left_out)

    assert [str(values[number(name)][0].value) for name in ("A3", "B3")] == [a_third, b_third]
    assert {named(each.contestant) for each in preview.goes_on} == {"A1", "A2", "B1", "B2", goes_on}


def test_stages_page_withdrawn_contestant_is_as_shown() -> None:
    result = StageResult(groups_of(3, 3), gone=frozenset({number("A1")}))
    preview = preview_stage(result, Qualification((FirstOfEachGroup(2),)))

    told = sentences(preview)
    rows = tables_of(PAGE, "Who withdraws")[0]

    assert [[name, told[name]] for name, _ in rows] == rows
    assert pairs(preview) == "A2–B2, B1–A3"


@pytest.mark.parametrize(("groups", "each", "shown"), tables_of(PAGE, "Who meets whom next")[1])
def test_stages_page_groups_cross_as_shown(groups: str, each: str, shown: str) -> None:
    result = StageResult(groups_of(*[int(each)] * int(groups)))
    assert pairs(preview_stage(result, Qualification((FirstOfEachGroup(int(each)),)))) == shown
