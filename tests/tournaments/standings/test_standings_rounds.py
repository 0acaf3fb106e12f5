"""Matches of two, round by round, worked out by hand: byes, walkovers, who left, what is still open."""

from fractions import Fraction

import pytest

from tests.support.rounds_text import rounds_of
from tournaments.standings import (
    METRICS,
    Adjustment,
    Bye,
    CannotRank,
    Data,
    MatchResult,
    Rounds,
    Rules,
    rank,
)
from tournaments.standings.model import Decision

HALF = Fraction(1, 2)


def values(text: str, metric: str, teams: str, *, predetermined: bool = False) -> dict[str, Fraction | None]:
    rounds = rounds_of(text, predetermined=predetermined)
    return {row.team: row.value(metric) for row in rank(teams, [], Rules((metric,)), rounds=rounds)}


THREE_ROUNDS = """
    1: A 1-0 B, C ½-½ D
    2: A 1-0 C, B 1-0 D
    3: A ½-½ D, B 0-1 C
"""
"""Points: A 2½, B 1, C 1½, D 1."""


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("points", {"A": 2 + HALF, "B": 1, "C": 1 + HALF, "D": 1}),
        ("wins", {"A": 2, "B": 1, "C": 1, "D": 0}),
        ("buchholz", {"A": 3 + HALF, "B": 5, "C": 4 + HALF, "D": 5}),
        ("buchholz_cut_1", {"A": 2 + HALF, "B": 4, "C": 3 + HALF, "D": 4}),
        ("median_buchholz", {"A": 1, "B": 1 + HALF, "C": 1, "D": 1 + HALF}),
        # A: 1 + 1½ + ½ × 1; B: 1; C: ½ × 1 + 1; D: ½ × 1½ + ½ × 2½.
        ("sonneborn_berger", {"A": 3, "B": 1, "C": 1 + HALF, "D": 2}),
        # B and D have the fewest points, 1 each. A leaves out ½ × 1 (D), not 1 × 1 (B); B 1 × 1 (D);
        # C ½ × 1 (D), not 1 × 1 (B); D 0 × 1 (B).
        ("sonneborn_berger_cut_1", {"A": 2 + HALF, "B": 0, "C": 1, "D": 2}),
        # Buchholz 3½, 5, 4½, 5: A met B, C, D; B met A, C, D; C met A, B, D; D met A, B, C.
        (
            "average_buchholz",
            {
                "A": Fraction(29, 2) / 3,
                "B": Fraction(13, 3),
                "C": Fraction(27, 2) / 3,
                "D": Fraction(13, 3),
            },
        ),
        # A: 1 + 2 + 2½; B: 0 + 1 + 1; C: ½ + ½ + 1½; D: ½ + ½ + 1.
        ("progressive", {"A": 5 + HALF, "B": 2, "C": 2 + HALF, "D": 2}),
    ],
)
def test_metrics_of_a_small_swiss_as_worked_out_by_hand(
    metric: str, expected: dict[str, Fraction | int]
) -> None:
    assert values(THREE_ROUNDS, metric, "ABCD") == expected


def test_direct_match_is_of_matches() -> None:
    """B and D have a point each, and B won against D; one more point for B by decision would count too."""
    rows = rank("DCBA", [], Rules(("points", "direct_match")), rounds=rounds_of(THREE_ROUNDS))
    assert [(row.place, row.team) for row in rows] == [(1, "A"), (2, "C"), (3, "B"), (4, "D")]
    assert rows[2].decided_by == Decision("direct_match", Fraction(1), Fraction(0), ("D", "B"))
    moved = rank(
        "DCBA",
        [],
        Rules(("points", "buchholz")),
        [Adjustment("D", 1, "organizer")],
        rounds=rounds_of(THREE_ROUNDS),
    )
    assert [(row.team, row.value("points"), row.value("buchholz")) for row in moved] == [
        ("A", 2 + HALF, 3 + HALF),
        ("D", 2, 5),
        ("C", 1 + HALF, 4 + HALF),
        ("B", 1, 5),
    ]


LEAVING = """
    1: A 1-0 B, C 1-0 D
    2: A 1-0 C, B bye 1
    3: B 1-0 C, A bye 1
"""
"""D left after the first round. Points: A 3, B 2, C 1, D 0."""


def test_buchholz_takes_a_bye_for_a_match_against_a_dummy() -> None:
    """It ends level with the team, yet with no more than a draw in each of the three rounds: 1½."""
    found = values(LEAVING, "buchholz", "ABCD")
    assert found["A"] == 2 + 1 + (1 + HALF)
    assert found["B"] == 3 + (1 + HALF) + 1
    # A bye from the draw is nothing that the team chose: the lowest value is left out.
    assert values(LEAVING, "buchholz_cut_1", "ABCD")["A"] == 2 + (1 + HALF)


def test_buchholz_is_not_harmed_by_an_opponent_who_leaves() -> None:
    """For C, D counts ½ for each of the rounds that it sat out; D itself has none of it."""
    assert values(LEAVING, "buchholz", "ABCD")["C"] == 1 + 3 + 2
    assert values(LEAVING, "points", "ABCD")["D"] == 0
    # Late is not early: here D sits out the first two rounds, and has the nothing that it has.
    late = "1: A 1-0 B\n2: B 1-0 C\n3: C 1-0 D, A ½-½ B"
    assert values(late, "buchholz", "ABCD")["C"] == 1 + HALF + 1 + 0


def test_buchholz_cut_takes_a_round_that_a_team_would_not_play_first() -> None:
    """B lost to A by a walkover, counted as a match against itself: 2 points, its highest value."""
    text = "1: A 1-0w B, C 1-0 D\n2: A 1-0 C, B 1-0 D\n3: A 1-0 D, B 1-0 C"

    assert values(text, "buchholz", "ABCD") == {
        "A": 2 + 1 + 0,
        "B": 2 + 0 + 1,
        "C": 0 + 3 + 2,
        "D": 1 + 2 + 3,
    }
    assert values(text, "buchholz_cut_1", "ABCD") == {"A": 3, "B": 1, "C": 5, "D": 5}
    assert values(text, "median_buchholz", "ABCD") == {"A": 1, "B": 0, "C": 2, "D": 2}
    assert values(text, "wins", "ABCD") == {"A": 2, "B": 2, "C": 1, "D": 0}


def test_sonneborn_berger_of_a_round_robin_takes_a_walkover_for_a_match() -> None:
    text = "1: A 1-0w B, C 1-0 D\n2: A 1-0 C, B 1-0 D\n3: A 1-0 D, B 1-0 C"
    # A: 2 + 1 + 0; the same without its article would be 2 + 1 + 0 too, but B's 3 points are A's own.
    assert values(text, "sonneborn_berger", "ABCD", predetermined=True) == {"A": 3, "B": 1, "C": 0, "D": 0}
    lost = "1: A ½-½w B, C 1-0 D\n2: A 1-0 C, B 0-1 D\n3: A 1-0 D, B 0-1 C"
    assert values(lost, "sonneborn_berger", "ABCD", predetermined=True)["B"] == HALF * (2 + HALF)
    assert values(lost, "sonneborn_berger", "ABCD")["B"] == HALF * HALF


ABSENT_TWICE = """
    1: A 1-0 D, B 1-0 E, C bye 1
    2: A 1-0 C, D ½-½ E, B out ½
    3: A 1-0w B, C 1-0 E, D bye 1
    4: A 1-0 E, B 1-0 D
"""
"""Points: A 4, B 2½, C 2, D 1½, E ½. Of B: E ½ × 1, a bye 2 × ½, a walkover lost 2½ × 0, D 1½ × 1."""


def test_sonneborn_berger_cut_takes_the_higher_of_two_products() -> None:
    """Of the rounds that B wouldn't play the lowest product is 0, of the opponent with the fewest points ½:
    the higher one goes (16.5.1). Once the walkover is a match that was lost, the lowest is the bye's 1.
    """
    assert values(ABSENT_TWICE, "sonneborn_berger", "ABCDE")["B"] == 3
    assert values(ABSENT_TWICE, "sonneborn_berger_cut_1", "ABCDE")["B"] == 2 + HALF
    played = ABSENT_TWICE.replace("1-0w", "1-0")
    assert values(played, "sonneborn_berger", "ABCDE")["B"] == 3
    assert values(played, "sonneborn_berger_cut_1", "ABCDE")["B"] == 2


def test_sonneborn_berger_cut_takes_the_smaller_product_of_equal_opponents() -> None:
    """A beat B and drew with C, who have ½ each, as E has."""
    text = "1: A 1-0 B, C 0-1 D\n2: A ½-½ C, B 0-1 D\n3: A 0-1 D, B ½-½ E"
    assert values(text, "points", "ABCDE") == {"A": 1 + HALF, "B": HALF, "C": HALF, "D": 3, "E": HALF}
    assert values(text, "sonneborn_berger_cut_1", "ABCDE", predetermined=True)["A"] == HALF


def test_average_buchholz_is_of_those_who_were_played() -> None:
    """A played B and C, and D didn't turn up; E played nobody."""
    text = "1: A 1-0 B, C 1-0 D\n2: A 1-0 C, B 1-0 D, E bye 1\n3: A 1-0w D, B 1-0 C"
    buchholz = values(text, "buchholz", "ABCDE")

    found = values(text, "average_buchholz", "ABCDE")

    assert found["A"] == ((buchholz["B"] or 0) + (buchholz["C"] or 0)) / 2
    assert found["E"] == 0


def test_koya_is_of_the_upper_half() -> None:
    """Points: A 2½, B 1½, C 1½, D ½; half of three wins is 1½, so what was taken from D doesn't count."""
    text = "1: A 1-0 B, C ½-½ D\n2: A ½-½ C, B 1-0 D\n3: A 1-0 D, B ½-½ C"
    assert values(text, "points", "ABCD") == {"A": 2 + HALF, "B": 1 + HALF, "C": 1 + HALF, "D": HALF}
    assert values(text, "koya", "ABCD", predetermined=True) == {
        "A": 1 + HALF,
        "B": HALF,
        "C": 1,
        "D": HALF,
    }


def test_koya_counts_walkovers_and_no_free_round() -> None:
    """Of three each meets two, so half is 1 point."""
    text = "1: A 1-0 B\n2: A 0-1 C\n3: B 1-0w C"
    assert values(text, "points", "ABC") == {"A": 1, "B": 1, "C": 1}
    assert values(text, "koya", "ABC", predetermined=True) == {"A": 1, "B": 1, "C": 1}


def test_games_won_and_difference_are_those_of_decided_matches_and_byes() -> None:
    text = "1: A 1-0 B (2-1), C 1-0w D (2-0), E bye 1 (2)\n2: A ½-½ C (1-1), B ? D, E out ½"
    assert values(text, "games_won", "ABCDE") == {"A": 3, "B": 1, "C": 3, "D": 0, "E": 2}
    assert values(text, "games_difference", "ABCDE") == {"A": 1, "B": -1, "C": 2, "D": -2, "E": 2}


def test_match_where_nobody_was_there_gives_no_points() -> None:
    text = "1: A 0-0w B, C 1-0 D\n2: A 1-0 C, B 1-0 D"
    assert values(text, "points", "ABCD") == {"A": 1, "B": 1, "C": 1, "D": 0}
    assert values(text, "buchholz_cut_1", "AB" + "CD") == {"A": 1, "B": 0, "C": 1, "D": 1}


def test_open_match_adds_nothing_to_points_and_buchholz() -> None:
    text = "1: A 1-0 B, C ½-½ D\n2: A ? C, B ? D"
    assert values(text, "points", "ABCD") == {"A": 1, "B": 0, "C": HALF, "D": HALF}
    assert values(text, "buchholz", "ABCD") == {"A": 0, "B": 1, "C": HALF, "D": HALF}


def test_buchholz_counts_half_of_a_win_that_gives_more_than_a_point() -> None:
    """Half a win for each round that D sat out at the end is a whole point here."""
    rounds = rounds_of("1: A 2-0 B, C 2-0 D\n2: A 1-1 C", draw=Fraction(1))
    rows = rank("ABCD", [], Rules(("points", "buchholz")), rounds=rounds)
    assert {row.team: row.value("buchholz") for row in rows} == {"A": 1 + 3, "C": 1 + 3, "B": 3, "D": 3}


@pytest.mark.parametrize("metric", [key for key, metric in METRICS.items() if Data.MATCHES in metric.needs])
def test_metrics_of_matches_are_not_asked_of_games(metric: str) -> None:
    with pytest.raises(CannotRank) as refused:
        rank("AB", [], Rules((metric,)))
    assert refused.value.code == "no_matches"
    assert str(refused.value).startswith(f"The metric {metric} needs matches of two")
    assert [row.value(metric) for row in rank("AB", [], Rules((metric,)), rounds=Rounds())] == [0, 0]


@pytest.mark.parametrize("metric", ["points", "buchholz", "sonneborn_berger", "progressive"])
def test_round_without_a_result_changes_no_metric(metric: str) -> None:
    first = "1: A 1-0 B, C 1-0 D, E bye 1"

    drawn = values(first + "\n2: A ? C, E ? B, D bye 1", metric, "ABCDE")

    assert drawn == values(first, metric, "ABCDE")


def test_byes_give_their_points_with_the_first_result_of_the_round() -> None:
    rounds = "1: A 1-0 B, C 1-0 D, E bye 1\n2: A 1-0 C, E ? B, D out ½"

    assert values(rounds, "points", "ABCDE") == {"A": 2, "B": 0, "C": 1, "D": HALF, "E": 1}


@pytest.mark.parametrize(
    ("sides", "number", "points", "walkover"),
    [
        (("a", "a"), 1, None, False),
        (("a", "b"), 0, None, False),
        (("a", "b"), 1, (Fraction(-1), Fraction(0)), False),
        (("a", "b"), 1, None, True),
        (("a", "b"), 1, (Fraction(1),), False),
    ],
)
def test_match_result_that_contradicts_itself_is_refused(
    sides: tuple[str, str], number: int, points: tuple[Fraction, Fraction] | None, walkover: bool
) -> None:
    with pytest.raises(CannotRank, match=r"^The result of match m contradicts itself: round ") as refused:
        MatchResult("m", number, sides, points, walkover)
    assert refused.value.code == "match"


def test_rounds_with_a_team_or_a_match_twice_are_refused() -> None:
    match = MatchResult("m", 1, ("a", "b"))
    with pytest.raises(CannotRank, match=r"^Team a is twice in round 1\.$"):
        Rounds((match,), (Bye("a", 1, Fraction(1)),))
    with pytest.raises(CannotRank, match=r"^Match m has two results; one was expected\.$"):
        Rounds((match, MatchResult("m", 2, ("a", "b"))))
    with pytest.raises(CannotRank, match=r"^Team c is not in this tournament\.$"):
        rank("ab", [], Rules(("points",)), rounds=Rounds((match,), (Bye("c", 1, Fraction(1)),)))


def forfeits(*places: tuple[int, ...]) -> Rounds[str]:
    """Tables of four that nobody played, with who was there."""
    none = (Fraction(0),) * 4
    return Rounds(
        tuple(
            MatchResult(number, number, tuple("ABCD"), none, walkover=True, places=each)
            for number, each in enumerate(places, start=1)
        ),
        seats=4,
    )


@pytest.mark.parametrize(
    ("places", "edition", "expected"),
    [
        ((2, 1, 2, 2), 9, {"A": 4, "B": 1, "C": 4, "D": 4}),
        ((1, 1, 1, 1), 9, dict.fromkeys("ABCD", 4)),
        ((2, 1, 2, 2), 8, {"A": 3, "B": 1, "C": 3, "D": 3}),
        ((1, 1, 1, 1), 8, dict.fromkeys("ABCD", Fraction(5, 2))),
    ],
)
def test_table_places_put_who_was_not_there_last(
    places: tuple[int, ...], edition: int, expected: dict[str, Fraction]
) -> None:
    rows = rank("ABCD", (), Rules(("table_places",), edition=edition), rounds=forfeits(places))

    assert {row.team: row.value("table_places") for row in rows} == expected
