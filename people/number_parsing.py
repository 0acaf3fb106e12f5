"""Whole numbers as text: typed into a form, or standing in an address, a header or a cell of a file."""

from typing import Final

MOST: Final = 2**31 - 1
"""The largest number that a column of the database holds."""


def whole_number(text: str, most: int = MOST) -> int | None:
    """The number from 0 to `most` that a text writes with the digits 0 to 9; None for any other text.

    Signs, spaces and digits of other scripts are refused. Zeros in front change nothing. A text may be of any
    length, while `int` raises ValueError beyond 4300 digits.
    """
    if not (text.isascii() and text.isdecimal()):
        return None
    digits = text.lstrip("0") or "0"
    if len(digits) > len(str(most)):
        return None
    number = int(digits)
    return number if number <= most else None
