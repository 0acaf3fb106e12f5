"""Who comes late, who goes, and what is finished when."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.contestants import field_of
from tests.support.round_robins import (
    FORMATS,
    SEEDS,
    InOrder,
    fields,
    first_side_wins,
    meetings,
    plans_of,
    play,
    with_round,
)
from tests.support.run.long import examples
from tournaments.formats.errors import CannotDraw
from tournaments.formats.format import Contestant, PairingOutcome, PlayedRound, RoundPairing, StageProgress
from tournaments.formats.round_robin.format import RoundRobin
from tournaments.formats.round_robin.groups import Grouping

IN_ORDER = InOrder()
IN_TWO_GROUPS = InOrder(groups=2, grouping=Grouping.SNAKE)


def without(progress: StageProgress, *gone: int) -> StageProgress:
    return replace(progress, gone=progress.gone | set(gone))


def with_late(progress: StageProgress, *late: int, labels: Iterable[int] = ()) -> StageProgress:
    since = len(progress.rounds) + 1
    came = tuple(Contestant(number, number, frozenset(labels), since) for number in late)
    return replace(progress, contestants=progress.contestants + came)


def sides(progress: StageProgress) -> list[list[tuple[int, ...]]]:
    return [[pairing.sides for pairing in plan.pairings] for plan in plans_of(progress)]


def byes(progress: StageProgress) -> list[tuple[int, ...]]:
    return [plan.byes for plan in plans_of(progress)]


# --- late


def test_late_contestant_of_a_round_robin_fills_the_bye() -> None:
    """The table of six from round 3 on, with 6 who was missing."""
    progress = play(IN_ORDER, StageProgress(field_of(5)), "any", rounds=2)
    progress = play(IN_ORDER, with_late(progress, 6), "any")

    assert sides(progress) == [
        [(2, 5), (3, 4)],
        [(5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]
    assert byes(progress) == [(1,), (4,), (), (), ()]
    assert IN_ORDER.is_finished(progress)


def test_late_contestants_fill_the_byes_of_two_groups() -> None:
    progress = play(IN_TWO_GROUPS, StageProgress(field_of(6)), "any", rounds=1)
    assert IN_TWO_GROUPS.division(progress, "any") == ((1, 4, 5), (2, 3, 6))
    progress = play(IN_TWO_GROUPS, with_late(progress, 7, 8), "any", rounds=1)
    assert IN_TWO_GROUPS.division(progress, "any") == ((1, 4, 5, 7), (2, 3, 6, 8))


def test_late_contestant_joins_the_group_with_nothing_in_common() -> None:
    field = [*field_of(6)]
    field[0] = field[0]._replace(labels=frozenset({3}))
    progress = play(IN_TWO_GROUPS, StageProgress(tuple(field)), "any", rounds=1)
    progress = play(IN_TWO_GROUPS, with_late(progress, 7, labels=[3]), "any", rounds=1)

    assert IN_TWO_GROUPS.division(progress, "any") == ((1, 4, 5), (2, 3, 6, 7))


def test_late_contestant_is_refused_where_no_place_is_free() -> None:
    progress = with_late(play(IN_ORDER, StageProgress(field_of(6)), "any", rounds=2), 7)
    with pytest.raises(CannotDraw) as refused:
        IN_ORDER.next_round(progress, "any")

    assert refused.value.code == "no_place"
    assert refused.value.values == {"contestant": 7, "round": 3}
    # Who was there can go on without.
    assert IN_ORDER.next_round(without(progress, 7), "any") is not None


def test_late_contestant_is_refused_when_all_is_drawn() -> None:
    progress = play(IN_ORDER, StageProgress(field_of(5)), "any")
    assert IN_ORDER.next_round(progress, "any") is None
    with pytest.raises(CannotDraw) as refused:
        IN_ORDER.next_round(with_late(progress, 6), "any")
    assert refused.value.code == "no_place"


def test_late_contestant_does_not_join_a_group_that_has_ended() -> None:
    """Five and four: the four have ended after round 3, and 3 leaves a place there."""
    form = IN_TWO_GROUPS
    longer = play(form, StageProgress(field_of(9)), "any", rounds=4)
    gone = without(longer, 3)
    assert form.division(gone, "any") == ((1, 4, 5, 8, 9), (2, 3, 6, 7))
    placed = play(form, with_late(gone, 10), "any", rounds=1)
    assert form.division(placed, "any") == ((1, 4, 5, 8, 9, 10), (2, 3, 6, 7))
    with pytest.raises(CannotDraw):
        form.next_round(with_late(gone, 10, 11), "any")


def test_late_contestant_keeps_the_place_of_one_who_is_gone() -> None:
    progress = without(play(IN_ORDER, StageProgress(field_of(6)), "any", rounds=2), 5)
    progress = play(IN_ORDER, with_late(progress, 7), "any", rounds=1)
    assert sides(progress)[2] == [(2, 6), (3, 1), (4, 7)]
    # That somebody else goes afterwards, or the first comes back, moves nobody.
    after = play(IN_ORDER, without(progress, 1), "any")
    assert sides(after)[3:] == [[(6, 7), (2, 3)], [(3, 6), (4, 2)]]
    assert IN_ORDER.division(after, "any") == ((1, 2, 3, 4, 5, 7, 6),)
    with pytest.raises(CannotDraw) as refused:
        IN_ORDER.next_round(replace(progress, gone=frozenset()), "any")
    assert refused.value.code == "place_taken"
    assert refused.value.values == {"contestant": 5, "successor": 7}


def test_withdrawal_before_round_1_leaves_the_draw_and_may_be_undone_later() -> None:
    progress = play(IN_ORDER, without(StageProgress(field_of(6)), 2), "any", rounds=1)
    assert sides(progress) == [[(3, 6), (4, 5)]]
    assert byes(progress) == [(1,)]
    back = play(IN_ORDER, replace(progress, gone=frozenset()), "any", rounds=1)
    # 2 has the empty place, the sixth; 1, 3, 4, 5, 6 have the first five.
    assert sides(back)[1] == [(2, 5), (6, 4), (1, 3)]


def test_withdrawn_contestant_who_comes_back_has_their_place_again() -> None:
    away = play(
        IN_ORDER, without(play(IN_ORDER, StageProgress(field_of(6)), "any", rounds=1), 3), "any", rounds=1
    )

    back = play(IN_ORDER, replace(away, gone=frozenset()), "any")
    whole = play(IN_ORDER, StageProgress(field_of(6)), "any")

    assert plans_of(back)[2:] == plans_of(whole)[2:]
    assert byes(away)[1] == (5,)


# --- gone


def test_withdrawn_contestant_leaves_byes() -> None:
    progress = play(IN_ORDER, StageProgress(field_of(6)), "any", rounds=2)
    progress = play(IN_ORDER, without(progress, 6), "any")
    assert sides(progress) == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(3, 1), (4, 5)],
        [(1, 4), (2, 3)],
        [(4, 2), (5, 1)],
    ]
    assert byes(progress) == [(), (), (2,), (5,), (3,)]


@pytest.mark.parametrize(("rounds", "annulled"), [(1, {6}), (2, {6}), (3, set()), (4, set())])
def test_withdrawn_contestant_s_results_are_annulled_below_half(rounds: int, annulled: set[int]) -> None:
    """Of five matches three are at least half."""
    progress = without(play(IN_ORDER, StageProgress(field_of(6)), "any", rounds=rounds), 6)
    assert IN_ORDER.annulled(progress, "any") == annulled
    assert IN_ORDER.annulled(play(IN_ORDER, progress, "any"), "any") == annulled
    assert replace(IN_ORDER, annul=False).annulled(progress, "any") == frozenset()


def test_withdrawn_contestant_s_results_stand_at_exactly_half() -> None:
    """In a field of five everybody has four matches."""
    progress = play(IN_ORDER, StageProgress(field_of(5)), "any", rounds=2)
    assert IN_ORDER.annulled(without(progress, 5), "any") == frozenset()
    assert IN_ORDER.annulled(without(progress, 1), "any") == {1}
    assert Counter(one for each in sides(progress) for pair in each for one in pair)[1] == 1


def test_withdrawn_contestant_completes_no_match_by_walkover() -> None:
    def walkover(pairing: RoundPairing) -> PairingOutcome:
        return PairingOutcome((Fraction(1), Fraction(0)), pairing.sides[0], walkover=6 in pairing.sides)

    progress = play(IN_ORDER, StageProgress(field_of(6)), "any", rounds=2)
    plan = IN_ORDER.next_round(progress, "any")

    assert plan is not None
    assert IN_ORDER.annulled(without(with_round(progress, plan, walkover), 6), "any") == {6}
    assert IN_ORDER.annulled(without(with_round(progress, plan), 6), "any") == frozenset()


def test_late_contestant_s_half_is_counted_from_their_first_round() -> None:
    """6 comes in round 3 of five, has three matches and completes two."""
    progress = play(IN_ORDER, StageProgress(field_of(5)), "any", rounds=2)
    progress = play(IN_ORDER, with_late(progress, 6), "any", rounds=2)
    assert IN_ORDER.annulled(without(progress, 6), "any") == frozenset()
    one = replace(progress, rounds=progress.rounds[:3])
    assert IN_ORDER.annulled(without(one, 6), "any") == {6}


# --- finished


def test_round_robin_is_finished_when_all_is_drawn_and_decided() -> None:
    form = RoundRobin()
    progress = StageProgress(field_of(4))
    assert not form.is_finished(progress)
    for _ in range(3):
        assert not form.is_finished(progress)
        progress = play(form, progress, "any", rounds=1)
    assert form.is_finished(progress)
    last = PlayedRound(
        progress.rounds[-1].plan, (None, first_side_wins(progress.rounds[-1].plan.pairings[1]))
    )
    assert not form.is_finished(replace(progress, rounds=(*progress.rounds[:-1], last)))


def test_round_robin_is_finished_when_one_contestant_is_left() -> None:
    progress = play(IN_ORDER, StageProgress(field_of(4)), "any", rounds=1)
    assert not IN_ORDER.is_finished(without(progress, 1, 2))
    left = without(progress, 1, 2, 3)
    assert IN_ORDER.next_round(left, "any") is None
    assert IN_ORDER.is_finished(left)


# --- whatever happens


@examples(80)
@given(fields(fewest=8), FORMATS, SEEDS, st.data())
def test_round_robin_repeats_no_meeting_while_contestants_come_and_go(
    field: tuple[Contestant, ...], form: RoundRobin, seed: str, data: st.DataObject
) -> None:
    assume(len(field) >= 2 * form.groups)
    progress = StageProgress(field)
    next_number = 100
    while True:
        before = plans_of(progress)
        try:
            plan = form.next_round(progress, seed)
        except CannotDraw as refused:
            # Late without a place, or back when it was taken: the organizer has to send them home.
            if refused.code not in {"no_place", "place_taken"}:
                raise
            progress = without(progress, int(refused.values["contestant"]))
            continue
        if plan is None:
            break
        seated = [one for pairing in plan.pairings for one in pairing.sides] + list(plan.byes)
        assert len(seated) == len(set(seated))
        playing = {one.number for one in progress.playing()}
        assert set(seated) <= playing
        assert plans_of(progress) == before
        progress = with_round(progress, plan)
        if data.draw(st.booleans()):
            progress = without(progress, data.draw(st.sampled_from(seated)))
        if data.draw(st.booleans()):
            progress = with_late(progress, next_number)
            next_number += 1
        if data.draw(st.booleans()):
            back = data.draw(st.sampled_from([0, *sorted(progress.gone)]))
            progress = replace(progress, gone=progress.gone - {back})
    assert form.is_finished(progress)
    assert len(progress.rounds) <= form.rounds_for(len(field))
    assert set(meetings(plans_of(progress)).values()) <= set(range(1, form.legs + 1))
    slots = [pairing.slot for plan in plans_of(progress) for pairing in plan.pairings]
    assert len(slots) == len(set(slots))
    assert form.annulled(progress, seed) <= progress.gone


@examples(40)
@given(fields(fewest=5, most=12), SEEDS, st.data())
def test_round_robin_lets_all_who_stay_meet_each_other(
    field: tuple[Contestant, ...], seed: str, data: st.DataObject
) -> None:
    form = RoundRobin()
    progress = play(form, StageProgress(field), seed, rounds=data.draw(st.integers(1, 4)))
    gone = data.draw(st.sets(st.sampled_from([one.number for one in field]), max_size=len(field) - 2))
    progress = play(form, without(progress, *gone), seed)
    met = meetings(plans_of(progress))
    staying = [one.number for one in field if one.number not in gone]

    assert all(met[frozenset((one, other))] == 1 for one in staying for other in staying if one < other)
