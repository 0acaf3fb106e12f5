"""Rounds planned in advance: who leaves moves nobody, who comes takes a free seat; planned anew otherwise."""

import random
from fractions import Fraction
from uuid import UUID

import pytest
from django.utils import translation

from ledger import read
from ledger.models import Fact
from people.refusals import Refused
from tests.support.factories import make_entry
from tests.support.rounds_play import (
    ACTOR,
    close_with_places,
    open_games,
    play_tables,
    published,
    squad_named,
    tournament_matches,
)
from tests.support.soundness import assert_sound
from tournaments.commands import replanned_rounds
from tournaments.commands.calls import call_match, take_call_back
from tournaments.commands.replanned_rounds import plan_rounds_anew
from tournaments.commands.squad_changes import add_squad, bring_back_squad, preview_late, remove_squad
from tournaments.formats.draw_verification import repeat_all
from tournaments.formats.format import RoundPlan
from tournaments.formats.record import read_record
from tournaments.models import Match, Place, Tournament
from tournaments.projections.rounds.course import StageHistory
from tournaments.projections.standings_inputs import inputs_now
from tournaments.queries.history_words import decision_words
from tournaments.tasks import compute_standings

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def course_of(tournament: Tournament) -> StageHistory:
    """Its only stage, as it is stored."""
    (course,) = inputs_now(tournament).courses
    return course


def plans(tournament: Tournament) -> list[RoundPlan]:
    """Its rounds, as they are stored."""
    return [each.plan for each in course_of(tournament).progress.rounds]


def sides(plan: RoundPlan) -> list[tuple[int, ...]]:
    """Who sits at each table of a round."""
    return [pairing.sides for pairing in plan.pairings]


def leave(tournament: Tournament, *teams: int, reason: str = "no-show") -> None:
    """The squads of teams of one leave."""
    for team in teams:
        remove_squad(tournament, ACTOR, squad_named(tournament, (team, 1)), reason)


def expect_sound(tournament: Tournament) -> None:
    """Every round can be repeated, from its published record, too; and all rows can be built again."""
    record = course_of(tournament).record()
    for each in (record, read_record(record.to_json())):
        assert [again.is_same for again in repeat_all(each)] == [True] * len(record.drawn)
    compute_standings(str(tournament.pk))
    assert_sound(tournament)


def test_leaving_squad_moves_nobody_while_three_are_at_each_table() -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 4})
    before = plans(tournament)

    leave(tournament, 5)

    assert plans(tournament) == before
    expect_sound(tournament)


def test_planned_rounds_are_made_anew_where_too_few_would_be_left() -> None:
    tournament = published(8, 1, format="tables", options={"rounds": 3})
    play_tables(tournament, random.Random(8), most=1)
    before = plans(tournament)
    # Whoever sits together in the second round: two of them are too many.
    one, other = sides(before[1])[0][:2]

    leave(tournament, one)
    assert plans(tournament) == before
    leave(tournament, other)

    rest = [number for number in range(1, 9) if number not in (one, other)]
    assert plans(tournament)[0] == before[0]
    assert [sorted(each.taking_part()) for each in plans(tournament)[1:]] == [rest] * 2
    expect_sound(tournament)
    play_tables(tournament, random.Random(9))
    compute_standings(str(tournament.pk))
    assert course_of(tournament).is_finished()


def test_leaving_squad_moves_nobody_while_two_are_at_tables_of_three() -> None:
    tournament = published(9, 1, format="tables", options={"seats": 3, "rounds": 2})
    before = plans(tournament)

    leave(tournament, 5)

    assert plans(tournament) == before


def leave_of_first_table(tournament: Tournament) -> tuple[RoundPlan, RoundPlan]:
    """Two of the first table of the first round leave, so that what can be is planned anew; it before and
    after.
    """
    before = plans(tournament)[0]
    leave(tournament, *sides(before)[0][:2])
    return before, plans(tournament)[0]


def test_planned_round_with_a_called_table_stays_whoever_leaves() -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 3})
    match = Match.objects.filter(stage__tournament=tournament, round=1).order_by("table__number").last()
    assert match is not None
    call_match(match, ACTOR)

    before, after = leave_of_first_table(tournament)

    assert after == before
    assert tournament_matches(tournament).filter(pk=match.pk).exists()


def test_planned_round_that_is_not_called_any_more_is_made_anew() -> None:
    # The twin of the test before: only the call keeps the round.
    tournament = published(12, 1, format="tables", options={"rounds": 3})
    match = Match.objects.filter(stage__tournament=tournament, round=1).order_by("table__number").last()
    assert match is not None
    call_match(match, ACTOR)
    take_call_back(match, ACTOR)

    before, after = leave_of_first_table(tournament)

    assert after != before
    assert sorted(after.taking_part()) == sorted(set(before.taking_part()) - set(sides(before)[0][:2]))


def test_returning_squad_has_its_own_seat_again() -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 4})
    before = plans(tournament)
    leave(tournament, 5)

    bring_back_squad(tournament, ACTOR, squad_named(tournament, (5, 1)))

    assert plans(tournament) == before
    assert course_of(tournament).progress.gone == frozenset()


def late_of(tournament: Tournament, team: int) -> None:
    """Somebody of a team comes late and is taken in."""
    entry = make_entry(tournament.event.teams.get(number=team), 2)
    add_squad(tournament, ACTOR, [entry])


def test_late_squad_takes_the_last_seat_of_a_smaller_table() -> None:
    tournament = published(11, 1, format="tables", options={"rounds": 4})
    play_tables(tournament, random.Random(1), most=1)
    before = plans(tournament)

    late_of(tournament, 3)

    after = plans(tournament)
    assert after[0] == before[0]
    for was, becomes in zip(before[1:], after[1:], strict=True):
        small = [table for table in sides(was) if len(table) == 3]
        assert [table for table in sides(becomes) if table not in sides(was)] == [(*small[0], 12)]
    expect_sound(tournament)
    play_tables(tournament, random.Random(2))
    points = [
        dict(row.metrics)["points"] for row in tournament.standings_versions.latest("number").rows.all()
    ]
    assert sum(map(Fraction, points)) == 4 * 12 * Fraction(7, 4)


def test_late_squad_takes_the_seat_of_one_that_left_and_nobody_moves() -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 3})
    before = plans(tournament)
    leave(tournament, 5)

    late_of(tournament, 3)

    instead = [[tuple(13 if one == 5 else one for one in table) for table in sides(each)] for each in before]
    assert [sides(each) for each in plans(tournament)] == instead
    expect_sound(tournament)


def test_late_squad_without_a_free_seat_changes_the_plan_as_previewed() -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 3})
    play_tables(tournament, random.Random(1), most=1)
    before = plans(tournament)
    entry = make_entry(tournament.event.teams.get(number=3), 2)

    change, _number = preview_late(tournament, [entry])
    add_squad(tournament, ACTOR, [entry])

    after = plans(tournament)
    assert (after[0], sorted(after[1].taking_part())) == (before[0], list(range(1, 14)))
    at = [
        {
            (each.number, one): pairing.slot
            for each in rounds[1:]
            for pairing in each.pairings
            for one in pairing.sides
        }
        for rounds in (before, after)
    ]
    moved = {
        one for number, one in at[0] if at[1].get((number, one), at[0][number, one]) != at[0][number, one]
    }
    assert (change.is_new_plan, change.moved) == (True, len(moved))
    expect_sound(tournament)


def test_returning_squad_takes_a_free_seat_once_its_own_is_gone() -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 3})
    leave(tournament, 5, 6)
    late_of(tournament, 3)
    late_of(tournament, 4)
    leave(tournament, 1)

    bring_back_squad(tournament, ACTOR, squad_named(tournament, (5, 1)))

    for plan in plans(tournament):
        assert sorted(plan.taking_part()) == [2, 3, 4, 5, *range(7, 15)]
        assert sorted(plan.drawn_for()) == list(range(1, 13))
    expect_sound(tournament)


def test_planned_rounds_can_be_made_anew_by_the_desk() -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 3})
    play_tables(tournament, random.Random(1), most=1)
    first = plans(tournament)[0]
    leave(tournament, 5)

    plan_rounds_anew(tournament, ACTOR)

    after = plans(tournament)
    assert after[0] == first
    assert [sorted(each.taking_part()) for each in after[1:]] == [[1, 2, 3, 4, *range(6, 13)]] * 2
    expect_sound(tournament)
    with pytest.raises(Refused) as refused:
        plan_rounds_anew(tournament, ACTOR)
    assert refused.value.code == "nothing-moves"


def test_planned_rounds_are_told_with_number_and_reason() -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 3})
    leave(tournament, 5)
    plan_rounds_anew(tournament, ACTOR)
    late_of(tournament, 3)

    (stage,) = tournament.stages.all()

    told = [(edit["rounds"], edit.get("plan"), edit["reason"]) for edit in stage.edits]
    assert told == [([1, 2, 3], 2, "planned-anew"), ([1, 2, 3], None, "free-seat")]
    facts = read.stored_facts(
        Fact.objects.filter(stream=tournament.pk, type="rounds_redrawn").order_by("sequence")
    )
    with translation.override("en"):
        words = [str(decision_words(fact.type, fact.body)) for fact in facts]
    assert words == ["Rounds planned anew", "Free seats taken"]


def test_planned_tables_keep_their_hours_when_others_sit_there() -> None:
    tournament = published(11, 1, format="tables", options={"rounds": 2})
    small = Match.objects.filter(stage__tournament=tournament, round=2, slot="r2t3").get()
    other = tournament.event.tables.get(number=1)
    now = tournament.created_at
    Place.objects.create(
        match=small, tournament=tournament, begins_at=now, minutes=20, table=other, changed_at=now
    )

    late_of(tournament, 3)

    again = Match.objects.filter(stage__tournament=tournament, round=2, slot="r2t3").get()
    assert again.pk != small.pk
    assert (again.place.begins_at, again.table) == (now, other)


def test_twin_planned_round_with_a_called_table_moves_without_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 3})
    match = Match.objects.filter(stage__tournament=tournament, round=1).order_by("table__number").last()
    assert match is not None
    call_match(match, ACTOR)
    monkeypatch.setattr(replanned_rounds, "kept_rounds", lambda course: 0)

    before, after = leave_of_first_table(tournament)

    assert after != before


def test_missed_rounds_never_place_a_squad_before_one_that_came_last() -> None:
    tournament = published(8, 1, format="tables", options={"rounds": 2})
    leave(tournament, 5)
    plan_rounds_anew(tournament, ACTOR)
    for game in open_games(tournament):
        close_with_places(game, range(1, 1 + game.game.seats.count()))
    compute_standings(str(tournament.pk))

    rows = {row.squad_id: row for row in tournament.standings_versions.latest("number").rows.all()}
    gone = rows[squad_named(tournament, (5, 1)).pk]
    # Two rounds, nothing of them, and the last of four places in each.
    assert (dict(gone.metrics)["points"], dict(gone.metrics)["table_places"]) == ("0", "8")
    assert gone.place == 8
    own: dict[UUID, Fraction] = {}
    for each in course_of(tournament).progress.rounds:
        for pairing in each.plan.pairings:
            for at, side in enumerate(pairing.sides, start=1):
                squad = course_of(tournament).squad_id(side)
                own[squad] = own.get(squad, Fraction(0)) + Fraction(at * 5, len(pairing.sides) + 1)
    assert {pk: Fraction(dict(row.metrics)["table_places"]) for pk, row in rows.items() if pk in own} == own
