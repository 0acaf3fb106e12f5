"""Tables by the standings: leaders together, equal points before meetings, own team apart."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.contestants import field_of
from tests.support.run.long import examples
from tests.tournaments.formats.tables_play import (
    RANDOMS,
    SEED,
    SEEDS,
    choice_of,
    fields,
    meetings,
    of_one_team,
    play,
    played,
    seats_of,
    spread,
)
from tournaments.formats import CannotDraw
from tournaments.formats.draw_verification import repeat_all
from tournaments.formats.format import Contestant, PlayedRound, RoundPlan, StageProgress
from tournaments.formats.record import StageRecord
from tournaments.formats.tables.bounds import fewest_of_one_team
from tournaments.formats.tables.format import TablesByStanding
from tournaments.formats.tables.lot_order import METHOD
from tournaments.formats.tables.seats import fairest_seats
from tournaments.formats.tables.sizes import most_seated, table_sizes

STANDING = st.builds(
    TablesByStanding, seats=st.integers(3, 5), rounds=st.integers(1, 5), by_places=st.booleans()
)


def points_at(plan: RoundPlan, totals: dict[int, Fraction]) -> list[list[Fraction]]:
    """The points of those at each table before the round, most first."""
    return [sorted((totals[side] for side in pairing.sides), reverse=True) for pairing in plan.pairings]


@examples(40)
@given(STANDING, fields(), SEEDS, RANDOMS)
def test_tables_by_standing_seat_everybody_or_let_them_sit_out_in_turn(
    form: TablesByStanding, field: tuple[Contestant, ...], seed: str, random: Random
) -> None:
    progress = play(form, field, seed, random)

    plans = [each.plan for each in progress.rounds]
    assert [plan.number for plan in plans] == list(range(1, form.rounds_for(len(field)) + 1))
    assert form.is_finished(progress)
    for plan in plans:
        assert sorted(plan.taking_part()) == [one.number for one in field]
        sizes = tuple(len(pairing.sides) for pairing in plan.pairings)
        assert sizes == table_sizes(most_seated(len(field), form.seats), form.seats)
    out = Counter(one for plan in plans for one in plan.byes)
    assert spread([out[one.number] for one in field]) <= 1


@examples(40)
@given(STANDING, st.integers(6, 20), RANDOMS)
def test_tables_by_standing_follow_the_points(form: TablesByStanding, count: int, random: Random) -> None:
    progress = play(form, field_of(count), SEED, random)

    for number, each in enumerate(progress.rounds):
        totals = form.totals(StageProgress(progress.contestants, progress.rounds[:number]))
        if not form.by_places:
            totals = {one: -points for one, points in totals.items()}
        tables = points_at(each.plan, totals)
        in_order = sorted((points for table in tables for points in table), reverse=True)
        assert [points for table in tables for points in table] == in_order


def test_tables_by_standing_put_equal_points_before_meetings() -> None:
    form = TablesByStanding(seats=3, rounds=2)
    progress = StageProgress(field_of(9))
    plan = form.next_round(progress, SEED)
    assert plan is not None
    # Table 1 shares everything, at the others somebody wins: so it stays among itself in the middle.
    outcomes = [
        form.outcome_of_places(each, (1, 1, 1) if each.slot == "r1t1" else (1, 2, 3))
        for each in plan.pairings
    ]
    after = form.next_round(StageProgress(progress.contestants, (PlayedRound(plan, tuple(outcomes)),)), SEED)
    assert after is not None

    # 3 and 3, then 4/3 three times, then 1, 1, 0 and 0.
    totals = form.totals(StageProgress(progress.contestants, (PlayedRound(plan, tuple(outcomes)),)))
    level = Fraction(4, 3)
    assert points_at(after, totals) == [[3, 3, level], [level, level, 1], [1, 0, 0]]
    assert sum(times == 2 for times in meetings([plan, after]).values()) == 2


@examples(20)
@given(SEEDS)
def test_tables_by_standing_let_equals_meet_who_have_not_met(seed: str) -> None:
    form = TablesByStanding(rounds=2)
    progress = StageProgress(field_of(16))
    plan = form.next_round(progress, seed)
    assert plan is not None
    level = tuple(form.outcome_of_places(each, (1, 1, 1, 1)) for each in plan.pairings)
    after = form.next_round(StageProgress(progress.contestants, (PlayedRound(plan, level),)), seed)
    assert after is not None

    assert set(meetings([plan, after]).values()) == {1}


@examples(30)
@given(STANDING, st.integers(6, 20), st.integers(2, 8), RANDOMS)
def test_tables_by_standing_sit_the_own_team_together_as_little_as_possible(
    form: TablesByStanding, count: int, teams: int, random: Random
) -> None:
    field = field_of(count, teams)
    progress = play(form, field, SEED, random)

    team = {one.number: one.team for one in field}
    for each in progress.rounds:
        seated = [team[side] for pairing in each.plan.pairings for side in pairing.sides]
        assert of_one_team([each.plan], field) == fewest_of_one_team(seated, len(each.plan.pairings))


def test_tables_by_standing_move_a_teammate_to_the_nearest_table() -> None:
    form = TablesByStanding(seats=3, rounds=2, teams_apart=False)
    contestants = field_of(9)
    progress = StageProgress(contestants)
    plan = form.next_round(progress, SEED)
    assert plan is not None
    rounds = (PlayedRound(plan, tuple(form.outcome_of_places(each, (1, 2, 3)) for each in plan.pairings)),)
    first, second, third = ([each.sides[place] for each in plan.pairings] for place in range(3))
    # Two of the three winners are of one team.
    teams = {first[0]: 1, first[1]: 1}
    apart = tuple(one._replace(team=teams.get(one.number, one.number + 1)) for one in contestants)

    drawn = TablesByStanding(seats=3, rounds=2).next_round(StageProgress(apart, rounds), SEED)
    assert drawn is not None
    tables = [set(pairing.sides) for pairing in drawn.pairings]
    assert len(tables[0] & set(first)) == 2
    assert len(tables[1] & set(first)) == 1
    assert tables[2] == set(third)
    assert tables[0] | tables[1] == {*first, *second}


def test_tables_by_standing_keep_teams_of_a_large_field_apart_among_equals() -> None:
    """Sixty of fifteen teams: nobody has to go to a table for other points than their own."""
    form = TablesByStanding(rounds=2)
    field = field_of(60, 15)
    progress = play(form, field, SEED, Random(60))

    plan = progress.rounds[1].plan
    totals = form.totals(StageProgress(field, progress.rounds[:1]))
    in_order = sorted(totals.values(), reverse=True)
    tables = points_at(plan, totals)

    assert of_one_team([plan], field) == 0
    assert [points for table in tables for points in table] == in_order


@examples(60)
@given(st.integers(3, 5), RANDOMS)
def test_table_seats_are_as_even_as_trying_everything_shows(count: int, random: Random) -> None:
    had = {(one, seat): random.randint(0, 3) for one in range(count) for seat in range(count)}

    def cost(order: Sequence[int]) -> int:
        return sum(2 * had[one, seat] + 1 for seat, one in enumerate(order))

    found = fairest_seats(range(count), had)

    assert sorted(found) == list(range(count))
    assert cost(found) == min(map(cost, permutations(range(count))))


def test_tables_by_standing_share_seats_from_round_to_round() -> None:
    progress = play(TablesByStanding(rounds=8), field_of(16), SEED, Random(3))

    for counts in seats_of([each.plan for each in progress.rounds]).values():
        assert spread([counts[seat] for seat in range(4)]) <= 2


def test_tables_by_standing_need_results_for_the_next_round() -> None:
    form = TablesByStanding()
    plan = form.next_round(StageProgress(field_of(8)), SEED)
    assert plan is not None
    open_ = StageProgress(field_of(8), (PlayedRound(plan, (None, None)),))

    with pytest.raises(CannotDraw) as refusal:
        form.next_round(open_, SEED)

    assert (refusal.value.code, refusal.value.values) == ("results_missing", {"missing": 2})
    assert len(form.coming_rounds(StageProgress(field_of(8)), SEED)) == 1


@examples(25)
@given(STANDING, fields(), RANDOMS)
def test_tables_by_standing_record_repeats_any_round(
    form: TablesByStanding, field: tuple[Contestant, ...], random: Random
) -> None:
    progress = play(form, field, SEED, random)
    none = (frozenset[int](),) * len(progress.rounds)
    record = StageRecord(
        choice_of(TablesByStanding),
        {"seats": form.seats, "rounds": form.rounds, "by_places": form.by_places},
        {"length": "one_game", "games": 1},
        SEED,
        progress,
        none,
        none,
        ((),) * len(progress.rounds),
        METHOD,
    )

    assert [list(each.differences()) for each in repeat_all(record)] == [[]] * len(progress.rounds)


def test_tables_by_standing_seat_late_ones_and_no_withdrawn_ones() -> None:
    form = TablesByStanding(rounds=3)
    contestants = (*field_of(8), Contestant(9, 9, since=2))
    plan = form.next_round(StageProgress(contestants), SEED)
    assert plan is not None
    assert sorted(plan.taking_part()) == list(range(1, 9))
    rounds = (played(form, plan, Random(2)),)

    after = form.next_round(StageProgress(contestants, rounds, gone=frozenset({4})), SEED)

    assert after is not None
    assert sorted(after.taking_part()) == [1, 2, 3, 5, 6, 7, 8, 9]
    assert form.totals(StageProgress(contestants, rounds))[9] == Fraction(7, 4)
