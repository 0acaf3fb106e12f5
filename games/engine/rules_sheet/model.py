"""Parts of a rules sheet: plain text by section, and rows that may begin with cards."""

from dataclasses import dataclass

from games.engine.cards import Card


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
