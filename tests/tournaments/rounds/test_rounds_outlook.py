"""Places that are still open where rounds follow from results."""

import random

import pytest

from tests.support.rounds_play import ACTOR, open_games, play, published
from tournaments.commands.results import enter_result
from tournaments.models import Tournament
from tournaments.projections.rounds.outlook import play_out
from tournaments.projections.standings_inputs import inputs_now
from tournaments.settings.bell import level_end
from tournaments.standings.outlook import ComputedOutlook, OutlookMethod
from tournaments.tasks import compute_standings

# Worked out from facts that are read: it hangs on no database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def outlook(tournament: Tournament, seed: str = "s") -> ComputedOutlook[object]:
    """What is still open now, by team and number of the squad."""
    inputs = inputs_now(tournament)
    return play_out(  # type: ignore[return-value]  # ids are objects
        inputs.courses,
        inputs.settings.stages(),
        inputs.settings.rules(),
        inputs.decided(),
        open_games=0,
        level=level_end(inputs.settings.bell),
        seed=seed,
    )


def places(found: ComputedOutlook[object]) -> list[tuple[int, ...]]:
    """The possible places, squad by squad."""
    return [each.places for each in found.teams]


def test_outlook_of_a_knockout_of_four_opens_every_place_to_everybody() -> None:
    tournament = published(4, 1, format="single_elimination")
    found = outlook(tournament)
    assert found.method is OutlookMethod.EXACT
    assert places(found) == [(1, 2, 3, 4)] * 4


def test_outlook_after_the_semi_finals_leaves_two_places_to_each_pair() -> None:
    tournament = published(4, 1, format="single_elimination")
    play(tournament, random.Random(3), most=2)
    found = outlook(tournament)
    assert sorted(places(found)) == [(1, 2), (1, 2), (3, 4), (3, 4)]
    play(tournament, random.Random(3))
    assert sorted(places(outlook(tournament))) == [(1,), (2,), (3,), (4,)]


def test_outlook_gives_the_loser_of_a_quarter_final_its_round_s_place() -> None:
    """Six squads, best of three: there are more ways in games than are gone through, and none in matches."""
    match = {"length": "best_of", "games": 3}
    tournament = published(3, 2, format="single_elimination", match=match)
    quarter_final = open_games(tournament)[0].match_id
    for _ in range(2):
        (game,) = (each for each in open_games(tournament) if each.match_id == quarter_final)
        # Who sits first takes turns.
        enter_result(game, ACTOR, seat=game.number - 1)
        compute_standings(str(tournament.pk))

    found = outlook(tournament)

    assert found.method is OutlookMethod.EXACT
    assert sorted(places(found)) == [(1, 2, 3, 4)] * 3 + [(1, 2, 3, 4, 5)] * 2 + [(5,)]


@pytest.mark.parametrize("policy", ["lots", "play_off"])
def test_outlook_samples_leave_out_what_a_bracket_rules_out(policy: str) -> None:
    """The loser of one of eight first matches shares the places from the ninth on until lots decide."""
    scale = list(range(16, 0, -1))
    tournament = published(4, 4, format="single_elimination", tie_policy=policy, scale=scale)
    play(tournament, random.Random(1), most=1)

    found = outlook(tournament)

    assert found.method is OutlookMethod.SAMPLED
    perhaps = sorted({*each.places, *each.undecided} for each in found.teams)
    assert {*range(9, 17)} in perhaps
    assert {*range(1, 9)} in perhaps


def test_outlook_of_a_large_swiss_is_sampled_and_says_so() -> None:
    tournament = published(4, 4, format="swiss")
    found = outlook(tournament)

    assert (found.method, found.samples) == (OutlookMethod.SAMPLED, 78)
    assert outlook(tournament) == found != outlook(tournament, "other")
    assert all(sum(count for _, count in each.seen) == 78 for each in found.teams)
    assert {place for each in found.teams for place in (*each.places, *each.undecided)} == set(range(1, 17))


def test_outlook_of_groups_and_a_knockout_is_exact() -> None:
    groups = {
        "format": "round_robin",
        "options": {"groups": 2},
        "later": [{"format": "single_elimination", "qualification": {"first_of_each_group": 1}}],
        "bell": "one_more_card",
    }
    tournament = published(4, 1, **groups)
    found = outlook(tournament)

    assert found.method is OutlookMethod.EXACT
    assert {place for each in found.teams for place in each.places} == {1, 2, 3}


@pytest.mark.parametrize("settings", [{"format": "swiss"}, {"format": "double_elimination"}], ids=str)
def test_outlook_includes_the_end(settings: dict[str, str]) -> None:
    tournament = published(3, 2, **settings)
    foreseen = []
    while True:
        foreseen.append({each.team: {*each.places, *each.undecided} for each in outlook(tournament).teams})
        if not play(tournament, random.Random(5), most=2):
            break
    rows = tournament.standings_versions.latest("number").rows.all()
    for before in foreseen:
        assert all(row.place in before[row.contestant_id] for row in rows)
