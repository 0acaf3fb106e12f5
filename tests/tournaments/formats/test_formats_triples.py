"""Triple designs, each counted again."""

import re
from collections import Counter
from itertools import combinations

import pytest

from tournaments.formats.triple_designs import balance_of, designs, triple_plan

ALL = [(teams, name) for teams, by_name in designs().items() for name in by_name]


@pytest.mark.parametrize(("teams", "name"), ALL, ids=[name for _, name in ALL])
def test_triple_design_holds_what_its_name_says(teams: int, name: str) -> None:
    rounds = designs()[teams][name]
    for each in rounds:
        seated = [team for triple in each for team in triple]
        assert len(set(seated)) == len(seated)
        assert set(seated) <= set(range(teams))
    matches = Counter(team for each in rounds for triple in each for team in triple)
    meetings = Counter(pair for each in rounds for triple in each for pair in combinations(triple, 2))
    assert set(meetings) <= set(combinations(range(teams), 2))
    met = [meetings[pair] for pair in combinations(range(teams), 2)]
    said = re.fullmatch(r"N(\d+)_(?:lam(\d+)|r(\d+)_(\d+)-(\d+))_T(\d+)", name)
    assert said is not None
    number, lam, played, fewest, most, length = (value and int(value) for value in said.groups())
    assert (number, length) == (teams, len(rounds))
    if lam:
        assert set(met) == {lam}
        assert {matches[team] for team in range(teams)} == {lam * (teams - 1) // 2}
    else:
        assert {matches[team] for team in range(teams)} == {played}
        assert (min(met), max(met)) == (fewest, most)


def test_triple_designs_exist_for_every_number_of_teams() -> None:
    assert sorted(designs()) == list(range(3, 17))


@pytest.mark.parametrize("teams", range(3, 17))
def test_triple_plan_of_any_length_is_as_even_as_it_can_be_made(teams: int) -> None:
    for rounds in range(1, 31):
        plan = triple_plan(teams, rounds)
        assert len(plan.rounds) == rounds
        assert plan.balance == balance_of(teams, plan.rounds)
        assert plan.balance.most_matches - plan.balance.fewest_matches <= 1


def test_triple_plan_takes_a_whole_design_as_it_is() -> None:
    assert triple_plan(9, 4).rounds == designs()[9]["N9_lam1_T4"]
    assert triple_plan(9, 8).rounds == designs()[9]["N9_lam1_T4"] * 2


def test_triple_plan_prefers_equal_matches_to_many() -> None:
    """Ten teams in four rounds: 10 matches, three for each team, not 12 with three or four."""
    balance = triple_plan(10, 4).balance
    assert (balance.total, balance.fewest_matches, balance.most_matches) == (10, 3, 3)
