"""A language that nobody speaks: each text of the catalogues between ‹marks›, its letters with accents.

A text with a number has three forms, as in Polish: for 1, for 2 to 4 (22, 103 …), and for all others.

Registered as a language, it shows what takes a language for granted, and which words stand in no catalogue:
they alone are in plain letters.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from unittest import mock

import django
import polib
import rest_framework
from django.conf import settings
from django.test import override_settings

from games.engine import translations
from referee.phone_files import line_texts
from referee.pocket import modules
from tests.support import ROOT

TAG = "rm"
"""Romansh: neither the service nor Django has texts in it."""
GUIDES = Path("docs", "guides")
_FILES = "file of a guide"
"""The context of what isn't a text but the name of a guide's file."""
MANY = "…"
"""Stands after the third form of a text, which is the second otherwise."""
_LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áþčđéħğĥíĵķłŋñóŕǫřšţúųŵžýźÁÞČĐÉĦĞĤÍĴĶŁŊÑÓŔǪŘŠŢÚŲŴŽÝŹ",
)
KEPT = re.compile(r"%\(\w+\)[-\d.]*[a-zA-Z]|%[sd%]|\{[^{}\s]*\}|<[^<>]+>|&#?\w+;")
"""Placeholders and markup."""
_KEPT_IN_GUIDES = re.compile(r"\]\([^)#]*\)|`[^`]*`")
"""Addresses and what is typed."""
_METADATA = {
    "Content-Type": "text/plain; charset=UTF-8",
    "Language": TAG,
    "Plural-Forms": "nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2;",
}


def spoken(text: str) -> str:
    """A text in the language: its letters, not its placeholders, have accents."""
    return f"‹{_accented(text, KEPT)}›"


def _accented(text: str, kept: re.Pattern[str]) -> str:
    pairs = zip(kept.split(text), [*kept.findall(text), ""], strict=True)
    return "".join(part.translate(_LETTERS) + same for part, same in pairs)


def sources() -> Iterator[Path]:
    """The catalogues whose texts there are: ours, and those of the frameworks."""
    core, rest = Path(django.__file__).parent, Path(rest_framework.__file__).parent
    folders = [ROOT, core / "conf", core / "contrib" / "auth", rest]
    return (folder / "locale" / "it" / "LC_MESSAGES" / "django.mo" for folder in folders)


def write(folder: Path, every: int = 1) -> None:
    """Make a folder like the project's with the language's catalogue, of every n-th text, and its guides."""
    for path in ROOT.iterdir():
        if path.name not in ("locale", "docs"):
            (folder / path.name).symlink_to(path)
    for inside in ("locale", GUIDES):
        (folder / inside).mkdir(parents=True)
        for path in (ROOT / inside).iterdir():
            (folder / inside / path.name).symlink_to(path)
    for name in ("organizers.md", "referees.md"):
        text = (folder / GUIDES / name).read_text("utf-8")
        (folder / GUIDES / f"{TAG}-{name}").write_text(_accented(text, _KEPT_IN_GUIDES), "utf-8")
    entries = (entry for path in sources() for entry in polib.mofile(str(path)))
    texts = {(entry.msgctxt, entry.msgid): entry for entry in entries}
    made = polib.MOFile()
    made.metadata = dict(_METADATA)
    for entry in islice(texts.values(), 0, None, every):
        if entry.msgctxt == _FILES:
            entry.msgstr = f"{TAG}-{entry.msgid}"
        elif entry.msgid_plural:
            few, many = spoken(entry.msgid_plural), spoken(entry.msgid_plural + MANY)
            entry.msgstr_plural = {0: spoken(entry.msgid), 1: few, 2: many}
        else:
            entry.msgstr = spoken(entry.msgid)
        made.append(entry)
    target = folder / "locale" / TAG / "LC_MESSAGES"
    target.mkdir(parents=True)
    made.save(str(target / "django.mo"))


@contextmanager
def registered(folder: Path, every: int = 1) -> Iterator[None]:
    """Have the language beside the service's own, as a catalogue and a line in the settings would."""
    write(folder, every)
    catalogues = folder / "locale"
    changed = {
        "BASE_DIR": folder,
        "LANGUAGES": [*(each for each in settings.LANGUAGES if each[0] != TAG), (TAG, spoken("Romansh"))],
        "LOCALE_PATHS": [catalogues],
    }
    _forget()
    try:
        with override_settings(**changed), mock.patch.object(translations, "_LOCALE", catalogues):
            yield
    finally:
        _forget()


def _forget() -> None:
    """Have what is kept of each language made anew."""
    translations._catalogue.cache_clear()
    modules.bundle.cache_clear()
    modules.digest.cache_clear()
    line_texts.cache_clear()
