"""Groups into a knockout: previewed, ties broken, started, drawn anew after a correction."""

import random
from typing import Any

import pytest

from people.actors import Actor
from people.refusals import Refused
from tests.support.groups_and_knockout import GROUPS, SEED, by_number, turn_groups_around
from tests.support.rounds_play import open_games, play, published
from tournaments.commands import set_up
from tournaments.commands.close import close_tournament
from tournaments.commands.next_stage import (
    changed_stage,
    decide_stage_tie,
    draw_stage_lots,
    preview_stage_after,
    redraw_stage,
    start_next_stage,
)
from tournaments.commands.results import enter_result
from tournaments.models import Tournament
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.outlook import outlook_table
from tournaments.settings.tournament import TournamentSettings
from tournaments.standings import EDITION
from tournaments.tasks import compute_outlooks, compute_standings
from tournaments.verification.verify import verify


@pytest.mark.django_db
def test_first_two_of_each_group_play_on_to_the_end() -> None:
    tournament = published(4, 2, **GROUPS)
    with pytest.raises(Refused) as refused:
        start_next_stage(tournament, Actor.command(), SEED)
    assert (refused.value.code, refused.value.params["why"]) == ("cannot-draw", "stage_open")
    by_number(tournament)
    previewed = preview_stage_after(tournament, SEED)
    assert (previewed.number, previewed.preview.can_be_applied) == (2, True)
    assert len(previewed.preview.goes_on) == 4
    assert previewed.drawn is not None
    start_next_stage(tournament, Actor.command(), SEED)
    compute_standings(str(tournament.pk))
    by_number(tournament)
    version = tournament.standings_versions.latest("number")
    assert (version.games_played, version.is_all_drawn) == (12 + 4, True)
    assert list(version.rows.order_by("position").values_list("place", flat=True)) == [1, 2, 3, 4, 5, 5, 7, 7]
    close_tournament(tournament, Actor.command())
    assert list(verify(tournament.event)) == []


def places_of_who_is_out(tournament: Tournament, came: set[tuple[Any, int]]) -> dict[Any, Any]:
    """By squad, the places of those who aren't among the teams and numbers that came into the next stage."""
    rows = tournament.standings_versions.latest("number").rows.select_related("squad")
    return {
        row.squad_id: (row.place, row.is_tied, row.placement_points)
        for row in rows
        if row.squad is not None and (row.team_id, row.squad.number) not in came
    }


def play_between_stages(squads: int, chance: random.Random, **settings: Any) -> tuple[Any, Any, Tournament]:
    """The places of who is out when the first stage is over, and once the second one is drawn."""
    tournament = published(squads, 1, **settings)
    play(tournament, chance)
    if preview_stage_after(tournament, SEED).preview.ties:
        draw_stage_lots(tournament, Actor.command(), SEED)
        compute_standings(str(tournament.pk))
    versions = tournament.standings_versions.count()
    start_next_stage(tournament, Actor.command(), SEED)
    came = set(tournament.stages.get(number=2).squads.values_list("team", "number"))
    assert tournament.standings_versions.count() == versions
    before = places_of_who_is_out(tournament, came)
    compute_standings(str(tournament.pk))
    assert tournament.standings_versions.count() > versions
    return before, places_of_who_is_out(tournament, came), tournament


UNEVEN: dict[str, Any] = {"options": {"groups": 2, "grouping": "snake"}}
AFTER_GROUPS: dict[str, dict[str, Any]] = {
    "knockout of each group": {
        "format": "single_elimination",
        "options": {"played_for": 2},
        "qualification": {"first_of_each_group": 2},
    },
    "round robin of each group": {"format": "round_robin", "qualification": {"first_of_each_group": 1}},
    "swiss of the best overall": {
        "format": "swiss",
        "options": {"rounds": 2},
        "qualification": {"first_overall": 4, "unequal": "as_they_are"},
    },
}


@pytest.mark.django_db
@pytest.mark.sqlite
@pytest.mark.parametrize("case", AFTER_GROUPS)
@pytest.mark.parametrize("fate", range(2))
def test_place_after_the_groups_is_kept_once_the_next_stage_is_drawn(case: str, fate: int) -> None:
    settings = {**GROUPS, **UNEVEN, "later": [AFTER_GROUPS[case]], "scale": [70, 60, 50, 40, 30, 20, 10]}

    before, after, tournament = play_between_stages(7, random.Random(fate), **settings)

    assert len(before) >= 3
    assert before == after
    assert list(verify(tournament.event)) == []


@pytest.mark.django_db
@pytest.mark.sqlite
@pytest.mark.parametrize(("edition", "places"), [(EDITION, [5, 5, 7]), (5, [5, 6, 7])])
def test_thirds_of_groups_share_a_place_before_the_knockout_is_drawn(
    edition: int, places: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to edition 5 points of groups of different sizes told them apart until then."""
    monkeypatch.setattr("tournaments.commands.set_up.EDITION", edition)
    later = [AFTER_GROUPS["knockout of each group"]]
    tournament = published(7, 1, **{**GROUPS, **UNEVEN, "later": later})
    by_number(tournament)

    compute_outlooks()

    rows = tournament.standings_versions.latest("number").rows.order_by("position")
    assert [row.place for row in rows] == [1, 2, 3, 4, *places]
    table = outlook_table(tournament)
    assert table is not None
    assert [outlook.places for _, outlook in table.contestants][4:] == [(5,), (5,), (7,)]
    start_next_stage(tournament, Actor.command(), SEED)
    compute_standings(str(tournament.pk))
    rows = tournament.standings_versions.latest("number").rows.order_by("position")
    assert [row.place for row in rows] == [1, 1, 1, 1, 5, 5, 7]
    assert list(verify(tournament.event)) == []


@pytest.mark.django_db
def test_stage_tie_is_broken_before_the_next_stage() -> None:
    tournament = published(3, 1, **{**GROUPS, "options": {"groups": 1}, "metrics": ["points"]})
    games = open_games(tournament)
    while games:
        for game in games:
            # Each wins with the first seat: in a group of three everybody wins once.
            enter_result(game, Actor.command(), seat=0)
        compute_standings(str(tournament.pk))
        games = open_games(tournament)
    previewed = preview_stage_after(tournament, SEED)
    if not previewed.preview.ties:
        pytest.fail("each of three won once, so they are level")
    with pytest.raises(Refused) as refused:
        start_next_stage(tournament, Actor.command(), SEED)
    assert refused.value.params["why"] == "unresolved_tie"
    draw_stage_lots(tournament, Actor.command(), SEED)
    assert preview_stage_after(tournament, SEED).preview.can_be_applied
    with pytest.raises(Refused) as refused:
        decide_stage_tie(tournament, Actor.command(), [])
    assert refused.value.code == "wrong-order"
    start_next_stage(tournament, Actor.command(), SEED)
    assert tournament.stages.count() == 2


@pytest.mark.django_db
def test_correction_in_the_groups_changes_who_plays_on() -> None:
    tournament = published(4, 2, **GROUPS)
    by_number(tournament)
    start_next_stage(tournament, Actor.command(), SEED)
    compute_standings(str(tournament.pk))
    assert changed_stage(inputs_now(tournament)) is None
    before = set(tournament.stages.get(number=2).squads.values_list("team", "number"))
    turn_groups_around(tournament)
    changed = changed_stage(inputs_now(tournament))
    assert changed is not None
    redraw_stage(tournament, Actor.command(), "wrong-winner")
    assert changed_stage(inputs_now(tournament)) is None
    assert set(tournament.stages.get(number=2).squads.values_list("team", "number")) != before
    by_number(tournament)
    assert list(verify(tournament.event)) == []


@pytest.mark.django_db
def test_stage_that_has_begun_is_not_redrawn() -> None:
    tournament = published(4, 2, **GROUPS)
    by_number(tournament)
    start_next_stage(tournament, Actor.command(), SEED)
    compute_standings(str(tournament.pk))
    play(tournament, random.Random(1), most=1)
    turn_groups_around(tournament)
    assert changed_stage(inputs_now(tournament)) is not None
    with pytest.raises(Refused) as refused:
        redraw_stage(tournament, Actor.command(), "wrong-winner")
    assert refused.value.code == "stage-begun"


@pytest.mark.django_db
@pytest.mark.parametrize("first", ["single_elimination", "double_elimination", "by_hand"])
def test_stage_after_one_whose_order_nothing_would_decide_is_refused(first: str) -> None:
    later = [{"format": "round_robin", "qualification": {"first_overall": 3}}]

    with pytest.raises(Refused) as refused:
        published(4, 1, format=first, later=later)

    (problem,) = refused.value.params["problems"]
    assert (problem["field"], problem["code"]) == ("later", "not-offered")
    assert published(4, 1, format=first, later=[{**later[0], "format": "single_elimination"}])


@pytest.mark.django_db
def test_stage_after_one_without_an_order_is_played_if_it_was_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_up, "_chosen", TournamentSettings.from_json)
    later = [{"format": "round_robin", "qualification": {"first_overall": 3}}]
    tournament = published(4, 1, format="single_elimination", later=later)
    by_number(tournament)
    start_next_stage(tournament, Actor.command(), SEED)
    by_number(tournament)

    close_tournament(tournament, Actor.command())

    assert sorted(row.place for row in tournament.standings_versions.latest("number").rows.all()) == [
        1,
        1,
        1,
        4,
    ]
    assert list(verify(tournament.event)) == []
