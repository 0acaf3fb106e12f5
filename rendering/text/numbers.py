"""Numbers as people read them: places, and points, which can be fractions where they are shared."""

from decimal import Decimal
from fractions import Fraction
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _

_SIGNS: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}

_FINEST: Final = 12
"""Finer parts than twelfths, which only means have, are written as decimals."""
_DECIMALS: Final = 2


def bent_by(number: str) -> int:
    """The number by which words after `spoken(number)` are bent: half a point is singular, 1½ is plural."""
    value = Fraction(number)
    if value.denominator == 1:
        return int(value)
    return 1 if abs(value) < 1 else 2


def spoken(number: str) -> str:
    """A whole number or fraction as it is stored ("25", "50/3") the way it is written by hand: "25", "16⅔".
    A finer one is rounded: "943/144" is 6.55.

    ValueError for a text that is no number.
    """
    value = Fraction(number)
    if value.denominator > _FINEST:
        return _rounded(value, _DECIMALS)
    sign = "−" if value < 0 else ""
    whole, rest = divmod(abs(value), 1)
    if not rest:
        return f"{sign}{whole}"
    part = _SIGNS.get(rest, f"{rest.numerator}/{rest.denominator}")
    if not whole:
        return sign + part
    return f"{sign}{whole}{part}" if rest in _SIGNS else f"{sign}{whole}\N{NO-BREAK SPACE}{part}"


def spoken_apart(first: str, second: str) -> tuple[str, str]:
    """Two numbers as `spoken`; both as decimals where one is, as many as show which is greater."""
    one, other = Fraction(first), Fraction(second)
    if max(one.denominator, other.denominator) <= _FINEST:
        return spoken(first), spoken(second)
    decimals = _DECIMALS
    while one != other and _rounded(one, decimals) == _rounded(other, decimals):
        decimals += 1
    return _rounded(one, decimals), _rounded(other, decimals)


def _rounded(value: Fraction, decimals: int) -> str:
    rounded = round(Decimal(value.numerator) / Decimal(value.denominator), decimals)
    return number_format(rounded, decimals).replace("-", "−")


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, in the active language."""
    last = 0 if place % 100 in (11, 12, 13) else place % 10
    template = {1: _("%(place)dst"), 2: _("%(place)dnd"), 3: _("%(place)drd")}.get(last, _("%(place)dth"))
    return template % {"place": place}
