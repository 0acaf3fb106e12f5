"""Placements by hand: an entered order, checked, is the result."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run.long import examples
from tournaments.formats import CannotDraw
from tournaments.formats.format import Contestant, Format, PlayedRound, StageProgress
from tournaments.formats.places_by_hand import BY_HAND, placements

FIELD = tuple(Contestant(number, number) for number in range(1, 5))


def entered(pairs: list[tuple[int, int]], gone: frozenset[int] = frozenset()) -> StageProgress:
    plan = BY_HAND.next_round(StageProgress(FIELD), "")
    assert plan is not None
    outcome = placements(plan.pairings[0].sides, pairs, gone)
    return StageProgress(FIELD, (PlayedRound(plan, (outcome,)),), gone)


def test_placements_by_hand_are_the_places_that_were_entered() -> None:
    progress = entered([(3, 1), (1, 2), (4, 2), (2, 4)])

    assert BY_HAND.places(progress) == ((3,), (1, 4), (2,))
    assert progress.rounds[0].outcomes[0] == placements((1, 2, 3, 4), [(1, 2), (2, 4), (3, 1), (4, 2)])
    assert BY_HAND.is_finished(progress)
    assert BY_HAND.next_round(progress, "") is None


@examples(50)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=12))
def test_placements_by_hand_take_any_order_with_shared_places(times: list[int]) -> None:
    """Places follow from times: one more than there are faster ones."""
    pairs = [(one, 1 + sum(other < time for other in times)) for one, time in enumerate(times, start=1)]
    outcome = placements([one for one, _ in pairs], pairs[::-1])
    assert outcome.points == tuple(Fraction(place) for _, place in pairs)
    first = [one for one, place in pairs if place == 1]
    assert outcome.winner == (first[0] if len(first) == 1 else None)


def test_placements_by_hand_let_a_withdrawn_one_share_the_place_after_the_last() -> None:
    assert BY_HAND.places(entered([(3, 1), (1, 2)], frozenset({2, 4}))) == ((3,), (1,), (2, 4))


@pytest.mark.parametrize(
    ("pairs", "code", "message"),
    [
        ([(9, 1)], "unknown_contestant", "Contestant 9 isn't in this tournament."),
        (
            [(1, 1), (1, 2)],
            "placed_twice",
            "Contestant 1 has two places, 1 and 2; one is expected.",
        ),
        ([(1, 1), (2, 2), (4, 3)], "not_placed", "Contestant 3 has no place; everybody needs one."),
        (
            [(1, 1), (2, 2), (3, 2), (4, 3)],
            "places",
            "Place 3 was entered where place 4 comes: 3 are ahead of it (who shares a place takes up as "
            "many: 1, 2, 2, 4).",
        ),
        (
            [(1, 2), (2, 3), (3, 4), (4, 5)],
            "places",
            "Place 2 was entered where place 1 comes: 0 are ahead of it (who shares a place takes up as "
            "many: 1, 2, 2, 4).",
        ),
    ],
)
def test_placements_by_hand_refuse_unknown_double_and_impossible_places(
    pairs: list[tuple[int, int]], code: str, message: str
) -> None:
    with pytest.raises(CannotDraw) as caught:
        placements((1, 2, 3, 4), pairs)
    assert (caught.value.code, str(caught.value)) == (code, message)


def test_placements_by_hand_are_none_before_they_are_entered() -> None:
    plan = BY_HAND.next_round(StageProgress(FIELD), "")
    assert plan is not None
    progress = StageProgress(FIELD, (PlayedRound(plan, (None,)),))
    assert (BY_HAND.places(progress), BY_HAND.is_finished(progress)) == ((), False)


def test_placements_by_hand_are_a_round_format() -> None:
    format_: Format = BY_HAND
    assert (format_.key, format_.rounds_for(40)) == ("by_hand", 1)
    with pytest.raises(CannotDraw):
        format_.next_round(StageProgress(()), "")
