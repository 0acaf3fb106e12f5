"""The order of meetings: as it is published, and what players rely on whatever their number."""

import csv
import json
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given

from tests.support.contestants import field_of
from tests.support.round_robins import (
    FORMATS,
    SEEDS,
    InOrder,
    fields,
    longest_run,
    meetings,
    plans_of,
    play,
    seats,
)
from tests.support.run.long import examples
from tournaments.formats.errors import CannotDraw
from tournaments.formats.format import Contestant, Format, StageProgress
from tournaments.formats.round_robin.berger import berger_round
from tournaments.formats.round_robin.format import RoundRobin
from tournaments.formats.round_robin.lots import number_lot

DATA = Path(__file__).parents[2] / "data"
PUBLISHED = json.loads((DATA / "berger_tables.json").read_text("utf-8"))
SOURCE = PUBLISHED.pop("source")
IN_ORDER = InOrder()


@pytest.mark.parametrize("size", PUBLISHED)
def test_berger_tables_are_those_of_fide(size: str) -> None:
    assert SOURCE.startswith("http")
    table = [[list(pair) for pair in berger_round(int(size), r)] for r in range(1, int(size))]
    assert table == PUBLISHED[size]


@pytest.mark.parametrize("size", PUBLISHED)
def test_round_robin_in_the_order_of_the_seeding_is_the_berger_table(size: str) -> None:
    plans = IN_ORDER.coming_rounds(StageProgress(field_of(int(size))), "any")
    assert [[list(pairing.sides) for pairing in plan.pairings] for plan in plans] == PUBLISHED[size]


@pytest.mark.parametrize("size", PUBLISHED)
def test_round_robin_with_one_fewer_gives_byes_to_the_highest_number_s_pairs(size: str) -> None:
    plans = list(IN_ORDER.coming_rounds(StageProgress(field_of(int(size) - 1)), "any"))
    assert [[list(pairing.sides) for pairing in plan.pairings] for plan in plans] == [
        [pair for pair in pairs if int(size) not in pair] for pairs in PUBLISHED[size]
    ]
    assert [list(plan.byes) for plan in plans] == [
        [one for pair in pairs if int(size) in pair for one in pair if one != int(size)]
        for pairs in PUBLISHED[size]
    ]


def test_round_robin_of_ten_was_played_in_this_order() -> None:
    """The first round says who had which number; the other eight follow."""
    rounds: dict[int, list[tuple[str, str]]] = {}
    with (DATA / "standings" / "uzchesscup_games.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            pair = (row["white_fide_id"], row["black_fide_id"])
            rounds.setdefault(int(row["round"].partition(".")[0]), []).append(pair)
    ids = {
        number: one
        for places, pair in zip(berger_round(10, 1), rounds[1], strict=True)
        for number, one in zip(places, pair, strict=True)
    }
    plans = IN_ORDER.coming_rounds(StageProgress(field_of(10)), "any")
    drawn = {
        plan.number: [(ids[first], ids[second]) for first, second in (each.sides for each in plan.pairings)]
        for plan in plans
    }

    assert (len(ids), len(drawn)) == (10, 9)
    assert drawn == rounds


def test_round_robin_is_a_format_that_is_drawn_by_round() -> None:
    form: Format = RoundRobin()
    assert (form.key, form.name) == ("round_robin", "Round robin")
    assert form.places(StageProgress(field_of(4))) is None


def test_round_robin_round_has_number_title_slots_and_byes() -> None:
    plan = IN_ORDER.next_round(StageProgress(field_of(5)), "any")

    assert plan is not None
    assert (plan.number, plan.title % dict(plan.values)) == (1, "Round 1")
    assert [(pairing.slot, pairing.sides) for pairing in plan.pairings] == [
        ("g1-l1-2-5", (2, 5)),
        ("g1-l1-3-4", (3, 4)),
    ]
    assert plan.byes == (1,)


# --- legs


def test_round_robin_s_second_leg_changes_seats_and_exchanges_two_rounds() -> None:
    def sides(form: RoundRobin) -> list[list[tuple[int, ...]]]:
        plans = form.coming_rounds(StageProgress(field_of(6)), "any")
        return [[pairing.sides for pairing in plan.pairings] for plan in plans]

    one = sides(InOrder())
    changed = [[pair[::-1] for pair in each] for each in one]
    assert sides(InOrder(legs=2)) == [*one[:3], one[4], one[3], *changed]


@pytest.mark.parametrize("count", [4, 6, 8, 10, 16])
def test_round_robin_seats_nobody_the_same_way_three_times_running(count: int) -> None:
    plans = list(RoundRobin(legs=2).coming_rounds(StageProgress(field_of(count)), "any"))
    assert max(longest_run(seats(plans, number)) for number in range(1, count + 1)) == 2


# --- lots


def test_round_robin_number_lot_has_its_published_test_vector() -> None:
    assert number_lot("palio-2022", 1) == "c20d52ae830d4016e31632abcb2499859ef9a8b21497ff65f155de7fe0a13091"


def test_round_robin_numbers_are_drawn_by_lots() -> None:
    form = RoundRobin()
    drawn = {form.division(StageProgress(field_of(6)), str(seed)) for seed in range(50)}
    assert len(drawn) > 40
    (group,) = form.division(StageProgress(field_of(6)), "palio-2022")
    assert list(group) == sorted(range(1, 7), key=lambda number: number_lot("palio-2022", number))


# --- whatever the field


@examples(80)
@given(fields(), FORMATS, SEEDS)
def test_round_robin_meets_all_in_time_with_even_seats_and_byes(
    field: tuple[Contestant, ...], form: RoundRobin, seed: str
) -> None:
    if len(field) < 2 * form.groups:
        with pytest.raises(CannotDraw) as refused:
            form.next_round(StageProgress(field), seed)
        assert refused.value.code == "contestants"
        return
    progress = play(form, StageProgress(field), seed)
    plans = plans_of(progress)
    division = form.division(progress, seed)

    assert sorted(one for group in division for one in group) == sorted(one.number for one in field)
    sizes = [len(group) for group in division]
    assert max(sizes) - min(sizes) <= 1
    assert len(plans) == form.rounds_for(len(field))
    assert [plan.number for plan in plans] == list(range(1, len(plans) + 1))
    assert form.is_finished(progress)

    within = {frozenset(pair): form.legs for group in division for pair in combinations(group, 2)}
    assert meetings(plans) == within
    byes = Counter(one for plan in plans for one in plan.byes)
    for group in division:
        assert {byes[one] for one in group} == {form.legs * (len(group) % 2)}
    for plan in plans:
        seated = [one for pairing in plan.pairings for one in pairing.sides] + list(plan.byes)
        assert len(seated) == len(set(seated))
    slots = [pairing.slot for plan in plans for pairing in plan.pairings]
    assert len(slots) == len(set(slots))

    for one in field:
        first = seats(plans, one.number).count(0)
        second = seats(plans, one.number).count(1)
        odd = form.legs % 2 and len(next(group for group in division if one.number in group)) % 2 == 0
        assert abs(first - second) == (1 if odd else 0)


@examples(60)
@given(fields(), FORMATS, SEEDS)
def test_round_robin_leg_is_a_whole_round_robin(
    field: tuple[Contestant, ...], form: RoundRobin, seed: str
) -> None:
    assume(len(field) >= 2 * form.groups)
    plans = list(form.coming_rounds(StageProgress(field), seed))
    by_leg: dict[str, Counter[tuple[int, ...]]] = {}
    for plan in plans:
        for pairing in plan.pairings:
            leg = pairing.slot.split("-")[1]
            by_leg.setdefault(leg, Counter())[pairing.sides] += 1
    assert sorted(by_leg) == [f"l{leg}" for leg in range(1, form.legs + 1)]
    for leg, following in pairwise(sorted(by_leg)):
        assert by_leg[following] == Counter(sides[::-1] for sides in by_leg[leg])
    assert set(by_leg["l1"].values()) == {1}
    assert len({frozenset(sides) for sides in by_leg["l1"]}) == len(by_leg["l1"])


@examples(60)
@given(fields(), FORMATS, SEEDS)
def test_round_robin_does_not_depend_on_the_order_of_its_input(
    field: tuple[Contestant, ...], form: RoundRobin, seed: str
) -> None:
    assume(len(field) >= 2 * form.groups)
    one_by_one = plans_of(play(form, StageProgress(field), seed))
    assert list(form.coming_rounds(StageProgress(field), seed)) == one_by_one
    assert list(form.coming_rounds(StageProgress(field[::-1]), seed)) == one_by_one


# --- refusals


@pytest.mark.parametrize(
    ("settings_", "code"),
    [({"legs": 0}, "legs"), ({"legs": 11}, "legs"), ({"groups": 0}, "groups")],
)
def test_round_robin_settings_out_of_range_are_refused(settings_: dict[str, int], code: str) -> None:
    with pytest.raises(CannotDraw) as refused:
        RoundRobin(**settings_)  # type: ignore[arg-type]  # only numbers are tried
    assert refused.value.code == code


def test_round_robin_with_too_few_contestants_is_refused() -> None:
    with pytest.raises(CannotDraw) as refused:
        RoundRobin(groups=3).next_round(StageProgress(field_of(5)), "any")
    assert str(refused.value) == (
        "Contestants: 5; groups: 3. At least 6 contestants are needed, two for each group."
    )


def test_round_robin_with_one_contestant_twice_is_refused() -> None:
    with pytest.raises(CannotDraw) as refused:
        RoundRobin().next_round(StageProgress((*field_of(3), Contestant(2, 9))), "any")
    assert refused.value.code == "contestant_twice"


def test_round_robin_seed_that_cannot_be_typed_is_refused() -> None:
    with pytest.raises(CannotDraw) as refused:
        RoundRobin().next_round(StageProgress(field_of(3)), " ")
    assert refused.value.code == "seed"


def test_round_robin_does_not_go_on_with_rounds_of_another_draw() -> None:
    form = RoundRobin()
    progress = play(form, StageProgress(field_of(6)), "one", rounds=2)
    with pytest.raises(CannotDraw) as refused:
        form.next_round(progress, "other")
    assert (refused.value.code, refused.value.values) == ("other_draw", {"round": 1})
    without = StageProgress(progress.contestants[1:], progress.rounds)
    with pytest.raises(CannotDraw) as refused:
        form.next_round(without, "one")
    assert refused.value.code == "other_draw"
