"""The palio over all disciplines: points, weights, jokers, its own tie rule."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.utils import translation
from django.utils.translation import gettext
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run.long import examples
from tournaments.standings import (
    OVERALL_METRICS,
    CannotRank,
    Discipline,
    Joker,
    OverallRow,
    OverallRules,
    Placing,
    check_jokers,
    rank_overall,
)
from tournaments.standings.model import Decision

NOON = datetime(2026, 9, 19, 12, tzinfo=UTC)
SCALE = (30, 20, 10, 0)


def discipline(
    key: str, order: str, weight: int | Fraction = 1, *, began: datetime | None = None
) -> Discipline[str]:
    """From an order such as `abc`, or `a bc d` where b and c share the second place."""
    placings: list[Placing[str]] = []
    groups = order.split() if " " in order else list(order)
    for group in groups:
        place = len(placings) + 1
        placings += [Placing(team, place, Fraction(SCALE[place - 1])) for team in group]
    return Discipline(key, tuple(placings), Fraction(weight), began)


def places(rows: Sequence[OverallRow[str]]) -> list[tuple[int, str, Fraction | int | None]]:
    return [(row.place, row.team, dict(row.values)["total"]) for row in rows]


def test_overall_ranking_of_three_disciplines() -> None:
    """The race weighs double, and b plays its joker on the tug of war.

    So a has 30 + 10 + 2 × 20, b 20 + 2 × 30 + 2 × 10, c 10 + 20 + 2 × 30.
    """
    disciplines = [
        discipline("cards", "abc"),
        discipline("tug", "bca"),
        discipline("race", "cab", 2),
    ]
    rows = rank_overall("abc", disciplines, OverallRules(), [Joker("b", "tug", NOON)])

    assert rows[0] == OverallRow(
        team="b",
        place=1,
        tied_with=(),
        shares=(("cards", Fraction(20)), ("tug", Fraction(60)), ("race", Fraction(20))),
        values=(
            ("total", Fraction(100)),
            ("places:1", Fraction(1)),
            ("places:2", Fraction(1)),
            ("places:3", Fraction(1)),
        ),
        decided_by=Decision("total", Fraction(100), Fraction(90), ("a", "b", "c")),
    )
    assert places(rows) == [(1, "b", 100), (2, "c", 90), (3, "a", 80)]
    # Without the joker b would have 70.
    assert places(rank_overall("abc", disciplines, OverallRules())) == [
        (1, "c", 90),
        (2, "a", 80),
        (3, "b", 70),
    ]


def test_overall_ranking_of_a_level_total_counts_first_places_then_second() -> None:
    """a 30 + 0 + 10 and b 20 + 20 + 0 have 40 each, and a was first once."""
    disciplines = [discipline("one", "abcd"), discipline("two", "cbda"), discipline("three", "cdab")]
    rows = rank_overall("dcba", disciplines, OverallRules())
    assert places(rows) == [(1, "c", 70), (2, "a", 40), (3, "b", 40), (4, "d", 30)]
    assert rows[1].decided_by == Decision("places:1", Fraction(1), Fraction(0), ("b", "a"))


def test_overall_ranking_can_be_decided_by_the_place_in_a_discipline() -> None:
    disciplines = [discipline("cards", "ab"), discipline("race", "ba")]
    rules = OverallRules(("total", "places:1", "place_in:race"))
    rows = rank_overall("ab", disciplines, rules)
    assert [row.team for row in rows] == ["b", "a"]
    assert rows[0].decided_by == Decision("place_in:race", Fraction(1), Fraction(2), ("a", "b"))
    # Who took no part comes last; before the race nothing can be told.
    without = [discipline("cards", "ab"), discipline("race", "a")]
    assert dict(rank_overall("ab", without, OverallRules(("place_in:race",)))[1].values)["place_in:race"] == 2
    awaited = [discipline("cards", "ab"), discipline("race", "")]
    assert [row.place for row in rank_overall("ab", awaited, OverallRules(("place_in:race",)))] == [1, 1]


def test_overall_ranking_shares_the_place_of_level_teams_or_draws_lots() -> None:
    disciplines = [discipline("one", "abc"), discipline("two", "bac")]
    rows = rank_overall("abc", disciplines, OverallRules())
    assert [(row.place, row.team, row.tied_with) for row in rows] == [
        (1, "a", ("b",)),
        (1, "b", ("a",)),
        (3, "c", ()),
    ]
    rules = OverallRules(("total", "lots"))
    drawn = rank_overall("abc", disciplines, rules, lots=[("a", "b"), ("b", "a")])
    assert [(row.place, row.team) for row in drawn] == [(1, "b"), (2, "a"), (3, "c")]


def test_overall_ranking_counts_a_shared_first_place_as_a_first_place() -> None:
    rows = rank_overall("abc", [discipline("one", "ab c")], OverallRules(("places:1",)))
    assert [dict(row.values)["places:1"] for row in rows] == [1, 1, 0]


# --- refusals


def test_joker_is_announced_before_the_discipline_starts() -> None:
    race = discipline("race", "ab", began=NOON)
    check_jokers([Joker("a", "race", NOON - timedelta(seconds=1))], [race])
    with pytest.raises(
        CannotRank, match=r"^Team a announced its joker for race when that had begun; "
    ) as late:
        rank_overall("ab", [race], OverallRules(), [Joker("a", "race", NOON)])
    assert late.value.code == "late_joker"


def test_team_has_as_many_jokers_as_the_rules_say() -> None:
    disciplines = [discipline("one", "ab"), discipline("two", "ab")]
    two = [Joker("a", "one", NOON), Joker("a", "two", NOON)]
    with pytest.raises(CannotRank) as many:
        rank_overall("ab", disciplines, OverallRules(), two)
    assert many.value.code == "many_jokers"
    assert dict(rank_overall("ab", disciplines, OverallRules(jokers_each=2), two)[0].values)["total"] == 120
    with pytest.raises(CannotRank, match="each on a discipline of its own"):
        check_jokers([two[0], two[0]], disciplines, 2)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"teams": "aab"}, "repeated_team"),
        ({"disciplines": [discipline("one", "abx")]}, "unknown_team"),
        ({"disciplines": [discipline("one", "ab"), discipline("one", "ab")]}, "repeated_discipline"),
        ({"jokers": [Joker("a", "none", NOON)]}, "unknown_discipline"),
        ({"rules": OverallRules(("place_in:none",))}, "unknown_discipline"),
        ({"jokers": [Joker("x", "one", NOON)]}, "unknown_team"),
        ({"lots": ["ax"]}, "unknown_team"),
        ({"lots": ["aa"]}, "repeated_team"),
    ],
)
def test_overall_ranking_of_contradicting_input_is_refused(arguments: dict[str, Any], code: str) -> None:
    fitting: dict[str, Any] = {
        "teams": "ab",
        "disciplines": [discipline("one", "ab")],
        "rules": OverallRules(),
    }
    with pytest.raises(CannotRank) as refused:
        rank_overall(**fitting | arguments)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("metrics", "code"),
    [
        (("luck",), "unknown_metric"),
        (("total:1",), "unknown_metric"),
        (("places",), "unknown_metric"),
        (("places:0",), "unknown_metric"),
        (("places:²",), "unknown_metric"),
        (("place_in:",), "unknown_metric"),
        (("total", "total"), "repeated_metric"),
        (("lots", "total"), "lots_first"),
    ],
)
def test_overall_rules_that_do_not_hold_are_refused(metrics: tuple[str, ...], code: str) -> None:
    with pytest.raises(CannotRank) as refused:
        OverallRules(metrics)
    assert refused.value.code == code
    if code == "unknown_metric":
        assert str(refused.value) == (
            f"There is no metric {metrics[0]!r}; "
            "there are total, places:<place>, place_in:<discipline>, lots."
        )


@pytest.mark.parametrize(
    ("key", "weight", "place"), [("", 1, 1), ("a:b", 1, 1), ("race", 0, 1), ("race", -1, 1), ("race", 1, 0)]
)
def test_discipline_with_a_wrong_key_place_or_weight_is_refused(key: str, weight: int, place: int) -> None:
    with pytest.raises(CannotRank, match="needs a key without a colon, a weight above 0") as refused:
        Discipline(key, (Placing("a", place, Fraction(3)),), Fraction(weight))
    assert refused.value.code == "discipline"


@pytest.mark.parametrize(("language", "begins"), [("it", "Avanti "), ("en", "Ahead ")])
@pytest.mark.parametrize("key", OVERALL_METRICS)
def test_overall_metrics_say_why_in_both_languages(key: str, language: str, begins: str) -> None:
    metric = OVERALL_METRICS[key]
    with translation.override(language):
        line = gettext(metric.ahead) % {"value": "3", "next": "2", "asked": "1"}
        assert gettext(metric.explanation).endswith(".")
    assert line.startswith(begins)


# --- what holds for any palio


Palio = tuple[list[Discipline[int]], list[Joker[int]], tuple[str, ...]]
TEAMS = tuple(range(5))


@st.composite
def palios(draw: st.DrawFn) -> Palio:
    """Disciplines with places and points, jokers, metrics."""
    disciplines = []
    jokers = []
    for number in range(draw(st.integers(1, 4))):
        taking_part = draw(st.permutations(TEAMS))[: draw(st.integers(0, len(TEAMS)))]
        placings: list[Placing[int]] = []
        for index, team in enumerate(taking_part):
            shares = bool(placings) and draw(st.booleans())
            place = placings[-1].place if shares else index + 1
            placings.append(Placing(team, place, Fraction(30 - 5 * place)))
        disciplines.append(Discipline(f"d{number}", tuple(placings), Fraction(draw(st.integers(1, 3)), 2)))
    for team in TEAMS:
        if draw(st.booleans()):
            jokers.append(Joker(team, draw(st.sampled_from(disciplines)).key, NOON))
    keys = ["total", "places:1", "places:2", "place_in:d0"]
    return disciplines, jokers, tuple(draw(st.permutations(keys))[: draw(st.integers(1, 4))])


@examples(50)
@given(palios(), st.randoms(use_true_random=False))
def test_overall_ranking_does_not_depend_on_order_and_names(palio: Palio, random: Random) -> None:
    disciplines, jokers, keys = palio
    rules = OverallRules(keys)
    plain = rank_overall(TEAMS, disciplines, rules, jokers)
    other = rank_overall(
        random.sample(TEAMS, len(TEAMS)), disciplines[::-1], rules, random.sample(jokers, len(jokers))
    )
    assert {row.team: (row.place, row.values) for row in other} == {
        row.team: (row.place, row.values) for row in plain
    }
    names = dict(zip(TEAMS, random.sample("abcde", 5), strict=True))
    renamed = rank_overall(
        [names[team] for team in TEAMS],
        [
            Discipline(
                each.key, tuple(Placing(names[p.team], p.place, p.points) for p in each.placings), each.weight
            )
            for each in disciplines
        ],
        rules,
        [Joker(names[joker.team], joker.discipline, joker.announced) for joker in jokers],
    )
    assert [(row.team, row.place, row.values) for row in renamed] == [
        (names[row.team], row.place, row.values) for row in plain
    ]


@examples(50)
@given(palios())
def test_overall_ranking_explains_or_shares_every_place(palio: Palio) -> None:
    disciplines, jokers, keys = palio
    rows = rank_overall(TEAMS, disciplines, OverallRules(keys), jokers)
    for row in rows:
        assert row.place == 1 + sum(other.place < row.place for other in rows)
        assert set(row.tied_with) == {each.team for each in rows if each.place == row.place} - {row.team}
        assert (row.decided_by is None) == all(other.place <= row.place for other in rows)
        if row.decided_by:
            assert (
                dict(row.values)[row.decided_by.metric] == row.decided_by.value != row.decided_by.next_value
            )
        if "total" in keys:
            assert dict(row.values)["total"] == sum(share for _, share in row.shares if share is not None)


@examples(50)
@given(palios())
def test_overall_ranking_keeps_what_is_decided_under_a_later_metric(palio: Palio) -> None:
    disciplines, jokers, keys = palio
    before = rank_overall(TEAMS, disciplines, OverallRules(keys[:-1]), jokers)
    after = {row.team: row.place for row in rank_overall(TEAMS, disciplines, OverallRules(keys), jokers)}
    for row in before:
        assert row.place <= after[row.team] <= row.place + len(row.tied_with)
