"""Stages: who goes on and why, nothing applied over an open tie, and whom one meets next."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.knockouts import first_pairs
from tests.support.run.long import examples
from tournaments.formats import CannotDraw
from tournaments.formats.elimination.format import SingleElimination
from tournaments.formats.format import Contestant, PairingOutcome, RoundPairing, StageProgress
from tournaments.formats.order import drawn_lot
from tournaments.formats.stages.compared import points_compared
from tournaments.formats.stages.model import (
    REASONS,
    TIES,
    BestOfPlace,
    Everybody,
    FirstOfEachGroup,
    FirstOverall,
    Group,
    PlannedStage,
    Qualification,
    Reason,
    Seeding,
    StagePreview,
    StageResult,
    Tie,
    UnequalGroups,
    Value,
    plan_stages,
)
from tournaments.formats.stages.next_contestants import apply
from tournaments.formats.stages.preview import preview_stage
from tournaments.formats.stages.seeding import METHOD, assign, meets_in

NAMES = "ABCDEFGHIJKLMNOP"
Level = tuple[int, ...]


def groups_of(*sizes: int) -> tuple[Group, ...]:
    """Groups A, B, … without ties; number 100 + p is in place p of group A, 200 + p of B."""
    return tuple(
        Group(NAMES[index], tuple((100 * (index + 1) + place,) for place in range(1, size + 1)))
        for index, size in enumerate(sizes)
    )


def compared(**values: int) -> StageResult:
    """Six groups of three, and what the thirds have: `A=4` for the third of group A."""
    thirds = {100 * (NAMES.index(name) + 1) + 3: value for name, value in values.items()}
    return StageResult(
        groups_of(*[3] * len(values)),
        lambda left_out: {one: (Value("points", Fraction(value)),) for one, value in thirds.items()},
    )


def names(preview: StagePreview) -> list[str]:
    """Who goes on, by seed: `A1` for 101."""
    return [named(each.contestant) for each in preview.goes_on]


def named(one: int | None) -> str:
    return "-" if one is None else f"{NAMES[one // 100 - 1]}{one % 100}"


def pairs(preview: StagePreview) -> list[str]:
    """The first round of a knockout."""
    return [f"{named(one)}-{named(other)}" if other else named(one) for one, other in first_round(preview)]


def first_round(preview: StagePreview) -> list[tuple[int, int | None]]:
    return first_pairs([each.contestant for each in preview.goes_on])


# --- what holds for any stage


@st.composite
def stages(draw: st.DrawFn) -> tuple[StageResult, dict[int, int]]:
    """Groups with ties, withdrawn contestants, and values in which many are level."""
    groups = []
    number = 0
    for index in range(draw(st.integers(1, 5))):
        members = list(range(number + 1, number + draw(st.integers(2, 6)) + 1))
        number += len(members)
        levels: list[Level] = []
        while members:
            size = draw(st.sampled_from([1, 1, 1, 2, 3]))
            levels.append(tuple(members[:size]))
            members = members[size:]
        groups.append(Group(NAMES[index], tuple(levels), draw(st.sampled_from([0, 0, 0, 0, 2]))))
    values = {one: draw(st.integers(0, 3)) for one in range(1, number + 1)}
    gone = draw(st.frozensets(st.integers(1, number), max_size=3))

    def compare(left_out: frozenset[int]) -> dict[int, tuple[Value, ...]]:
        return {one: (Value("points", Fraction(value)),) for one, value in values.items()}

    return StageResult(tuple(groups), compare, gone), values


QUALIFICATIONS = st.builds(
    lambda rules, seeding, unequal: Qualification(tuple(rules), seeding, unequal),
    st.one_of(
        st.just([Everybody()]),
        st.builds(lambda count: [FirstOverall(count)], st.integers(1, 6)),
        st.builds(lambda count: [FirstOfEachGroup(count)], st.integers(1, 3)),
        st.builds(
            lambda each, best: [FirstOfEachGroup(each), BestOfPlace(each + 1, best)],
            st.integers(1, 2),
            st.integers(1, 4),
        ),
        st.builds(
            lambda each, more: [FirstOfEachGroup(each), FirstOverall(more)],
            st.integers(1, 2),
            st.integers(1, 4),
        ),
    ),
    st.sampled_from(Seeding),
    st.sampled_from(UnequalGroups),
)


@examples(100)
@given(stages(), QUALIFICATIONS)
def test_stage_preview_tells_everybody_once_and_is_refused_while_open(
    stage: tuple[StageResult, dict[int, int]], qualification: Qualification
) -> None:
    result, _ = stage
    preview = preview_stage(result, qualification, seed="x")
    everybody = [*preview.goes_on, *preview.stays, *preview.waits]
    members = sorted(one for group in result.groups for one in group.members)
    assert sorted(each.contestant for each in everybody) == members
    assert not result.gone & {each.contestant for each in (*preview.goes_on, *preview.waits)}
    for each in everybody:
        assert REASONS[each.reason.code] % dict(each.reason.values)
    assert {tie.kind for tie in preview.ties} <= set(TIES)
    for tie in preview.ties:
        assert len(tie.contestants) > 1
    field = [Contestant(one, one) for one in members]
    if preview.can_be_applied and len(preview.goes_on) > 1:
        entrants = apply(preview, field)
        assert [each.contestant.number for each in entrants] == list(range(1, len(entrants) + 1))
        assert [each.was for each in entrants] == [each.contestant for each in preview.goes_on]
        assert [each.seed for each in preview.goes_on] == list(range(1, len(entrants) + 1))
    else:
        with pytest.raises(CannotDraw) as caught:
            apply(preview, field)
        assert caught.value.code == (
            "unresolved_tie" if preview.ties else "stage_open" if preview.waits else "too_few"
        )


@examples(60)
@given(stages(), QUALIFICATIONS)
def test_stage_preview_breaks_every_tie_by_recorded_orders(
    stage: tuple[StageResult, dict[int, int]], qualification: Qualification
) -> None:
    result, _ = stage
    finished = StageResult(
        tuple(Group(group.name, group.places) for group in result.groups), result.compare, result.gone
    )
    decided: list[Level] = []
    first: set[int] = set()
    for _ in range(100):
        preview = preview_stage(finished, qualification, decided, "x")
        if not preview.ties:
            break
        tie = preview.ties[0]
        decided.append(tie.contestants[::-1])
        if tie.kind == "cut":
            first |= set(decided[-1][: tie.spots])

    assert preview.can_be_applied
    assert first <= {each.contestant for each in preview.goes_on}


@examples(60)
@given(st.integers(1, 8), st.integers(1, 4), st.sampled_from([Seeding.CROSSED, Seeding.RANKED]))
def test_seeding_keeps_opponents_of_a_group_apart_in_the_first_round(
    groups: int, count: int, seeding: Seeding
) -> None:
    result = StageResult(
        groups_of(*[count] * groups),
        lambda left_out: {
            100 * g + p: (Value("points", Fraction(g)),) for g in range(1, 9) for p in range(1, 5)
        },
    )
    preview = preview_stage(result, Qualification((FirstOfEachGroup(count),), seeding))
    group_of = {each.contestant: each.contestant // 100 for each in preview.goes_on}
    winners = [each.seed for each in preview.goes_on if each.contestant % 100 == 1]
    assert sorted(filter(None, winners)) == list(range(1, groups + 1))
    if groups > 1:
        for one, other in first_round(preview):
            assert other is None or group_of[one] != group_of[other]
            assert other is None or count == 1 or (one % 100, other % 100) != (1, 1)


@examples(60)
@given(
    st.integers(1, 5).flatmap(
        lambda size: st.lists(
            st.lists(st.integers(-9, 9), min_size=size, max_size=size), min_size=size, max_size=size
        )
    )
)
def test_seeding_assignment_is_the_cheapest(costs: list[list[int]]) -> None:
    chosen = assign(costs)
    assert sorted(chosen) == list(range(len(costs)))
    least = min(
        sum(costs[row][column] for row, column in enumerate(order))
        for order in permutations(range(len(costs)))
    )
    assert sum(costs[row][column] for row, column in enumerate(chosen)) == least


# --- crossing


@pytest.mark.parametrize(
    ("sizes", "count", "expected"),
    [
        ((4, 4), 2, ["A1-B2", "B1-A2"]),
        ((3, 3, 3, 3), 2, ["A1-B2", "D1-C2", "C1-D2", "B1-A2"]),
        ((4, 4), 4, ["A1-B4", "B2-A3", "A2-B3", "B1-A4"]),
        ((3, 3, 3), 2, ["A1", "B2-C2", "C1-A2", "B1"]),
        ((5,), 5, ["A1", "A4-A5", "A3", "A2"]),
    ],
)
def test_seeding_crosses_groups(sizes: tuple[int, ...], count: int, expected: list[str]) -> None:
    preview = preview_stage(StageResult(groups_of(*sizes)), Qualification((FirstOfEachGroup(count),)))
    assert pairs(preview) == expected


def test_knockout_makes_the_pairs_that_the_stage_preview_showed() -> None:
    """Each from a team of its own, so that nothing but the seeds says who meets."""
    preview = preview_stage(StageResult(groups_of(3, 3, 3, 3)), Qualification((FirstOfEachGroup(2),)))
    field = [Contestant(one, one) for group in groups_of(3, 3, 3, 3) for one in group.members]
    entrants = apply(preview, field)
    plan = SingleElimination().next_round(StageProgress(tuple(each.contestant for each in entrants)), "x")
    assert plan is not None
    was = {each.contestant.number: each.was for each in entrants}
    shown = {frozenset(pair) for pair in first_round(preview)}
    assert {frozenset(was[side] for side in pairing.sides) for pairing in plan.pairings} == shown


@pytest.mark.parametrize(("one", "other", "round_"), [(1, 8, 1), (1, 4, 2), (1, 2, 3), (4, 5, 1)])
def test_seeds_meet_in_the_round_of_a_standard_bracket(one: int, other: int, round_: int) -> None:
    assert meets_in(one, other, 8) == round_


# --- best thirds


THIRDS = Qualification((FirstOfEachGroup(2), BestOfPlace(3, 4)))


def test_best_thirds_go_on_and_are_told_why() -> None:
    preview = preview_stage(compared(A=4, B=3, C=6, D=1, E=0, F=2), THIRDS)
    reasons = {each.contestant: each.reason for each in (*preview.goes_on, *preview.stays)}

    assert reasons[303] == Reason("best_of_place", (("rank", 1), ("place", 3), ("count", 4)))
    assert reasons[603] == Reason("best_of_place", (("rank", 4), ("place", 3), ("count", 4)))
    assert reasons[403] == Reason("below_cut", (("place", 3), ("group", "D")))
    assert reasons[101] == Reason("group_place", (("place", 1), ("group", "A"), ("count", 2)))
    assert names(preview)[:6] == ["A1", "B1", "C1", "D1", "E1", "F1"]


def test_thirds_who_are_level_at_the_cut_wait_and_lots_decide() -> None:
    result = compared(A=4, B=3, C=6, D=2, E=0, F=2)
    preview = preview_stage(result, THIRDS)
    assert preview.ties == (Tie("cut", (403, 603), 1),)
    assert [each.contestant for each in preview.waits] == [403, 603]
    with pytest.raises(CannotDraw) as caught:
        apply(preview, [])
    assert (caught.value.code, caught.value.values) == ("unresolved_tie", {"who": "403, 603", "ties": 1})
    resolved = preview_stage(result, THIRDS, [(403, 603), (603, 403), (101, 403)])
    assert "F3" in names(resolved)
    assert "D3" not in names(resolved)


def test_tie_above_the_cut_is_not_reported() -> None:
    assert preview_stage(compared(A=4, B=4, C=4, D=4, E=0, F=2), THIRDS).ties == ()


# --- groups of different sizes


def unequal() -> StageResult:
    """A has four, B three. A3 has beaten A4, and only that: without it B3, who has one point, is ahead."""
    groups = groups_of(4, 3)
    matches = [
        (103, 104, 3, 0), (103, 101, 0, 3), (103, 102, 0, 3),
        (104, 101, 0, 3), (104, 102, 0, 3), (101, 102, 3, 0),
        (203, 202, 1, 1), (203, 201, 0, 3), (201, 202, 3, 0),
    ]  # fmt: skip
    return StageResult(
        groups,
        points_compared(
            (
                RoundPairing(str(number), (one, other)),
                PairingOutcome(
                    (Fraction(mine), Fraction(yours)),
                    one if mine > yours else other if yours > mine else None,
                ),
            )
            for number, (one, other, mine, yours) in enumerate(matches)
        ),
    )


@pytest.mark.parametrize(
    ("rule", "third", "left_out"),
    [(UnequalGroups.AS_THEY_ARE, "A3", frozenset()), (UnequalGroups.WITHOUT_LAST, "B3", frozenset({104}))],
)
def test_unequal_groups_compare_by_the_chosen_rule(
    rule: UnequalGroups, third: str, left_out: frozenset[int]
) -> None:
    rules = (FirstOfEachGroup(2), BestOfPlace(3, 1))
    preview = preview_stage(unequal(), Qualification(rules, unequal=rule))
    assert sorted(names(preview)) == sorted(["A1", "A2", "B1", "B2", third])
    assert preview.left_out == left_out


def test_unequal_groups_need_a_rule() -> None:
    with pytest.raises(CannotDraw) as caught:
        preview_stage(unequal(), Qualification((FirstOfEachGroup(2), BestOfPlace(3, 1))))
    assert caught.value.code == "unequal_groups"


def test_tie_for_the_results_that_do_not_count_is_reported() -> None:
    groups = (Group("A", ((101,), (102,), (103, 104))), Group("B", ((201,), (202,), (203,))))
    result = StageResult(groups, lambda left_out: {one: () for group in groups for one in group.members})
    preview = preview_stage(result, Qualification((FirstOverall(2),), unequal=UnequalGroups.WITHOUT_LAST))

    assert preview.ties == (Tie("left_out", (103, 104), 1),)
    assert preview.goes_on == ()


# --- ties, withdrawals, results to come


def test_tie_across_the_cut_of_a_group_is_reported_until_it_is_broken() -> None:
    result = StageResult((Group("A", ((1,), (2, 3), (4,))),))
    preview = preview_stage(result, Qualification((FirstOfEachGroup(2),)))
    assert preview.ties == (Tie("cut", (2, 3), 1),)
    assert [each.contestant for each in preview.goes_on] == [1]
    decided = preview_stage(result, Qualification((FirstOfEachGroup(2),)), [(3, 2)])
    assert [each.contestant for each in decided.goes_on] == [1, 3]


def test_tie_of_who_all_go_on_matters_for_the_seeds_alone() -> None:
    result = StageResult((Group("A", ((1, 2), (3,))),))
    crossed = preview_stage(result, Qualification((FirstOfEachGroup(2),)))
    assert crossed.ties == (Tie("seeding", (1, 2), 2),)
    by_lot = preview_stage(result, Qualification((FirstOfEachGroup(2),), Seeding.LOTS), seed="palio-2022")
    assert [each.contestant for each in by_lot.goes_on] == sorted(
        (1, 2), key=lambda one: drawn_lot(f"{METHOD}/palio-2022/{one}")
    )


def test_ties_at_the_cut_and_of_seeds_are_named_together() -> None:
    groups = (Group("A", ((4,), (5, 8))), Group("B", ((2, 3), (6,))))
    preview = preview_stage(StageResult(groups), Qualification((FirstOfEachGroup(2),)))
    assert preview.ties == (Tie("cut", (5, 8), 1), Tie("seeding", (2, 3), 2))


def test_tie_for_a_seed_waits_for_other_groups() -> None:
    groups = (Group("A", ((1, 2), (3,))), Group("B", ((4,), (5,), (6,)), missing=1))
    preview = preview_stage(StageResult(groups), Qualification((FirstOfEachGroup(2),)))
    assert preview.ties == ()


def test_tie_is_broken_when_one_of_them_withdraws() -> None:
    result = StageResult((Group("A", ((1,), (2, 3), (4,))),), gone=frozenset({2}))
    preview = preview_stage(result, Qualification((FirstOfEachGroup(2),)))
    assert [each.contestant for each in preview.goes_on] == [1, 3]


def test_withdrawal_lets_the_next_of_the_group_move_up() -> None:
    result = StageResult(groups_of(3, 3), gone=frozenset({101}))
    preview = preview_stage(result, Qualification((FirstOfEachGroup(2),)))
    assert pairs(preview) == ["A2-B2", "B1-A3"]
    reasons = {each.contestant: each.reason for each in (*preview.goes_on, *preview.stays)}
    assert reasons[103] == Reason("moved_up", (("place", 3), ("group", "A")))
    assert reasons[101] == Reason("withdrawn")


def test_thirds_that_are_missing_let_the_best_of_the_next_place_move_up() -> None:
    result = StageResult(
        groups_of(4, 4),
        lambda left_out: {104: (Value("points", Fraction(1)),), 204: (Value("points", Fraction(2)),)},
        frozenset({103}),
    )
    preview = preview_stage(result, Qualification((FirstOfEachGroup(2), BestOfPlace(3, 2))))
    assert sorted(names(preview)) == ["A1", "A2", "B1", "B2", "B3", "B4"]


def test_stage_preview_says_who_waits_for_what() -> None:
    groups = (*groups_of(3), Group("B", ((201,), (202,), (203,)), missing=2))
    preview = preview_stage(StageResult(groups), Qualification((FirstOfEachGroup(1), BestOfPlace(2, 1))))
    assert {each.contestant: each.reason for each in preview.waits} == {
        201: Reason("group_open", (("group", "B"), ("missing", 2))),
        202: Reason("group_open", (("group", "B"), ("missing", 2))),
        203: Reason("group_open", (("group", "B"), ("missing", 2))),
        102: Reason("others_open", (("missing", 2),)),
    }
    assert [each.contestant for each in preview.goes_on] == [101]
    with pytest.raises(CannotDraw) as caught:
        apply(preview, [])
    assert (caught.value.code, caught.value.values) == ("stage_open", {"waiting": 4})


def test_seeding_ranks_winners_by_their_values() -> None:
    groups = groups_of(2, 2, 2)
    values = {101: 5, 201: 9, 301: 7, 102: 1, 202: 2, 302: 3}
    result = StageResult(
        groups,
        lambda left_out: {
            one: (Value("lost", Fraction(value), highest_first=False),) for one, value in values.items()
        },
    )
    preview = preview_stage(result, Qualification((FirstOfEachGroup(1),), Seeding.RANKED))

    assert names(preview) == ["A1", "C1", "B1"]


# --- what is refused


@pytest.mark.parametrize(
    "rules",
    [
        (),
        (FirstOfEachGroup(0),),
        (BestOfPlace(0, 2),),
        (FirstOverall(2), FirstOverall(3)),
        (Everybody(), FirstOverall(3)),
    ],
)
def test_qualification_rules_that_say_nothing_are_refused(rules: tuple[FirstOverall, ...]) -> None:
    with pytest.raises(CannotDraw) as caught:
        Qualification(rules)
    assert caught.value.code == "qualification"


def test_stage_result_with_a_contestant_in_two_groups_is_refused() -> None:
    with pytest.raises(CannotDraw) as caught:
        StageResult((Group("A", ((1,), (2,))), Group("B", ((2,),))))
    assert str(caught.value) == "Contestant 2 is in the stage's groups twice."


def test_stage_preview_without_values_to_compare_is_refused() -> None:
    with pytest.raises(CannotDraw) as caught:
        preview_stage(StageResult(groups_of(2, 2)), Qualification((FirstOverall(2),)))
    assert caught.value.code == "no_values"


def test_stage_lot_has_its_published_test_vector() -> None:
    assert (
        drawn_lot(f"{METHOD}/palio-2022/1")
        == "11b7b97cf143ebb36661be6fb32da31c0b84f2cf44943f74bfae3ce19a9f2204"
    )


# --- stages as they are set up


def test_stage_sizes_follow_from_each_other() -> None:
    thirds = Qualification((FirstOfEachGroup(2), BestOfPlace(3, 4)))
    stages_ = [PlannedStage("round_robin", 6), PlannedStage("single_elimination", 1, thirds)]
    assert plan_stages(stages_, 26) == ((5, 5, 4, 4, 4, 4), (16,))
    last = PlannedStage("by_hand", 1, Qualification((FirstOverall(4),)))
    assert plan_stages([*stages_, last], 24)[-1] == (4,)
    assert plan_stages(
        [PlannedStage("swiss"), PlannedStage("swiss", 2, Qualification((Everybody(),)))], 9
    ) == (
        (9,),
        (5, 4),
    )


@pytest.mark.parametrize(
    ("stages_", "contestants", "code"),
    [
        ([PlannedStage("swiss", 1, Qualification((Everybody(),)))], 8, "stages"),
        ([PlannedStage("swiss"), PlannedStage("swiss")], 8, "stages"),
        ([PlannedStage("round_robin", 5)], 9, "too_few"),
        (
            [PlannedStage("round_robin", 4), PlannedStage("swiss", 1, Qualification((FirstOfEachGroup(3),)))],
            11,
            "too_few",
        ),
        (
            [
                PlannedStage("round_robin", 2),
                PlannedStage("swiss", 1, Qualification((FirstOfEachGroup(2), BestOfPlace(2, 1)))),
            ],
            8,
            "too_few",
        ),
        (
            [PlannedStage("round_robin", 2), PlannedStage("swiss", 1, Qualification((FirstOverall(9),)))],
            8,
            "too_few",
        ),
    ],
)
def test_stages_that_do_not_fit_are_refused(stages_: list[PlannedStage], contestants: int, code: str) -> None:
    with pytest.raises(CannotDraw) as caught:
        plan_stages(stages_, contestants)
    assert caught.value.code == code
