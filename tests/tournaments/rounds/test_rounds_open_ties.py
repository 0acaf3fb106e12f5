"""Places over several groups while ties wait for lots or a play-off: what is said holds whoever wins them.

In memory on any results, and once as a tournament in which each tie is broken in its turn.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any
from uuid import UUID

import pytest
from django.utils import translation

from people.actors import Actor
from people.refusals import Refused
from tests.support.rounds_play import names, play_out, published, tournament_matches
from tests.tournaments.rounds import brute_force
from tests.tournaments.rounds.brute_force import Position
from tournaments.commands.close import close_tournament
from tournaments.commands.ties import decide_play_off, draw_lots, play_offs
from tournaments.models import Tournament
from tournaments.projections.rounds.qualifying import preview_next_stage
from tournaments.projections.rounds.ranking import squad_ids
from tournaments.queries.order_reasons import reasons_of
from tournaments.queries.standings import standings_table
from tournaments.standings import EDITION, Row
from tournaments.tasks import compute_standings
from tournaments.verification import verify

# Worked out in memory, or by rows alone: it hangs on no database.
pytestmark = pytest.mark.sqlite
ACTOR = Actor.command()

SETTINGS: list[dict[str, Any]] = [
    {"options": {"groups": 2}},
    {"options": {"groups": 2}, "metrics": ["points"], "scale": [50, 40, 30, 20, 10]},
    {"options": {"groups": 3}, "metrics": ["points", "wins"]},
    # One of each group goes on, and whom it was level with is left.
    {
        "options": {"groups": 2},
        "metrics": ["points"],
        "scale": [60, 50, 40, 30, 20, 10],
        "later": [{"format": "single_elimination", "qualification": {"first_of_each_group": 1}}],
    },
]


def finished(teams: int, given: dict[str, Any], chance: random.Random, edition: int = EDITION) -> Position:
    """A tournament in groups, played to its end by chance."""
    position = brute_force.start(teams, {"format": "round_robin", **given}, edition=edition)
    while following := brute_force.continuations(position, cards=False):
        position = chance.choice(following)
    return position


def false_claims(end: Position, policy: str) -> Iterator[str]:
    """What the rows say that isn't so after every decision, each as a line."""
    after = list(after_decisions(end, policy))
    places: dict[UUID, set[int]] = {}
    points: dict[UUID, set[Fraction | None]] = {}
    for rows in after:
        for row in rows:
            places.setdefault(row.team, set()).add(row.place)
            points.setdefault(row.team, set()).add(row.placement_points)
    for row in end.read().rank():
        said = said_places(row)
        # A play-off for the same placement points can be held, and needn't.
        is_so = said >= places[row.team] if policy == "play_off" else said == places[row.team]
        if not is_so or row.place != min(places[row.team]):
            yield f"place {row.place} of {sorted(said)}, and it can be {sorted(places[row.team])}"
        if row.placement_points is not None and points[row.team] != {row.placement_points}:
            yield f"{row.placement_points} points, and it can be {points[row.team]}"
        if row.placement_points is None and len(points[row.team]) == 1:
            yield f"no points, and they are {points[row.team]}"


def after_decisions(end: Position, policy: str) -> Iterator[list[Row[UUID]]]:
    """The rows after each order of each tie that must be decided, one tie after the other."""
    rows = end.read().rank()
    tied = next((row for row in rows if row.unresolved), None)
    if tied is None:
        yield rows
        return
    type_ = "lots_drawn" if policy == "lots" else "play_off_decided"
    for order in permutations((tied.team, *tied.tied_with)):
        yield from after_decisions(end.decided(type_, {"orders": [list(map(str, order))]}), policy)


def said_places(row: Row[UUID]) -> set[int]:
    """The places that a row leaves open."""
    if row.can_come_to:
        return set(row.can_come_to)
    return set(range(row.place, row.place + (len(row.tied_with) if row.unresolved else 0) + 1))


@pytest.mark.parametrize("policy", ["lots", "play_off"])
@pytest.mark.parametrize("given", SETTINGS, ids=str)
def test_places_over_groups_hold_whoever_wins_the_ties_in_them(given: dict[str, Any], policy: str) -> None:
    chance = random.Random(f"{given} {policy}")

    ends = [finished(chance.choice((6, 7)), {**given, "tie_policy": policy}, chance) for _ in range(6)]

    assert [claim for end in ends for claim in false_claims(end, policy)] == []
    # Ties in groups are among them.
    assert any(row.can_come_to for end in ends for row in end.read().rank())


def test_twin_places_over_groups_moved_by_lots_up_to_edition_6() -> None:
    chance = random.Random("edition 6")

    ends = [finished(5, {**SETTINGS[0], "tie_policy": "lots"}, chance, edition=6) for _ in range(6)]

    assert [claim for end in ends for claim in false_claims(end, "lots")] != []


LEVEL_AT_THE_CUT: dict[str, Any] = {
    "options": {"groups": 2},
    "metrics": ["points"],
    "scale": [70, 60, 50, 40, 30, 20, 10],
    "later": [{"format": "single_elimination", "qualification": {"first_of_each_group": 1}}],
}


@pytest.mark.parametrize("policy", ["same", "average", "lots", "play_off"])
@pytest.mark.parametrize("count", [1, 2])
def test_tie_at_the_cut_leaves_equal_places_to_those_left_out(policy: str, count: int) -> None:
    chance = random.Random(f"{policy} {count}")
    qualification = {"first_of_each_group": count, "seeding": "crossed"}
    later = [{"format": "single_elimination", "qualification": qualification}]
    given = {**LEVEL_AT_THE_CUT, "later": later, "tie_policy": policy}

    ends = [finished(7, given, chance) for _ in range(8)]

    broken = 0
    for end in ends:
        read_in = end.read()
        places = places_by_preview(end)
        left_out = sorted((row.place, places[row.team]) for row in read_in.rank() if row.team in places)
        # Who has the same place in the preview shares it, and who has a worse one stands behind.
        levels = {place: [at for at, seen in left_out if seen == place] for _, place in left_out}
        assert all(len(set(each)) == 1 for each in levels.values()), left_out
        assert [place for _, place in left_out] == sorted(place for _, place in left_out)
        broken += any(decision.type == "lots_drawn" for decision in end.decisions)

    assert broken


def places_by_preview(end: Position) -> dict[UUID, int]:
    """The places in their groups of those who don't go on, as the preview of the next stage told them."""
    read_in = end.read()
    course, following = read_in.courses[0], read_in.settings.stages()[1]
    ids = squad_ids(read_in.courses[:1])
    preview = preview_next_stage(course, following, ids, read_in.rules(), read_in.decided(), course.seed)
    return {
        ids[course.key(each.contestant)]: int(dict(each.reason.values)["place"]) for each in preview.stays
    }


def two_cycles(policy: str) -> Tournament:
    """Two groups of three, in each of which everybody has won once."""
    tournament = published(6, 1, format="round_robin", options={"groups": 2}, tie_policy=policy)
    said = names(tournament)
    won = {}
    for group in groups_of(tournament):
        in_order = sorted(said[squad] for squad in group)
        for match in tournament_matches(tournament).prefetch_related("sides__squad__team"):
            pair = [said[side.squad_id] for side in match.sides.all()]
            if set(pair) <= set(in_order):
                first, second = sorted(in_order.index(one) for one in pair)
                won[match.slot] = in_order[first if second - first == 1 else second]
    play_out(tournament, said=won)
    return tournament


def groups_of(tournament: Tournament) -> list[list[UUID]]:
    """The squads of each group."""
    version = tournament.standings_versions.latest("number")
    return [[UUID(row["squad"]) for row in group["rows"]] for group in version.groups]


def stood(tournament: Tournament) -> list[tuple[int, str]]:
    """Place and placement points of each row."""
    compute_standings(str(tournament.pk))
    version = tournament.standings_versions.latest("number")
    return [(row.place, row.placement_points) for row in version.rows.order_by("position")]


@pytest.mark.django_db
def test_tie_is_broken_each_in_its_turn() -> None:
    tournament = two_cycles("play_off")
    groups = [frozenset(group) for group in groups_of(tournament)]
    assert stood(tournament) == [(1, "")] * 6
    assert [(frozenset(tie.teams), tie.is_open) for tie in play_offs(tournament)] == [
        (group, True)
        for group in sorted(groups, key=lambda group: play_offs(tournament)[0].teams[0] not in group)
    ]

    decide_play_off(tournament, ACTOR, [tie.teams for tie in play_offs(tournament)])

    # The firsts of both groups are level, and the seconds, and the thirds, whose places are worth the same.
    assert stood(tournament) == [(1, ""), (1, ""), (3, ""), (3, ""), (5, "0"), (5, "0")]
    assert [(len(tie.teams), tie.is_open, tie.order is None) for tie in play_offs(tournament)] == [
        (3, False, False),
        (3, False, False),
        (2, True, True),
        (2, True, True),
        (2, False, True),
    ]
    with pytest.raises(Refused):
        close_tournament(tournament, ACTOR)
    decide_play_off(tournament, ACTOR, [tie.teams for tie in play_offs(tournament) if tie.is_open])
    assert stood(tournament) == [(1, "30"), (2, "20"), (3, "10"), (4, "0"), (5, "0"), (5, "0")]
    close_tournament(tournament, ACTOR)
    assert list(verify.verify(tournament.event)) == []


@pytest.mark.django_db
def test_lots_are_drawn_in_the_groups_first_and_name_the_tied() -> None:
    tournament = two_cycles("lots")
    table = standings_table(tournament)
    assert table is not None
    said = {row.contestant_id: f"{row.team.number}" for row in table.rows}

    with translation.override("en"):
        lines = reasons_of(table, {str(squad): name for squad, name in said.items()})

    for group in groups_of(tournament):
        for squad in group:
            others = [said[row.contestant_id] for row in table.rows if row.contestant_id in group]
            first, second = (name for name in others if name != said[squad])
            assert lines[squad] == f"Level with {first} and {second}: lots will be drawn"
    draw_lots(tournament, ACTOR)
    assert stood(tournament) == [(1, ""), (1, ""), (3, ""), (3, ""), (5, "0"), (5, "0")]
    draw_lots(tournament, ACTOR)
    assert stood(tournament) == [(1, "30"), (2, "20"), (3, "10"), (4, "0"), (5, "0"), (5, "0")]
    close_tournament(tournament, ACTOR)
    assert list(verify.verify(tournament.event)) == []
