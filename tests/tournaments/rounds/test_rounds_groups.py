"""Groups into a knockout: who comes through by every rule, crossed, ranked or by lot."""

from typing import Any

import pytest

from people.actors import Actor
from tests.tournaments.rounds.support import SEED, names, play_out, published, told, views
from tournaments.actions.close import close_tournament
from tournaments.actions.stages import draw_stage_lots, preview_stage_after, start_next_stage
from tournaments.check import picture, rebuild, verify
from tournaments.models import Tournament
from tournaments.refusals import Refused
from tournaments.tasks import compute_standings

# What formats promise hangs on no database: the other files of this folder run on both.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ACTOR = Actor.command()


def through(tournament: Tournament) -> set[tuple[int, int]]:
    """Start the next stage, by lots where that is needed; who is in it."""
    while preview_stage_after(tournament, SEED).preview.ties:
        draw_stage_lots(tournament, ACTOR, SEED)
    start_next_stage(tournament, ACTOR, SEED)
    compute_standings(str(tournament.pk))
    known = names(tournament)
    return {known[squad.pk] for squad in tournament.stages.get(number=2).squads.all()}


def table(tournament: Tournament) -> dict[tuple[int, int], tuple[str, int]]:
    """Each squad's group and place in it, as the latest standings of the groups say."""
    return {name: (group, place) for group, _, rows in told(tournament)["groups"] for name, place, _ in rows}


SEEDINGS = ("crossed", "ranked", "lots")
ASKED: list[tuple[int, int, dict[str, Any], int]] = [
    (8, 2, {"first_of_each_group": 2}, 4),
    (7, 2, {"first_of_each_group": 2, "unequal": "without_last"}, 4),
    (9, 3, {"first_of_each_group": 2, "best_of_place": [3, 2]}, 8),
    (10, 3, {"first_of_each_group": 1, "best_of_place": [2, 1], "unequal": "as_they_are"}, 4),
]
# Each rule with one way of seeding and each way with a rule; every rule with every way with `--long`.
WAYS = [
    pytest.param(
        *asked, seeding, marks=[] if at % 3 == which else pytest.mark.long, id=f"{asked[2]} {seeding}"
    )
    for at, asked in enumerate(ASKED)
    for which, seeding in enumerate(SEEDINGS)
]


@pytest.mark.parametrize(("squads", "groups", "asked", "count", "seeding"), WAYS)
def test_groups_into_a_knockout(
    squads: int, groups: int, asked: dict[str, Any], count: int, seeding: str
) -> None:
    tournament = published(
        squads,
        1,
        format="round_robin",
        options={"groups": groups},
        metrics=["points", "lots"],
        later=[
            {
                "format": "single_elimination",
                "options": {"played_for": 2},
                "qualification": {**asked, "seeding": seeding},
            }
        ],
    )
    play_out(tournament, "Wanda")
    stood = table(tournament)
    with_place = {place: {name for name, (_, at) in stood.items() if at == place} for place in (1, 2, 3, 4)}
    in_it = through(tournament)
    assert len(in_it) == count
    knockout = [match for match in views(tournament) if match.slot.startswith("W")]
    if seeding == "crossed" and asked == {"first_of_each_group": 2}:
        # A1 meets B2 and B1 meets A2, so nobody meets anybody of the own group.
        for match in knockout:
            one, other = (stood[side.team.number, side.squad] for side in match.sides)
            assert one[0] != other[0]
    if all(len({group for group, at in stood.values() if at == place}) == groups for place in (1, 2)):
        # Without shared places the first of each group are there, whatever the seeding.
        firsts = with_place[1]
        assert len(firsts) > groups or firsts <= in_it
    play_out(tournament, "Wanda")
    knockout = [match for match in views(tournament) if match.slot.startswith("W")]
    assert len(knockout) == count - 1
    rows = told(tournament)["rows"]
    assert {name for name, *_ in rows[:count]} == in_it
    close_tournament(tournament, ACTOR)
    assert [str(wrong) for wrong in verify(tournament.event)] == []
    before = picture(tournament)
    rebuild(tournament.event)
    assert picture(tournament) == before


def test_unequal_groups_are_not_compared_before_it_is_said_how() -> None:
    later = [
        {
            "format": "single_elimination",
            "qualification": {"first_of_each_group": 1, "best_of_place": [2, 1]},
        }
    ]
    tournament = published(10, 1, format="round_robin", options={"groups": 3}, later=later)
    play_out(tournament, "Xenia")
    with pytest.raises(Refused) as refused:
        start_next_stage(tournament, ACTOR, SEED)
    assert refused.value.code == "cannot-draw"
    assert tournament.stages.count() == 1


def test_the_same_seed_and_results_give_the_same_knockout() -> None:
    told_of = []
    for _ in range(2):
        later = [{"format": "double_elimination", "qualification": {"everybody": True, "seeding": "lots"}}]
        tournament = published(6, 1, format="swiss", metrics=["points", "lots"], later=later)
        play_out(tournament, "Yole")
        through(tournament)
        play_out(tournament, "Yole")
        told_of.append(told(tournament))
    assert told_of[0] == told_of[1]
