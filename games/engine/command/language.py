"""The language of what a verb prints: `--language`, or that of the terminal."""

import os
import re
from typing import Final

from games.engine.translations import SOURCE_LANGUAGE, languages

LANGUAGE_HELP: Final = "default: that of LC_ALL, LC_MESSAGES or LANG; English where they name none"


def language_of_terminal() -> str:
    """The language that the environment names; that of the code if it names none that there are texts in."""
    values = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next((value for value in values if value), "")
    name, *_ = re.split(r"[_.@]", locale)
    return name if name in languages() else SOURCE_LANGUAGE
