"""Compiled catalogues: each `locale/*/LC_MESSAGES/django.mo`, made from the texts in the `.po` beside it.

    .venv/bin/python config/catalogues.py

makes those that are missing or of other texts, as the scripts do before they start anything.
"""

import gettext
import os
import struct
import sys
from hashlib import sha256
from pathlib import Path

import polib

LOCALE = Path(__file__).resolve().parents[1] / "locale"
SOURCE = "X-Source-SHA256"
"""The header of a catalogue that says of which texts it was made."""


def not_compiled(locale: Path = LOCALE) -> list[Path]:
    """The files of texts whose catalogue is missing or was made of others."""
    files = sorted(locale.glob("*/LC_MESSAGES/*.po"))
    return [texts for texts in files if _source(texts.with_suffix(".mo")) != _digest(texts)]


def compile_missing(locale: Path = LOCALE) -> list[Path]:
    """Make the catalogues that aren't there; whoever reads one meanwhile has the old or the new one whole.
    The files of texts that were compiled.
    """
    missing = not_compiled(locale)
    for texts in missing:
        catalogue = polib.pofile(str(texts))
        catalogue.metadata[SOURCE] = _digest(texts)
        made = texts.with_suffix(f".{os.getpid()}")
        catalogue.save_as_mofile(str(made))
        made.replace(texts.with_suffix(".mo"))
    return missing


def complaint() -> str | None:
    """One sentence that says which command is to be run, or None where all are there."""
    missing = not_compiled()
    if not missing:
        return None
    return (
        f"The texts of {missing[0]} aren't compiled, and pages would lack them: "
        f"run `{sys.executable} config/catalogues.py` first."
    )


def _digest(texts: Path) -> str:
    return sha256(texts.read_bytes()).hexdigest()


def _source(catalogue: Path) -> str | None:
    """Of which texts a catalogue was made; None if it isn't there, or is damaged."""
    try:
        with catalogue.open("rb") as file:
            return gettext.GNUTranslations(file).info().get(SOURCE.lower())
    except (OSError, ValueError, struct.error):
        return None


if __name__ == "__main__":
    compile_missing()
