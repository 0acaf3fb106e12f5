"""Common starts: the matches of a wave begin together, and figures say whether a timetable is worse."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.draw_fields import draw_teams
from tests.support.run.long import examples
from tests.tournaments.scheduling.brute_force import best_end
from tests.tournaments.scheduling.problems import MORNING, hall, problems
from tournaments.formats import DrawField, Settings
from tournaments.scheduling.check import conflicts
from tournaments.scheduling.figures import Comparison, DayFigures, Figure, figures
from tournaments.scheduling.model import (
    Hall,
    Impossible,
    Placement,
    RoundOrder,
    ScheduledMatch,
    SchedulingProblem,
    SettingsChange,
    SolvedTimetable,
    Window,
)
from tournaments.scheduling.solving import solve
from tournaments.scheduling.waiting import longest_waits, waiting

both = pytest.mark.parametrize("exact", [False, True], ids=["plain", "exact"])
AFTERNOON = 14 * 60


def three_contrade_of_ten(seed: str) -> tuple[SchedulingProblem, tuple[Placement, ...]]:
    """Thirty children in four rounds of triangles at six tables from 14:00; and the hours of the draw."""
    drawn = draw_teams("triangle", DrawField(((*range(1, 11),),) * 3), Settings(tables=6), seed)
    meetings, placements, clock = [], [], AFTERNOON
    for each in drawn.rounds:
        for wave in each.waves:
            for match in wave.matches:
                people = frozenset(
                    f"{one.team}.{one.entry}" for side in match.sides for one in side.players()
                )
                teams = frozenset(str(side.team) for side in match.sides)
                meetings.append(
                    ScheduledMatch(
                        str(match.number), 30, people, teams, tournament="palio", round=each.number
                    )
                )
                placements.append(Placement(str(match.number), str(match.table), clock))
            clock += 35
    tables = tuple(str(number) for number in range(1, 7))
    place = Hall(tables, (Window(AFTERNOON, AFTERNOON + 6 * 60),), changeover=5)
    return SchedulingProblem(tuple(meetings), place, together=True), tuple(placements)


def solved(problem: SchedulingProblem, **how: object) -> SolvedTimetable:
    """Its timetable, without conflicts and with common starts."""
    found = solve(problem, **how)  # type: ignore[arg-type]
    assert isinstance(found, SolvedTimetable), found
    assert conflicts(problem, found.placements) == ()
    assert starts_apart(problem, found.placements) == []
    return found


def starts_apart(problem: SchedulingProblem, placements: Sequence[Placement]) -> list[tuple[str, str]]:
    """Meetings of one tournament that are played at once but don't begin together; not pinned ones."""
    free = [each for each in placements if problem.by_key[each.key].pinned is None]
    return [
        (one.key, other.key)
        for one, other in combinations(free, 2)
        if problem.by_key[one.key].tournament == problem.by_key[other.key].tournament
        and problem.span(one).overlap(problem.span(other)) > 0
        and one.start != other.start
    ]


@both
@pytest.mark.parametrize("seed", ["palio-2026", "palio-2022", "a", "b"])
def test_common_starts_give_thirty_children_at_six_tables_a_better_day(exact: bool, seed: str) -> None:
    problem, drawn = three_contrade_of_ten(seed)
    before = figures(problem, drawn)

    found = solved(problem, seed=seed, exact=exact)

    # Forty matches at six tables are seven waves: no day with common starts is shorter.
    assert before == DayFigures(18 * 60 + 35, 75, 8)
    assert figures(problem, found.placements) == DayFigures(18 * 60, 75, 7)
    assert found.is_best
    assert Comparison(before, figures(problem, found.placements)).worse() == {}


@both
@given(problem=problems(), seed=st.sampled_from(["", "hat"]))
@examples(60)
def test_common_starts_let_matches_of_a_tournament_begin_together(
    exact: bool, problem: SchedulingProblem, seed: str
) -> None:
    together = replace(problem, together=True)

    found = solve(together, seed=seed, exact=exact, advice=False, seconds=1)

    if isinstance(found, SolvedTimetable):
        assert conflicts(together, found.placements) == ()
        assert starts_apart(together, found.placements) == []
        assert found.end is None or found.bound is None or found.bound <= found.end


@given(data=st.data())
@examples(60)
def test_common_starts_end_as_early_as_by_trying_everything(data: st.DataObject) -> None:
    """Of one tournament whose matches are equally long, and without rest."""
    meetings = tuple(
        ScheduledMatch(
            f"m{number}", 20, frozenset(people), tournament="P", round=data.draw(st.integers(1, 2))
        )
        for number, people in enumerate(
            data.draw(st.lists(st.sets(st.sampled_from("abcd"), max_size=2), min_size=1, max_size=4))
        )
    )
    rounds = data.draw(st.sampled_from(list(RoundOrder)))
    breaks = data.draw(st.sampled_from([(), (Window(50, 60),)]))
    place = Hall(("T1", "T2"), (Window(0, 130),), breaks, 10, 0, data.draw(st.sampled_from([0, 5])))
    problem = SchedulingProblem(meetings, place, rounds=rounds)

    def are_waves(placed: list[Placement]) -> bool:
        starts = sorted({each.start for each in placed})
        return all(before + 20 + place.changeover <= after for before, after in pairwise(starts))

    truth = best_end(problem, also=are_waves)
    found = solve(replace(problem, together=True), advice=False)

    if truth is None:
        assert isinstance(found, Impossible)
    else:
        assert isinstance(found, SolvedTimetable)
        assert (found.end, found.bound) == (truth, truth)


def test_common_starts_that_do_not_fit_name_starts_of_their_own_as_a_remedy() -> None:
    # Of two lengths: together, the short ones wait for the long ones.
    meetings = tuple(
        ScheduledMatch(f"m{number}", 60 if number < 2 else 20, frozenset({f"p{number % 2}"}), tournament="P")
        for number in range(6)
    )
    problem = SchedulingProblem(meetings, hall(tables=2, hours=100 / 60), together=True)

    found = solve(problem, exact=False)

    assert isinstance(found, Impossible)
    own = next(each for each in found.remedies if each.change is SettingsChange.OWN_STARTS)
    assert conflicts(problem, own.timetable.placements) == ()


def test_common_starts_let_the_next_wave_wait_for_what_is_played() -> None:
    played = ScheduledMatch(
        "played",
        30,
        frozenset({"a"}),
        tournament="P",
        pinned=Placement("played", "T1", MORNING),
        is_begun=True,
    )
    waiting_ones = tuple(
        ScheduledMatch(f"m{number}", 30, frozenset({f"p{number}"}), tournament="P", not_before=MORNING + 11)
        for number in range(4)
    )
    problem = SchedulingProblem((played, *waiting_ones), hall(tables=2, changeover=5), together=True)

    found = solved(problem, exact=False)

    assert [each.start - MORNING for each in found.placements] == [0, 35, 35, 70, 70]


def test_common_starts_with_a_longer_rest_let_everybody_play_in_each_wave() -> None:
    # Both play all matches: with ten minutes between two waves, three are over before 110 minutes.
    meetings = tuple(ScheduledMatch(f"m{number}", 30, frozenset("ab"), tournament="P") for number in range(3))
    problem = SchedulingProblem(meetings, hall(tables=1, rest=10), together=True)

    found = solved(problem, exact=False)

    assert [each.start - MORNING for each in found.placements] == [0, 40, 80]


def test_longest_waits_are_those_between_two_matches_of_a_person() -> None:
    problem, _ = three_contrade_of_ten("b")

    found = solved(problem, seed="b", exact=False)

    waits = longest_waits(problem, found.placements)
    spans = defaultdict(list)
    for each in found.placements:
        for person in problem.by_key[each.key].people:
            spans[person].append(each.start)

    assert waits == {
        person: max(after - before - 30 for before, after in pairwise(sorted(starts)))
        for person, starts in spans.items()
    }
    assert waiting(problem, found.placements) == 2550


def test_timetable_comparison_names_each_figure_that_gets_worse() -> None:
    comparison = Comparison(DayFigures(1000, 75, 8), DayFigures(990, 95, 25))

    assert comparison.worse() == {Figure.LONGEST_WAIT: 20, Figure.STARTS: 17}
    assert comparison.better() == {Figure.END: 10}


def test_longest_waits_leave_out_breaks() -> None:
    meetings = (ScheduledMatch("one", 20, frozenset("a")), ScheduledMatch("two", 20, frozenset("a")))
    place = hall(breaks=(Window(12 * 60, 13 * 60),))
    problem = SchedulingProblem(meetings, place)

    found = longest_waits(
        problem, (Placement("one", "T1", 11 * 60 + 30), Placement("two", "T1", 13 * 60 + 5))
    )

    assert found == {"a": 15}
