"""A rule set for players: what its page shows, and the same on paper."""

from dataclasses import replace
from functools import lru_cache

from django.utils.translation import gettext as _

from games.engine import Ruleset
from games.engine.rules_sheet import RulesSection, RulesSheet, RulesTableRow, rules_sheet
from games.reader_language import reader_language
from rendering.components.playing_cards import drawn_card
from rendering.pdf.document import DocumentHead
from rendering.pdf.text_pages import Block, TextLine, print_blocks
from tournaments.formats.table_result import ResultKind
from tournaments.models import Tournament
from tournaments.queries.settings_text import format_text, order_text
from tournaments.settings.tournament import TournamentSettings


def sheet_of(preset: str) -> RulesSheet:
    """The sheet of a preset in the active language; a bell is a tournament's."""
    return rules_sheet(Ruleset.read(preset), reader_language())


def sheet_in(tournament: Tournament) -> RulesSheet:
    """The sheet of a tournament in the active language: the rules of the game, who wins when the bell rings,
    then how the tournament is played.
    """
    settings = TournamentSettings.from_json(tournament.settings)
    sheet = rules_sheet(Ruleset.read(settings.ruleset), reader_language(), settings.bell, _decides(settings))
    return replace(sheet, sections=(*sheet.sections, _how_it_is_played(settings)))


def _decides(settings: TournamentSettings) -> str:
    """What is taken from a game, in the first stage in which that isn't its winner alone."""
    kinds = [stage.format().result_kind for stage in settings.stages()]
    return next((kind for kind in kinds if kind is not ResultKind.WINNER), ResultKind.WINNER)


def _how_it_is_played(settings: TournamentSettings) -> RulesSection:
    """How sides meet, the match, points, what decides the order and placement points."""
    rows = [
        RulesTableRow((), name, f"{text[:1].upper()}{text[1:]}.")
        for name, text in [*format_text(settings), *order_text(settings)]
    ]
    return RulesSection("tournament", _("How the tournament is played"), rows=tuple(rows))


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
