"""Rounds at tables: drawn, played with places or cards, ranked, foreseen, built again."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from uuid import UUID

import pytest

from games.models import Game
from games.outcome import Outcome
from people.entries import mark_absent
from people.refusals import Refused
from tests.support.factories import SEED, make_entry, make_event, make_field
from tests.support.rounds_play import (
    ACTOR,
    close_with_places,
    open_games,
    play_tables,
    published,
    squad_named,
    views,
)
from tests.support.soundness import assert_sound
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.commands.results import enter_result
from tournaments.commands.set_up import create_tournament
from tournaments.commands.squad_changes import add_squad, remove_squad
from tournaments.commands.substitute import reserves_for, substitute
from tournaments.models import DrawnRound, Stage, Tournament
from tournaments.projections import outlooks
from tournaments.projections.standings_inputs import inputs_now
from tournaments.settings.tournament import TournamentSettings
from tournaments.standings import RemovedPlace
from tournaments.tasks import compute_standings
from tournaments.verification import verify

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
MEAN = Fraction(7, 4)


def values(tournament: Tournament, metric: str) -> list[Fraction]:
    """The values of a metric, in the order of the newest standings."""
    rows = tournament.standings_versions.latest("number").rows.order_by("position")
    return [Fraction(dict(row.metrics)[metric]) for row in rows]


def points_at(tournament: Tournament, slot: str) -> dict[int, Fraction]:
    """What the sides of a table got of it, by contestant; nothing while it isn't decided."""
    (course,) = inputs_now(tournament).courses
    return {
        side: points
        for each in course.progress.rounds
        for pairing, outcome in each.played()
        if pairing.slot == slot
        for side, points in zip(pairing.sides, outcome.points, strict=True)
    }


@pytest.mark.parametrize("key", ["tables", "tables_by_standing"])
@pytest.mark.parametrize("entries", [4, 3])
def test_tournament_at_tables_is_played_ranked_and_built_again(key: str, entries: int) -> None:
    tournament = published(3, entries, format=key, options={"rounds": 3})
    squads = 3 * entries

    play_tables(tournament, random.Random(squads))

    points = values(tournament, "points")
    assert points == sorted(points, reverse=True)
    assert sum(points) == 3 * squads * MEAN
    assert sum(values(tournament, "table_places")) == 3 * squads * Fraction(5, 2)
    assert_sound(tournament)


def test_tables_by_standing_give_who_sits_out_the_mean_and_in_turn() -> None:
    tournament = published(5, 1, format="tables_by_standing", options={"rounds": 5})

    play_tables(tournament, random.Random(5))

    (course,) = inputs_now(tournament).courses
    out = Counter(one for each in course.progress.rounds for one in each.plan.byes)
    assert sorted(out.values()) == [1] * 5
    assert sum(values(tournament, "points")) == 5 * 5 * MEAN


def test_table_games_not_played_to_their_end_give_the_mean_or_a_forfeit() -> None:
    tournament = published(2, 8, format="tables")
    broken_off, forfeited, nobodys, without_places = open_games(tournament)[:4]

    enter_result(broken_off, ACTOR, reason="abandoned")
    enter_result(forfeited, ACTOR, seat=2, reason="forfeit")
    enter_result(nobodys, ACTOR, reason="forfeit")

    assert list(points_at(tournament, broken_off.match.slot).values()) == [MEAN] * 4
    assert list(points_at(tournament, forfeited.match.slot).values()) == [0, 0, 4, 0]
    assert list(points_at(tournament, nobodys.match.slot).values()) == [0] * 4
    assert points_at(tournament, without_places.match.slot) == {}


def fair_points(places: Sequence[int]) -> list[Fraction]:
    """The mean over every order of those who share a place, and every place that a missing one would take."""
    given: list[list[int]] = [[] for _ in places]
    for order in permutations(range(len(places))):
        if [places[one] for one in order] != sorted(places):
            continue
        for taken in combinations((4, 2, 1, 0), len(places)):
            for one, points in zip(order, taken, strict=True):
                given[one].append(points)
    return [Fraction(sum(each), len(each)) for each in given]


def independent_sum(tournament: Tournament) -> dict[UUID | None, Fraction]:
    """Everybody's points, worked out from the games and byes as they are stored."""
    found: defaultdict[UUID | None, Fraction] = defaultdict(Fraction)
    for match in views(tournament):
        row = Outcome.of_row(Game.objects.get(match_game__match=match.id))
        sides = [side.squad_id for side in match.sides]
        points = [Fraction(0)] * len(sides)
        noted = Stage.objects.get(matches=match.id).absent
        came = [at for at, one in enumerate(sides) if match.round not in noted.get(str(one), [])]
        if row.places is not None:
            for at, each in zip(came, fair_points([row.places[at] for at in came]), strict=True):
                points[at] = each
        elif row.seat is not None:
            points[row.seat] = max(fair_points(range(1, len(sides) + 1)))
        for squad, each in zip(sides, points, strict=True):
            found[squad] += each
    for drawn in DrawnRound.objects.filter(stage__tournament=tournament):
        for bye in drawn.byes:
            found[UUID(bye)] += MEAN
    return found


@pytest.mark.parametrize("key", ["tables", "tables_by_standing"])
@pytest.mark.parametrize("absent", range(5))
def test_points_with_absent_ones_are_those_of_an_independent_sum(key: str, absent: int) -> None:
    """Of eleven so many aren't there at the draw. One doesn't turn up before play, one leaves after a round,
    and one is replaced. At a table of each round as many aren't there as at the draw.
    """
    event = make_event()
    make_field(event, 11, 2)
    for team in event.teams.filter(number__lte=absent):
        mark_absent(team.entries.get(number=1), ACTOR)
        mark_absent(team.entries.get(number=2), ACTOR)
    tournament = create_tournament(
        event, ACTOR, "Torneo", {"format": key, "options": {"rounds": 3}, "squads_per_team": 1}
    )
    make_draw(tournament, ACTOR, SEED)
    publish_draw(tournament, ACTOR)
    remove_squad(tournament, ACTOR, squad_named(tournament, (11, 1)), "no-show")
    for number in (1, 2, 3):
        if number == 2:
            remove_squad(tournament, ACTOR, squad_named(tournament, (10, 1)), "withdrawn")
            squad = squad_named(tournament, (9, 1))
            out = squad.members.get().entry
            (into,) = reserves_for(squad)
            substitute(tournament, ACTOR, squad, out, into, "no-show")
        compute_standings(str(tournament.pk))
        games = [game for game in open_games(tournament) if game.match.round == number]
        for game, more in zip(games, [absent, *[0] * len(games)], strict=False):
            sides = [side.squad_id for side in game.match.sides.order_by("number")]
            left = Stage.objects.get(matches=game.match).left
            here = [at for at, squad in enumerate(sides) if str(squad) not in left]
            came = here[: max(0, len(sides) - more)]
            if len(came) < 2:
                enter_result(game, ACTOR, seat=next(iter(came), None), reason="forfeit")
            else:
                places = {at: 1 + len(came) for at in range(len(sides))}
                places |= {at: place for place, at in enumerate(came, start=1)}
                enter_result(game, ACTOR, places=places, absent={*range(len(sides))} - {*came})
    compute_standings(str(tournament.pk))

    expected = independent_sum(tournament)
    rows = tournament.standings_versions.latest("number").rows.all()
    assert {row.squad_id: Fraction(dict(row.metrics)["points"]) for row in rows} == {
        row.squad_id: expected[row.squad_id] for row in rows
    }
    assert len(rows) == 11 - absent
    assert list(verify.verify(tournament.event)) == []


@pytest.mark.parametrize("key", ["tables", "tables_by_standing"])
@pytest.mark.parametrize("before", [0, 1])
def test_leaving_early_gains_nothing_where_low_is_good(key: str, before: int) -> None:
    tournament = published(
        9, 1, format=key, ruleset="house", options={"rounds": 3, "by_places": False, "seats": 3}
    )
    squad = squad_named(tournament, (5, 1))
    for number in (1, 2, 3):
        if number == before + 1:
            remove_squad(tournament, ACTOR, squad, "no-show")
            compute_standings(str(tournament.pk))
        for game in open_games(tournament):
            if game.match.round == number:
                points = {seat: 20 + 5 * seat for seat in range(game.game.seats.count())}
                enter_result(game, ACTOR, seat=0, points=points)
        compute_standings(str(tournament.pk))

    seats = {
        match.round: [side.squad_id for side in match.sides].index(squad.pk)
        for match in views(tournament)
        if squad.pk in [side.squad_id for side in match.sides]
    }
    # Nobody has more than thirty points in a round.
    held = [seats.get(number, 2) for number in (1, 2, 3)]
    row = tournament.standings_versions.latest("number").rows.get(squad_id=squad.pk)
    found = dict(row.metrics)

    assert found["hand_points"] == str(sum(20 + 5 * seat for seat in held))
    assert found["table_places"] == str(sum(1 + seat for seat in held))


def test_annulled_squad_counts_against_nobody_and_the_others_move_up() -> None:
    tournament = published(8, 1, format="tables", options={"rounds": 2})
    game, *_others = open_games(tournament)
    close_with_places(game, (2, 1, 3, 4))
    match = next(each for each in views(tournament) if each.id == game.match_id)
    second = match.sides[1]

    squad = squad_named(tournament, (second.team.number, 1))
    remove_squad(tournament, ACTOR, squad, "disqualified", RemovedPlace.ANNULLED)
    compute_standings(str(tournament.pk))

    rows = {row.squad_id: row for row in tournament.standings_versions.latest("number").rows.all()}
    points = [dict(rows[side.squad_id].metrics)["points"] for side in match.sides]
    assert [points[0], *points[2:]] == ["7/2", "3/2", "1/4"]
    assert rows[squad.pk].place == 8


@pytest.mark.parametrize("by_places", [True, False])
def test_annulled_squad_s_table_is_won_by_the_next_one(by_places: bool) -> None:
    """The others of the table have played it: who came second to the annulled one has won it."""
    ruleset = {} if by_places else {"ruleset": "house"}
    options = {"rounds": 1, "by_places": by_places}
    tournament = published(8, 1, format="tables", options=options, **ruleset)
    game, other = open_games(tournament)
    for each, places in ((game, (2, 1, 3, 4)), (other, (1, 2, 3, 4))):
        points = None if by_places else {seat: 10 * place - 10 for seat, place in enumerate(places)}
        by_seat = dict(enumerate(places))
        enter_result(each, ACTOR, places=by_seat, points=points)
    match = next(each for each in views(tournament) if each.id == game.match_id)
    second = match.sides[1]

    squad = squad_named(tournament, (second.team.number, 1))
    remove_squad(tournament, ACTOR, squad, "disqualified", RemovedPlace.ANNULLED)
    compute_standings(str(tournament.pk))

    rows = tournament.standings_versions.latest("number").rows.all()
    figures = {row.squad_id: (row.games_won, dict(row.metrics)["wins"], row.games_played) for row in rows}
    assert [figures[side.squad_id] for side in match.sides] == [
        (1, "1", 1),
        (0, "0", 0),
        (0, "0", 1),
        (0, "0", 1),
    ]
    assert sum(won for won, _wins, _played in figures.values()) == 2
    assert list(verify.verify(tournament.event)) == []


@pytest.mark.parametrize(
    ("key", "seated"),
    # By the standings the second round is drawn with the last result of the first one.
    [("tables", [7, 8, 8]), ("tables_by_standing", [7, 7, 8])],
)
def test_late_squad_sits_at_tables_in_the_rounds_to_come(key: str, seated: list[int]) -> None:
    tournament = published(7, 1, format=key, options={"rounds": 3})
    play_tables(tournament, random.Random(7), most=2)
    late = make_entry(tournament.event.teams.get(number=3), 2)

    add_squad(tournament, ACTOR, [late])
    play_tables(tournament, random.Random(7))

    (course,) = inputs_now(tournament).courses
    assert [len(each.plan.taking_part()) for each in course.progress.rounds] == seated
    # It has the mean of each round before it came.
    assert sum(values(tournament, "points")) == 3 * 8 * MEAN


def test_cards_left_in_hand_rank_squads_where_they_count() -> None:
    options = {"by_places": False, "rounds": 1}
    tournament = published(7, 1, format="tables", ruleset="house", options=options)
    assert TournamentSettings.from_json(tournament.settings).metrics[0] == "hand_points"

    for game in open_games(tournament):
        points = {seat: 10 * seat for seat in range(game.game.seats.count())}
        enter_result(game, ACTOR, seat=0, points=points)
    compute_standings(str(tournament.pk))

    assert values(tournament, "hand_points") == [0, 0, 10, 10, 20, 20, 30]


def test_cards_left_count_only_with_rules_by_which_everybody_scores_them() -> None:
    options = {"by_places": False}
    with pytest.raises(Refused) as refused:
        TournamentSettings.from_json({"format": "tables", "options": options})
    assert [each["field"] for each in refused.value.params["problems"]] == ["ruleset"]

    with pytest.raises(Refused) as refused:
        TournamentSettings.from_json(
            {"format": "tables", "ruleset": "house", "options": options, "metrics": ["points"]}
        )
    assert [each["field"] for each in refused.value.params["problems"]] == ["metrics"]


def test_stages_add_up_points_of_one_kind() -> None:
    by_cards = {"format": "tables", "options": {"by_places": False}}
    with pytest.raises(Refused) as refused:
        TournamentSettings.from_json({"ruleset": "house", "format": "swiss", "later": [by_cards]})

    assert [each["field"] for each in refused.value.params["problems"]] == ["later"]


@pytest.mark.parametrize("scale", ["4-2-1", "1-2-3-4", "4,2,1,0", 4])
def test_points_scale_that_fits_no_table_is_refused(scale: object) -> None:
    with pytest.raises(Refused) as refused:
        TournamentSettings.from_json({"format": "tables", "options": {"scale": scale}})

    assert [(each["field"], each["code"]) for each in refused.value.params["problems"]] == [
        ("options", "scale")
    ]


def test_outlook_of_tables_foresees_the_places_still_open() -> None:
    tournament = published(4, 1, format="tables", options={"rounds": 2})
    first, *_last = open_games(tournament)
    close_with_places(first, (1, 2, 3, 4))
    compute_standings(str(tournament.pk))

    outlook = outlooks.compute(tournament.pk)

    assert outlook is not None
    by_place = {
        row.contestant_id: row.place for row in tournament.standings_versions.latest("number").rows.all()
    }
    found = {by_place[UUID(each["team"])]: each["places"] for each in outlook.teams}
    assert outlook.method == "exact"
    # With a win and four points the first is behind one of the others at most.
    assert found == {1: [1, 2], 2: [1, 2, 3, 4], 3: [1, 2, 3, 4], 4: [1, 2, 3, 4]}
