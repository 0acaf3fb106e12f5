"""Exact numbers as people read them: points that are shared can be fractions."""

from fractions import Fraction
from typing import Final

_SIGNS: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


def bent_by(number: str) -> int:
    """The number by which words after `spoken(number)` are bent; parts of one are more than one."""
    value = Fraction(number)
    return int(value) if value.denominator == 1 else 2


def spoken(number: str) -> str:
    """A whole number or fraction as it is stored ("25", "50/3") the way it is written by hand: "25", "16⅔".

    ValueError for a text that is no number.
    """
    value = Fraction(number)
    sign = "−" if value < 0 else ""
    whole, rest = divmod(abs(value), 1)
    if not rest:
        return f"{sign}{whole}"
    part = _SIGNS.get(rest, f"{rest.numerator}/{rest.denominator}")
    if not whole:
        return sign + part
    return f"{sign}{whole}{part}" if rest in _SIGNS else f"{sign}{whole} {part}"
