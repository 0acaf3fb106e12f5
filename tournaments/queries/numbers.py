"""Numbers as people read them: places, and points, which can be fractions where they are shared."""

from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _

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


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, in the active language."""
    last = 0 if place % 100 in (11, 12, 13) else place % 10
    template = {1: _("%(place)dst"), 2: _("%(place)dnd"), 3: _("%(place)drd")}.get(last, _("%(place)dth"))
    return template % {"place": place}
