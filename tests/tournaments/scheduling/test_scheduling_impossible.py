"""What can't fit: the cause, and changes that were tried before they are named."""

from dataclasses import replace

import pytest
from hypothesis import given

from tests.support.run.long import examples
from tests.tournaments.scheduling.problems import MORNING, as_games, as_matches, hall, problems
from tournaments.scheduling.check import conflicts
from tournaments.scheduling.model import (
    Cause,
    Flaw,
    Impossible,
    Judge,
    Placement,
    Remedy,
    RoundOrder,
    ScheduledMatch,
    SchedulingProblem,
    SettingsChange,
    SolvedTimetable,
    Window,
)
from tournaments.scheduling.remedies import applied, unpinned
from tournaments.scheduling.solving import solve


def refused(problem: SchedulingProblem, **how: object) -> Impossible:
    """Why it doesn't fit; all its remedies are looked at in full."""
    found = solve(problem, seconds=60, **how)  # type: ignore[arg-type]
    assert isinstance(found, Impossible)
    for remedy in found.remedies:
        assert conflicts(applied(problem, remedy), remedy.timetable.placements) == ()
    return found


def amounts(found: Impossible) -> dict[SettingsChange, int]:
    return {each.change: each.amount for each in found.remedies}


def test_impossible_timetable_with_too_few_tables_says_what_is_needed() -> None:
    # 28 games for each table, each 15 minutes and 5 until the next one: 555 minutes, and there are 300.
    found = refused(SchedulingProblem(as_games(15), hall(3, 5, changeover=5)), exact=False)
    assert (found.cause, found.proved) == (Cause.TABLES, True)
    assert found.needed > found.there
    # A table has 15 games in five hours, so five could take 75 and six have room for 84.
    table = next(each for each in found.remedies if each.change is SettingsChange.TABLES)
    assert (table.amount, table.least) == (3, True)
    assert amounts(found)[SettingsChange.END_LATER] == 28 * 20 - 5 - 300
    assert amounts(found)[SettingsChange.BEGIN_EARLIER] == 28 * 20 - 300 - 5
    assert amounts(found)[SettingsChange.FEWER_ROUNDS] == 4


def test_impossible_timetable_leaves_out_no_fixed_rounds() -> None:
    problem = SchedulingProblem(as_games(15), hall(3, 5, changeover=5), fixed_rounds=frozenset({"palio"}))

    assert SettingsChange.FEWER_ROUNDS not in amounts(refused(problem, exact=False))


def test_impossible_timetable_counts_the_table_minutes_of_matches_alone() -> None:
    # 84 games of 15 minutes; a table has 15 of them in five hours, one every 20 minutes.
    found = refused(SchedulingProblem(as_games(15), hall(3, 5, changeover=5)), exact=False)

    assert (found.needed, found.there, found.in_all) == (84 * 15, 3 * 15 * 15, 3 * 300)


def test_impossible_timetable_names_people_with_too_many_matches() -> None:
    found = refused(SchedulingProblem(as_matches(40), hall(6, 5, rest=5)), exact=False)

    # Seven matches of everybody: 7 × 40 + 6 × 5 = 310 minutes, and there are 300.
    assert (found.cause, found.proved) == (Cause.PERSON, True)
    assert found.about is not None
    assert len(found.keys) == 7
    assert amounts(found) == {
        SettingsChange.END_LATER: 10,
        SettingsChange.BEGIN_EARLIER: 10,
        SettingsChange.SHORTER: 5,
        SettingsChange.LESS_REST: 5,
        SettingsChange.FEWER_ROUNDS: 1,
    }
    assert all(each.least for each in found.remedies)


def test_impossible_timetable_with_too_few_referees_says_how_many_more() -> None:
    judges = tuple(Judge(f"J{number}") for number in range(1, 6))
    problem = SchedulingProblem(as_games(), hall(6, 3.5), judges, judged=True)
    found = refused(problem, exact=False)

    assert (found.cause, found.proved) == (Cause.JUDGES, True)
    assert amounts(found)[SettingsChange.JUDGES] == 1
    assert amounts(found)[SettingsChange.WITHOUT_JUDGES] == 14
    assert isinstance(solve(replace(problem, judged=False), exact=False), SolvedTimetable)


def test_impossible_timetable_names_a_match_that_nobody_may_judge() -> None:
    problem = SchedulingProblem(
        (ScheduledMatch("a", 10, teams=frozenset({"X"})),), hall(), (Judge("J", "X"),), judged=True
    )
    found = refused(problem)
    assert (found.cause, found.keys) == (Cause.NO_JUDGE, ("a",))
    assert amounts(found) == {SettingsChange.JUDGES: 1, SettingsChange.WITHOUT_JUDGES: 1}


def test_impossible_timetable_of_rounds_that_do_not_mix_says_so() -> None:
    # Twelve games a round at five tables: three slots a round, though all games need but seventeen.
    problem = SchedulingProblem(as_games(), hall(5, 4.5), rounds=RoundOrder.APART)
    found = refused(problem, exact=False)

    assert (found.cause, found.about) == (Cause.ROUNDS, "palio")
    assert amounts(found)[SettingsChange.MIXED_ROUNDS] == 0
    assert amounts(found)[SettingsChange.TABLES] == 1
    assert amounts(found)[SettingsChange.END_LATER] == 45


@pytest.mark.parametrize(
    ("meetings", "cause"),
    [
        ((ScheduledMatch("a", 90),), Cause.TOO_LONG),
        ((ScheduledMatch("a", 30, not_before=MORNING + 40),), Cause.TOO_LATE),
        ((ScheduledMatch("a", 40, after=("b",)), ScheduledMatch("b", 40)), Cause.ORDER),
        ((ScheduledMatch("a", 10, after=("b",)), ScheduledMatch("b", 10, after=("a",))), Cause.CIRCLE),
        ((ScheduledMatch("a", 10, pinned=Placement("a", "T1", 0)),), Cause.PINNED),
        ((ScheduledMatch("a", 10, pinned=Placement("a", "T9", MORNING)),), Cause.PINNED),
    ],
)
def test_impossible_timetable_s_cause_is_named(meetings: tuple[ScheduledMatch, ...], cause: Cause) -> None:
    found = refused(SchedulingProblem(meetings, hall(1, 1)))
    assert (found.cause, found.proved) == (cause, True)
    if cause is Cause.PINNED:
        assert found.conflicts[0].flaw in {Flaw.CLOSED, Flaw.UNKNOWN_TABLE}
        assert amounts(found) == {SettingsChange.UNPINNED: 1}
    if cause is Cause.CIRCLE:
        assert found.remedies == ()


def test_impossible_timetable_unpins_no_match_that_has_begun() -> None:
    odd = Placement("a", "T9", MORNING)
    begun = ScheduledMatch("a", 10, pinned=odd, is_begun=True)
    assert SettingsChange.UNPINNED not in amounts(refused(SchedulingProblem((begun,), hall(1, 1))))
    both = SchedulingProblem(
        (begun, ScheduledMatch("b", 10, pinned=Placement("b", "T9", MORNING))), hall(1, 1)
    )
    assert unpinned(both).meetings == (begun, ScheduledMatch("b", 10))


def test_impossible_timetable_because_of_a_break_names_what_would_help() -> None:
    found = refused(
        SchedulingProblem(
            (ScheduledMatch("a", 50),), hall(1, 1, breaks=(Window(MORNING + 30, MORNING + 35),))
        )
    )
    assert amounts(found) == {
        SettingsChange.END_LATER: 25,
        SettingsChange.BEGIN_EARLIER: 20,
        SettingsChange.SHORTER: 20,
        SettingsChange.NO_BREAKS: 1,
    }


def test_impossible_timetable_without_tables_or_hours() -> None:
    assert (
        refused(SchedulingProblem((ScheduledMatch("a", 10),), hall(0))).remedies[0].change
        is SettingsChange.TABLES
    )
    assert refused(SchedulingProblem((ScheduledMatch("a", 10),), hall(windows=()))).remedies == ()


def test_impossible_timetable_of_all_together_is_proved_by_the_exact_method() -> None:
    # Three who all meet each other, two by two, at two tables within two slots of 30 minutes and a rest.
    people = ("ada", "bea"), ("bea", "cleo"), ("cleo", "ada")
    meetings = tuple(ScheduledMatch("-".join(pair), 30, frozenset(pair)) for pair in people)
    problem = SchedulingProblem(
        (*meetings, ScheduledMatch("x", 30), ScheduledMatch("y", 30)), hall(2, 1.5, step=30)
    )
    assert isinstance(solve(problem), SolvedTimetable)
    tight = replace(
        problem, meetings=(*problem.meetings, replace(meetings[0], key="again", people=frozenset("x")))
    )
    assert isinstance(solve(tight), SolvedTimetable)
    # Nobody may begin before the second slot but x and y: then three meetings have two slots.
    late = tuple(replace(each, not_before=MORNING + 30) for each in meetings)
    impossible = replace(problem, meetings=(*late, *problem.meetings[3:]))
    plain, exact = refused(impossible, exact=False), refused(impossible)
    assert (plain.cause, plain.proved) == (Cause.TOGETHER, False)
    assert (exact.cause, exact.proved) == (Cause.TOGETHER, True)
    assert plain.keys
    assert amounts(exact)[SettingsChange.END_LATER] == 30


@given(problem=problems(meetings=8))
@examples(24)
def test_timetable_remedy_fits_and_is_the_least_where_that_is_said(problem: SchedulingProblem) -> None:
    found = solve(problem, seconds=20)
    if isinstance(found, SolvedTimetable):
        return
    for remedy in found.remedies:
        changed = applied(problem, remedy)
        assert conflicts(changed, remedy.timetable.placements) == ()
        if remedy.least and remedy.amount > 1 and remedy.change is not SettingsChange.UNPINNED:
            smaller = applied(problem, Remedy(remedy.change, remedy.amount - 1, remedy.timetable))
            assert isinstance(solve(smaller, advice=False), Impossible)
