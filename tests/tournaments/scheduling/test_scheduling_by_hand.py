"""What the desk does to a timetable: a delay, a meeting moved, referees shared out."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.support.run.long import examples
from tests.tournaments.scheduling.problems import as_games, hall, pinned, problems
from tournaments.scheduling.check import conflicts
from tournaments.scheduling.model import (
    Flaw,
    Hall,
    Judge,
    Placement,
    RoundOrder,
    ScheduledMatch,
    SchedulingProblem,
    SolvedTimetable,
    Window,
)
from tournaments.scheduling.moving import moved
from tournaments.scheduling.shifting import delayed
from tournaments.scheduling.solving import solve

HALL = Hall(("T1", "T2"), (Window(0, 120),), (Window(60, 70),), rest=5)
PROBLEM = SchedulingProblem(
    (
        ScheduledMatch("a", 20, frozenset({"ada"})),
        ScheduledMatch("b", 20, frozenset({"bea"})),
        ScheduledMatch("c", 20, frozenset({"cleo"})),
        ScheduledMatch("d", 20, frozenset({"ada"})),
        ScheduledMatch("e", 20, frozenset({"bea"})),
        ScheduledMatch("f", 20, frozenset({"dora"})),
    ),
    HALL,
    rounds=RoundOrder.FREE,
)
PLACED = (
    Placement("a", "T1", 0),
    Placement("b", "T1", 20),
    Placement("c", "T1", 70),
    Placement("d", "T2", 30),
    Placement("e", "T2", 90),
    Placement("f", "T2", 0),
)


def starts(placements: tuple[Placement, ...]) -> dict[str, int]:
    return {each.key: each.start for each in placements}


def test_delay_shifts_what_follows_and_nothing_else() -> None:
    found = delayed(PROBLEM, PLACED, at=0, minutes=10, table="T1", begun={"a"})
    # What has begun stays; b is late, and c has the break before it.
    assert starts(found.placements) == {**starts(PLACED), "b": 30}
    assert (found.shifted, found.conflicts) == (("b",), ())


def test_delay_goes_from_table_to_table_with_people_and_waits_for_a_break_to_end() -> None:
    found = delayed(PROBLEM, PLACED, at=0, minutes=25, table="T1")
    # a 25–45, so b can't be before 45, and not within the break; d waits for ada's rest and the break, too.
    assert starts(found.placements) == {"a": 25, "b": 70, "c": 90, "d": 70, "e": 95, "f": 0}
    assert found.shifted == ("a", "b", "d", "c", "e")
    assert found.conflicts == ()


def test_delay_past_the_closing_is_a_conflict() -> None:
    found = delayed(PROBLEM, PLACED, at=60, minutes=15)
    assert starts(found.placements) == {**starts(PLACED), "c": 85, "e": 105}
    assert [(each.flaw, each.keys, each.minutes) for each in found.conflicts] == [(Flaw.CLOSED, ("e",), 5)]


def test_delay_never_moves_anything_to_the_next_day() -> None:
    two_days = replace(HALL, windows=(Window(0, 120), Window(1440, 1560)))
    found = delayed(replace(PROBLEM, hall=two_days), PLACED, at=60, minutes=15)
    assert max(starts(found.placements).values()) == 105


@given(problem=problems(), data=st.data())
@examples(60)
def test_delay_keeps_every_order_and_brings_no_conflict_but_hours_and_pins(
    problem: SchedulingProblem, data: st.DataObject
) -> None:
    first = solve(problem, exact=False, advice=False)
    if not isinstance(first, SolvedTimetable):
        return
    old = first.placements
    at = data.draw(st.integers(0, 100))
    table = data.draw(st.sampled_from([None, *problem.hall.tables]))
    begun = data.draw(st.sets(st.sampled_from([each.key for each in old]), max_size=2))
    found = delayed(problem, old, at=at, minutes=data.draw(st.integers(1, 40)), table=table, begun=begun)
    before, after = starts(old), starts(found.placements)
    assert [(each.key, each.table, each.judge) for each in found.placements] == [
        (each.key, each.table, each.judge) for each in old
    ]
    for key, start in before.items():
        stays = key in begun or start < at
        assert after[key] == start if stays else after[key] >= start
    for each in problem.hall.tables:
        # What was begun out of turn stays, and what should have come before it may pass it.
        order = sorted((before[p.key], after[p.key]) for p in old if p.table == each and p.key not in begun)
        assert all(one[1] < other[1] for one, other in pairwise(order))
    # What has begun can't make way, so a delay before it may run into it.
    allowed = {Flaw.CLOSED, Flaw.JUDGE_AWAY}
    if not begun:
        assert {each.flaw for each in found.conflicts} <= allowed
    if not found.shifted:
        assert found.placements == old


@given(problem=problems(), data=st.data())
@examples(30)
def test_delay_shifts_no_meeting_further_than_it_must(
    problem: SchedulingProblem, data: st.DataObject
) -> None:
    first = solve(problem, exact=False, advice=False)
    if not isinstance(first, SolvedTimetable):
        return
    minutes = data.draw(st.integers(1, 40))
    found = delayed(problem, first.placements, at=0, minutes=minutes, table=problem.hall.tables[0])
    before, after = starts(first.placements), starts(found.placements)
    late = next((each.key for each in first.placements if each.table == problem.hall.tables[0]), None)
    known = set(found.conflicts)
    for key in found.shifted:
        if key == late:
            continue
        closer = tuple(
            replace(each, start=each.start - 1) if each.key == key else each for each in found.placements
        )
        assert after[key] > before[key]
        assert set(conflicts(problem, closer)) - known


@given(problem=problems(meetings=8), data=st.data())
@examples(40)
def test_move_of_a_meeting_has_the_checker_s_conflicts_and_free_swaps(
    problem: SchedulingProblem, data: st.DataObject
) -> None:
    first = solve(problem, exact=False, advice=False)
    if not isinstance(first, SolvedTimetable):
        return
    key = data.draw(st.sampled_from([each.key for each in problem.meetings]))
    table, start = data.draw(st.sampled_from(problem.hall.tables)), data.draw(st.integers(0, 140))
    found = moved(problem, first.placements, key, table, start)
    mine = next(each for each in found.placements if each.key == key)
    assert (mine.table, mine.start) == (table, start)
    assert set(found.placements) - {mine} == {each for each in first.placements if each.key != key}
    assert found.conflicts == conflicts(problem, found.placements)
    old = {each.key: (each.table, each.start) for each in first.placements}
    for swap in found.swaps:
        assert conflicts(problem, swap.placements) == ()
        new = {each.key: (each.table, each.start) for each in swap.placements}
        assert new == {**old, key: old[swap.key], swap.key: old[key]}


def test_meeting_without_a_place_can_be_put_somewhere() -> None:
    found = moved(PROBLEM, PLACED[:-1], "f", "T2", 0)
    assert found.placements == PLACED
    assert (found.conflicts, found.swaps) == ((), ())


def test_swap_is_offered_where_two_meetings_would_collide() -> None:
    found = moved(PROBLEM, PLACED, "f", "T1", 70)
    assert [each.flaw for each in found.conflicts] == [Flaw.TABLE_TAKEN]
    assert [each.key for each in found.swaps] == ["c"]


@given(problem=problems())
@examples(30)
def test_referees_are_shared_out_over_any_timetable(problem: SchedulingProblem) -> None:
    problem = replace(problem, judged=False)

    found = solve(problem, exact=False, advice=False)

    if not isinstance(found, SolvedTimetable):
        return
    assert conflicts(problem, found.placements) == ()
    # Nobody is idle who could take what nobody judges.
    for placement in found.placements:
        if placement.judge is None:
            for judge in problem.judges:
                tried = tuple(
                    replace(each, judge=judge.key) if each.key == placement.key else each
                    for each in found.placements
                )
                assert conflicts(problem, tried)


def test_referees_that_are_pinned_stay_and_loads_are_even() -> None:
    problem = SchedulingProblem(as_games(), hall(), tuple(Judge(f"J{number}") for number in range(1, 8)))
    first = solve(problem, exact=False)
    assert isinstance(first, SolvedTimetable)
    pins = {
        each.key: replace(each, judge=judge)
        for each, judge in zip(first.placements, ("J1", "J2"), strict=False)
    }

    found = solve(pinned(problem, pins), exact=False)

    assert isinstance(found, SolvedTimetable)
    judged_by = {each.key: each.judge for each in found.placements}
    assert [judged_by[key] for key in pins] == ["J1", "J2"]
    loads = [sum(each.judge == judge.key for each in found.placements) for judge in problem.judges]
    assert (min(loads), max(loads)) == (12, 12)
