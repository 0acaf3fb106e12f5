"""The bell rule: fewest cards in hand, then fewest points, and what has still to be counted."""

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings import BellVerdict, by_bell

TWO = {0: "A", 1: "B"}
PAIRS = {0: "A", 1: "B", 2: "A", 3: "B"}


@pytest.mark.parametrize(
    ("sides", "cards", "points", "expected"),
    [
        (TWO, {0: 2, 1: 5}, {}, BellVerdict("A", 0, (0,))),
        (TWO, {0: 5, 1: 2}, {0: 1, 1: 99}, BellVerdict("B", 1, (1,))),
        (TWO, {0: 3, 1: 3}, {}, BellVerdict(None, None, (0, 1), asked=(0, 1))),
        (TWO, {0: 3, 1: 3}, {0: 12}, BellVerdict(None, None, (0, 1), asked=(1,))),
        (TWO, {0: 3, 1: 3}, {0: 12, 1: 11}, BellVerdict("B", 1, (0, 1))),
        (TWO, {0: 3, 1: 3}, {0: 12, 1: 12}, BellVerdict(None, None, (0, 1))),
        # One hand decides, not what a side holds together.
        (PAIRS, {0: 9, 1: 2, 2: 1, 3: 2}, {}, BellVerdict("A", 2, (2,))),
        # Two of one side are level: it has won, and neither of them alone.
        (PAIRS, {0: 1, 1: 2, 2: 1, 3: 2}, {}, BellVerdict("A", None, (0, 2))),
        # Level across the sides: of those alone are the points asked.
        (PAIRS, {0: 1, 1: 1, 2: 4, 3: 4}, {}, BellVerdict(None, None, (0, 1), asked=(0, 1))),
        (PAIRS, {0: 1, 1: 1, 2: 1, 3: 4}, {0: 5, 1: 7, 2: 5}, BellVerdict("A", None, (0, 1, 2))),
        (PAIRS, {0: 1, 1: 1, 2: 1, 3: 4}, {0: 5, 1: 5, 2: 6}, BellVerdict(None, None, (0, 1, 2))),
        # Somebody has left the table: the others are judged.
        ({0: "A", 2: "C"}, {0: 4, 2: 3}, {}, BellVerdict("C", 2, (2,))),
    ],
)
def test_bell_verdict_as_worked_out_by_hand(
    sides: Mapping[int, str], cards: Mapping[int, int], points: Mapping[int, int], expected: BellVerdict[str]
) -> None:
    assert by_bell(sides, cards, points) == expected


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ({0: 1}, {}),
        ({0: 1, 1: 1, 2: 1}, {}),
        ({0: 1, 1: 1}, {2: 1}),
        ({0: -1, 1: 1}, {}),
        ({0: 1, 1: 1}, {0: -5}),
    ],
)
def test_bell_verdict_of_contradicting_counts_is_refused(
    cards: dict[int, int], points: dict[int, int]
) -> None:
    with pytest.raises(ValueError, match=r"expected|from 0"):
        by_bell(TWO, cards, points)


def test_bell_verdict_of_an_empty_table_is_refused() -> None:
    with pytest.raises(ValueError, match="expected"):
        by_bell({}, {})


Hands = tuple[dict[int, str], dict[int, int], dict[int, int]]


@st.composite
def hands(draw: st.DrawFn) -> Hands:
    """Sides of up to six seats, small numbers of cards so that many are level, and everybody's points."""
    seats = range(draw(st.integers(2, 6)))
    return (
        {seat: draw(st.sampled_from("ABC")) for seat in seats},
        {seat: draw(st.integers(0, 3)) for seat in seats},
        {seat: draw(st.integers(0, 3)) for seat in seats},
    )


@given(hands())
def test_bell_verdict_s_winner_has_the_least_by_cards_and_then_points(given_: Hands) -> None:
    sides, cards, points = given_
    verdict = by_bell(sides, cards, points)
    least = min((cards[seat], points[seat]) for seat in sides)
    best = {seat for seat in sides if (cards[seat], points[seat]) == least}
    fewest = {seat for seat in sides if cards[seat] == least[0]}
    assert set(verdict.fewest) == fewest
    assert verdict.asked == ()
    of_fewest = {sides[seat] for seat in fewest}
    of_best = {sides[seat] for seat in best}
    if len(of_fewest) == 1:
        assert {verdict.winner} == of_fewest
        assert verdict.seat == (min(fewest) if len(fewest) == 1 else None)
    elif len(of_best) == 1:
        assert {verdict.winner} == of_best
        assert verdict.seat == (min(best) if len(best) == 1 else None)
    else:
        assert verdict.is_level


@given(hands())
def test_bell_verdict_asks_only_for_points_that_decide(given_: Hands) -> None:
    """Without points exactly those who are level are asked, and nobody else's points can change anything."""
    sides, cards, points = given_
    blind = by_bell(sides, cards)
    if blind.winner is not None:
        assert by_bell(sides, cards, points) == blind
        return
    assert blind.asked == blind.fewest
    asked = {seat: points[seat] for seat in blind.asked}
    assert by_bell(sides, cards, asked) == by_bell(sides, cards, points)
    first = {blind.asked[0]: 0}
    assert by_bell(sides, cards, first).asked == blind.asked[1:]


@given(hands(), st.randoms(use_true_random=False))
def test_bell_verdict_does_not_depend_on_the_order_of_hands(given_: Hands, random: Random) -> None:
    sides, cards, points = given_
    seats = random.sample(sorted(sides), len(sides))
    again = by_bell(
        {seat: sides[seat] for seat in seats},
        {seat: cards[seat] for seat in seats},
        {seat: points[seat] for seat in seats},
    )
    assert again == by_bell(sides, cards, points)


@given(hands(), st.integers(1, 9))
def test_bell_verdict_is_the_same_with_a_card_more_in_every_hand(given_: Hands, more: int) -> None:
    sides, cards, points = given_
    heavier = {seat: count + more for seat, count in cards.items()}
    assert by_bell(sides, heavier, points) == by_bell(sides, cards, points)
