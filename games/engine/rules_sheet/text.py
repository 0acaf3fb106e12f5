"""A sheet as plain text, for a terminal or a message."""

from collections.abc import Iterator
from textwrap import fill

from games.engine.rules_sheet.model import RulesSection, RulesSheet, RulesTableRow

_WIDTH = 78


def sheet_text(sheet: RulesSheet) -> str:
    """The whole sheet, lines of at most 78 characters, with a line feed at the end."""
    parts = [f"{sheet.title.upper()}\n", *(_section(section) for section in sheet.sections)]
    return "\n".join(parts)


def _section(section: RulesSection) -> str:
    title = f"{section.title}\n{'-' * len(section.title)}\n"
    return title + "".join(f"{line}\n" for line in _lines(section))


def _lines(section: RulesSection) -> Iterator[str]:
    for sentence in section.sentences:
        yield fill(sentence, _WIDTH)
    for row in section.rows + section.values:
        yield _row(row)


def _row(row: RulesTableRow) -> str:
    return fill(f"{row.name}: {row.text}", _WIDTH, initial_indent="* ", subsequent_indent="  ")
