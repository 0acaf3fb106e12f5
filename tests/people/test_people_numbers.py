"""Whole numbers as text: which text is one, and up to which bound, however long it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from people.number_parsing import MOST, whole_number
from tests.support.run.long import examples

DIGITS = "0123456789"
PARTS = st.sampled_from([*DIGITS, "9" * 5000, "0" * 5000, "-", "+", "_", ".", "e", " ", "\0", "²", "２", "١"])


@examples(100)
@given(st.integers(0, 10**30), st.integers(0, 10**30), st.integers(0, 6000))
def test_number_is_read_up_to_its_bound_whatever_zeros_stand_before_it(
    number: int, most: int, zeros: int
) -> None:
    read = whole_number("0" * zeros + str(number), most)

    assert read == (number if number <= most else None)


@examples(200)
@given(st.lists(PARTS, max_size=5).map("".join) | st.text(max_size=5))
def test_text_with_anything_but_ascii_digits_is_no_number(text: str) -> None:
    read = whole_number(text)

    if not text or set(text) - set(DIGITS):
        assert read is None
    else:
        assert (read is None) == (len(text.lstrip("0")) > 10 or int(text[-10:]) > MOST)


@pytest.mark.parametrize("text", [str(MOST), f"0{MOST}", "0", "0" * 5000, "0" * 5000 + "7"])
def test_number_that_fits_is_read(text: str) -> None:
    assert whole_number(text) == int(text[-10:])


@pytest.mark.parametrize(
    "text",
    [
        "",
        " 1",
        "1 ",
        "-1",
        "+1",
        "1_0",
        "1.0",
        "1e3",
        "0x1",
        "²",
        "２",
        "١",
        str(MOST + 1),
        "9" * 5000,
        "1\n",
    ],
)
def test_what_is_no_number_within_the_bound_is_none(text: str) -> None:
    assert whole_number(text) is None


def test_int_alone_raises_for_a_long_number_and_reads_other_scripts_and_signs() -> None:
    """Without `whole_number`: what the callers would have to look for themselves."""
    with pytest.raises(ValueError, match="4300 digits"):
        int("9" * 5000)
    with pytest.raises(ValueError, match="invalid literal"):
        int("²")

    assert "²".isdigit()
    assert [int(text) for text in ("２", "١", "-1", "+1", "1_0", " 1\n")] == [2, 1, -1, 1, 10, 1]
