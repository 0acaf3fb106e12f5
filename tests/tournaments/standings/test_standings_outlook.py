"""Possible places: what brute force finds, no more and no less, wherever it is called exact."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support.run.long import examples
from tournaments.standings import (
    EDITION,
    Adjustment,
    CannotRank,
    CountedResult,
    Data,
    GameClosing,
    Rounds,
    Row,
    Rules,
    Tally,
    TiePolicy,
    metrics_offered,
    rank,
)
from tournaments.standings import outlook as module
from tournaments.standings.excluded_places import can_be_first, can_be_last
from tournaments.standings.outlook import METHODS, ComputedOutlook, OutlookMethod, compute_outlook

TOLD = sorted(metrics_offered({Data.MINI_TOURNAMENTS, Data.PLAY_OFFS}).keys() - {"lots"})
LEVEL = st.sampled_from([None, GameClosing.BELL, GameClosing.SHARED])
"""How a game is closed whose sides are level at the bell; None: somebody always wins."""


@st.composite
def tallies(draw: st.DrawFn, most_open: int = 7) -> Tally[int]:
    """Two to four teams, matches of one to three games between two or three of them, some of them open."""
    teams = tuple(range(draw(st.integers(2, 4))))
    results: list[CountedResult[int]] = []
    for match in range(draw(st.integers(1, 5))):
        sides = st.lists(st.sampled_from(teams), unique=True, min_size=2, max_size=min(3, len(teams)))
        several = draw(sides)
        pairs = list(combinations(several, 2)) if draw(st.booleans()) else [tuple(several)]
        for pair in pairs:
            still_open = sum(result.closed is None for result in results)
            kinds = ["won", "open"] if still_open < most_open else ["won"]
            how = draw(st.sampled_from([*kinds, "shared", "void"]))
            if how == "won":
                closing = draw(st.sampled_from([GameClosing.PLAYED, GameClosing.BELL, GameClosing.FORFEIT]))
                result = CountedResult(len(results), match, pair, draw(st.sampled_from(pair)), closing)
            else:
                closed = {"open": None, "shared": GameClosing.SHARED, "void": GameClosing.VOID}[how]
                result = CountedResult(len(results), match, pair, closed=closed)
            results.append(result)
    adjusted = draw(st.lists(st.sampled_from(teams), max_size=2))
    adjustments = [Adjustment(team, draw(st.integers(-2, 2)), "x") for team in adjusted]
    lots = draw(st.lists(st.permutations(teams), max_size=1))
    play_offs = draw(st.lists(st.permutations(teams), max_size=1))
    removed = draw(st.sets(st.sampled_from(teams), max_size=2))
    return Tally.of(teams, results, adjustments, lots, play_offs, ranked_last=removed)


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    metrics = draw(st.permutations(TOLD))[: draw(st.integers(1, 4))]
    if draw(st.booleans()):
        metrics = ["points", *(key for key in metrics if key != "points")]
    if draw(st.booleans()):
        metrics = [*metrics, "lots"]
    scale = draw(st.sampled_from([(30, 20, 10), (5,), (3, 3, 1)]))
    edition = draw(st.integers(1, EDITION))
    return Rules(tuple(metrics), scale, draw(st.sampled_from(TiePolicy)), edition)


def ends(tally: Tally[int], level: GameClosing | None = None) -> Iterator[list[CountedResult[int]]]:
    """All results, for every way in which the open games can end: won by one of their sides or, by the bell
    rule, with all of them `level`.
    """
    still_open = [result for result in tally.results if result.closed is None]
    drawn: tuple[None, ...] = () if level is None else (None,)
    for winners in product(*((*result.sides, *drawn) for result in still_open)):
        won = dict(zip(still_open, winners, strict=True))
        yield [
            replace(result, winner=won[result], closed=level if won[result] is None else GameClosing.PLAYED)
            if result in won
            else result
            for result in tally.results
        ]


def ends_with_cards(
    tally: Tally[int], results: list[CountedResult[int]]
) -> Iterator[list[CountedResult[int]]]:
    """The same results with cards counted in games that were open: of none, or many for one of the sides."""
    yield results
    before = {result.game: result for result in tally.results}
    for team in tally.teams:
        yield [
            replace(
                result,
                card_points=tuple(50 * (side == team) for side in result.sides),
                penalties=tuple(7 * (side == team) for side in result.sides),
            )
            if before[result.game].closed is None
            else result
            for result in results
        ]


def standings(tally: Tally[int], results: list[CountedResult[int]], chosen: Rules) -> list[Row[int]]:
    return rank(
        tally.teams,
        results,
        chosen,
        tally.adjustments,
        tally.lots,
        play_offs=tally.play_offs,
        ranked_last=tally.ranked_last,
    )


def by_force(tally: Tally[int], chosen: Rules, level: GameClosing | None = None) -> list[set[int]]:
    places: list[set[int]] = [set() for _ in tally.teams]
    for results in ends(tally, level):
        for row in standings(tally, results, chosen):
            # A play-off can be held among all who are level in everything, whatever their places are worth.
            # Nobody plays for the place of those who were removed.
            awaits = row.unresolved or ("play_off" in dict(row.values) and row.team not in tally.ranked_last)
            last = row.place + (len(row.tied_with) if awaits else 0)
            places[row.team].update(range(row.place, last + 1))
    return places


def found(outlook: ComputedOutlook[int]) -> list[set[int]]:
    return [set(each.places) for each in outlook.teams]


@examples(200)
@given(tallies(most_open=5), rules(), LEVEL)
def test_outlook_s_exact_places_are_those_of_every_outcome(
    tally: Tally[int], chosen: Rules, level: GameClosing | None
) -> None:
    outlook = compute_outlook(tally, chosen, level=level)
    true = by_force(tally, chosen, level)

    assert outlook.method is OutlookMethod.EXACT
    assert found(outlook) == true
    assert [each.undecided for each in outlook.teams] == [()] * len(tally.teams)
    assert [each.is_settled for each in outlook.teams] == [len(places) == 1 for places in true]
    assert outlook.open_games == sum(result.closed is None for result in tally.results)
    assert (outlook.samples, outlook.seed) == (0, "")


@examples(40)
@given(tallies(), st.permutations(range(20)))
def test_outlook_does_not_depend_on_the_order_of_the_results(tally: Tally[int], order: list[int]) -> None:
    shuffled = [tally.results[place] for place in order if place < len(tally.results)]
    shuffled += tally.results[20:]
    again = Tally.of(
        tally.teams,
        shuffled,
        tally.adjustments,
        tally.lots,
        tally.play_offs,
        ranked_last=tally.ranked_last,
    )
    assert compute_outlook(again, Rules()) == compute_outlook(tally, Rules())


@examples(60)
@given(tallies(), st.sampled_from(["card_points_difference", "penalties"]), st.booleans())
def test_outlook_leaves_open_what_winners_alone_do_not_tell(
    tally: Tally[int], metric: str, direct_match: bool
) -> None:
    """Whatever cards are counted in the open games, places are among those found or left open; who is level
    by then with nobody who has games to come is told apart as in the standings.
    """
    first = ("points", "direct_match") if direct_match else ("points",)
    chosen = Rules((*first, metric), ties=TiePolicy.SAME)
    told = Rules(first, ties=TiePolicy.SAME)
    outlook = compute_outlook(tally, chosen)
    if outlook.open_games == 0:
        assert (outlook.method, found(outlook)) == (OutlookMethod.EXACT, by_force(tally, chosen))
        return
    assert outlook.method is (
        OutlookMethod.BOUNDS if any(each.undecided for each in outlook.teams) else OutlookMethod.EXACT
    )
    allowed: list[set[int]] = [set() for _ in tally.teams]
    sure: list[set[int]] = [set() for _ in tally.teams]
    for results in ends(tally):
        for row in standings(tally, results, told):
            if row.team in tally.ranked_last:
                allowed[row.team] = sure[row.team] = {row.place}
                continue
            allowed[row.team].update(range(row.place, row.place + len(row.tied_with) + 1))
            if not row.tied_with:
                sure[row.team].add(row.place)
    true = [set(places) for places in sure]
    for results in ends(tally):
        for counted in ends_with_cards(tally, results):
            for row in standings(tally, counted, chosen):
                true[row.team].add(row.place)
    for each, certain, possible, most in zip(outlook.teams, sure, true, allowed, strict=True):
        assert certain <= set(each.places) <= possible <= {*each.places, *each.undecided} <= most


@examples(60)
@given(tallies(most_open=5), rules(), st.sampled_from(["MOST_GAINS", "MOST_WAYS", "MOST_RANKINGS"]), LEVEL)
def test_outlook_of_too_many_outcomes_is_sampled_and_never_wrong(
    tally: Tally[int], chosen: Rules, limit: str, level: GameClosing | None
) -> None:
    """With limits so low that nothing is counted: all that is seen is possible, all possible is allowed."""
    with pytest.MonkeyPatch.context() as patch:
        owner = "tournaments.standings.possible_outcomes" if limit == "MOST_GAINS" else module.__name__
        patch.setattr(f"{owner}.{limit}", 0)
        outlook = compute_outlook(tally, chosen, level=level, seed="x", samples=20)
        assert outlook == compute_outlook(tally, chosen, level=level, seed="x", samples=20)
    true = by_force(tally, chosen, level)
    for each, places in zip(outlook.teams, true, strict=True):
        assert set(each.places) <= places <= set(each.places) | set(each.undecided)
        assert not set(each.places) & set(each.undecided)
    if outlook.method is OutlookMethod.SAMPLED:
        assert (outlook.samples, outlook.seed) == (20, "x")
        assert [sum(times for _, times in each.seen) for each in outlook.teams] == [20] * len(tally.teams)


def test_outlook_samples_can_be_repeated_with_a_calculator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.standings.possible_outcomes.MOST_GAINS", 0)
    tally = Tally.of(("A", "B"), [CountedResult("g", 1, ("A", "B"))])
    outlook = compute_outlook(tally, Rules(("points",)), seed="palio", samples=50)
    first = [
        int(hashlib.sha256(f"tendone-even-1/palio/{number}/g".encode()).hexdigest(), 16) % 2
        for number in range(1, 51)
    ]
    counted = Counter(first)

    assert outlook.teams[0].seen == ((1, counted[0]), (2, counted[1]))
    assert METHODS[outlook.method] % {"samples": outlook.samples, "seed": outlook.seed} == (
        "Outcomes drawn with even odds: 50, with the seed palio. Places that points or the bracket rule out "
        "are left out."
    )


# --- what points rule out


@examples(100)
@given(tallies())
def test_outlook_bounds_of_first_and_last_place_are_exact_on_points(tally: Tally[int]) -> None:
    closed = [result for result in tally.results if result.closed is not None]
    points = [
        sum((Fraction(result.points(team)) for result in closed), Fraction(0))
        + sum((Fraction(each.points) for each in tally.adjustments if each.team == team), Fraction(0))
        for team in tally.teams
    ]
    still_open = [result.sides for result in tally.results if result.closed is None]
    first, last = set(), set()
    for results in ends(tally):
        total = {
            team: sum(result.points(team) for result in results)
            + sum(each.points for each in tally.adjustments if each.team == team)
            for team in tally.teams
        }
        first |= {team for team in total if total[team] == max(total.values())}
        last |= {team for team in total if total[team] == min(total.values())}

    assert {team for team in tally.teams if can_be_first(team, points, still_open)} == first
    assert {team for team in tally.teams if can_be_last(team, points, still_open)} == last


def test_outlook_bounds_rule_out_a_team_by_the_schedule() -> None:
    """A can reach 3 points, as many as B and C have; but B and C still meet, so one of them gets 4."""
    points = [Fraction(2), Fraction(3), Fraction(3), Fraction(0)]
    assert not can_be_first(0, points, [(0, 3), (1, 2)])
    assert can_be_first(0, points, [(0, 3), (1, 3)])


def test_outlook_counts_a_point_that_a_removed_team_can_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """B has still to meet X, which is ranked last. If X wins, A shares the first place with B."""
    monkeypatch.setattr("tournaments.standings.possible_outcomes.MOST_GAINS", 0)
    tally = Tally.of(("A", "B", "X"), [CountedResult("g", 1, ("B", "X"))], ranked_last=("X",))
    outlook = compute_outlook(tally, Rules(("points",)), samples=0)
    assert [{*each.places, *each.undecided} for each in outlook.teams] == [{1, 2}, {1, 2}, {3}]


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (None, [(1,), (1, 3), (1, 3)]),
        (GameClosing.BELL, [(1,), (1, 2, 3), (1, 2, 3)]),
        (GameClosing.SHARED, [(1,), (1, 3), (1, 3)]),
    ],
)
def test_outlook_has_the_places_of_a_game_that_ends_level_at_the_bell(
    level: GameClosing | None, expected: list[tuple[int, ...]]
) -> None:
    """A has a point, B and C meet: with a point for nobody they share the second place."""
    won = CountedResult(1, 1, ("A", "C"), "A", GameClosing.PLAYED)
    tally = Tally.of(("A", "B", "C"), [won, CountedResult(2, 2, ("B", "C"))])

    outlook = compute_outlook(tally, Rules(("points",)), level=level)

    assert outlook.method is OutlookMethod.EXACT
    assert [each.places for each in outlook.teams] == expected


def test_outlook_counts_points_against_who_is_ranked_last_in_a_later_metric() -> None:
    """A has still to meet X, which is removed: by that game alone A is ahead of B, or level with it."""
    played = [
        CountedResult(1, 1, ("A", "B"), closed=GameClosing.VOID),
        CountedResult(2, 2, ("A", "X")),
    ]
    tally = Tally.of(("A", "B", "X"), played, ranked_last=("X",))

    outlook = compute_outlook(tally, Rules(("direct_match", "points")))

    assert outlook.method is OutlookMethod.EXACT
    assert [each.places for each in outlook.teams] == [(1,), (1, 2), (3,)]


# --- a large field


def palio(matches: int, still_open: int, key: str) -> Tally[str]:
    """Three teams, mini-tournaments of three games of which the last are open."""
    results = []
    for number in range(3 * matches):
        sides = (("A", "B"), ("B", "C"), ("C", "A"))[number % 3]
        lot = hashlib.sha256(f"{key}{number}".encode()).digest()[0]
        closed = number < 3 * matches - still_open
        results.append(
            CountedResult(number, number // 3, sides, sides[lot % 2], GameClosing.PLAYED)
            if closed
            else CountedResult(number, number // 3, sides)
        )
    return Tally.of(("A", "B", "C"), results)


@pytest.mark.parametrize("key", ["x", "y", "z"])
def test_outlook_of_twenty_open_games_of_three_teams_is_exact(key: str) -> None:
    outlook = compute_outlook(palio(36, 20, key), Rules())
    assert outlook.method is OutlookMethod.EXACT
    points = Counter(result.winner for result in palio(36, 20, key).results if result.winner)
    for each in outlook.teams:
        # Beyond what is open nobody is caught up with.
        others = [points[team] for team in ("A", "B", "C") if team != each.team]
        assert min(each.places) >= 1 + sum(other > points[each.team] + 14 for other in others)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000).map(str), st.integers(8, 10))
def test_outlook_of_mini_tournaments_is_exact(key: str, still_open: int) -> None:
    tally = palio(5, still_open, key)
    numbered = Tally.of(
        (0, 1, 2),
        [
            CountedResult(
                each.game,
                each.match,
                tuple("ABC".index(side) for side in each.sides),
                None if each.winner is None else "ABC".index(each.winner),
                each.closed,
            )
            for each in tally.results
        ],
    )
    assume(any(result.closed is None for result in numbered.results))
    outlook = compute_outlook(numbered, Rules())

    assert (outlook.method, found(outlook)) == (OutlookMethod.EXACT, by_force(numbered, Rules()))


def test_outlook_of_rounds_that_follow_from_results_is_refused() -> None:
    tally = Tally.of(("A", "B"), [], rounds=Rounds(matches=(), byes=()))
    with pytest.raises(CannotRank) as refused:
        compute_outlook(tally, Rules())
    assert refused.value.code == "drawn_by_results"
