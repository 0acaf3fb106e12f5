"""Places that are still open where rounds follow from results."""

import random

import pytest

from tests.tournaments.rounds.support import play, published
from tournaments.models import Tournament
from tournaments.projections.rounds.what_if import what_if
from tournaments.projections.standings_inputs import inputs_now
from tournaments.settings.bell import level_end
from tournaments.standings.what_if import WhatIfMethod, WhatIfOutlook

# Worked out from facts that are read: it hangs on no database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def outlook(tournament: Tournament, seed: str = "s") -> WhatIfOutlook[object]:
    """What is still open now, by team and number of the squad."""
    inputs = inputs_now(tournament)
    return what_if(  # type: ignore[return-value]  # ids are objects
        inputs.courses,
        inputs.settings.stages(),
        inputs.settings.rules(),
        inputs.decided(),
        open_games=0,
        level=level_end(inputs.settings.bell),
        seed=seed,
    )


def places(found: WhatIfOutlook[object]) -> list[tuple[int, ...]]:
    """The possible places, squad by squad."""
    return [each.places for each in found.teams]


def test_in_a_knockout_of_four_everybody_can_come_to_every_place_at_first() -> None:
    tournament = published(4, 1, format="single_elimination")
    found = outlook(tournament)
    assert found.method is WhatIfMethod.EXACT
    assert places(found) == [(1, 2, 3, 4)] * 4


def test_after_the_semi_finals_the_finalists_play_for_the_first_two() -> None:
    tournament = published(4, 1, format="single_elimination")
    play(tournament, random.Random(3), most=2)
    found = outlook(tournament)
    assert sorted(places(found)) == [(1, 2), (1, 2), (3, 4), (3, 4)]
    play(tournament, random.Random(3))
    assert sorted(places(outlook(tournament))) == [(1,), (2,), (3,), (4,)]


def test_a_swiss_of_many_is_sampled_and_says_so() -> None:
    tournament = published(4, 4, format="swiss")
    found = outlook(tournament)
    assert (found.method, found.samples) == (WhatIfMethod.SAMPLED, 78)
    assert outlook(tournament) == found != outlook(tournament, "other")
    assert all(sum(count for _, count in each.seen) == 78 for each in found.teams)
    assert {place for each in found.teams for place in (*each.places, *each.undecided)} == set(range(1, 17))


def test_what_really_comes_was_possible() -> None:
    groups = {
        "format": "round_robin",
        "options": {"groups": 2},
        "later": [{"format": "single_elimination", "qualification": {"first_of_each_group": 1}}],
        "bell": "one_more_card",
    }
    tournament = published(4, 1, **groups)
    found = outlook(tournament)
    assert found.method is WhatIfMethod.EXACT
    assert {place for each in found.teams for place in each.places} == {1, 2, 3}


@pytest.mark.parametrize("settings", [{"format": "swiss"}, {"format": "double_elimination"}], ids=str)
def test_the_end_lies_within_what_was_foreseen(settings: dict[str, str]) -> None:
    tournament = published(3, 2, **settings)
    foreseen = []
    while True:
        foreseen.append({each.team: {*each.places, *each.undecided} for each in outlook(tournament).teams})
        if not play(tournament, random.Random(5), most=2):
            break
    rows = tournament.standings_versions.latest("number").rows.all()
    for before in foreseen:
        assert all(row.place in before[row.contestant_id] for row in rows)
