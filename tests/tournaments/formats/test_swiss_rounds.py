"""Swiss: what is promised to players, whatever the field and the results."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import lcm
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run.long import examples
from tests.support.swiss_play import (
    SEED,
    Judge,
    Played,
    all_rounds,
    assess,
    play,
    random_field,
    tables,
)
from tournaments.formats.format import Contestant, RoundPlan, StageProgress
from tournaments.formats.swiss.criteria import CRITERIA, NOTES
from tournaments.formats.swiss.format import Swiss
from tournaments.formats.swiss.matching import cheapest_matching

CHOSEN = st.builds(
    Swiss,
    rounds=st.integers(1, 9),
    bye_points=st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(0)]),
    missed_points=st.sampled_from([Fraction(0), Fraction(1, 2)]),
    teams_apart=st.booleans(),
    rematches=st.booleans(),
)


def a_tournament(sizes: st.SearchStrategy[int]) -> st.SearchStrategy[tuple[Swiss, Played]]:
    """The format as chosen, and a random tournament played by it."""

    def played(chosen: Swiss, size: int, number: int) -> tuple[Swiss, Played]:
        random = Random(number)
        return chosen, play(random, random_field(random, size), chosen)

    return st.builds(played, CHOSEN, sizes, st.integers(0, 2**32))


def met(progress: StageProgress) -> Counter[frozenset[int]]:
    return Counter(frozenset(each.sides) for each, outcome in progress.played() if not outcome.walkover)


@examples(60)
@given(a_tournament(st.integers(2, 40)))
def test_swiss_pairs_everybody_once_or_gives_the_bye(tournament: tuple[Swiss, Played]) -> None:
    chosen, played = tournament
    for number, (before, plan) in enumerate(played.steps, start=1):
        assert (plan.number, plan.title, plan.values) == (number, "Round %(number)d", (("number", number),))
        seated = [one for each in plan.pairings for one in each.sides]
        playing = [one.number for one in before.playing()]
        assert sorted([*seated, *plan.byes]) == sorted(playing)
        assert len(plan.byes) == len(playing) % 2
        assert [each.slot for each in plan.pairings] == [
            f"r{number}t{table}" for table in range(1, len(plan.pairings) + 1)
        ]
    assert chosen.is_finished(played.progress) == (played.refusal is None)


@examples(60)
@given(a_tournament(st.integers(2, 40)))
def test_swiss_repeats_no_meeting_or_bye_unless_allowed(
    tournament: tuple[Swiss, Played],
) -> None:
    chosen, played = tournament
    if not chosen.rematches:
        assert set(met(played.progress).values()) <= {1}
        byes = Counter(one for _, plan in played.steps for one in plan.byes)
        assert set(byes.values()) <= {1}


@examples(40)
@given(a_tournament(st.integers(1, 19).map(lambda half: 2 * half + 1)))
def test_swiss_bye_could_go_to_nobody_below_or_who_played_more(
    tournament: tuple[Swiss, Played],
) -> None:
    chosen, played = tournament
    if chosen.rematches:
        return
    for before, plan in played.steps:
        judge = Judge(before, chosen)
        for one in plan.byes:
            for rank, lower in enumerate(judge.playing):
                if (judge.walkovers.count(lower), -len(judge.seats[lower]), -rank) < (
                    judge.walkovers.count(one),
                    -len(judge.seats[one]),
                    -judge.playing.index(one),
                ) and lower not in judge.byes:
                    others = [other for other in judge.playing if other != lower]
                    costs = [[int(frozenset((x, y)) in met(before)) for y in others] for x in others]
                    partners = cheapest_matching(costs).partners
                    assert any(costs[x][y] for x, y in enumerate(partners)), (one, lower)


@examples(60)
@given(a_tournament(st.integers(2, 40)), st.randoms(use_true_random=False))
def test_swiss_does_not_depend_on_the_order_of_its_input(
    tournament: tuple[Swiss, Played], random: Random
) -> None:
    chosen, played = tournament

    def shuffled(progress: StageProgress) -> StageProgress:
        rounds = []
        for each in progress.rounds:
            order = random.sample(range(len(each.outcomes)), len(each.outcomes))
            plan = replace(each.plan, pairings=tuple(each.plan.pairings[index] for index in order))
            rounds.append(replace(each, plan=plan, outcomes=tuple(each.outcomes[index] for index in order)))
        contestants = random.sample(progress.contestants, len(progress.contestants))
        return replace(progress, contestants=tuple(contestants), rounds=tuple(rounds))

    for before, plan in played.steps:
        assert chosen.next_round(shuffled(before), SEED) == plan


@examples(60)
@given(a_tournament(st.integers(2, 40)))
def test_swiss_notes_say_what_is_out_of_the_ordinary(tournament: tuple[Swiss, Played]) -> None:
    chosen, played = tournament
    for before, plan in played.steps:
        judge = Judge(before, chosen)
        for each in plan.pairings:
            high, low = sorted(each.sides, key=judge.playing.index)
            first, second = each.sides
            after = {first: sum(judge.seats[first]) + 1, second: sum(judge.seats[second]) - 1}
            floats = judge.score[high] != judge.score[low]
            expected = [
                *[("rematch", high)] * (frozenset(each.sides) in met(before)),
                *[("same_team", high)] * (chosen.teams_apart and judge.who[high].team == judge.who[low].team),
                *[("float_down", high), ("float_up", low)] * floats,
                *[("float_again", high)] * (floats and high in judge.down),
                *[("float_again", low)] * (floats and low in judge.up),
                *[("off_fold", high)] * (not floats and (high, low) not in folded(judge, plan)),
                *[("late", one) for one in (high, low) if judge.who[one].since == plan.number > 1],
                *[("seat_limit", one) for one in (high, low) if abs(after[one]) >= 3],
            ]
            assert list(each.notes) == expected
            assert {code for code, _ in each.notes} <= NOTES.keys()


def folded(judge: Judge, plan: RoundPlan) -> set[tuple[int, int]]:
    """Top half against bottom half in order, of those of each score who meet their equals."""
    pairs = set()
    for score in set(judge.score.values()):
        staying = [
            one
            for one in judge.playing
            if any(
                one in each.sides and {judge.score[side] for side in each.sides} == {score}
                for each in plan.pairings
            )
        ]
        half = len(staying) // 2
        pairs |= set(zip(staying[:half], staying[half:], strict=True))
    return pairs


@examples(60)
@given(a_tournament(st.integers(2, 40)))
def test_swiss_seats_are_taken_by_turns(tournament: tuple[Swiss, Played]) -> None:
    chosen, played = tournament
    for before, plan in played.steps:
        judge = Judge(before, chosen)
        for each in plan.pairings:
            first, second = each.sides
            had = [(sum(judge.seats[one]), judge.seats[one][-1:] or [0]) for one in each.sides]
            assert had[0] <= had[1], (first, second)


@examples(150)
@given(a_tournament(st.integers(2, 8)))
def test_swiss_round_of_a_small_field_is_the_best_of_all(tournament: tuple[Swiss, Played]) -> None:
    chosen, played = tournament
    for before, plan in played.steps:
        judge = Judge(before, chosen)
        best = min(all_rounds(tuple(judge.playing)), key=judge.vector)
        assert tables(plan) == {
            (one, None) if other is None else (min(one, other), max(one, other)) for one, other in best
        }
        if not chosen.rematches:
            assert judge.vector(best)[:2] == (0, 0)
    refusal = played.refusal
    if refusal is not None:
        judge = Judge(played.progress, chosen)
        best_left = min(map(judge.vector, all_rounds(tuple(judge.playing))))
        if len(judge.playing) < 2:
            assert (refusal.code, refusal.values) == ("contestants", {"given": len(judge.playing)})
        else:
            assert not chosen.rematches
            assert any(best_left[:2])
            assert (refusal.code, refusal.values) == (
                "no_pairing",
                {"number": judge.round, "meetings": best_left[0], "byes": best_left[1]},
            )


@examples(30)
@given(a_tournament(st.integers(2, 40)))
def test_swiss_criteria_count_what_a_second_implementation_does(tournament: tuple[Swiss, Played]) -> None:
    chosen, played = tournament
    for before, plan in played.steps:
        expected = list(Judge(before, replace(chosen, teams_apart=True)).vector(tuple(tables(plan)))[:-1])
        keys = [each.key for each in chosen.criteria()]
        assert ("same_team" in keys) == chosen.teams_apart
        if not chosen.teams_apart:
            del expected[[each.key for each in CRITERIA].index("same_team")]
        found = assess(chosen, before, plan)
        assert list(found) == keys
        # Scores are counted in the smallest fraction that occurs.
        judge = Judge(before, chosen)
        unit = lcm(*(judge.score[one].denominator for one in judge.playing))
        expected[keys.index("score_difference")] *= unit**2
        assert list(found.values()) == expected


@pytest.mark.parametrize("size", [2, 5, 100])
def test_swiss_first_round_is_top_half_against_bottom_half(size: int) -> None:
    random = Random(size)
    contestants = tuple(
        one._replace(team=one.number, labels=frozenset(), since=1) for one in random_field(random, size)
    )
    plan = Swiss().next_round(StageProgress(contestants), SEED)
    assert plan is not None
    half = size // 2
    assert [tuple(sorted(each.sides)) for each in plan.pairings] == [
        (one, one + half) for one in range(1, half + 1)
    ]
    assert plan.byes == ((size,) if size % 2 else ())
    assert all(each.notes == () for each in plan.pairings)


def test_swiss_round_that_a_squad_sits_out_is_requested_and_a_bye_is_not() -> None:
    form = Swiss(rounds=3, bye_points=Fraction(1), asked_points=Fraction(1, 2))
    asking = Contestant(1, 1, sits_out=frozenset({1}))
    contestants = (asking, *(Contestant(number, number) for number in range(2, 5)))
    plan = form.next_round(StageProgress(contestants), SEED)
    assert plan is not None

    found = {
        each.contestant: (each.points, each.is_requested)
        for each in form.points_unplayed(StageProgress(contestants), plan)
    }

    assert found == {1: (Fraction(1, 2), True), plan.byes[0]: (Fraction(1), False)}
