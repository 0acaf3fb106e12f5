"""Groups into a knockout: who comes through by every rule, crossed, ranked or by lot."""

from typing import Any

import pytest

from people.actors import Actor
from people.refusals import Refused
from tests.support.desk_client import Desk
from tests.support.factories import SEED
from tests.support.rounds_play import names, play_out, published, told, views
from tests.support.soundness import assert_sound
from tournaments.commands.close import close_tournament
from tournaments.commands.next_stage import draw_stage_lots, preview_stage_after, start_next_stage
from tournaments.models import Tournament
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
def test_groups_lead_into_a_knockout_by_every_rule(
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
    assert_sound(tournament)


def test_unequal_groups_are_refused_before_it_is_said_how_they_compare() -> None:
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


def test_knockout_is_the_same_from_the_same_seed_and_results() -> None:
    told_of = []
    for _ in range(2):
        later = [{"format": "double_elimination", "qualification": {"everybody": True, "seeding": "lots"}}]
        tournament = published(6, 1, format="swiss", metrics=["points", "lots"], later=later)
        play_out(tournament, "Yole")
        through(tournament)
        play_out(tournament, "Yole")
        told_of.append(told(tournament))
    assert told_of[0] == told_of[1]


class Seconds:
    """Two groups of squads, of whose seconds the better one goes on."""

    def __init__(self, squads: int = 6, **settings: Any) -> None:
        qualification = {"first_of_each_group": 1, "best_of_place": [2, 1]}
        self.desk = Desk(
            squads,
            1,
            format="round_robin",
            options={"groups": 2, "grouping": "snake"},
            later=[{"format": "single_elimination", "qualification": qualification}],
            **settings,
        )
        stage = self.desk.get("stages/1/")
        self.squads = {each["number"]: each["squad"]["id"] for each in stage["contestants"]}
        self.groups = [sorted(one for level in group["places"] for one in level) for group in stage["groups"]]
        self.sides = {
            pairing["match"]: pairing["sides"] for each in stage["rounds"] for pairing in each["pairings"]
        }

    def play(
        self,
        forfeited: frozenset[int] = frozenset(),
        shared: frozenset[int] = frozenset(),
        turned: frozenset[int] = frozenset(),
    ) -> None:
        """The lower number wins each match, the higher one where it is `turned`; of the others one is won
        without a game, and one is ended by the bell.
        """
        for match in self.desk.get("matches/")["results"]:
            one, other = self.sides[match["id"]]
            (game,) = match["games"]
            how = "forfeit" if {one, other} == forfeited else "result"
            winner = 0 if (one < other) is not ({one, other} == turned) else 1
            said = (
                {"reason": "time"} if {one, other} == shared else {"winner_seat": game["sides"].index(winner)}
            )
            self.desk.post(f"/api/v1/games/{game['id']}/{how}/", **said)
        self.desk.compute()

    def adjust(self, number: int, points: int) -> None:
        """Points by decision."""
        self.desk.post("adjustments/", squad=self.squads[number], points=points, reason="misconduct")
        self.desk.compute()

    def third_overall(self) -> int:
        """Who has the third place of all, alone."""
        numbers = {squad: number for number, squad in self.squads.items()}
        found: int
        (found,) = (
            numbers[row["squad"]["id"]] for row in self.desk.get("standings/")["rows"] if row["place"] == 3
        )
        return found

    def best_second(self) -> int:
        """The second that goes on, without a tie."""
        preview = self.desk.get("next-stage/preview/")
        assert preview["ties"] == []
        found: int
        (found,) = (each["contestant"] for each in preview["goes_on"] if each["code"] == "best_of_place")
        return found


@pytest.mark.parametrize("group", [0, 1])
def test_points_by_decision_count_in_comparing_groups(group: int) -> None:
    seconds = Seconds(metrics=["points", "direct_match"])
    seconds.play()
    second = seconds.groups[group][1]

    seconds.adjust(second, 1)

    # The winner of the group has as many points then, and beat them.
    assert seconds.best_second() == second == seconds.third_overall()


def test_groups_are_compared_first_by_the_weightiest_metric() -> None:
    seconds = Seconds(metrics=["points", "wins", "direct_match"])
    second_of_a, third_of_a = seconds.groups[0][1:]

    seconds.play(forfeited=frozenset({second_of_a, third_of_a}))

    # Both seconds have a point; that of group A won it without a game, which is no win.
    assert seconds.best_second() == seconds.groups[1][1] == seconds.third_overall()


def test_points_taken_by_decision_keep_a_second_from_going_on() -> None:
    seconds = Seconds(8, metrics=["points", "direct_match"], bell="point_each")
    second_of_a = seconds.groups[0][1]
    _, second, third, fourth = seconds.groups[1]

    seconds.play(shared=frozenset({second, third}), turned=frozenset({third, fourth}))
    seconds.adjust(second_of_a, -1)

    # 2 points less 1 are fewer than 1½.
    assert seconds.best_second() == second == seconds.third_overall()
