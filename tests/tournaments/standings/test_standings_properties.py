"""What holds for any results."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.support.run.long import examples
from tournaments.standings import (
    Adjustment,
    Count,
    CountedResult,
    GameClosing,
    Row,
    Rules,
    TiePolicy,
    rank,
    unresolved_ties,
)

SCALES = st.lists(st.integers(0, 50), max_size=8).map(lambda points: tuple(sorted(points, reverse=True)))
METRICS = st.builds(
    lambda keys, count, lots: tuple(keys[:count]) + lots,
    st.permutations(["points", "direct_match", "mini_tournaments"]),
    st.integers(0, 3),
    st.sampled_from([(), ("lots",)]),
)


Tournament = tuple[tuple[int, ...], list[CountedResult[int]], list[Adjustment[int]], list[tuple[int, ...]]]


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    """Teams, results, adjustments, lots."""
    teams = tuple(range(draw(st.integers(1, 7))))
    results: list[CountedResult[int]] = []
    if len(teams) > 1:
        for game in range(draw(st.integers(0, 14))):
            sides = tuple(draw(st.permutations(teams))[:2])
            closed = draw(st.sampled_from([*GameClosing, None]))
            winners: dict[GameClosing | None, list[int | None]] = {
                GameClosing.PLAYED: list(sides),
                GameClosing.BELL: [*sides, None],
                GameClosing.FORFEIT: [*sides, None],
            }
            winner = draw(st.sampled_from(winners.get(closed, [None])))
            results.append(CountedResult(game, game // 3, sides, winner, closed))
    adjustments = [
        Adjustment(draw(st.sampled_from(teams)), draw(st.integers(-2, 2)), "organizer")
        for _ in range(draw(st.integers(0, 2)))
    ]
    lots = [
        tuple(draw(st.permutations(teams))[: draw(st.integers(1, len(teams)))])
        for _ in range(draw(st.integers(0, 2)))
    ]
    return teams, results, adjustments, lots


def given_out(rows: list[Row[int]]) -> Fraction:
    """All placement points; none may be missing."""
    return sum((row.placement_points for row in rows if row.placement_points is not None), Fraction(0))


@examples(50)
@given(tournaments(), METRICS, SCALES, st.sampled_from(TiePolicy), st.randoms(use_true_random=False))
def test_ranking_does_not_depend_on_the_order_of_results(
    input_: Tournament, metrics: tuple[str, ...], scale: tuple[int, ...], ties: TiePolicy, random: Random
) -> None:
    teams, results, adjustments, lots = input_
    rules = Rules(metrics, scale, ties)
    expected = rank(teams, results, rules, adjustments, lots)
    random.shuffle(results)
    random.shuffle(adjustments)

    assert rank(teams, results, rules, adjustments, lots) == expected


OF_RESULTS = [
    *("points", "wins", "direct_match", "mini_tournaments"),
    *("card_points_difference", "card_points_for", "penalties"),
]


@examples(50)
@given(tournaments(), st.permutations(OF_RESULTS), st.randoms(use_true_random=False))
def test_corrected_result_counts_as_if_it_had_never_been_otherwise(
    input_: Tournament, metrics: list[str], random: Random
) -> None:
    teams, results, adjustments, lots = input_

    def some_result(of: CountedResult[int]) -> CountedResult[int]:
        winner = random.choice([None, *of.sides])
        closing = random.choice(
            [None, GameClosing.SHARED, GameClosing.VOID] if winner is None else [GameClosing.PLAYED]
        )
        figures = [random.choice([None, (random.randrange(90), random.randrange(90))]) for _ in range(2)]
        return replace(of, winner=winner, closed=closing, card_points=figures[0], penalties=figures[1])

    right = [random.choice([result, some_result(result)]) for result in results]
    count = Count.of(map(some_result, results))
    for result in random.sample(right, len(right)):
        count.put(some_result(result))
        count.put(result)
    rules = Rules(tuple(metrics))
    anew = Count.of(right)
    assert rank(teams, count, rules, adjustments, lots) == rank(teams, anew, rules, adjustments, lots)
    for team in teams:
        assert count.games_closed[team] == anew.games_closed[team]
        assert count.games_won[team] == anew.games_won[team]
    assert count.closed == anew.closed


@examples(50)
@given(tournaments(), METRICS, SCALES, st.sampled_from(TiePolicy), st.randoms(use_true_random=False))
def test_ranking_orders_by_the_given_teams_only_those_who_are_tied(
    input_: Tournament, metrics: tuple[str, ...], scale: tuple[int, ...], ties: TiePolicy, random: Random
) -> None:
    teams, results, adjustments, lots = input_
    rules = Rules(metrics, scale, ties)

    def by_team(order: Sequence[int]) -> dict[int, tuple[object, ...]]:
        return {
            row.team: (row.place, set(row.tied_with), row.values, row.placement_points, row.unresolved)
            for row in rank(order, results, rules, adjustments, lots)
        }

    shuffled = random.sample(teams, len(teams))

    assert by_team(shuffled) == by_team(teams)


@examples(50)
@given(tournaments(), METRICS, SCALES, st.sampled_from(TiePolicy))
def test_ranking_orders_two_teams_with_a_reason_or_ties_them_openly(
    input_: Tournament, metrics: tuple[str, ...], scale: tuple[int, ...], ties: TiePolicy
) -> None:
    teams, results, adjustments, lots = input_
    rows = rank(teams, results, Rules(metrics, scale, ties), adjustments, lots)
    assert sorted(row.team for row in rows) == sorted(teams)
    for index, row in enumerate(rows):
        sharing = [other.team for other in rows if other.place == row.place]
        assert [*sharing].count(row.team) == 1
        assert set(row.tied_with) == set(sharing) - {row.team}
        assert row.place == 1 + sum(other.place < row.place for other in rows)
        assert row.place <= index + 1
        last = row.place + len(sharing) > len(rows)
        assert (row.decided_by is None) == last
        if row.decided_by:
            assert row.decided_by.value != row.decided_by.next_value
            assert row.team in row.decided_by.among
    for before, after in pairwise(rows):
        if before.placement_points is not None and after.placement_points is not None:
            assert before.placement_points >= after.placement_points


@examples(50)
@given(tournaments(), METRICS, SCALES)
def test_tie_policy_of_the_mean_gives_out_the_whole_scale(
    input_: Tournament, metrics: tuple[str, ...], scale: tuple[int, ...]
) -> None:
    teams, results, adjustments, lots = input_
    rows = rank(teams, results, Rules(metrics, scale, TiePolicy.AVERAGE), adjustments, lots)
    assert given_out(rows) == sum(scale[: len(teams)])


@examples(50)
@given(tournaments(), METRICS, SCALES)
def test_lots_drawn_among_the_tied_leave_nothing_unresolved(
    input_: Tournament, metrics: tuple[str, ...], scale: tuple[int, ...]
) -> None:
    teams, results, adjustments, lots = input_
    rules = Rules(metrics, scale, TiePolicy.LOTS)
    rows = rank(teams, results, rules, adjustments, lots)
    assert all(row.unresolved == (row.placement_points is None) for row in rows)
    drawn = [*lots, *unresolved_ties(rows)]
    resolved = rank(teams, results, rules, adjustments, drawn)
    assert given_out(resolved) == sum(scale[: len(teams)])
    assert unresolved_ties(resolved) == []
    assert None not in [row.placement_points for row in resolved]


@examples(50)
@given(tournaments(), METRICS, SCALES, st.sampled_from(TiePolicy), st.data())
def test_ranked_last_teams_leave_the_others_in_order_and_take_no_points(
    input_: Tournament, metrics: tuple[str, ...], scale: tuple[int, ...], ties: TiePolicy, data: st.DataObject
) -> None:
    """The others move up, and nobody is tied with a removed one."""
    teams, results, adjustments, lots = input_
    last = data.draw(st.sets(st.sampled_from(teams)))
    rules = Rules(tuple(key for key in metrics if key != "direct_match"), scale, ties)

    rows = rank(teams, results, rules, adjustments, lots, ranked_last=last)

    plain = rank(teams, results, rules, adjustments, lots)
    staying = [row for row in rows if row.team not in last]
    assert [row.team for row in rows[len(staying) :]] == [team for team in teams if team in last]
    assert {(row.place, row.placement_points, row.unresolved) for row in rows[len(staying) :]} <= {
        (len(staying) + 1, 0, False)
    }
    assert all(last.isdisjoint(row.tied_with) for row in staying)
    if not any(key in {"lots", "play_off"} for key, _ in (rows[0].values if rows else ())):
        assert [row.team for row in staying] == [row.team for row in plain if row.team not in last]
        for row in staying:
            before = next(each for each in plain if each.team == row.team)
            ahead = [each for each in plain if each.place < before.place and each.team not in last]
            assert row.place == len(ahead) + 1
