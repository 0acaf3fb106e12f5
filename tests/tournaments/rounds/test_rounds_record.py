"""What is published of a stage draws every round of it again, whoever came late, left or came back."""

import json
import random
from typing import Any

import pytest

from people.actors import Actor
from people.models import Entry
from tests.support.factories import SEED
from tests.support.rounds_play import open_games, published
from tournaments.commands.entered_places import enter_placements
from tournaments.commands.next_stage import draw_stage_lots, preview_stage_after, start_next_stage
from tournaments.commands.results import enter_result
from tournaments.commands.squad_changes import add_squad, bring_back_squad, remove_squad
from tournaments.formats.draw_verification import repeat_all
from tournaments.formats.record import StageRecord, read_record
from tournaments.models import Squad, Tournament
from tournaments.projections.standings_inputs import inputs_now
from tournaments.tasks import compute_standings


def record_of(tournament: Tournament) -> StageRecord:
    """What is published of the last stage, through its text."""
    published = inputs_now(tournament).courses[-1].record().to_json()
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


@pytest.mark.sqlite
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
def test_stage_record_repeats_every_round_with_late_and_gone_squads(settings: dict[str, Any]) -> None:
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


@pytest.mark.django_db
def test_stage_record_repeats_deals_by_their_points() -> None:
    options = {"seats": 4, "target": 100}
    tournament = published(3, 3, format="table_elimination", options=options, ruleset="house")
    chance = random.Random(4)
    while games := open_games(tournament):
        for game in games:
            points = {seat: chance.randrange(60) for seat in range(len(game.sides))}
            best = min(points, key=lambda seat: points[seat])
            enter_result(game, Actor.command(), seat=best, points={**points, best: 0})
        compute_standings(str(tournament.pk))
    record = record_of(tournament)

    assert len(record.drawn) > 2
    assert [list(each.differences()) for each in repeat_all(record)] == [[]] * len(record.drawn)


@pytest.mark.django_db
def test_stage_record_has_places_by_hand() -> None:
    tournament = published(3, 1, format="by_hand")
    squads = list(tournament.stages.get().squads.order_by("team__number"))
    places = [(each.pk, place) for each, place in zip(squads, (2, 1, 2), strict=True)]
    enter_placements(tournament, Actor.command(), places)
    record = record_of(tournament)
    (outcome,) = record.progress.rounds[0].outcomes

    assert outcome is not None
    assert ([int(each) for each in outcome.points], outcome.winner) == ([2, 1, 2], 2)
    assert record.draw(2) is None


@pytest.mark.django_db
def test_stage_record_is_one_for_each_stage() -> None:
    later = [{"format": "single_elimination", "qualification": {"first_of_each_group": 2}}]
    tournament = published(4, 2, format="round_robin", options={"groups": 2}, later=later)
    chance = random.Random(2)
    while open_games(tournament):
        play_round(tournament, chance)
    if preview_stage_after(tournament).preview.ties:
        draw_stage_lots(tournament, Actor.command(), "x")
    start_next_stage(tournament, Actor.command(), "y")
    compute_standings(str(tournament.pk))
    while open_games(tournament):
        play_round(tournament, chance)
    courses = inputs_now(tournament).courses
    assert [(each.record().seed, each.record().choice.key) for each in courses] == [
        (SEED, "round_robin"),
        ("y", "single_elimination"),
    ]
    for course in courses:
        assert all(each.is_same for each in repeat_all(read_record(course.record().to_json())))
