"""The language of what a verb prints: `--language`, or that of the terminal."""

import os
import re
from typing import Final

from games.engine.words import SOURCE_LANGUAGE, languages

DEFAULT_LANGUAGE: Final = "it"
"""Where nobody names one: the service's own, `LANGUAGE_CODE` of its settings."""


def language_of_terminal() -> str:
    """The language that the environment names, English if there are no texts in it."""
    values = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next((value for value in values if value), "")
    name, *_ = re.split(r"[_.@]", locale)
    if name in ("", "C", "POSIX"):
        return DEFAULT_LANGUAGE
    return name if name in languages() else SOURCE_LANGUAGE
