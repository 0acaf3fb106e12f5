"""The pack, and which points cards can make."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import COLOR, FITS, NUMBER, PACK, POINTS, SYMBOL, reachable_points


def test_pack_of_108() -> None:
    assert len(PACK) == 108
    colors = Counter(COLOR[card] or "wild" for card in PACK)
    assert colors == {"R": 25, "Y": 25, "G": 25, "B": 25, "wild": 8}
    numbers = Counter(NUMBER[card] for card in PACK if COLOR[card] == "R")
    assert [numbers[number] for number in (*range(10), None)] == [1, *[2] * 9, 6]
    assert Counter(SYMBOL[card] for card in PACK if NUMBER[card] is None) == {
        "S": 8,
        "R": 8,
        "+2": 8,
        "W": 4,
        "W+4": 4,
    }


def test_card_points_by_card() -> None:
    assert [POINTS[card] for card in ("R0", "G9", "BS", "YR", "R+2", "W", "W+4")] == [
        0,
        9,
        20,
        20,
        20,
        50,
        50,
    ]


def test_fitting_cards_of_a_red_reverse() -> None:
    reds = {card for card in PACK if COLOR[card] == "R"}
    assert FITS["R"]["RR"] == reds | {"GR", "BR", "YR", "W", "W+4"}
    assert "GS" not in FITS["R"]["RR"]


@given(st.dictionaries(st.integers(0, 12), st.integers(0, 3), max_size=4), st.integers(0, 6))
def test_reachable_points_are_those_of_all_choices(counts: dict[int, int], cards: int) -> None:
    values = [value for value, count in counts.items() for _ in range(count)]
    expected = 0
    for chosen in combinations(values, cards):
        expected |= 1 << sum(chosen)
    assert reachable_points(counts, cards) == expected
