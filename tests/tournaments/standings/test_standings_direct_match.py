"""The direct match while games are missing: only who is ahead whatever they give (FIDE C.07, article 6.3)."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from tests.support.run.long import examples
from tournaments.standings import (
    EDITION,
    CountedResult,
    GameClosing,
    MatchResult,
    Rounds,
    Rules,
    TiePolicy,
    rank,
)

Points = tuple[Fraction, Fraction]
NEVER: Points = (Fraction(-1), Fraction(-1))
OUTCOMES: tuple[Points, ...] = (
    (Fraction(1), Fraction(0)),
    (Fraction(1, 2), Fraction(1, 2)),
    (Fraction(0), Fraction(1)),
)
HOW: tuple[Points | None, ...] = (NEVER, None, *OUTCOMES)


@st.composite
def matches(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[MatchResult[int], ...]]:
    """Up to four teams; any two meet up to three times, and some of these matches are still to be played."""
    teams = tuple(range(draw(st.integers(2, 4))))
    found: list[MatchResult[int]] = []
    for pair in combinations(teams, 2):
        often = draw(st.integers(1, 3)) if draw(st.booleans()) else 1
        for how in draw(st.lists(st.sampled_from(HOW), min_size=often, max_size=often)):
            still_open = sum(each.points is None for each in found)
            if how != NEVER and (how is not None or still_open < 3):
                number = len(found) + 1
                found.append(MatchResult(number, number, pair if draw(st.booleans()) else pair[::-1], how))
    return teams, tuple(found)


def by_force(group: list[int], played: tuple[MatchResult[int], ...]) -> list[list[int]]:
    """Who is alone ahead of the others in every way in which what is missing can end; the rest again."""
    among = [each for each in played if set(each.sides) <= set(group)]
    known = [(each.sides, each.points) for each in among if each.points is not None]
    met = Counter(frozenset(each.sides) for each in among)
    missing = [each.sides for each in among if each.points is None]
    missing += [pair for pair in combinations(group, 2) if frozenset(pair) not in met]
    tables = []
    for ends in product(OUTCOMES, repeat=len(missing)):
        points = dict.fromkeys(group, Fraction(0))
        for sides, given_points in (*known, *zip(missing, ends, strict=True)):
            for team, taken in zip(sides, given_points, strict=True):
                # The average of those who met more than once (article 6.1.2).
                points[team] += taken / max(1, met[frozenset(sides)])
        tables.append(points)
    if not missing:
        levels = sorted({tables[0][team] for team in group}, reverse=True)
        parts = [[team for team in group if tables[0][team] == level] for level in levels]
        return parts if len(parts) < 2 else [one for part in parts for one in by_force(part, played)]
    left, first = list(group), []
    while len(left) > 1:
        ahead = [
            one
            for one in left
            if all(points[one] > points[other] for points in tables for other in left if other != one)
        ]
        if not ahead:
            break
        first.append(ahead)
        left.remove(ahead[0])
    if not first:
        return [left]
    return first + (by_force(left, played) if len(left) > 1 else [left])


@examples(300)
@given(matches())
def test_direct_match_puts_first_only_who_is_ahead_whatever_is_missing(
    drawn: tuple[tuple[int, ...], tuple[MatchResult[int], ...]],
) -> None:
    teams, played = drawn

    rows = rank(teams, [], Rules(("direct_match",)), rounds=Rounds(played, predetermined=True))

    places: dict[int, list[int]] = {}
    for row in rows:
        places.setdefault(row.place, []).append(row.team)

    assert [places[place] for place in sorted(places)] == by_force(list(teams), played)


@st.composite
def walkovers(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[MatchResult[int], ...]]:
    """The same, and some of the decided matches weren't played."""
    teams, found = draw(matches())
    return teams, tuple(
        replace(each, walkover=each.points is not None and draw(st.booleans())) for each in found
    )


@examples(300)
@given(walkovers())
def test_direct_match_takes_a_walkover_of_a_swiss_for_a_missing_match(
    drawn: tuple[tuple[int, ...], tuple[MatchResult[int], ...]],
) -> None:
    """FIDE C.07, articles 6.1.1 and 15.2: in a round robin it is a match like others."""
    teams, found = drawn

    def order(rounds: Rounds[int]) -> list[list[int]]:
        places: dict[int, list[int]] = {}
        for row in rank(teams, [], Rules(("direct_match",)), rounds=rounds):
            places.setdefault(row.place, []).append(row.team)
        return [places[place] for place in sorted(places)]

    played = tuple(each for each in found if not each.walkover)

    assert order(Rounds(found)) == by_force(list(teams), played)
    assert order(Rounds(found, predetermined=True)) == by_force(list(teams), found)


def test_direct_match_puts_nobody_ahead_by_a_walkover_of_a_swiss() -> None:
    """A and B have 1 point each; in a round robin, and by edition 2, the walkover decides between them."""
    rounds = Rounds(
        (
            MatchResult(1, 1, ("A", "B"), (Fraction(1), Fraction(0)), walkover=True),
            MatchResult(2, 2, ("B", "C"), (Fraction(1), Fraction(0))),
            MatchResult(3, 2, ("D", "A"), (Fraction(1), Fraction(0))),
            MatchResult(4, 3, ("D", "C"), (Fraction(1), Fraction(0))),
        )
    )

    def places(rounds: Rounds[str], edition: int) -> dict[str, int]:
        rules = Rules(("points", "direct_match"), edition=edition)
        return {row.team: row.place for row in rank("ABCD", [], rules, rounds=rounds)}

    assert places(rounds, EDITION) == {"D": 1, "A": 2, "B": 2, "C": 4}
    assert places(rounds, 2) == {"D": 1, "A": 2, "B": 3, "C": 4}
    assert places(rounds, 1) == {"D": 1, "A": 2, "B": 3, "C": 4}
    assert places(replace(rounds, predetermined=True), EDITION) == {"D": 1, "A": 2, "B": 3, "C": 4}


def game(number: int, sides: tuple[str, str], winner: str | None) -> CountedResult[str]:
    return CountedResult(number, number, sides, winner, None if winner is None else GameClosing.PLAYED)


def test_direct_match_leaves_two_with_a_game_to_come_level() -> None:
    results = [game(1, ("A", "B"), "A"), game(2, ("A", "B"), None)]

    rows = rank(("A", "B"), results, Rules(("direct_match",)))

    assert [(row.team, row.place, row.decided_by) for row in rows] == [("A", 1, None), ("B", 1, None)]
    assert [row.value("direct_match") for row in rows] == [None, None]


def test_direct_match_puts_first_who_beat_two_that_have_not_met() -> None:
    results = [game(1, ("A", "B"), "A"), game(2, ("A", "C"), "A")]

    rows = rank(("A", "B", "C"), results, Rules(("direct_match",)))

    assert [(row.team, row.place) for row in rows] == [("A", 1), ("B", 2), ("C", 2)]
    decided = rows[0].decided_by
    assert decided is not None
    assert (decided.value, decided.next_value, decided.missing) == (Fraction(2), Fraction(1), True)


def test_direct_match_counts_the_average_of_several_meetings() -> None:
    """A won two of three games with B, and lost to C, which lost to B (FIDE C.07, article 6.1.2)."""
    winners = {("A", "B"): "AAB", ("A", "C"): "C", ("B", "C"): "B"}
    results = [
        game(10 * at + number, sides, winner)
        for at, (sides, won) in enumerate(winners.items())
        for number, winner in enumerate(won)
    ]

    rows = rank("ABC", results, Rules(("direct_match",)))
    before = rank("ABC", results, Rules(("direct_match",), edition=3))

    assert [(row.team, row.place, row.value("direct_match")) for row in rows] == [
        ("B", 1, Fraction(4, 3)),
        ("C", 2, Fraction(1)),
        ("A", 3, Fraction(2, 3)),
    ]
    # By edition 3 four games are missing, with which anybody could be ahead.
    assert [(row.team, row.place) for row in before] == [("A", 1), ("B", 1), ("C", 1)]


def test_direct_match_counts_the_sum_where_all_met_equally_often() -> None:
    results = [game(number, ("A", "B"), winner) for number, winner in enumerate("AAB")]

    rows = rank("AB", results, Rules(("direct_match",)))

    assert [(row.team, row.value("direct_match")) for row in rows] == [("A", Fraction(2)), ("B", Fraction(1))]


def test_direct_match_of_edition_1_takes_what_is_missing_for_nothing() -> None:
    """Tournaments that were set up in its time keep their order."""
    to_come = [game(1, ("A", "B"), "A"), game(2, ("A", "B"), None)]
    never_met = [game(1, ("A", "B"), "A"), game(2, ("A", "C"), "A")]
    rules = Rules(("direct_match",), edition=1)

    assert [row.place for row in rank(("A", "B"), to_come, rules)] == [1, 2]
    assert [row.place for row in rank(("A", "B", "C"), never_met, rules)] == [1, 1, 1]


def test_direct_match_lets_a_missing_match_give_as_much_as_a_win() -> None:
    """Two missing matches of 3 points can overtake one that is won; two of 1 point can't overtake 3."""
    won = MatchResult("m", 1, ("a", "b"), (Fraction(3), Fraction(0)))
    rules = Rules(("direct_match",), ties=TiePolicy.SAME)
    rows = rank("abc", [], rules, rounds=Rounds((won,), win=Fraction(3)))
    assert [(row.team, row.place) for row in rows] == [("a", 1), ("b", 1), ("c", 1)]
    rows = rank("abc", [], rules, rounds=Rounds((won,)))
    assert [(row.team, row.place) for row in rows] == [("a", 1), ("b", 2), ("c", 2)]
