"""Parts of a rules sheet: plain text by section, and rows that may begin with cards."""

from dataclasses import dataclass
from typing import Final

from games.engine.cards import Card

LANGUAGES: Final = ("it", "en")
"""The languages in which sheets are written."""


@dataclass(frozen=True, slots=True)
class RulesTableRow:
    """A line of a section's list: the cards that it is about (or none), what it is called, what holds."""

    cards: tuple[Card, ...]
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class RulesSection:
    """One subject: short sentences; rows, whose text is a sentence; values, whose text is a number of cards
    or points. `key` is the same in every language.
    """

    key: str
    title: str
    sentences: tuple[str, ...] = ()
    rows: tuple[RulesTableRow, ...] = ()
    values: tuple[RulesTableRow, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether these rules have nothing to say about it."""
        return not (self.sentences or self.rows or self.values)


@dataclass(frozen=True, slots=True)
class RulesSheet:
    """The rules of one rule set in one language; only what holds there is on it."""

    language: str
    title: str
    sections: tuple[RulesSection, ...]


class Voice:
    """Says things in the language of the sheet."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"no rules sheet in {language!r} (expected one of {', '.join(LANGUAGES)})")
        self.language = language

    def say(self, *, en: str, it: str) -> str:
        """The sentence in this language."""
        return it if self.language == "it" else en

    def cards(self, count: int) -> str:
        """`1 carta`, `2 carte`."""
        return self._counted(count, ("card", "cards"), ("carta", "carte"))

    def points(self, count: int) -> str:
        """`1 punto`, `20 punti`."""
        return self._counted(count, ("point", "points"), ("punto", "punti"))

    def _counted(self, count: int, en: tuple[str, str], it: tuple[str, str]) -> str:
        one, more = it if self.language == "it" else en
        return f"{count} {one if count == 1 else more}"
