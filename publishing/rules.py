"""A rule set for players: what its page shows, and the same on paper."""

from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language

from drawings.card import card
from games.engine import Ruleset
from games.engine.rules_sheet import RulesSection, RulesSheet, rules_sheet
from printing.document import DocumentHead
from printing.paper import Block, TextLine, print_blocks
from tournaments.models import Tournament
from tournaments.settings.tournament import TournamentSettings


def sheet_of(preset: str) -> RulesSheet:
    """The sheet of a preset in the active language; a bell is a tournament's."""
    return rules_sheet(Ruleset.read(preset), get_language() or "it")


def sheet_in(tournament: Tournament) -> RulesSheet:
    """The sheet of a tournament in the active language, with who wins when the bell rings."""
    settings = TournamentSettings.from_json(tournament.settings)
    return rules_sheet(Ruleset.read(settings.ruleset), get_language() or "it", settings.bell)


@dataclass(frozen=True, slots=True)
class Printed:
    """What a sheet on paper says beside the rules: whose they are, and where they are on the web."""

    over: str = ""
    foot: str = ""


@lru_cache(maxsize=64)
def paper_of(sheet: RulesSheet, printed: Printed) -> bytes:
    """The sheet as a PDF, one leaf of A4; made once for the same words."""
    head = DocumentHead(sheet.title, printed.over, printed.foot)
    return print_blocks(head, [_block(section, sheet.language) for section in sheet.sections], sheet.language)


def _block(section: RulesSection, language: str) -> Block:
    lines, values = (
        tuple(TextLine(row.name, row.text, tuple(card(code, language) for code in row.cards)) for row in rows)
        for rows in (section.rows, section.values)
    )
    return Block(section.title, section.sentences, lines, values)
