"""What is published of a stage draws every round of it again, whoever came late, left or came back."""

import json
import random
from typing import Any

import pytest

from people.actors import Actor
from people.models import Entry
from tests.tournaments.rounds.support import open_games, published
from tournaments import standing
from tournaments.actions.squads import add_squad, bring_back_squad, remove_squad
from tournaments.formats.record import StageRecord, read_record
from tournaments.formats.repetition import repeat_all
from tournaments.models import Squad, Tournament
from tournaments.results import enter_result
from tournaments.tasks import compute_standings


def record_of(tournament: Tournament) -> StageRecord:
    """What is published of the last stage, through its text."""
    published = standing.inputs_now(tournament).courses[-1].record().to_json()
    return read_record(json.loads(json.dumps({"repeat": published, "number": 1})))


def play_round(tournament: Tournament, chance: random.Random) -> None:
    """Enter all that is open now, computing after it."""
    for game in open_games(tournament):
        enter_result(game, Actor.command(), seat=chance.randrange(len(game.sides)))
    compute_standings(str(tournament.pk))


def squad(tournament: Tournament, number: int) -> Squad:
    """A contestant's squad of the first stage."""
    return Squad.objects.filter(stage__tournament=tournament).order_by("number", "team__number")[number - 1]


def comes_late(tournament: Tournament) -> None:
    """An entry of the first team that waited as a reserve plays from now on."""
    reserve = Entry.objects.filter(team__event=tournament.event).order_by("team__number", "number")[1]
    add_squad(tournament, Actor.command(), [reserve])


@pytest.mark.django_db
@pytest.mark.parametrize(
    "settings",
    [
        {"format": "swiss", "options": {"rounds": 4, "rematches": True}},
        {"format": "single_elimination"},
        {"format": "double_elimination"},
        {"format": "round_robin"},
        {"format": "round_robin", "options": {"groups": 2, "legs": 2}},
    ],
    ids=lambda each: each["format"],
)
def test_every_round_is_drawn_again(settings: dict[str, Any]) -> None:
    tournament = published(5, 2, squads_per_team=1, **settings)
    chance = random.Random(7)
    enter_result(open_games(tournament)[0], Actor.command(), seat=0)
    comes_late(tournament)
    compute_standings(str(tournament.pk))
    play_round(tournament, chance)
    remove_squad(tournament, Actor.command(), squad(tournament, 3), "withdrawn")
    compute_standings(str(tournament.pk))
    play_round(tournament, chance)
    bring_back_squad(tournament, Actor.command(), squad(tournament, 3))
    compute_standings(str(tournament.pk))
    while open_games(tournament):
        play_round(tournament, chance)
    record = record_of(tournament)
    assert {each.since for each in record.progress.contestants} == {1, 2}
    assert {len(gone) for gone in record.gone_before} >= {0, 1} or settings["format"] == "round_robin"
    assert [list(each.differences()) for each in repeat_all(record)] == [[]] * len(record.drawn)
    assert record.draw(len(record.drawn) + 1) is None
