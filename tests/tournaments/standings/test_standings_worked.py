"""Standings worked out by hand: each order with its reason."""

from fractions import Fraction
from typing import Any

import pytest

from tournaments.standings import (
    METRICS,
    TIE_POLICIES,
    Adjustment,
    CannotRank,
    CountedResult,
    Data,
    GameClosing,
    Row,
    Rules,
    TiePolicy,
    metrics_offered,
    rank,
    tie_policies_offered,
    unresolved_ties,
)
from tournaments.standings.model import Decision

TEAMS = ("upper", "centre", "lower")


def games(text: str) -> list[CountedResult[str]]:
    """Results from lines such as `1: a>b b>c c-a`: match 1, a beat b, b beat c, c and a without winner."""
    results = []
    for line in text.strip().splitlines():
        match, _, rest = line.strip().partition(": ")
        for number, game in enumerate(rest.split(), start=1):
            key = f"{match}.{number}"
            if ">" in game:
                winner, loser = game.split(">")
                results.append(CountedResult(key, match, (loser, winner), winner, GameClosing.PLAYED))
            else:
                one, other = game.split("-")
                results.append(CountedResult(key, match, (one, other), None, GameClosing.BELL))
    return results


def places(rows: list[Row[str]]) -> list[tuple[int, str, Fraction | int | None]]:
    return [(row.place, row.team, row.placement_points) for row in rows]


def test_ranking_of_three_contrade_after_two_mini_tournaments() -> None:
    """Two mini-tournaments: upper 3 points, centre 2, lower 1."""
    rows = rank(
        TEAMS,
        games("1: upper>centre centre>lower upper>lower\n2: upper>centre centre>lower lower>upper"),
        Rules(),
    )
    assert rows == [
        Row(
            team="upper",
            place=1,
            tied_with=(),
            values=(("points", Fraction(3)), ("direct_match", None), ("mini_tournaments", Fraction(1))),
            decided_by=Decision("points", Fraction(3), Fraction(2), TEAMS),
            placement_points=Fraction(30),
            unresolved=False,
        ),
        Row(
            team="centre",
            place=2,
            tied_with=(),
            values=(("points", Fraction(2)), ("direct_match", None), ("mini_tournaments", Fraction(0))),
            decided_by=Decision("points", Fraction(2), Fraction(1), TEAMS),
            placement_points=Fraction(20),
            unresolved=False,
        ),
        Row(
            team="lower",
            place=3,
            tied_with=(),
            values=(("points", Fraction(1)), ("direct_match", None), ("mini_tournaments", Fraction(0))),
            decided_by=None,
            placement_points=Fraction(10),
            unresolved=False,
        ),
    ]
    assert rows[0].value("points") == 3


def test_ranking_is_decided_by_the_direct_match() -> None:
    """b and c have two points each, and in the only game between them c won."""
    rows = rank(("a", "b", "c"), games("1: a>b c>b a>c\n2: b>a c>a a>c\n3: b>a"), Rules())
    assert places(rows) == [(1, "a", 30), (2, "c", 20), (3, "b", 10)]
    assert rows[1].decided_by == Decision("direct_match", Fraction(1), Fraction(0), ("b", "c"))
    assert [row.value("direct_match") for row in rows] == [None, 1, 0]


def test_direct_match_is_among_all_who_are_tied() -> None:
    """a, b and c have two points each; in the games among the three a has two, b one and c none."""
    results = games("1: a>b\n2: a>c\n3: b>c\n4: b>e\n5: c>e\n6: c>e")
    rows = rank(("c", "b", "a", "e"), results, Rules(scale=(4, 3, 2, 1)))
    assert places(rows) == [(1, "a", 4), (2, "b", 3), (3, "c", 2), (4, "e", 1)]
    assert [row.decided_by for row in rows] == [
        Decision("direct_match", Fraction(2), Fraction(1), ("c", "b", "a")),
        Decision("direct_match", Fraction(1), Fraction(0), ("c", "b", "a")),
        Decision("points", Fraction(2), Fraction(0), ("c", "b", "a", "e")),
        None,
    ]


def test_direct_match_is_asked_again_among_those_who_stay_tied() -> None:
    """a, b and c have three points each; among the three a has 3, b and c 1; between b and c alone, b won."""
    results = games("1: a>b a>b a>c c>a b>c\n2: b-c\n3: b>d b>d c>d c>d c>d")
    # That is a 3, b 3, c 4, and one is taken from c.
    rows = rank(
        ("a", "b", "c", "d"),
        results,
        Rules(metrics=("points", "direct_match")),
        [Adjustment("c", -1, "late")],
    )

    assert [row.team for row in rows] == ["a", "b", "c", "d"]
    assert [row.decided_by for row in rows[:2]] == [
        Decision("direct_match", Fraction(3), Fraction(1), ("a", "b", "c")),
        Decision("direct_match", Fraction(1), Fraction(0), ("b", "c")),
    ]
    # The table shows what was asked first, among all three.
    assert [row.value("direct_match") for row in rows] == [3, 1, 1, None]


def test_direct_match_asked_once_leaves_the_rest_to_the_next_metric() -> None:
    """As above: b and c have 1 each among the three, and that b won between them is not asked."""
    results = games("1: a>b a>b a>c c>a b>c\n2: b-c\n3: b>d b>d c>d c>d c>d")
    late = [Adjustment("c", -1, "late")]
    rows = rank("abcd", results, Rules(("points", "direct_match_once")), late)
    assert [(row.place, row.team) for row in rows] == [(1, "a"), (2, "b"), (2, "c"), (4, "d")]
    then = rank("abcd", results, Rules(("points", "direct_match_once", "wins")), late)
    assert [row.team for row in then] == ["a", "c", "b", "d"]
    assert then[1].decided_by == Decision("wins", Fraction(4), Fraction(3), ("b", "c"))


def test_direct_match_is_not_asked_where_some_met_more_often() -> None:
    """a, b and c have one point each; a met b and c, and b and c didn't meet."""
    rows = rank(("a", "b", "c", "d"), games("1: a>b\n2: a-c\n3: b>d\n4: c>d"), Rules())
    assert [(row.place, row.team, row.value("direct_match")) for row in rows[:3]] == [
        (1, "a", None),
        (1, "b", None),
        (1, "c", None),
    ]
    # When c is out of the tie, a and b are asked: they did meet.
    rows = rank(("b", "a", "c", "d"), games("1: a>b\n2: a-c\n3: b>d"), Rules())
    assert [(row.place, row.team) for row in rows[:2]] == [(1, "a"), (2, "b")]


def test_mini_tournaments_won_outright_decide_a_tie() -> None:
    """Two points each, in the direct match too; a alone was first at a table."""
    results = games("1: a>b b-c a>c\n2: a-b b>c c>a\n3: b>a c>b c-a")
    rows = rank(("c", "b", "a"), results, Rules())

    assert places(rows) == [(1, "a", 30), (2, "c", 20), (2, "b", 20)]
    assert [row.value("points") for row in rows] == [2, 2, 2]
    assert rows[0].decided_by == Decision("mini_tournaments", Fraction(1), Fraction(0), ("c", "b", "a"))


def test_mini_tournament_counts_when_it_is_finished() -> None:
    open_game = CountedResult("1.3", "1", ("c", "a"))
    results = [*games("1: a>b b-c"), open_game]
    rules = Rules(metrics=("mini_tournaments",))
    assert {row.team: row.value("mini_tournaments") for row in rank("abc", results, rules)} == {
        "a": 0,
        "b": 0,
        "c": 0,
    }
    results[-1] = CountedResult("1.3", "1", ("c", "a"), None, GameClosing.VOID)
    assert {row.team: row.value("mini_tournaments") for row in rank("abc", results, rules)} == {
        "a": 1,
        "b": 0,
        "c": 0,
    }


@pytest.mark.parametrize(
    ("winner", "closed", "points"),
    [
        ("a", GameClosing.PLAYED, {"a": 1, "b": 0}),
        ("b", GameClosing.BELL, {"a": 0, "b": 1}),
        (None, GameClosing.BELL, {"a": 0, "b": 0}),
        (None, GameClosing.SHARED, {"a": 1, "b": 1}),
        ("a", GameClosing.FORFEIT, {"a": 1, "b": 0}),
        (None, GameClosing.FORFEIT, {"a": 0, "b": 0}),
        (None, GameClosing.VOID, {"a": 0, "b": 0}),
        (None, None, {"a": 0, "b": 0}),
    ],
)
def test_game_ending_gives_its_points(
    winner: str | None, closed: GameClosing | None, points: dict[str, int]
) -> None:
    rows = rank(("a", "b"), [CountedResult("g", "m", ("a", "b"), winner, closed)], Rules())
    assert {row.team: row.value("points") for row in rows} == points


def test_adjustments_count_as_points_and_not_in_the_direct_match() -> None:
    rows = rank(
        ("a", "b"),
        games("1: a>b a>b b>a"),
        Rules(),
        [Adjustment("b", 2, "organizer"), Adjustment("b", Fraction(-1, 2), "late")],
    )
    assert [(row.team, row.value("points")) for row in rows] == [("b", Fraction(5, 2)), ("a", 2)]
    tied = rank(("a", "b"), games("1: a>b a>b b>a"), Rules(), [Adjustment("b", 1, "organizer")])
    assert tied[0].team == "a"
    assert tied[0].decided_by == Decision("direct_match", Fraction(2), Fraction(1), ("a", "b"))


def test_wins_count_only_against_somebody_who_was_there() -> None:
    results = [
        *games("1: a>b b>a"),
        CountedResult("2.1", "2", ("a", "b"), "a", GameClosing.FORFEIT),
        CountedResult("2.2", "2", ("a", "b"), None, GameClosing.SHARED),
        CountedResult("2.3", "2", ("a", "b"), "b", GameClosing.BELL),
    ]
    rows = rank("ab", results, Rules(("points", "wins")), [Adjustment("a", 3, "organizer")])

    assert [row.team for row in rows] == ["a", "b"]
    assert [row.value("points") for row in rows] == [6, 3]
    assert [row.value("wins") for row in rows] == [1, 2]


def with_figures(
    game: str, points: tuple[int, ...], penalties: tuple[int, ...], sides: str = "ab"
) -> CountedResult[str]:
    return CountedResult(game, "m", tuple(sides), sides[0], GameClosing.PLAYED, points, penalties)


def test_card_points_and_penalties_are_of_the_games() -> None:
    results = [with_figures("1", (40, 0), (2, 5)), with_figures("2", (25, 0), (4, 0), "bc")]
    keys = ("card_points_difference", "card_points_for", "penalties")
    rows = rank("abc", results, Rules(keys))

    assert {row.team: [value for _, value in row.values] for row in rows} == {
        "a": [40, 40, 2],
        "b": [25 - 40, 25, 9],
        "c": [-25, 0, 0],
    }
    assert [row.team for row in rank("abc", results, Rules(("penalties",)))] == ["c", "a", "b"]
    assert rank("abc", results, Rules(("penalties",)))[0].decided_by == Decision(
        "penalties", Fraction(0), Fraction(2), tuple("abc")
    )


def test_card_points_that_nobody_counted_decide_nothing() -> None:
    """c played a game of which only the winner is known; a and b can still be compared."""
    results = [
        with_figures("1", (40, 0), (2, 5)),
        CountedResult("2", "m", ("c", "d"), "c", GameClosing.PLAYED),
        CountedResult("3", "m", ("a", "b"), "b", GameClosing.FORFEIT),
    ]
    rows = rank("bacd", results, Rules(("points", "card_points_for")))
    assert [(row.place, row.team, row.value("card_points_for")) for row in rows] == [
        (1, "b", 0),
        (1, "a", 40),
        (1, "c", None),
        (4, "d", None),
    ]
    without_c = rank("ba", [results[0], results[2]], Rules(("points", "card_points_for")))
    assert [row.team for row in without_c] == ["a", "b"]


@pytest.mark.parametrize("figures", [(1,), (1, 2, 3), (1, -2)])
def test_card_points_and_penalties_need_a_number_for_each_side(figures: tuple[int, ...]) -> None:
    for given in ({"card_points": figures}, {"penalties": figures}):
        with pytest.raises(
            CannotRank, match=r"^Game g needs a number from 0 for each of its sides a, b, not "
        ) as no:
            CountedResult("g", "m", ("a", "b"), "a", GameClosing.PLAYED, **given)
        assert no.value.code == "figures"


# --- ties


# a, b and c have one point each, d has none.
TIED = "1: a>b b>a\n2: c>d"


def test_tie_policy_of_the_same_gives_equal_points_to_all_in_a_place() -> None:
    rows = rank("abcd", games("1: a>b b>a a>d b>c\n2: c>d"), Rules(ties=TiePolicy.SAME))
    assert places(rows) == [(1, "a", 30), (1, "b", 30), (3, "c", 10), (4, "d", 0)]
    assert [row.tied_with for row in rows] == [("b",), ("a",), (), ()]
    # Both say what put their place above the next one.
    assert (
        rows[0].decided_by
        == rows[1].decided_by
        == Decision("points", Fraction(2), Fraction(1), tuple("abcd"))
    )


def test_tie_policy_of_the_mean_is_exact() -> None:
    rows = rank("abcd", games(TIED), Rules(metrics=("points",), scale=(30, 20, 11), ties=TiePolicy.AVERAGE))
    assert places(rows) == [
        (1, "a", Fraction(61, 3)),
        (1, "b", Fraction(61, 3)),
        (1, "c", Fraction(61, 3)),
        (4, "d", 0),
    ]


def test_lots_are_needed_until_they_are_recorded() -> None:
    rules = Rules(metrics=("points",), ties=TiePolicy.LOTS)
    rows = rank("abcd", games(TIED), rules)
    assert places(rows) == [(1, "a", None), (1, "b", None), (1, "c", None), (4, "d", 0)]
    assert [row.unresolved for row in rows] == [True, True, True, False]
    assert unresolved_ties(rows) == [("a", "b", "c")]
    assert rows[0].value("lots") is None

    drawn = rank("abcd", games(TIED), rules, lots=[("c", "a", "b")])
    assert places(drawn) == [(1, "c", 30), (2, "a", 20), (3, "b", 10), (4, "d", 0)]
    assert drawn[0].decided_by == Decision("lots", Fraction(1), Fraction(2), ("a", "b", "c"))
    assert unresolved_ties(drawn) == []


def test_lots_among_others_do_not_break_a_tie() -> None:
    rules = Rules(metrics=("points",), ties=TiePolicy.LOTS)
    assert unresolved_ties(rank("abcd", games(TIED), rules, lots=[("c", "a")])) == [("a", "b", "c")]


def test_latest_lots_that_name_all_who_are_tied_count() -> None:
    rules = Rules(metrics=("points",), ties=TiePolicy.LOTS)
    rows = rank("abcd", games(TIED), rules, lots=[("c", "a", "b"), ("b", "a", "c"), ("a", "c")])
    assert [row.team for row in rows] == ["b", "a", "c", "d"]


def test_tie_that_changes_nothing_needs_no_lots() -> None:
    """c and d share the last places, which are both worth nothing."""
    rules = Rules(metrics=("points",), scale=(30, 20), ties=TiePolicy.LOTS)
    rows = rank("abcd", games("1: a>b a>c b>d"), rules)
    assert places(rows) == [(1, "a", 30), (2, "b", 20), (3, "c", 0), (3, "d", 0)]
    assert unresolved_ties(rows) == []


def test_lots_that_the_rules_do_not_ask_for_are_ignored() -> None:
    rows = rank("abcd", games(TIED), Rules(metrics=("points",)), lots=[("c", "a", "b")])
    assert [row.place for row in rows] == [1, 1, 1, 4]


def test_play_off_is_awaited_until_its_order_is_recorded() -> None:
    rules = Rules(metrics=("points",), ties=TiePolicy.PLAY_OFF)
    rows = rank("abcd", games(TIED), rules, lots=[("a", "b", "c")])
    assert places(rows) == [(1, "a", None), (1, "b", None), (1, "c", None), (4, "d", 0)]
    assert unresolved_ties(rows) == [("a", "b", "c")]
    played = rank("abcd", games(TIED), rules, play_offs=[("a", "b", "c", "d"), ("c", "a", "b")])
    assert places(played) == [(1, "c", 30), (2, "a", 20), (3, "b", 10), (4, "d", 0)]
    assert played[0].decided_by == Decision("play_off", Fraction(1), Fraction(2), ("a", "b", "c"))
    # Where the places are worth the same nobody has to play.
    assert unresolved_ties(rank("abcd", games(TIED), Rules(("points",), (9, 9, 9), TiePolicy.PLAY_OFF))) == []


def test_play_off_comes_before_lots() -> None:
    rules = Rules(metrics=("points", "lots"), ties=TiePolicy.PLAY_OFF)
    rows = rank("abcd", games(TIED), rules, lots=[("a", "b", "c")], play_offs=[("c", "b", "a")])
    assert [key for key, _ in rows[0].values] == ["points", "play_off", "lots"]
    assert [row.team for row in rows] == ["c", "b", "a", "d"]


def test_ranking_before_the_first_result_ties_all() -> None:
    rows = rank(TEAMS, [], Rules(ties=TiePolicy.AVERAGE))
    assert places(rows) == [(1, team, 20) for team in TEAMS]
    assert rank((), [], Rules()) == []
    assert places(rank(("a",), [], Rules())) == [(1, "a", 30)]


def test_placement_scale_may_have_any_length() -> None:
    results = games("1: a>b b>c a>c")
    assert [row.placement_points for row in rank("abc", results, Rules(scale=()))] == [0, 0, 0]
    assert [row.placement_points for row in rank("abc", results, Rules(scale=(5, 5, 5, 5)))] == [5, 5, 5]


# --- refusals


@pytest.mark.parametrize(
    ("winner", "closed"),
    [
        ("c", GameClosing.PLAYED),
        (None, GameClosing.PLAYED),
        ("a", None),
        ("a", GameClosing.SHARED),
        ("a", GameClosing.VOID),
    ],
)
def test_game_result_that_contradicts_itself_is_refused(
    winner: str | None, closed: GameClosing | None
) -> None:
    with pytest.raises(
        CannotRank, match=r"^The result of game g contradicts itself: sides a, b, "
    ) as refused:
        CountedResult("g", "m", ("a", "b"), winner, closed)
    assert refused.value.code == "result"


@pytest.mark.parametrize("sides", [("a",), ("a", "a")])
def test_game_without_two_different_sides_is_refused(sides: tuple[str, ...]) -> None:
    with pytest.raises(CannotRank) as refused:
        CountedResult("g", "m", sides)
    assert refused.value.code == "result"


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ({"teams": "aab"}, "repeated_team", "Team a is there twice; once was expected."),
        (
            {"results": [*games("1: a>b"), *games("1: a>b")]},
            "repeated_game",
            "Game 1.1 has two results; one was expected.",
        ),
        ({"lots": [("a", "a")]}, "repeated_team", "Team a is there twice; once was expected."),
        ({"results": games("1: a>x")}, "unknown_team", "Team x is not in this tournament."),
        (
            {"adjustments": [Adjustment("x", 1, "organizer")]},
            "unknown_team",
            "Team x is not in this tournament.",
        ),
        ({"lots": [("a", "x")]}, "unknown_team", "Team x is not in this tournament."),
    ],
)
def test_ranking_of_contradicting_input_is_refused(
    arguments: dict[str, Any], code: str, sentence: str
) -> None:
    with pytest.raises(CannotRank) as refused:
        rank(**{"teams": "ab", "results": [], "rules": Rules(), **arguments})
    assert (refused.value.code, str(refused.value)) == (code, sentence)
    assert refused.value.template % refused.value.values == sentence


@pytest.mark.parametrize(
    ("rules", "code", "sentence"),
    [
        (
            {"metrics": ("luck",)},
            "unknown_metric",
            f"There is no metric 'luck'; there are {', '.join(METRICS)}.",
        ),
        (
            {"metrics": ("points", "points")},
            "repeated_metric",
            "Each metric is asked once, and these have one twice: points, points.",
        ),
        (
            {"metrics": ("lots", "points")},
            "lots_first",
            "Lots leave nothing to decide, so they are asked last.",
        ),
        (
            {"scale": (10, 20)},
            "scale",
            "Placement points go down from place to place, to zero at least: 10, 20 do not.",
        ),
        (
            {"scale": (30, -10)},
            "scale",
            "Placement points go down from place to place, to zero at least: 30, -10 do not.",
        ),
    ],
)
def test_ranking_rules_that_do_not_hold_are_refused(rules: dict[str, Any], code: str, sentence: str) -> None:
    with pytest.raises(CannotRank) as refused:
        Rules(**rules)
    assert (refused.value.code, str(refused.value)) == (code, sentence)


def test_tie_policies_have_a_name_and_an_explanation() -> None:
    assert list(TIE_POLICIES) == list(TiePolicy)
    assert all(text.name and text.explanation.endswith(".") for text in TIE_POLICIES.values())


def test_metrics_have_a_name_and_an_explanation() -> None:
    for key, metric in METRICS.items():
        assert metric.key == key
        assert all((metric.name, metric.abbreviation, metric.ahead))
        assert metric.explanation.endswith(".")


def test_metrics_and_tie_policies_are_offered_by_the_data_they_need() -> None:
    always = ["points", "wins", "direct_match", "direct_match_once", "lots"]
    of_matches = [
        *("points", "wins", "games_won", "games_difference", "direct_match", "direct_match_once"),
        *("sonneborn_berger", "sonneborn_berger_cut_1"),
    ]
    assert list(metrics_offered(())) == always
    assert list(metrics_offered({Data.MATCHES})) == [*of_matches, "lots"]
    assert list(metrics_offered({Data.MATCHES, Data.FIXED_OPPONENTS})) == [*of_matches, "koya", "lots"]
    high = set(Data) - {Data.HAND_POINTS}
    assert metrics_offered(high) == {key: each for key, each in METRICS.items() if key != "hand_points"}
    by_cards = METRICS.keys() - {"points", "opponents_points"}
    assert metrics_offered(Data).keys() == by_cards
    assert list(tie_policies_offered(())) == ["same", "average", "lots"]
    assert tie_policies_offered({Data.PLAY_OFFS}) == TIE_POLICIES
