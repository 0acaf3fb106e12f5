"""`rules [--ruleset NAME|JSON] [--language it|en]`: the rules sheet of a rule set, as plain text."""

import argparse
import json
import sys

from games.engine.command.files import REFUSED, REPLAYED
from games.engine.presets import DEFAULT_PRESET, PRESETS
from games.engine.refusals import Refusal
from games.engine.rules_sheet import LANGUAGES, rules_sheet, sheet_text
from games.engine.ruleset import Ruleset


def add_arguments(command: argparse.ArgumentParser) -> None:
    """What the verb takes."""
    command.add_argument(
        "--ruleset",
        default=DEFAULT_PRESET,
        metavar="NAME|JSON",
        help=f"a preset ({', '.join(PRESETS)}; default {DEFAULT_PRESET}) or a JSON object with `preset` "
        "and the fields that differ",
    )
    command.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0], help="default %(default)s")


def run(options: argparse.Namespace) -> int:
    """Print the sheet, or on the other channel why these rules can't be played."""
    try:
        ruleset = Ruleset.from_json(_read(options.ruleset))
    except Refusal as refusal:
        return _refused(refusal.to_json())
    except json.JSONDecodeError as error:
        message = f"the rule set isn't JSON: {error}"
        return _refused({"line": None, "type": None, "code": "malformed", "message": message})
    print(sheet_text(rules_sheet(ruleset, options.language)), end="")
    return REPLAYED


def _read(text: str) -> object:
    """A name as it is, an object from its JSON."""
    return json.loads(text) if text.lstrip().startswith("{") else text


def _refused(error: dict[str, object]) -> int:
    print(json.dumps({"error": error}), file=sys.stderr)
    return REFUSED
