"""Whatever a method answers is right: timetables have no conflicts, and what is impossible is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run.long import examples
from tests.tournaments.scheduling.brute_force import best_end
from tests.tournaments.scheduling.problems import as_games, as_matches, hall, pinned, problems
from tournaments.scheduling.check import conflicts
from tournaments.scheduling.model import (
    Impossible,
    Judge,
    Method,
    Placement,
    Progress,
    RoundOrder,
    ScheduledMatch,
    SchedulingProblem,
    SolvedTimetable,
    Step,
    Stopped,
    Window,
)
from tournaments.scheduling.solving import solve
from tournaments.scheduling.waiting import waiting

both = pytest.mark.parametrize("exact", [False, True], ids=["plain", "exact"])
LUNCH = (Window(12 * 60, 13 * 60),)


def fits(problem: SchedulingProblem, **how: object) -> SolvedTimetable:
    """Its timetable, which is looked at in full."""
    found = solve(problem, **how)  # type: ignore[arg-type]
    assert isinstance(found, SolvedTimetable), found
    assert conflicts(problem, found.placements) == ()
    assert found.end == max((problem.span(each).end for each in found.placements), default=None)
    assert found.waiting == waiting(problem, found.placements)
    return found


@both
@given(problem=problems(), seed=st.sampled_from(["", "hat"]))
@examples(60)
def test_timetable_by_any_method_has_no_conflicts(exact: bool, problem: SchedulingProblem, seed: str) -> None:
    found = solve(problem, seed=seed, exact=exact, advice=False)
    if isinstance(found, Impossible):
        return
    assert conflicts(problem, found.placements) == ()
    assert (found.end is None) == (not problem.meetings)
    assert found.bound is None or found.end is None or found.bound <= found.end
    again = solve(problem, seed=seed, exact=exact, advice=False)
    assert isinstance(again, SolvedTimetable)
    if exact:
        plain = solve(problem, seed=seed, exact=False, advice=False)
        if isinstance(plain, SolvedTimetable) and plain.end is not None:
            assert found.end is not None
            assert (found.end, found.waiting) <= (plain.end, plain.waiting)
    assert (again.placements, again.method, again.bound) == (found.placements, found.method, found.bound)


@given(problem=problems(meetings=4, tables=2, slots=7))
@examples(120)
def test_timetable_of_a_tiny_problem_is_as_good_as_by_brute_force(problem: SchedulingProblem) -> None:
    truth = best_end(problem)
    exact = solve(problem, advice=False)
    if truth is None:
        assert isinstance(exact, Impossible)
        assert exact.proved
        assert isinstance(solve(problem, exact=False, advice=False), Impossible)
        return
    assert isinstance(exact, SolvedTimetable)
    assert (exact.end, exact.bound) == (truth, truth)
    plain = solve(problem, exact=False, advice=False)
    assert isinstance(plain, SolvedTimetable)
    assert plain.bound is not None
    assert plain.end is not None
    assert plain.bound <= truth <= plain.end


@both
@given(problem=problems(), data=st.data())
@examples(40)
def test_timetable_keeps_what_is_pinned(exact: bool, problem: SchedulingProblem, data: st.DataObject) -> None:
    first = solve(problem, exact=False, advice=False)
    if isinstance(first, Impossible):
        return
    kept = data.draw(st.lists(st.sampled_from(first.placements), unique=True))
    found = solve(pinned(problem, {each.key: each for each in kept}), seed="b", exact=exact, advice=False)
    # The rest has its old places at least; only the exact method finds those for sure.
    if exact:
        assert isinstance(found, SolvedTimetable)
    if isinstance(found, SolvedTimetable):
        stands = {each.key: each for each in found.placements}
        for each in kept:
            # Where the pin names no referee, one may be given.
            judge = each.judge or stands[each.key].judge
            assert stands[each.key] == replace(each, judge=judge)
        assert conflicts(problem, found.placements) == ()
    else:
        assert not found.proved


@both
@pytest.mark.parametrize("meetings", [as_matches(), as_games()], ids=["28 matches", "84 games"])
def test_timetable_of_eight_teams_of_six_at_six_tables(
    exact: bool, meetings: tuple[ScheduledMatch, ...]
) -> None:
    problem = SchedulingProblem(meetings, hall(breaks=LUNCH, rest=5), rounds=RoundOrder.IN_TURN)
    found = fits(problem, exact=exact, seconds=4 if exact else 60)

    assert found.seconds < 60
    # Seven rounds for everybody with rest between them; or fourteen times all six tables, or one more.
    assert found.end is not None
    assert found.end <= (16 * 60 + 15 if len(meetings) == 28 else 14 * 60)


@both
def test_referees_never_judge_their_own_and_all_judge_as_often(exact: bool) -> None:
    judges = tuple(Judge(f"J{number}", str(number)) for number in range(1, 9))
    problem = SchedulingProblem(as_games(), hall(hours=6), judges, judged=True)
    found = fits(problem, exact=exact, seconds=4 if exact else 60)
    loads = [sum(each.judge == judge.key for each in found.placements) for judge in judges]

    assert sum(loads) == 84
    assert max(loads) - min(loads) <= 1


def test_timetable_may_leave_tables_without_a_referee_if_allowed() -> None:
    problem = SchedulingProblem(as_games(), hall(hours=6), (Judge("J1"), Judge("J2", "3")))
    found = fits(problem, exact=False)
    # One meeting at a time for each of the two, at all fourteen times but those of the own team.
    assert sum(each.judge == "J1" for each in found.placements) == 14
    assert sum(each.judge == "J2" for each in found.placements) >= 10


def test_timetable_differs_with_another_seed() -> None:
    problem = SchedulingProblem(as_games(), hall(hours=4))
    one, other = (fits(problem, exact=False, seed=seed) for seed in ("a", "b"))
    assert one.end == other.end
    assert one.placements != other.placements


def test_timetable_can_have_several_days() -> None:
    two_days = (Window(540, 660), Window(540 + 1440, 660 + 1440))
    found = fits(SchedulingProblem(as_games(), hall(windows=two_days)), exact=False)
    assert found.end == 540 + 1440 + 6 * 15
    assert found.is_best


def test_timetable_by_the_exact_method_lets_people_wait_less() -> None:
    problem = SchedulingProblem(as_matches(), hall(rest=5, breaks=LUNCH))
    plain, exact = fits(problem, exact=False), fits(problem, seconds=4)

    assert (exact.end, exact.is_best) == (plain.end, True)
    assert exact.waiting <= plain.waiting
    assert exact.method == (Method.EXACT if exact.waiting < plain.waiting else Method.PLAIN)


def test_timetable_without_meetings_is_empty() -> None:
    found = fits(SchedulingProblem((), hall()))
    assert (found.placements, found.end) == ((), None)


def test_timetable_progress_is_reported_to_the_caller() -> None:
    heard: list[Progress] = []
    found = fits(SchedulingProblem(as_games(), hall(rest=5)), exact=False, report=heard.append)

    assert {each.of for each in heard} == {84}
    assert heard[-1].step is Step.IMPROVING
    assert heard[-1].end == found.end
    assert [each.seconds for each in heard] == sorted(each.seconds for each in heard)


@both
def test_timetable_that_is_stopped_gives_what_there_is_or_raises(exact: bool) -> None:
    problem = SchedulingProblem(as_games(), hall(rest=5))
    asked: list[None] = []

    def after_a_while() -> bool:
        asked.append(None)
        return len(asked) > 20

    fits(problem, exact=exact, cancelled=after_a_while)
    tight = SchedulingProblem(as_games(), hall(hours=4, breaks=LUNCH, rest=5, tables=7))
    with pytest.raises(Stopped):
        solve(tight, exact=exact, cancelled=lambda: True)


def test_timetable_without_the_solver_extra_is_by_the_plain_method(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.scheduling.solving.exact_method", lambda: None)
    assert fits(SchedulingProblem(as_matches(), hall())).method is Method.PLAIN


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: SchedulingProblem((ScheduledMatch("a", 10), ScheduledMatch("a", 10)), hall()),
        lambda: SchedulingProblem((ScheduledMatch("a", 0),), hall()),
        lambda: SchedulingProblem((ScheduledMatch("a", 10, pinned=Placement("b", "T1", 540)),), hall()),
        lambda: SchedulingProblem((), hall(step=0)),
        lambda: SchedulingProblem((), hall(rest=-1)),
        lambda: SchedulingProblem((), replace(hall(), tables=("T1", "T1"))),
    ],
)
def test_timetable_problem_that_makes_no_sense_is_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        wrong()  # type: ignore[operator]
