"""Who isn't at a table of many: the others count among themselves, and who isn't there has nothing."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.contestants import field_of
from tests.support.run.long import examples
from tests.tournaments.formats.tables_play import SEED
from tournaments.formats.catalogue import FORMATS
from tournaments.formats.format import (
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
)
from tournaments.formats.record import StageRecord, read_record
from tournaments.formats.table_result import ResultKind, TableResult
from tournaments.formats.tables.format import PlannedTables, TablesByStanding
from tournaments.standings import GameClosing

TABLE = RoundPairing("r1t1", (7, 3, 9, 5))
OTHER = RoundPairing("r1t2", (1, 2, 4))


def fractions(text: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, text.split()))


def at_table(
    *absent: int,
    places: tuple[int, ...] | None = None,
    points: tuple[int, ...] | None = None,
    closing: GameClosing = GameClosing.PLAYED,
) -> TableResult:
    return TableResult(closing, None, points, places, frozenset(absent))


def outcome_of(form: PlannedTables, *results: TableResult) -> PairingOutcome | None:
    """Of the first table."""
    plan = RoundPlan(1, "", (), (TABLE, OTHER)[: len(results)])
    return form.outcomes(plan, results)[0]


@pytest.mark.parametrize(
    ("places", "noted", "missing"),
    [
        ((1, 2, 3, 4), {3}, {3}),
        ((1, 2, 3, 3), {2, 3}, {2, 3}),
        ((1, 2, 3, 3), {3}, set()),
        ((1, 2, 3, 4), {2}, set()),
        ((1, 2, 3, 4), {2, 3}, {3}),
        ((4, 2, 3, 1), {0, 1}, {0}),
    ],
)
def test_absent_side_with_a_place_before_or_shared_with_another_was_there(
    places: tuple[int, ...], noted: set[int], missing: set[int]
) -> None:
    assert at_table(*noted, places=places).missing(ResultKind.PLACES) == missing


def test_absent_side_with_points_of_cards_was_there() -> None:
    noted = at_table(0, 1, points=(0, 20, 5, 0))

    assert noted.missing(ResultKind.POINTS) == {0}


def test_absence_by_places_gives_the_others_the_points_of_a_smaller_table() -> None:
    form = PlannedTables()

    outcome = outcome_of(form, at_table(1, places=(3, 4, 1, 2)))

    expected = PairingOutcome(fractions("1/4 0 7/2 3/2"), 9, places=(3, 4, 1, 2), absent=frozenset({3}))
    assert outcome == expected
    rest = RoundPairing("r1t1", (7, 9, 5))
    assert form.without_annulled(TABLE, outcome, ()) == (rest, form.outcome_of_places(rest, (3, 1, 2)))


def test_absence_by_cards_counts_in_no_mean_and_costs_as_many_as_the_most() -> None:
    form = PlannedTables(by_places=False)
    results = (at_table(1, points=(10, 0, 30, 20)), at_table(points=(5, 40, 0)))
    plan = RoundPlan(1, "", (), (TABLE, OTHER), byes=(8,))
    played = PlayedRound(plan, tuple(form.outcomes(plan, results)))

    totals = form.totals(StageProgress(field_of(9), (played,)))

    assert [totals[one] for one in (7, 9, 5, 1, 2, 4)] == [10, 30, 20, 5, 40, 0]
    assert [totals[3], totals[8]] == [Fraction(40), Fraction(105, 6)]


@pytest.mark.parametrize("by_places", [True, False])
def test_absence_of_all_but_one_is_a_forfeit(by_places: bool) -> None:
    form = PlannedTables(by_places=by_places)
    alone = at_table(0, 1, 2, places=(2, 2, 2, 1), points=(0, 0, 0, 12))
    forfeit = TableResult(GameClosing.FORFEIT, 5)

    assert outcome_of(form, alone) == outcome_of(form, forfeit)


def test_absence_from_a_table_that_was_broken_off_gives_nothing() -> None:
    form = PlannedTables()

    outcome = outcome_of(form, at_table(1, closing=GameClosing.VOID))

    assert outcome == PairingOutcome(fractions("7/4 0 7/4 7/4"), None, walkover=True, absent=frozenset({3}))


def test_absence_and_annulment_both_leave_the_table() -> None:
    form = PlannedTables()
    outcome = outcome_of(form, at_table(1, places=(3, 4, 1, 2)))

    rest = RoundPairing("r1t1", (7, 5))
    assert form.without_annulled(TABLE, outcome, {9}) == (rest, form.outcome_of_places(rest, (2, 1)))
    assert form.without_annulled(TABLE, outcome, {7, 9, 5}) is None


@given(st.integers(0, 2**32), st.booleans(), st.booleans())
@examples(60)
def test_absence_leaves_those_who_are_there_the_mean_of_any_table(
    seed: int, is_planned: bool, is_shared: bool
) -> None:
    """However many aren't there: nobody gains or loses by who else is absent."""
    random = Random(seed)
    form = (PlannedTables if is_planned else TablesByStanding)(seats=random.randint(4, 7))
    plan = form.next_round(StageProgress(field_of(21)), SEED)
    assert plan is not None
    results = []
    for pairing in plan.pairings:
        sides = len(pairing.sides)
        absent = random.sample(range(sides), random.randint(0, sides - 2))
        figures = [random.randint(1, 2 if is_shared else 99) for _ in pairing.sides]
        for side in absent:
            figures[side] = 1000
        places = tuple(1 + sum(other < own for other in figures) for own in figures)
        results.append(at_table(*absent, places=places))
    played = PlayedRound(plan, tuple(form.outcomes(plan, results)))

    totals = form.totals(StageProgress(field_of(21), (played,)))

    away = {side for outcome in played.outcomes if outcome for side in outcome.absent}
    (mean,) = form.unplayed_points
    assert sum(totals.values()) == mean * (21 - len(away))
    assert {totals[side] for side in away} <= {0}


def test_absence_is_no_meeting_in_tables_by_standing() -> None:
    """Of four who sat together one wasn't there: the next round can sit them together without a meeting."""
    form = TablesByStanding(seats=4, rounds=2)
    progress = StageProgress(field_of(8))
    plan = form.next_round(progress, SEED)
    assert plan is not None
    first, second = plan.pairings
    level = tuple(
        form.outcomes(
            plan,
            [at_table(0, 1, places=(3, 3, 1, 1)), at_table(0, 1, places=(3, 3, 1, 1))],
        )
    )

    after = form.next_round(StageProgress(field_of(8), (PlayedRound(plan, level),)), SEED)

    assert after is not None
    met = {frozenset(pairing.sides[2:]) for pairing in (first, second)}
    leaders = {side for pair in met for side in pair}
    assert leaders in [set(pairing.sides) for pairing in after.pairings]


def test_absence_is_in_the_record_and_read_back() -> None:
    choice = FORMATS["tables"]
    form = PlannedTables(rounds=2)
    plans = form.coming_rounds(StageProgress(field_of(8)), SEED)
    results = [at_table(3, places=(1, 2, 3, 4)), at_table(places=(1, 2, 3, 4))]
    played = (
        PlayedRound(plans[0], tuple(form.outcomes(plans[0], results))),
        PlayedRound(plans[1], (None, None)),
    )
    record = StageRecord(
        choice,
        choice.complete({"rounds": 2}),
        {"length": "one_game", "games": 1},
        SEED,
        StageProgress(field_of(8), played),
        (frozenset(), frozenset()),
        (frozenset(), frozenset()),
        ((), ()),
        choice.method,
    )

    told = record.to_json()

    outcomes = [each["outcome"] for each in told["rounds"][0]["pairings"]]
    assert outcomes[0]["absent"] == [plans[0].pairings[0].sides[3]]
    assert "absent" not in outcomes[1]
    assert read_record(told).progress.rounds[0].outcomes == played[0].outcomes
