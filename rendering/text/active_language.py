"""The language in which pages, papers and answers are written now."""

from django.utils.translation import get_language

from games.engine.translations import SOURCE_LANGUAGE


def reader_language() -> str:
    """The active language by its tag; that of the code where translations are switched off."""
    return get_language() or SOURCE_LANGUAGE
