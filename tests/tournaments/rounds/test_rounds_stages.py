"""Groups into a knockout: previewed, ties broken, started, drawn anew after a correction."""

import random
from typing import Any

import pytest

from people.actors import Actor
from tests.tournaments.rounds.support import open_games, play, published
from tournaments.commands.close import close_tournament
from tournaments.commands.results import correct, enter_result
from tournaments.commands.stages import (
    changed_stage,
    decide_stage_tie,
    draw_stage_lots,
    preview_stage_after,
    redraw_stage,
    start_next_stage,
)
from tournaments.models import MatchGame, Tournament
from tournaments.refusals import Refused
from tournaments.tasks import compute_standings
from tournaments.verification.verify import verify

GROUPS: dict[str, Any] = {
    "format": "round_robin",
    "options": {"groups": 2},
    "later": [{"format": "single_elimination", "qualification": {"first_of_each_group": 2}}],
}
SEED = "1111-2222-3333"


def by_number(tournament: Tournament) -> None:
    """Everybody with the lower number in the draw wins, so that nobody is level."""
    while games := open_games(tournament):
        for game in games:
            sides = {side.number: side.squad_id for side in game.match.sides.all()}
            ranks = ranked(tournament)
            best = min(game.sides, key=lambda side: ranks[sides[side]])
            enter_result(game, Actor.command(), seat=list(game.sides).index(best))
        compute_standings(str(tournament.pk))


def ranked(tournament: Tournament) -> dict[Any, int]:
    """A fixed order of all squads, through all stages: by team and number."""
    found = {}
    for stage in tournament.stages.all():
        for squad in stage.squads.select_related("team"):
            found[squad.pk] = squad.number * 100 + squad.team.number
    return found


@pytest.mark.django_db
def test_the_first_two_of_each_group_play_on_to_the_end() -> None:
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


@pytest.mark.django_db
def test_a_tie_is_broken_before_the_next_stage() -> None:
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
def test_a_correction_in_the_groups_changes_who_plays_on() -> None:
    tournament = published(4, 2, **GROUPS)
    by_number(tournament)
    start_next_stage(tournament, Actor.command(), SEED)
    compute_standings(str(tournament.pk))
    assert changed_stage(tournament) is None
    before = set(tournament.stages.get(number=2).squads.values_list("team", "number"))
    turn_around(tournament)
    changed = changed_stage(tournament)
    assert changed is not None
    redraw_stage(tournament, Actor.command(), "wrong-winner")
    assert changed_stage(tournament) is None
    assert set(tournament.stages.get(number=2).squads.values_list("team", "number")) != before
    by_number(tournament)
    assert list(verify(tournament.event)) == []


@pytest.mark.django_db
def test_a_stage_that_has_begun_stays() -> None:
    tournament = published(4, 2, **GROUPS)
    by_number(tournament)
    start_next_stage(tournament, Actor.command(), SEED)
    compute_standings(str(tournament.pk))
    play(tournament, random.Random(1), most=1)
    turn_around(tournament)
    assert changed_stage(tournament) is not None
    with pytest.raises(Refused) as refused:
        redraw_stage(tournament, Actor.command(), "wrong-winner")
    assert refused.value.code == "stage-begun"


def turn_around(tournament: Tournament) -> None:
    """Correct every game of the first stage: the other one has won."""
    games = MatchGame.objects.filter(match__stage__tournament=tournament, match__stage__number=1)
    for game in games.select_related("game"):
        other = 0 if game.game.winner_seat else 1
        right = {"type": "game_closed", "reason": "result", "winner": other}
        correct(game, Actor.command(), game.game.version, [right], "wrong-winner")
    compute_standings(str(tournament.pk))
