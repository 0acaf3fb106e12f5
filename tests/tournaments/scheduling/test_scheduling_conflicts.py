"""The checker says everything that is wrong with a timetable, once, and nothing else."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run.long import examples
from tests.tournaments.scheduling.problems import problems
from tournaments.scheduling.check import conflicts
from tournaments.scheduling.model import (
    Conflict,
    Flaw,
    Hall,
    Judge,
    Placement,
    RoundOrder,
    ScheduledMatch,
    SchedulingProblem,
    Window,
)

HALL = Hall(("T1", "T2"), (Window(0, 100),), (Window(40, 50),), step=5, rest=10, changeover=5)
A = ScheduledMatch("a", 20, frozenset({"ada", "bea"}), frozenset({"X"}), tournament="p", round=1)
B = ScheduledMatch("b", 20, frozenset({"bea", "cleo"}), frozenset({"Y"}), ("a",), "p", 2, not_before=25)
C = ScheduledMatch("c", 20, frozenset({"dora"}), frozenset({"Y"}))
JUDGES = (Judge("jo", "X"), Judge("kim", windows=(Window(0, 60),)))
PROBLEM = SchedulingProblem((A, B, C), HALL, JUDGES)

GOOD = (Placement("a", "T1", 0, "kim"), Placement("b", "T1", 50, "jo"), Placement("c", "T2", 0))
OUT = Placement("c", "T2", 80)


@pytest.mark.parametrize(
    ("a", "b", "c", "expected"),
    [
        (GOOD[0], GOOD[1], GOOD[2], []),
        (GOOD[0], GOOD[1], None, [Conflict(Flaw.NOT_PLACED, ("c",))]),
        (GOOD[0], GOOD[1], Placement("c", "T9", 0), [Conflict(Flaw.UNKNOWN_TABLE, ("c",), 0, "T9")]),
        (GOOD[0], GOOD[1], Placement("c", "T1", 15), [Conflict(Flaw.TABLE_TAKEN, ("a", "c"), 5, "T1")]),
        (GOOD[0], GOOD[1], Placement("c", "T1", 20), [Conflict(Flaw.CHANGEOVER, ("a", "c"), 5, "T1")]),
        (GOOD[0], GOOD[1], Placement("c", "T2", 90), [Conflict(Flaw.CLOSED, ("c",), 10)]),
        (GOOD[0], GOOD[1], Placement("c", "T2", 35), [Conflict(Flaw.BREAK, ("c",), 10)]),
        (Placement("a", "T1", 55), Placement("b", "T2", 80), OUT, [
            Conflict(Flaw.TABLE_TAKEN, ("b", "c"), 20, "T2"),
            Conflict(Flaw.REST, ("a", "b"), 5, people=("bea",)),
        ]),
        (Placement("a", "T1", 5), Placement("b", "T2", 20), OUT, [
            Conflict(Flaw.TWO_PLACES, ("a", "b"), 5, people=("bea",)),
            Conflict(Flaw.TOO_EARLY, ("b",), 5),
            Conflict(Flaw.ORDER, ("a", "b"), 5),
        ]),
        (Placement("a", "T1", 60), Placement("b", "T2", 50), Placement("c", "T2", 0), [
            Conflict(Flaw.TWO_PLACES, ("b", "a"), 10, people=("bea",)),
            Conflict(Flaw.ORDER, ("a", "b"), 30),
            Conflict(Flaw.ROUNDS, ("a", "b"), 10),
        ]),
        (Placement("a", "T1", 0, "jo"), GOOD[1], GOOD[2], [Conflict(Flaw.OWN_TEAM, ("a",), 0, "jo")]),
        (Placement("a", "T1", 0, "lea"), GOOD[1], GOOD[2], [Conflict(Flaw.UNKNOWN_JUDGE, ("a",), 0, "lea")]),
        (GOOD[0], GOOD[1], replace(OUT, judge="kim"), [Conflict(Flaw.JUDGE_AWAY, ("c",), 0, "kim")]),
        (GOOD[0], GOOD[1], Placement("c", "T2", 10, "kim"), [
            Conflict(Flaw.JUDGE_TWO_PLACES, ("a", "c"), 10, "kim"),
        ]),
    ],
)  # fmt: skip
def test_timetable_conflict_of_each_condition_is_found(
    a: Placement, b: Placement, c: Placement | None, expected: list[Conflict]
) -> None:
    found = conflicts(PROBLEM, [each for each in (b, c, a) if each is not None])
    assert sorted(found, key=repr) == sorted(expected, key=repr)


def test_timetable_conflict_of_rounds_depends_on_their_order() -> None:
    early = (replace(GOOD[0], start=60), replace(GOOD[1], table="T2"), GOOD[2])
    minutes = {
        order: [
            each.minutes
            for each in conflicts(replace(PROBLEM, rounds=order), early)
            if each.flaw is Flaw.ROUNDS
        ]
        for order in RoundOrder
    }
    assert minutes == {RoundOrder.FREE: [], RoundOrder.IN_TURN: [10], RoundOrder.APART: [30]}


def test_timetable_conflict_without_a_referee_only_where_one_is_asked_for() -> None:
    assert conflicts(replace(PROBLEM, judged=True), GOOD) == (Conflict(Flaw.NO_JUDGE, ("c",)),)


def test_timetable_conflict_of_a_pin_a_duplicate_and_an_unknown_meeting() -> None:
    problem = replace(PROBLEM, meetings=(replace(A, pinned=Placement("a", "T1", 0)), B, C))
    assert conflicts(problem, GOOD) == ()
    assert conflicts(problem, (replace(GOOD[0], table="T2", start=20), *GOOD[1:])) == (
        Conflict(Flaw.CHANGEOVER, ("c", "a"), 5, "T2"),
        Conflict(Flaw.PINNED, ("a",)),
    )
    twice = conflicts(problem, (*GOOD, Placement("a", "T2", 70), Placement("z", "T2", 70)))
    assert twice == (Conflict(Flaw.PLACED_TWICE, ("a",)), Conflict(Flaw.UNKNOWN_MEETING, ("z",)))


def _minute_by_minute(
    problem: SchedulingProblem, placed: list[Placement]
) -> Iterator[tuple[Flaw, frozenset[str]]]:
    """The same conditions, looked at minute by minute and for every two, without any cleverness."""
    hall = problem.hall
    playing = {each.key: set(range(each.start, problem.span(each).end)) for each in placed}
    opened = {minute for each in hall.windows for minute in range(each.start, each.end)}
    pauses = {minute for each in hall.breaks for minute in range(each.start, each.end)}
    for each in placed:
        if playing[each.key] - opened:
            yield Flaw.CLOSED, frozenset({each.key})
        if playing[each.key] & pauses:
            yield Flaw.BREAK, frozenset({each.key})
    for one in placed:
        for other in placed:
            if one.key == other.key or (one.start, one.key) > (other.start, other.key):
                continue
            keys = frozenset({one.key, other.key})
            mine, theirs = problem.by_key[one.key], problem.by_key[other.key]
            gap = other.start - (one.start + mine.minutes)
            if one.table == other.table and gap < hall.changeover:
                yield (Flaw.TABLE_TAKEN if playing[one.key] & playing[other.key] else Flaw.CHANGEOVER), keys
            if mine.people & theirs.people and gap < hall.rest:
                yield (Flaw.TWO_PLACES if playing[one.key] & playing[other.key] else Flaw.REST), keys
            if one.judge is not None and one.judge == other.judge and playing[one.key] & playing[other.key]:
                yield Flaw.JUDGE_TWO_PLACES, keys


@given(problem=problems(meetings=6), data=st.data())
@examples(60)
def test_timetable_conflicts_are_those_of_a_check_minute_by_minute(
    problem: SchedulingProblem, data: st.DataObject
) -> None:
    placed = [
        Placement(
            each.key,
            data.draw(st.sampled_from(problem.hall.tables)),
            data.draw(st.integers(0, 150)),
            data.draw(st.sampled_from([None, *(judge.key for judge in problem.judges)])),
        )
        for each in problem.meetings
    ]
    found = [
        (each.flaw, frozenset(each.keys))
        for each in conflicts(problem, placed)
        if each.flaw
        in {
            Flaw.CLOSED, Flaw.BREAK, Flaw.TABLE_TAKEN, Flaw.CHANGEOVER, Flaw.TWO_PLACES, Flaw.REST,
            Flaw.JUDGE_TWO_PLACES,
        }
    ]  # fmt: skip
    assert sorted(found, key=repr) == sorted(_minute_by_minute(problem, placed), key=repr)
