"""The rules sheet of a tournament: the rules of its games, the bell, and how it is played."""

from dataclasses import replace

from django.utils.translation import gettext as _

from games.engine import Ruleset
from games.engine.rules_sheet import RulesSection, RulesSheet, RulesTableRow, rules_sheet
from rendering.text.active_language import reader_language
from tournaments.formats.table_result import ResultKind
from tournaments.queries.settings_text import format_text, order_text
from tournaments.settings.tournament import TournamentSettings


def sheet_of_settings(settings: TournamentSettings) -> RulesSheet:
    """The sheet of a tournament with these settings, in the active language. It has the rules of the game,
    who wins when the bell rings, then how the tournament is played.
    """
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
