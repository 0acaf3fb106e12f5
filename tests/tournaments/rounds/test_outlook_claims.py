"""Outlooks of every format and metric, held to brute force: nothing that is claimed is false."""

import random
from typing import Any
from uuid import UUID

import pytest

from games.outcome import Outcome
from tests.tournaments.rounds import brute_force
from tests.tournaments.rounds.outlook_claims import CASES, Claims, cases, hold
from tournaments.formats.catalogue import FORMATS
from tournaments.projections.outlooks import foresee
from tournaments.projections.rounds import outlook, played_out, ranking
from tournaments.projections.rounds.ranking import squad_ids, stage_rows
from tournaments.settings.tournament import every_metric
from tournaments.standings.outlook import OutlookMethod

# Worked out in memory: it hangs on no database.
pytestmark = pytest.mark.sqlite


GROUPS_BEFORE_KNOCKOUT: dict[str, Any] = {
    "format": "round_robin",
    "options": {"groups": 3},
    "later": [{"format": "single_elimination", "qualification": {"first_of_each_group": 1}}],
}


def test_outlook_ranks_groups_with_the_same_results_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A group of four has 64 ways to end and one of three has 8, however many samples are drawn."""
    ranked = []

    def count_rows(*given: Any, **more: Any) -> Any:
        ranked.append(given)
        return stage_rows(*given, **more)

    monkeypatch.setattr(ranking, "stage_rows", count_rows)

    found = foresee(brute_force.start(11, GROUPS_BEFORE_KNOCKOUT).read(), "seed")

    assert found is not None
    assert found.samples == 165
    assert len(ranked) <= 64 + 64 + 8 + 3 * len({each.team for each in found.teams})


@pytest.mark.parametrize("seed", ["first", pytest.param("second", marks=pytest.mark.long)])
def test_outlook_with_remembered_groups_makes_the_same_claims(
    seed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = brute_force.start(8, GROUPS_BEFORE_KNOCKOUT)
    for _ in range(4):
        position = random.Random(seed).choice(brute_force.continuations(position, cards=False))
    monkeypatch.setattr(outlook, "MOST_SAMPLES", 20)

    once = foresee(position.read(), seed)
    monkeypatch.setattr(played_out.Rest, "_has_fixed_groups", lambda *_: False)
    each_time = foresee(position.read(), seed)

    assert once == each_time


@pytest.mark.long
@pytest.mark.parametrize("kind", CASES)
def test_outlook_makes_no_false_claim(kind: str) -> None:
    claims = Claims()

    hold(claims, kind, 3, random.Random(kind))

    assert claims.examples == []


@pytest.mark.parametrize("kind", CASES)
def test_outlook_makes_no_false_claim_of_two_metrics(kind: str) -> None:
    claims = Claims()

    hold(claims, kind, 2, random.Random(kind), only=random.Random(kind).sample(list(cases(kind)), 2))

    assert claims.examples == []


@pytest.mark.parametrize("kind", ["tables", "tables_by_standing"])
def test_outlook_in_bounds_makes_no_false_claim_at_tables(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were too many ways to go through, which there are in no position with so few ends."""
    monkeypatch.setattr(outlook, "MOST_WAYS", 0)
    monkeypatch.setattr(outlook, "MOST_WAYS_AT_TABLES", 0)
    monkeypatch.setattr(outlook, "MOST_SAMPLES", 20)
    claims = Claims()

    of_tables = [case for case in cases(kind) if case[1] in ("points", "table_places", "opponents_points")]
    hold(claims, kind, 2, random.Random(kind), only=random.Random(kind).sample(of_tables, 4))

    assert claims.examples == []
    assert claims.exact.total() < claims.made.total()


def test_outlook_goes_through_the_last_table_of_five_in_every_order() -> None:
    given = {"format": "tables", "options": {"seats": 5, "rounds": 1}, "metrics": ["points"]}
    position = brute_force.start(10, given)
    position = random.Random(5).choice(brute_force.continuations(position, cards=False))

    found = foresee(position.read(), "seed")

    assert found is not None
    assert found.method is OutlookMethod.EXACT
    claimed = {each.team: set(each.places) for each in found.teams}
    assert claimed == brute_force.possible_places(position, cards=False)


def test_outlook_cases_have_every_format_with_games_and_every_metric() -> None:
    tried = {(case[2]["format"], case[1]) for kind in CASES for case in cases(kind)}

    foreseen = {key for key, choice in FORMATS.items() if choice.is_played} - {"table_elimination"}
    assert {format_ for format_, _ in tried} == foreseen
    # By the cards left in hand nothing is foreseen.
    assert {key for _, key in tried} == every_metric().keys() - {"hand_points"}


def test_outlook_tells_card_points_that_break_a_tie_when_all_is_played() -> None:
    """Each of three squads won once, and their cards tell them apart."""
    given = {"format": "round_robin", "ruleset": "classic", "metrics": ["points", "card_points_for"]}
    tied = (end.read() for end in brute_force.ends(brute_force.start(3, given), cards=True))
    read_in = next(
        each
        for each in tied
        if {row.value("points") for row in each.rank()} == {1} and len({row.place for row in each.rank()}) > 1
    )

    found = foresee(read_in, "seed")

    assert found is not None
    assert found.method is OutlookMethod.EXACT
    assert {each.team: each.places for each in found.teams} == {
        row.team: (row.place,) for row in read_in.rank()
    }


@pytest.mark.parametrize("metric", ["card_points_for", "card_points_difference", "penalties"])
def test_outlook_of_a_round_robin_is_undecided_while_cards_are_to_come(metric: str) -> None:
    given = {"format": "round_robin", "ruleset": "classic", "metrics": [metric]}

    found = foresee(brute_force.start(3, given).read(), "seed")

    assert found is not None
    assert found.method is OutlookMethod.BOUNDS
    assert [(each.places, each.undecided) for each in found.teams] == [((), (1, 2, 3))] * 3


def test_outlook_foresees_a_match_that_can_end_level() -> None:
    """Of two games each may win one: then both have half a point."""
    given = {
        "format": "round_robin",
        "match": {"length": "best_of", "games": 2},
        "metrics": ["points"],
        "bell": "one_more_card",
    }

    found = foresee(brute_force.start(2, given).read(), "seed")

    assert found is not None
    assert [each.places for each in found.teams] == [(1, 2), (1, 2)]
    position = brute_force.start(2, given)
    position = brute_force.continuations(position, cards=False)[0]
    after_one = foresee(position.read(), "seed")
    assert after_one is not None
    assert sorted(each.places for each in after_one.teams) == [(1,), (1, 2)]


@pytest.mark.parametrize(
    ("format_", "bell", "places"),
    [
        # One match is open: who wins it is second, or both share that place.
        ("swiss", "no_point", [(1,), (2,), (2, 3, 4), (2, 3, 4)]),
        ("swiss", "point_each", [(1,), (2,), (2, 3, 4), (2, 3, 4)]),
        ("swiss", "one_more_card", [(1,), (2,), (2, 4), (2, 4)]),
        # One game is open, of the second against the third.
        ("triangle", "no_point", [(1,), (1, 2), (1, 3)]),
        ("triangle", "point_each", [(1,), (1, 2), (1, 2, 3)]),
        ("triangle", "one_more_card", [(1,), (1, 2), (1, 3)]),
    ],
)
def test_outlook_foresees_a_game_that_may_end_level_at_the_bell(
    format_: str, bell: str, places: list[tuple[int, ...]]
) -> None:
    teams = 4 if format_ == "swiss" else 3
    position = brute_force.start(teams, {"format": format_, "metrics": ["points"], "bell": bell})
    while brute_force.count_ends(position, cards=False, most=4) > 3:
        position = brute_force.continuations(position, cards=False)[0]

    found = foresee(position.read(), "seed")

    assert found is not None
    assert found.method is OutlookMethod.EXACT
    assert sorted(each.places for each in found.teams) == places


@pytest.mark.parametrize("metrics", [["points"], ["points", "wins"]])
@pytest.mark.parametrize("groups", [1, 2])
def test_outlook_foresees_a_squad_annulled_for_leaving_early_as_last(metrics: list[str], groups: int) -> None:
    """Of all ends after a squad left with less than half of its matches completed."""
    teams = 4 if groups == 1 else 6
    given = {"format": "round_robin", "options": {"groups": groups}, "metrics": metrics}
    position = brute_force.start(teams, given)
    course = position.read().courses[0]
    gone = course.matches[0].pairing.sides[0]
    key = course.key(gone)
    left = {"team": key[0], "squad": key[1], "reason": "withdrawn", "place": "rule"}
    position = position.decided("squad_gone", left)
    for match in course.matches:
        if gone in match.pairing.sides:
            (other,) = (side for side in match.pairing.sides if side != gone)
            won = Outcome(True, "forfeit", match.pairing.sides.index(other), UUID(course.key(other)[0]))
            position = position.played(match.games[0].id, won)
    position = brute_force.advance(position, random.Random(1), cards=False, leave=27)

    found = foresee(position.read(), "seed")

    assert found is not None
    assert found.method is OutlookMethod.EXACT
    true = brute_force.possible_places(position, cards=False)
    assert {each.team: set(each.places) for each in found.teams} == true
    assert true[squad_ids(position.read().courses)[key]] == {teams}
