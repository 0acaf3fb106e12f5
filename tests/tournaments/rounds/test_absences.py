"""Who isn't at a table of many: noted with a result, when somebody leaves, and undone when they return."""

import json
from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import translation

from ledger import needed_code_version
from ledger.models import Compatibility, Fact
from people.refusals import Refused
from tests.support.factories import SEED, games_of, make_entry
from tests.support.rounds_play import ACTOR, open_games, published, squad_named
from tests.support.soundness import assert_sound
from tournaments.commands.next_stage import draw_stage_lots, start_next_stage
from tournaments.commands.results import correct, enter_result, write_log
from tournaments.commands.squad_changes import add_squad, bring_back_squad, remove_squad
from tournaments.commands.table_absences import enter_without, expect_absent, who_has_left
from tournaments.formats.draw_verification import repeat_all
from tournaments.formats.record import read_record
from tournaments.models import MatchGame, Squad, Stage, Tournament
from tournaments.projections.outlooks import foresee
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.counted_table_rounds import rounds_at_tables, rounds_away
from tournaments.queries.history import happenings
from tournaments.queries.matches import match_view
from tournaments.tasks import compute_standings

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def tournament() -> Tournament:
    """Twelve at tables of four, three rounds."""
    return published(12, 1, format="tables", options={"rounds": 3})


def squad_at(game: MatchGame, side: int) -> Squad:
    return game.match.sides.get(number=side).squad


def game_with(tournament: Tournament, squad: Squad, round_: int = 1) -> MatchGame:
    """The squad's game of a round."""
    games = open_games(tournament)
    return next(
        game for game in games if game.match.round == round_ and squad.sides.filter(match=game.match).exists()
    )


def noted(tournament: Tournament) -> dict[str, list[int]]:
    return dict(Stage.objects.get(tournament=tournament).absent)


def points_of(tournament: Tournament) -> dict[int, Fraction]:
    """By team, what everybody has so far."""
    compute_standings(str(tournament.pk))
    rows = tournament.standings_versions.latest("number").rows.select_related("team")
    points = [dict(row.metrics) for row in rows]
    return {
        row.team.number: Fraction(each["points"] if "points" in each else each["hand_points"])
        for row, each in zip(rows, points, strict=True)
    }


def expect_sound(tournament: Tournament) -> None:
    """Every round can be repeated from its published record, and all rows can be built again."""
    (course,) = inputs_now(tournament).courses
    record = read_record(course.record().to_json())
    assert [again.is_same for again in repeat_all(record)] == [True] * len(record.drawn)
    compute_standings(str(tournament.pk))
    assert_sound(tournament)


def test_absent_squad_that_left_gets_nothing_and_the_others_a_smaller_table(
    tournament: Tournament,
) -> None:
    squad = squad_named(tournament, (5, 1))
    first = game_with(tournament, squad)
    enter_result(first, ACTOR, places={0: 1, 1: 2, 2: 3, 3: 4})
    before = points_of(tournament)[5]

    remove_squad(tournament, ACTOR, squad, "withdrawn")
    second = game_with(tournament, squad, 2)
    side = second.match.sides.get(squad=squad).number
    came = [each for each in range(4) if each != side]
    enter_result(second, ACTOR, places={side: 4} | {each: at for at, each in enumerate(came, start=1)})

    assert noted(tournament) == {str(squad.pk): [2, 3]}
    after = points_of(tournament)
    assert after[5] == before
    at_second = {squad_at(second, each).team.number for each in came}
    gained = sorted(after[team] - before_of(first, team) for team in at_second)
    assert gained == [Fraction(1, 4), Fraction(3, 2), Fraction(7, 2)]
    expect_sound(tournament)


def before_of(game: MatchGame, team: int) -> Fraction:
    """What a team has of this game, of which the sides came in by their seats."""
    side = game.match.sides.filter(squad__team__number=team).first()
    return Fraction(0) if side is None else (Fraction(4), Fraction(2), Fraction(1), Fraction(0))[side.number]


def test_absent_squad_that_is_back_is_expected_except_in_played_rounds(tournament: Tournament) -> None:
    squad = squad_named(tournament, (5, 1))
    remove_squad(tournament, ACTOR, squad, "no-show")
    first = game_with(tournament, squad)
    side = first.match.sides.get(squad=squad).number
    places = {each: each + 1 if each < side else each for each in range(4)} | {side: 4}
    enter_result(first, ACTOR, places=places)

    bring_back_squad(tournament, ACTOR, squad)

    assert noted(tournament) == {str(squad.pk): [1]}
    assert points_of(tournament)[5] == 0
    expect_sound(tournament)


def test_absent_squad_removed_by_mistake_is_expected_everywhere_again(tournament: Tournament) -> None:
    squad = squad_named(tournament, (5, 1))
    remove_squad(tournament, ACTOR, squad, "no-show")
    was = noted(tournament)

    bring_back_squad(tournament, ACTOR, squad)

    assert (was, noted(tournament)) == ({str(squad.pk): [1, 2, 3]}, {})
    expect_sound(tournament)


def test_absent_squad_with_an_entered_place_counts_as_there(tournament: Tournament) -> None:
    """A phone that didn't know of the removal says that they came in second."""
    squad = squad_named(tournament, (5, 1))
    remove_squad(tournament, ACTOR, squad, "no-show")
    first = game_with(tournament, squad)
    side = first.match.sides.get(squad=squad).number
    others = [each for each in range(4) if each != side]

    enter_result(first, ACTOR, places={others[0]: 1, side: 2, others[1]: 3, others[2]: 4})

    assert points_of(tournament)[5] == 2


def test_absence_noted_with_a_result_is_replaced_by_a_later_result(tournament: Tournament) -> None:
    game = games_of(tournament)[0]
    enter_result(game, ACTOR, places={0: 1, 1: 2, 2: 3, 3: 3}, absent={2, 3})
    was = noted(tournament)

    line = MatchGame.objects.get(pk=game.pk).game.version
    correct(game, ACTOR, line, [], "typing-error")
    enter_result(game, ACTOR, places={0: 1, 1: 2, 2: 3, 3: 4}, absent={3})

    assert was == {str(squad_at(game, side).pk): [1] for side in (2, 3)}
    assert noted(tournament) == {str(squad_at(game, 3).pk): [1]}
    expect_sound(tournament)


def test_absence_sent_again_is_noted_once(tournament: Tournament) -> None:
    game, id_ = games_of(tournament)[0], uuid4()
    places = {0: 1, 1: 2, 2: 3, 3: 4}
    enter_result(game, ACTOR, places=places, absent={3}, client_id=id_)
    facts = Fact.objects.filter(stream=tournament.pk).count()
    bring_back = Fact.objects.filter(type="absence_noted").count()

    enter_result(game, ACTOR, places=places, absent=(), client_id=id_)

    assert (Fact.objects.filter(stream=tournament.pk).count(), bring_back) == (facts, 1)


def test_absence_does_not_pass_to_who_takes_the_seat(tournament: Tournament) -> None:
    """Who comes late takes the seat of who has left: there nobody is absent."""
    squad = squad_named(tournament, (5, 1))
    remove_squad(tournament, ACTOR, squad, "withdrawn")
    entry = make_entry(tournament.event.teams.get(number=3), 2)

    add_squad(tournament, ACTOR, [entry])

    (course,) = inputs_now(tournament).courses
    assert [match.absent for match in course.matches if match.absent] == []
    expect_sound(tournament)


@pytest.mark.parametrize(
    ("places", "absent", "told"),
    [
        ({0: 1, 1: 2, 2: 3, 3: 4}, {1}, "comes last"),
        ({0: 1, 1: 2, 2: 3, 3: 4}, {0}, "can’t have won"),
        ({0: 1, 1: 2, 2: 3, 3: 4}, {2, 3}, "comes last"),
        ({0: 1, 1: 2, 2: 2, 3: 2}, {1, 2, 3}, "forfeit"),
    ],
)
def test_absence_with_another_place_than_the_last_is_refused(
    tournament: Tournament, places: dict[int, int], absent: set[int], told: str
) -> None:
    game = games_of(tournament)[0]

    with translation.override("en"), pytest.raises(Refused, match=told):
        enter_result(game, ACTOR, places=places, absent=absent)

    assert (noted(tournament), open_games(tournament)[0].game.version) == ({}, 0)


def test_absence_in_a_match_of_two_is_refused() -> None:
    game = games_of(published(4, 1, format="round_robin"))[0]

    with pytest.raises(Refused) as refused:
        enter_result(game, ACTOR, seat=0, absent={1})

    assert refused.value.code == "absent-elsewhere"
    enter_result(game, ACTOR, seat=0, absent=())


def test_absence_by_cards_needs_no_points_of_the_absent() -> None:
    tournament = published(8, 1, format="tables", ruleset="house", options={"by_places": False, "rounds": 1})
    first, second = games_of(tournament)

    enter_result(first, ACTOR, seat=1, points={0: 12, 1: 0, 2: 40}, absent={3})
    enter_result(second, ACTOR, seat=0, points={0: 0, 1: 5, 2: 60, 3: 7})

    points = points_of(tournament)
    at_first = [squad_at(first, side).team.number for side in range(4)]
    assert [points[team] for team in at_first] == [12, 0, 40, 60]
    view = match_view(first.match_id)
    assert view is not None
    assert [side.is_absent for side in view.sides] == [False, False, False, True]
    assert [side.table_points for side in view.sides] == [12, 0, 40, 60]
    expect_sound(tournament)


def test_first_absence_raises_the_version_that_the_database_needs(tournament: Tournament) -> None:
    Compatibility.objects.update_or_create(pk=1, defaults={"needs": 4})
    enter_result(games_of(tournament)[0], ACTOR, places={0: 1, 1: 2, 2: 3, 3: 4}, absent=())
    before = needed_code_version.needed()

    enter_result(games_of(tournament)[1], ACTOR, places={0: 1, 1: 2, 2: 3, 3: 4}, absent={3})

    assert (before, needed_code_version.needed()) == (4, 5)


def test_history_says_who_is_absent_and_who_is_after_all_there(tournament: Tournament) -> None:
    squad = squad_named(tournament, (5, 1))
    remove_squad(tournament, ACTOR, squad, "withdrawn")
    bring_back_squad(tournament, ACTOR, squad)

    with translation.override("en"):
        lines, _mark = happenings(tournament.event, limit=20)
    told = [line for line in lines if "isn’t at their table" in line.what]

    rounds = [line.details[0] for line in told]
    assert rounds == ["In no round any more", "Rounds 1 to 3"]
    assert json.dumps(noted(tournament)) == "{}"


def test_outlook_foresees_the_places_that_absences_lead_to() -> None:
    """Every place that somebody comes to, however the last tables end, is one of those foreseen."""
    tournament = published(8, 1, format="tables", options={"rounds": 2})
    for game in open_games(tournament)[:2]:
        enter_result(game, ACTOR, places={0: 1, 1: 2, 2: 3, 3: 4})
    remove_squad(tournament, ACTOR, squad_named(tournament, (5, 1)), "withdrawn")

    found = foresee(inputs_now(tournament), "seed")

    assert found is not None
    foreseen = {each.team: set(each.places) for each in found.teams}
    random = Random(8)
    for _ in range(12):
        with transaction.atomic():
            for game in open_games(tournament):
                away = game.match.absent_sides()
                order = random.sample([side for side in range(4) if side not in away], 4 - len(away))
                places = dict.fromkeys(away, 1 + len(order)) | {side: at for at, side in enumerate(order, 1)}
                enter_result(game, ACTOR, places=places)
            rows = inputs_now(tournament).rank()
            transaction.set_rollback(True)
        assert {row.team: row.place for row in rows if row.place not in foreseen[row.team]} == {}


def test_absence_does_not_reach_the_next_stage_and_its_draw_is_repeated() -> None:
    later = {"format": "tables", "options": {"rounds": 2}, "qualification": {"everybody": True}}
    tournament = published(
        8, 1, format="tables", options={"rounds": 1}, metrics=["points", "lots"], later=[later]
    )
    for game in open_games(tournament):
        enter_result(game, ACTOR, places={0: 1, 1: 2, 2: 3, 3: 4}, absent={3})
    compute_standings(str(tournament.pk))
    draw_stage_lots(tournament, ACTOR, SEED)
    start_next_stage(tournament, ACTOR, SEED)
    for game in open_games(tournament)[:2]:
        enter_result(game, ACTOR, places={0: 1, 1: 2, 2: 3, 3: 4})

    first, second = inputs_now(tournament).courses

    outcomes = [outcome for each in second.progress.rounds for outcome in each.outcomes if outcome]
    assert [outcome.absent for outcome in outcomes] == [frozenset()] * 2
    for course in (first, second):
        record = read_record(course.record().to_json())
        assert [again.is_same for again in repeat_all(record)] == [True] * len(record.drawn)


def test_absence_of_somebody_back_in_a_new_plan_leaves_rounds_repeatable() -> None:
    tournament = published(9, 1, format="tables", options={"rounds": 3})
    for game in open_games(tournament)[:3]:
        enter_result(game, ACTOR, places={0: 1, 1: 2, 2: 3})
    for team in (7, 5, 4):
        remove_squad(tournament, ACTOR, squad_named(tournament, (team, 1)), "no-show")

    bring_back_squad(tournament, ACTOR, squad_named(tournament, (5, 1)))

    expect_sound(tournament)


def test_absence_noted_before_is_void_for_the_winner_by_cards() -> None:
    options = {"by_places": False, "rounds": 1}
    tournament = published(4, 1, format="tables", ruleset="house", options=options)
    (game,) = games_of(tournament)
    remove_squad(tournament, ACTOR, squad_at(game, 1), "no-show")

    enter_result(game, ACTOR, seat=1, points={0: 12, 1: 0, 2: 40, 3: 7})

    points = points_of(tournament)
    assert [points[squad_at(game, side).team.number] for side in range(4)] == [12, 0, 40, 7]


@pytest.mark.parametrize(
    ("event", "absent", "told"),
    [
        ({"reason": "forfeit", "winner": 0}, {0}, "can’t have won"),
        ({"reason": "result", "winner": 0}, {0}, "can’t have won"),
        ({"reason": "result", "winner": None}, {4}, "sits at this table"),
        ({"reason": "time", "winner": None, "scores": {"0": 1, "1": 5, "2": 0, "3": 0}}, {1}, "no points"),
    ],
)
def test_absence_that_a_correction_contradicts_is_refused(
    tournament: Tournament, event: dict[str, Any], absent: set[int], told: str
) -> None:
    game = games_of(tournament)[0]

    with translation.override("en"), pytest.raises(Refused, match=told):
        expect_absent(game, absent, [{"type": "game_closed", **event}])


def test_absence_of_who_has_left_stays_when_the_result_is_taken_back(tournament: Tournament) -> None:
    game = games_of(tournament)[0]
    remove_squad(tournament, ACTOR, squad_at(game, 3), "withdrawn")
    enter_result(game, ACTOR, places={0: 1, 1: 2, 2: 3, 3: 3}, absent={2, 3})

    assert who_has_left(MatchGame.objects.get(pk=game.pk)) == frozenset({3})


def test_absence_from_a_round_is_listed_and_adds_up_by_cards() -> None:
    options = {"by_places": False, "rounds": 2}
    tournament = published(8, 1, format="tables", ruleset="house", options=options)
    for game in open_games(tournament)[:2]:
        enter_result(game, ACTOR, seat=0, points={0: 0, 1: 10, 2: 20, 3: 30})
    first = open_games(tournament)[0]
    for side in (0, 1):
        remove_squad(tournament, ACTOR, squad_at(first, side), "withdrawn")
    for game in open_games(tournament):
        enter_result(game, ACTOR, seat=0, points={0: 0, 1: 11, 2: 33})

    points = points_of(tournament)
    read_in = inputs_now(tournament)
    listed: dict[int, Fraction] = defaultdict(Fraction)
    teams = {str(team.pk): team.number for team in tournament.event.teams.all()}
    for rounds in (rounds_at_tables(read_in), rounds_away(read_in)):
        for (team, _squad), each in rounds.items():
            listed[teams[team]] += sum((one.points or Fraction(0) for one in each), Fraction(0))
    assert listed == points
    away = [one for each in rounds_away(read_in).values() for one in each]
    assert [(one.round, one.points, one.is_gone) for one in away] == [(2, Fraction(33), True)] * 2


@pytest.mark.parametrize(
    "broken",
    [{"places": [1, 2, 3, 4]}, {"places": "1"}, {"scores": 5}, {"winner": [0]}, {"winner": {"seat": 0}}],
)
def test_absence_with_a_malformed_event_is_refused_by_the_engine(
    tournament: Tournament, broken: dict[str, Any]
) -> None:
    game = games_of(tournament)[0]
    event = {"type": "game_closed", "reason": "result", "winner": 0, **broken}

    written = enter_without(
        game, ACTOR, {3}, [event], lambda: write_log(game, ACTOR, [(None, event)], expected_version=0)
    )

    assert written.refusal is not None
    assert (written.refusal.code, noted(tournament)) == ("malformed", {})


@pytest.mark.django_db(transaction=True)
def test_absence_raises_the_needed_version_before_the_removal_locks(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the transaction it would wait for a lock whose holder waits for it."""
    within: list[bool] = []
    monkeypatch.setattr(
        "tournaments.commands.table_absences.needed_code_version.rise",
        lambda _version: within.append(connection.in_atomic_block),
    )

    remove_squad(tournament, ACTOR, squad_named(tournament, (5, 1)), "withdrawn")

    assert within == [False]
