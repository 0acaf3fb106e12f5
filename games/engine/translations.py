"""Translations of the engine's texts, from the catalogues that the whole service has.

Texts in the code are English, and a text without a translation stays English. The languages are those in
`locale/`: nothing here knows one of them.
"""

import gettext
from functools import lru_cache
from pathlib import Path
from typing import Final

_LOCALE: Final = Path(__file__).parents[2] / "locale"
_DOMAIN: Final = "django"
_GLUE: Final = "\4"
"""Stands between a context and its message, as in a catalogue."""

SOURCE_LANGUAGE: Final = "en"
"""The language of the texts in the code."""


def mark(message: str, context: str = "") -> str:
    """The text to give to `translate` later, marked for `script/messages`.

    `context` tells apart what is one text in English; it stands before the text, as in a catalogue.
    """
    return f"{context}{_GLUE}{message}" if context else message


def mark_plural(one: str, many: str) -> tuple[str, str]:
    """The texts for one and for more, marked likewise, to give to `translate_plural`."""
    return one, many


def translate(message: str, language: str, context: str = "") -> str:
    """A text in a language, by its tag (`it`, `it-CH`); a context that the language lacks is left out."""
    catalogue = _catalogue(language)
    message = mark(message, context)
    found = catalogue.gettext(message)
    return catalogue.gettext(message.rpartition(_GLUE)[2]) if found == message else found


def translate_plural(one: str, many: str, count: int, language: str) -> str:
    """The text for so many, in a language."""
    return _catalogue(language).ngettext(one, many, count)


def languages() -> tuple[str, ...]:
    """The languages of the texts, by their tags: the code's own, then those of the catalogues."""
    folders = (path.parts[-3] for path in _LOCALE.glob(f"*/LC_MESSAGES/{_DOMAIN}.mo"))
    return (SOURCE_LANGUAGE, *sorted({name.replace("_", "-") for name in folders} - {SOURCE_LANGUAGE}))


@lru_cache
def _catalogue(language: str) -> gettext.NullTranslations:
    """The catalogue of a language, or of the one that it is a region's form of."""
    names = [language.replace("-", "_"), language.partition("-")[0]]
    return gettext.translation(_DOMAIN, _LOCALE, names, fallback=True)
