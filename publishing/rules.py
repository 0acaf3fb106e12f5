"""A rule set for players: what its page shows, and the same on paper."""

from functools import lru_cache

from games.engine import Ruleset
from games.engine.rules_sheet import RulesSection, RulesSheet, rules_sheet
from rendering.components.playing_cards import drawn_card
from rendering.pdf.document import DocumentHead
from rendering.pdf.text_pages import Block, TextLine, print_blocks
from rendering.text.active_language import reader_language
from tournaments.models import Tournament
from tournaments.queries.rules_sheet import sheet_of_settings
from tournaments.settings.tournament import TournamentSettings


def sheet_of(preset: str) -> RulesSheet:
    """The sheet of a preset in the active language; a bell is a tournament's."""
    return rules_sheet(Ruleset.read(preset), reader_language())


def sheet_in(tournament: Tournament) -> RulesSheet:
    """The sheet of a tournament in the active language."""
    return sheet_of_settings(TournamentSettings.from_json(tournament.settings))


@lru_cache(maxsize=64)
def paper_of(sheet: RulesSheet, over: str, foot: str) -> bytes:
    """The sheet as a PDF, one leaf of A4; made once for the same words. `over` says whose the rules are,
    `foot` where they are on the web.
    """
    head = DocumentHead(sheet.title, over, foot)
    return print_blocks(head, [_block(section, sheet.language) for section in sheet.sections], sheet.language)


def _block(section: RulesSection, language: str) -> Block:
    lines, values = (
        tuple(
            TextLine(row.name, row.text, tuple(drawn_card(code, language) for code in row.cards))
            for row in rows
        )
        for rows in (section.rows, section.values)
    )
    return Block(section.title, section.sentences, lines, values)
