"""The rules of a rule set as a sheet for players: short sentences that can be read aloud to children.

Everything on the sheet follows from the rule set's fields; a rule that can't come up under them isn't there.
"""

from games.engine.rules_sheet.bell import BELL_RULES
from games.engine.rules_sheet.model import RulesSection, RulesSheet, RulesTableRow
from games.engine.rules_sheet.sheet import rules_sheet
from games.engine.rules_sheet.text import sheet_text

__all__ = ["BELL_RULES", "RulesSection", "RulesSheet", "RulesTableRow", "rules_sheet", "sheet_text"]
