"""Full names from one column, split into last name and first name. Pure."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Final

from people.intake.cell_text import clean, fold


class NameOrder(StrEnum):
    """What comes first in a column of full names."""

    SURNAME_FIRST = "surname_first"
    NAME_FIRST = "name_first"


PARTICLES: Final = frozenset(
    {
        "d", "da", "dal", "dalla", "dalle", "dall", "de", "degli", "dei", "del", "della", "delle", "dell",
        "dello", "di", "dos", "du", "el", "la", "le", "li", "lo", "mac", "mc", "san", "santa", "ten", "van",
        "von", "den", "der", "ter", "zu", "ben", "bin", "al",
    }
)  # fmt: skip
"""First words of surnames of several words, as `fold` writes them."""

GIVEN_NAMES: Final = frozenset(Path(__file__).with_name("given_names.txt").read_text("utf-8").split())
"""Given names that lists of children in Italy have most, as `fold` writes them."""


def split_name(text: str, order: NameOrder) -> tuple[str, str]:
    """Last name and first name of a full name; the first name is empty where there is a single word.

    A comma divides surname from name in any order, and so does a surname in capitals. Otherwise a surname is
    one word with the particles before it, and longer where given names that are known say so.
    """
    whole = clean(text)
    before, comma, after = whole.partition(",")
    if comma:
        return before.strip(), after.strip()
    words = whole.split()
    if len(words) < 2:
        return whole, ""
    shouted = _shouted(words)
    if shouted is not None:
        last_name, first_name = shouted
    elif order == NameOrder.SURNAME_FIRST:
        at = _end_of_surname(words)
        last_name, first_name = words[:at], words[at:]
    else:
        at = _end_of_given(words)
        last_name, first_name = words[at:], words[:at]
    return " ".join(last_name), " ".join(first_name)


def guess_order(names: Iterable[str], header: str) -> NameOrder:
    """The order of a column, told by given names that are known and by surnames in capitals.

    If these are level, the header tells it. If that says nothing, it is surname first.
    """
    votes: Counter[NameOrder] = Counter()
    for name in names:
        words = clean(name).split()
        if len(words) < 2 or "," in name:
            continue
        if (shouted := _shouted(words)) is not None:
            votes[NameOrder.SURNAME_FIRST if shouted[0][0] == words[0] else NameOrder.NAME_FIRST] += 1
            continue
        first, last = (fold(word) in GIVEN_NAMES for word in (words[0], words[-1]))
        if first != last:
            votes[NameOrder.NAME_FIRST if first else NameOrder.SURNAME_FIRST] += 1
    ahead = votes[NameOrder.NAME_FIRST] - votes[NameOrder.SURNAME_FIRST]
    if ahead:
        return NameOrder.NAME_FIRST if ahead > 0 else NameOrder.SURNAME_FIRST
    return _order_of_header(header)


def _order_of_header(header: str) -> NameOrder:
    words = clean(header).casefold().replace("last name", "cognome").replace("surname", "cognome").split()
    given = [place for place, word in enumerate(words) if word.strip("/,&") in ("nome", "name")]
    family = [place for place, word in enumerate(words) if word.strip("/,&") == "cognome"]
    if given and family and given[0] < family[0]:
        return NameOrder.NAME_FIRST
    return NameOrder.SURNAME_FIRST


def _shouted(words: list[str]) -> tuple[list[str], list[str]] | None:
    """Last and first names where either end, and not all, is in capitals; None otherwise."""
    loud = [word.isupper() and len(word.strip(".'’")) > 1 for word in words]
    if all(loud) or not any(loud):
        return None
    if loud[0]:
        at = loud.index(False)
        return (words[:at], words[at:]) if not any(loud[at:]) else None
    if loud[-1]:
        at = loud.index(True)
        return (words[at:], words[:at]) if all(loud[at:]) else None
    return None


def _end_of_surname(words: list[str]) -> int:
    """How many words at the beginning are the surname; at least one word is left."""
    at = 0
    while at < len(words) - 2 and fold(words[at]) in PARTICLES:
        at += 1
    least = at + 1
    known = (place for place in range(least, len(words)) if fold(words[place]) in GIVEN_NAMES)
    return next(known, least)


def _end_of_given(words: list[str]) -> int:
    """How many words at the beginning are given names; at least one word is left."""
    at = 1
    while at < len(words) - 1 and fold(words[at]) in GIVEN_NAMES:
        at += 1
    return at
