"""Whatever was played, the record of a stage draws each of its rounds again, through its text."""

import json
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.support import knockouts, round_robins, swiss_play
from tests.support.run.long import examples
from tests.tournaments.formats import table_eliminations
from tournaments.formats.catalogue import STAGE_FORMATS
from tournaments.formats.draw_verification import repeat_all
from tournaments.formats.elimination.format import Elimination
from tournaments.formats.format import Contestant, StageProgress
from tournaments.formats.record import StageRecord, read_record
from tournaments.formats.round_robin.format import RoundRobin
from tournaments.formats.swiss.format import Swiss
from tournaments.formats.table_elimination.format import TableElimination

MATCH = {"length": "one_game", "games": 1}


def expect_same(record: StageRecord) -> None:
    read = read_record(json.loads(json.dumps(record.to_json())))
    assert read.to_json() == record.to_json()
    assert [list(each.differences()) for each in repeat_all(read)] == [[]] * len(record.drawn)


def record_of(key: str, options: Mapping[str, object], progress: StageProgress, seed: str) -> StageRecord:
    """A stage in which nobody left."""
    choice = STAGE_FORMATS[key]
    none = (frozenset[int](),) * len(progress.rounds)
    edits = ((),) * len(progress.rounds)
    return StageRecord(
        choice, choice.complete(options), MATCH, seed, progress, none, none, edits, choice.method
    )


@examples(40)
@given(number=st.integers(0, 10_000), size=st.integers(2, 14), rematches=st.booleans())
def test_swiss_record_repeats_rounds_with_late_ones_and_withdrawals(
    number: int, size: int, rematches: bool
) -> None:
    random = Random(number)
    options = {"rounds": 5, "rematches": rematches}
    contestants = swiss_play.random_field(random, size)
    played = swiss_play.play(random, contestants, Swiss(rounds=5, rematches=rematches))
    record = record_of("swiss", options, played.progress, swiss_play.SEED)
    expect_same(replace(record, gone_before=tuple(before.gone for before, _ in played.steps)))


@examples(20)
@given(
    key=st.sampled_from(["single_elimination", "double_elimination"]),
    count=st.integers(2, 20),
    teams=st.integers(1, 5),
    seeded=st.integers(0, 8),
    number=st.integers(0, 1_000),
)
def test_knockout_record_repeats_its_rounds(
    key: str, count: int, teams: int, seeded: int, number: int
) -> None:
    choice = STAGE_FORMATS[key]
    form = choice.build(choice.complete({"seeded": seeded}))
    assert isinstance(form, Elimination)
    progress = knockouts.played(form, knockouts.field(count, teams), knockouts.at_random(number))
    expect_same(record_of(key, {"seeded": seeded}, progress, knockouts.SEED))


@examples(20)
@given(contestants=round_robins.fields(fewest=4, most=12), legs=st.integers(1, 2), groups=st.integers(1, 2))
def test_round_robin_record_repeats_its_rounds(
    contestants: tuple[Contestant, ...], legs: int, groups: int
) -> None:
    options: dict[str, object] = {"legs": legs, "groups": groups}
    choice = STAGE_FORMATS["round_robin"]
    form = choice.build(choice.complete(options))
    assert isinstance(form, RoundRobin)
    progress = round_robins.play(form, StageProgress(contestants), "x")
    expect_same(record_of("round_robin", options, progress, "x"))


@examples(20)
@given(contestants=table_eliminations.fields(), number=st.integers(0, 1_000))
def test_table_elimination_record_repeats_its_rounds(
    contestants: tuple[Contestant, ...], number: int
) -> None:
    options: dict[str, object] = {"seats": 4, "target": 200}
    choice = STAGE_FORMATS["table_elimination"]
    form = choice.build(choice.complete(options))
    assert isinstance(form, TableElimination)
    deal = table_eliminations.deals(Random(number))
    progress = table_eliminations.play(form, contestants, "x", deal)
    expect_same(record_of("table_elimination", options, progress, "x"))
