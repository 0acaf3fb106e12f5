"""Points at tables: a scale by places, fair between sizes, shared places, who has no table."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.contestants import field_of
from tests.support.run.long import examples
from tests.tournaments.formats.tables_play import SEED, play, played
from tournaments.formats import CannotDraw
from tournaments.formats.catalogue import FORMATS
from tournaments.formats.format import (
    Contestant,
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
)
from tournaments.formats.table_result import TableResult
from tournaments.formats.tables.format import PlannedTables, TablesByStanding
from tournaments.formats.tables.scale import (
    mean_points,
    points_of_places,
    read_scale,
    scale_at,
    usual_scale,
)
from tournaments.standings import GameClosing

SCALES = st.integers(3, 10).flatmap(
    lambda seats: st.lists(st.integers(0, 50), min_size=seats, max_size=seats, unique=True).map(
        lambda points: tuple(map(Fraction, sorted(points, reverse=True)))
    )
)


def fractions(text: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, text.split()))


def test_points_scale_is_the_usual_one_by_default() -> None:
    assert usual_scale(3) == fractions("3 1 0")
    assert usual_scale(4) == fractions("4 2 1 0")
    assert usual_scale(6) == fractions("6 4 3 2 1 0")
    assert read_scale("", 4) == usual_scale(4)


def test_points_scale_at_smaller_tables() -> None:
    scale = read_scale("4-2-1-0", 4)

    assert scale_at(scale, 4) == scale
    assert scale_at(scale, 3) == fractions("7/2 3/2 1/4")
    assert scale_at(scale, 2) == fractions("17/6 2/3")


def test_points_scale_is_stored_without_zeros_before_a_number() -> None:
    choice = FORMATS["tables"]

    assert choice.complete({"scale": "004-2-1-00"})["scale"] == "4-2-1-0"
    assert choice.complete({"scale": None})["scale"] is None
    assert choice.build(choice.complete({"scale": "004-2-1-00"})) == PlannedTables(scale="4-2-1-0")


@examples(60)
@given(SCALES)
def test_points_scale_has_the_same_mean_at_every_size_and_falls(scale: Sequence[Fraction]) -> None:
    for players in range(2, len(scale) + 1):
        points = scale_at(scale, players)
        assert len(points) == players
        assert sum(points) / players == mean_points(scale)
        assert all(one > other for one, other in pairwise(points))


@examples(60)
@given(SCALES)
def test_points_scale_of_a_smaller_table_is_what_a_missing_player_leaves(
    scale: Sequence[Fraction],
) -> None:
    seats = len(scale)
    for place in range(1, seats):
        # The missing one comes in before the first, after the first, …, after the last.
        found = [scale[place - 1 + (gap < place)] for gap in range(seats)]
        assert scale_at(scale, seats - 1)[place - 1] == sum(found) / seats


def test_twin_points_scale_by_interpolation_is_not_fair() -> None:
    scale = usual_scale(4)
    middle = (scale[1] + scale[2]) / 2
    interpolated = (scale[0] + middle + scale[3]) / 3

    assert interpolated / mean_points(scale) > Fraction(102, 100)


def test_shared_places_share_the_mean_of_the_scale() -> None:
    scale = usual_scale(4)

    assert points_of_places(scale, (2, 1, 4, 3)) == fractions("2 4 0 1")
    assert points_of_places(scale, (1, 1, 3, 4)) == fractions("3 3 1 0")
    assert points_of_places(scale, (1, 2, 2, 2)) == fractions("4 1 1 1")
    assert points_of_places(scale, (1, 1, 1)) == fractions("7/4 7/4 7/4")
    assert points_of_places(scale, (1, 2, 2)) == fractions("7/2 7/8 7/8")


def test_shared_places_give_as_much_as_separate_ones() -> None:
    scale = usual_scale(4)
    for figures in ({1, 2, 3, 4}, {1, 2, 3}, {1, 2}, {1}):
        for chosen in permutations([*figures, *[1] * (4 - len(figures))]):
            places = [1 + sum(other < one for other in chosen) for one in chosen]
            assert sum(points_of_places(scale, places)) == sum(scale)


@pytest.mark.parametrize("places", [(1, 2, 4), (2, 3, 4), (1, 1, 2), (0, 1, 2), (1, 2, 2, 3)])
def test_table_places_that_cannot_be_are_refused(places: Sequence[int]) -> None:
    with pytest.raises(CannotDraw) as refusal:
        points_of_places(usual_scale(4), places)

    assert refusal.value.code == "places"


@pytest.mark.parametrize(
    "text", ["4,2,1,0", "4-2-1", "4-2-1-0-0", "1-2-3-4", "1-1-1-1", "101-2-1-0", "½-0", "-1"]
)
def test_points_scales_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(CannotDraw) as refusal:
        read_scale(text, 4)

    assert refusal.value.code == "scale"


def test_table_outcome_has_points_and_a_winner_by_places() -> None:
    form = PlannedTables()
    outcome = form.outcome_of_places(RoundPairing("r1t1", (7, 3, 9)), (2, 1, 3))
    shared = form.outcome_of_places(RoundPairing("r1t1", (7, 3, 9)), (1, 1, 3))

    assert (outcome.points, outcome.winner) == (fractions("3/2 7/2 1/4"), 3)
    assert (shared.points, shared.winner) == (fractions("5/2 5/2 1/4"), None)


def test_points_of_who_sits_out_are_the_mean_of_the_scale() -> None:
    form = PlannedTables(seats=3, rounds=4)
    late = Contestant(8, 8, since=3)
    asking = Contestant(1, 1, sits_out=frozenset({1}))
    progress = StageProgress((asking, *field_of(7)[1:], late))
    plan = form.next_round(StageProgress(progress.contestants), SEED)
    assert plan is not None

    found = {
        each.contestant: (each.points, each.is_requested) for each in form.points_unplayed(progress, plan)
    }

    mean = Fraction(4, 3)
    assert form.unplayed_points == (mean,)
    assert found == {**dict.fromkeys(plan.byes, (mean, False)), 1: (mean, True), 8: (mean, True)}


def test_points_of_who_sits_out_with_cards_are_the_mean_of_the_round() -> None:
    form = TablesByStanding(seats=3, rounds=2, by_places=False)
    contestants = field_of(7)
    plan = form.next_round(StageProgress(contestants), SEED)
    assert plan is not None
    (out,) = plan.byes
    each = played(form, plan, Random(4))
    points = [one for _, outcome in each.played() for one in outcome.points]
    progress = StageProgress(contestants, (each,))

    assert form.unplayed_points == ()
    assert form.totals(progress)[out] == sum(points) / Fraction(6)
    assert sum(form.totals(progress).values()) == sum(points) * Fraction(7, 6)


def test_points_have_the_same_mean_whatever_the_sizes_of_tables() -> None:
    for contestants, seats in product((5, 7, 13, 14), (3, 4, 5)):
        form = PlannedTables(seats=seats, rounds=3)
        progress = play(form, field_of(contestants), SEED, Random(contestants))
        totals = form.totals(progress)
        assert sum(totals.values()) / len(totals) == 3 * form.unplayed_points[0]


def test_points_of_equal_players_are_the_same_at_tables_of_three_and_four() -> None:
    random = Random(11)
    form = PlannedTables()
    means = []
    for players in (3, 4):
        pairing = RoundPairing("r1t1", tuple(range(1, players + 1)))
        total = Fraction(0)
        for _ in range(4_000):
            figures = [random.randrange(6) for _ in range(players)]
            places = [1 + sum(other < one for other in figures) for one in figures]
            total += form.outcome_of_places(pairing, places).points[0]
        means.append(float(total) / 4_000)

    assert means == [pytest.approx(1.75, rel=0.04)] * 2


def result(
    closing: GameClosing = GameClosing.PLAYED,
    winner: int | None = None,
    points: tuple[int, ...] | None = None,
    places: tuple[int, ...] | None = None,
) -> TableResult:
    return TableResult(closing, winner, points, places)


TABLE = RoundPairing("r1t1", (7, 3, 9, 5))
OTHER = RoundPairing("r1t2", (1, 2, 4))


def outcomes_of(form: PlannedTables, *results: TableResult | None) -> list[PairingOutcome | None]:
    plan = RoundPlan(1, "", (), (TABLE, OTHER)[: len(results)])
    return form.outcomes(plan, results)


def test_table_that_is_over_without_places_is_undecided() -> None:
    form = PlannedTables()

    assert outcomes_of(form, None, result(winner=1)) == [None, None]
    assert outcomes_of(PlannedTables(by_places=False), result(winner=7), None) == [None, None]


def test_table_that_is_not_played_to_its_end_gives_the_mean_or_a_forfeit() -> None:
    form = PlannedTables()

    broken_off, forfeited = outcomes_of(form, result(GameClosing.VOID), result(GameClosing.FORFEIT, 2))
    (nobodys,) = outcomes_of(form, result(GameClosing.FORFEIT))

    assert broken_off == PairingOutcome(fractions("7/4 7/4 7/4 7/4"), None, walkover=True)
    assert forfeited == PairingOutcome(fractions("0 7/2 0"), 2, walkover=True, places=(2, 1, 2))
    assert nobodys == PairingOutcome(fractions("0 0 0 0"), None, walkover=True, places=(1, 1, 1, 1))


@pytest.mark.parametrize("by_places", [True, False])
@pytest.mark.parametrize(("closing", "winner"), [(GameClosing.VOID, None), (GameClosing.FORFEIT, 7)])
def test_table_that_is_not_played_to_its_end_ignores_what_was_entered(
    by_places: bool, closing: GameClosing, winner: int | None
) -> None:
    form = PlannedTables(by_places=by_places)
    entered = TableResult(closing, winner, (10, 0, 20, 30), (2, 1, 3, 4))

    assert outcomes_of(form, entered) == outcomes_of(form, TableResult(closing, winner))


def test_table_that_is_broken_off_has_the_mean_of_the_others_by_cards() -> None:
    form = PlannedTables(by_places=False)

    waiting = outcomes_of(form, result(GameClosing.VOID), None)
    decided = outcomes_of(form, result(GameClosing.VOID), result(points=(0, 20, 25)))
    alone = outcomes_of(form, result(GameClosing.VOID))

    assert waiting == [None, None]
    assert decided == [
        PairingOutcome(fractions("15 15 15 15"), None, walkover=True),
        PairingOutcome(fractions("0 20 25"), 1, places=(1, 2, 3)),
    ]
    assert alone == [PairingOutcome(fractions("0 0 0 0"), None, walkover=True)]


def test_table_forfeit_by_cards_gives_the_best_and_the_worst_of_the_round() -> None:
    form = PlannedTables(by_places=False)

    played = result(points=(5, 20, 25))
    won, _table = outcomes_of(form, result(GameClosing.FORFEIT, 3), played)
    nobodys, _table = outcomes_of(form, result(GameClosing.FORFEIT), played)
    (alone,) = outcomes_of(form, result(GameClosing.FORFEIT, 3))

    assert won == PairingOutcome(fractions("25 5 25 25"), 3, walkover=True, places=(2, 1, 2, 2))
    assert nobodys == PairingOutcome(fractions("25 25 25 25"), None, walkover=True, places=(1, 1, 1, 1))
    assert alone == PairingOutcome(fractions("0 0 0 0"), 3, walkover=True, places=(2, 1, 2, 2))


def test_annulled_contestant_counts_in_no_mean_by_cards() -> None:
    form = PlannedTables(by_places=False)
    plan = RoundPlan(1, "", (), (TABLE, OTHER), byes=(8,))
    outcomes = tuple(outcomes_of(form, result(GameClosing.VOID), result(points=(0, 20, 100))))
    field = tuple(Contestant(number, number) for number in (1, 2, 3, 4, 5, 7, 8, 9))
    progress = StageProgress(field, (PlayedRound(plan, outcomes),))

    before = form.totals(progress)
    after = form.totals(replace(progress, annulled=frozenset({4})))

    assert [before[one] for one in (3, 8, 1, 2)] == [40, 40, 0, 20]
    assert [after[one] for one in (3, 8, 1, 2)] == [10, 10, 0, 20]


def test_annulled_contestant_counts_in_no_forfeit_by_cards() -> None:
    form = PlannedTables(by_places=False)
    plan = RoundPlan(1, "", (), (TABLE, OTHER))
    outcomes = tuple(outcomes_of(form, result(GameClosing.FORFEIT, 3), result(points=(0, 20, 100))))

    forfeited, _table = form.counted(PlayedRound(plan, outcomes), {1, 4})

    assert forfeited == (
        TABLE,
        PairingOutcome(fractions("20 20 20 20"), 3, walkover=True, places=(2, 1, 2, 2)),
    )


def test_annulled_contestant_lets_the_others_at_a_table_move_up() -> None:
    form, cards = PlannedTables(), PlannedTables(by_places=False)
    outcome = form.outcome_of_places(TABLE, (2, 1, 3, 4))
    (by_cards,) = outcomes_of(cards, result(points=(10, 0, 20, 30)))

    rest = RoundPairing("r1t1", (7, 9, 5))
    assert form.without_annulled(TABLE, outcome, {3}) == (rest, form.outcome_of_places(rest, (1, 2, 3)))
    assert cards.without_annulled(TABLE, by_cards, {3}) == (
        rest,
        PairingOutcome(fractions("10 20 30"), 7, places=(1, 2, 3)),
    )
    assert form.without_annulled(TABLE, outcome, {1}) == (TABLE, outcome)
    assert form.without_annulled(TABLE, None, {3}) == (rest, None)
    assert form.without_annulled(TABLE, outcome, TABLE.sides) is None
    alone = form.without_annulled(TABLE, outcome, {3, 7, 9})
    assert alone == (RoundPairing("r1t1", (5,)), form.outcome_of_places(RoundPairing("r1t1", (5,)), (1,)))


def test_annulled_winner_of_a_forfeit_leaves_the_absent_nothing() -> None:
    form = PlannedTables()
    (forfeited,) = outcomes_of(form, result(GameClosing.FORFEIT, 3))

    counted = form.without_annulled(TABLE, forfeited, {3})

    assert counted == (
        RoundPairing("r1t1", (7, 9, 5)),
        PairingOutcome(fractions("0 0 0"), None, walkover=True, places=(1, 1, 1)),
    )


def test_annulled_loser_of_a_forfeit_leaves_a_smaller_table() -> None:
    form = PlannedTables()
    (forfeited,) = outcomes_of(form, result(GameClosing.FORFEIT, 3))

    counted = form.without_annulled(TABLE, forfeited, {7})
    absent = form.without_annulled(TABLE, forfeited, {7, 3, 9})

    assert counted == (
        RoundPairing("r1t1", (3, 9, 5)),
        PairingOutcome(fractions("7/2 0 0"), 3, walkover=True, places=(1, 2, 2)),
    )
    assert absent == (
        RoundPairing("r1t1", (5,)),
        PairingOutcome(fractions("0"), None, walkover=True, places=(1,)),
    )


def test_annulled_contestants_are_left_out_of_totals() -> None:
    form = PlannedTables()
    plan = RoundPlan(1, "", (), (TABLE,))
    progress = StageProgress(
        tuple(Contestant(number, number) for number in (3, 5, 7, 9)),
        (PlayedRound(plan, (form.outcome_of_places(TABLE, (2, 1, 3, 4)),)),),
        annulled=frozenset({3}),
    )

    assert form.totals(progress) == {3: 0, 5: Fraction(1, 4), 7: Fraction(7, 2), 9: Fraction(3, 2)}
