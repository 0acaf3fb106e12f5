"""Rounds of any kind, made by chance: matches, walkovers, byes, who sits out, and what is still open."""

from fractions import Fraction

from hypothesis import strategies as st

from tournaments.standings import Adjustment, Bye, CountedResult, GameClosing, MatchResult, Rounds

POINTS = st.sampled_from(
    [None, *((Fraction(one, 2), Fraction(two, 2)) for one, two in ((2, 0), (1, 1), (0, 2), (0, 0)))]
)
Event = tuple[tuple[int, ...], Rounds[int], list[CountedResult[int]], list[Adjustment[int]]]


def scores(points: tuple[Fraction, Fraction] | None) -> st.SearchStrategy[tuple[int, int]]:
    """The games of each side in a best of three with these points."""
    if points is None or points[0] == points[1]:
        return st.sampled_from([(0, 0), (1, 1)])
    if points[0] > points[1]:
        return st.sampled_from([(2, 0), (2, 1), (1, 0)])
    return st.sampled_from([(0, 2), (1, 2), (0, 1)])


@st.composite
def events(draw: st.DrawFn) -> Event:
    """Teams, their rounds, the games of the matches, adjustments."""
    teams = tuple(range(draw(st.integers(2, 7))))
    matches: list[MatchResult[int]] = []
    byes: list[Bye[int]] = []
    results: list[CountedResult[int]] = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        present = draw(st.permutations(teams))[: draw(st.integers(0, len(teams)))]
        for one, two in zip(present[::2], present[1::2], strict=False):
            points = draw(POINTS)
            walkover = points is not None and draw(st.booleans())
            games = draw(scores(points))
            matches.append(MatchResult(len(matches), number, (one, two), points, walkover, games))
            if points is not None and points[0] != points[1]:
                winner, loser = (one, two) if points[0] > points[1] else (two, one)
                figures = draw(st.sampled_from([None, (30, 0), (5, 0)]))
                results.append(
                    CountedResult(
                        len(matches),
                        len(matches),
                        (winner, loser),
                        winner,
                        GameClosing.PLAYED,
                        figures,
                        figures,
                    )
                )
        if len(present) % 2:
            byes.append(
                Bye(
                    present[-1],
                    number,
                    draw(st.sampled_from([Fraction(1), Fraction(1, 2)])),
                    draw(st.booleans()),
                    draw(st.sampled_from([0, 2])),
                )
            )
    adjustments = draw(
        st.lists(
            st.builds(Adjustment, st.sampled_from(teams), st.integers(-1, 1), st.just("late")), max_size=2
        )
    )
    return teams, Rounds(tuple(matches), tuple(byes)), results, adjustments


@st.composite
def round_robins(draw: st.DrawFn) -> tuple[tuple[int, ...], Rounds[int]]:
    """Everybody against everybody, by turning the circle; with a free round each where they are odd."""
    teams = tuple(range(draw(st.integers(2, 6))))
    circle: list[int | None] = [*teams, *([None] if len(teams) % 2 else [])]
    matches: list[MatchResult[int]] = []
    for number in range(1, len(circle)):
        for one, two in zip(circle[: len(circle) // 2], reversed(circle), strict=False):
            if one is not None and two is not None:
                points = draw(POINTS)
                walkover = points is not None and draw(st.integers(0, 4)) == 0
                games = draw(scores(points))
                matches.append(MatchResult(len(matches), number, (one, two), points, walkover, games))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return teams, Rounds(tuple(matches), predetermined=True)
