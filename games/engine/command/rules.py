"""`rules [--ruleset RULESET] [--language TAG]`: the rules sheet of a rule set, as plain text."""

import argparse
import json
import sys

from games.engine.command.files import REFUSED, REPLAYED, RULESET_HELP, ruleset_value
from games.engine.command.language import LANGUAGE_HELP, language_of_terminal
from games.engine.presets import DEFAULT_PRESET
from games.engine.refusals import Refusal
from games.engine.rules_sheet import rules_sheet, sheet_text
from games.engine.ruleset import Ruleset
from games.engine.translations import languages


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    command.add_argument(
        "--ruleset",
        default=DEFAULT_PRESET,
        metavar="NAME|JSON",
        help=f"{RULESET_HELP}; default %(default)s",
    )
    command.add_argument(
        "--language", choices=languages(), default=language_of_terminal(), help=LANGUAGE_HELP
    )


def run(options: argparse.Namespace) -> int:
    """Print the sheet, or on the other channel why these rules can't be played."""
    try:
        ruleset = Ruleset.from_json(ruleset_value(options.ruleset))
    except Refusal as refusal:
        return _refused(refusal.to_json())
    except json.JSONDecodeError as error:
        message = f"the rule set isn't JSON: {error}"
        return _refused({"line": None, "type": None, "code": "malformed", "message": message})
    print(sheet_text(rules_sheet(ruleset, options.language)), end="")
    return REPLAYED


def _refused(error: dict[str, object]) -> int:
    print(json.dumps({"error": error}), file=sys.stderr)
    return REFUSED
