"""What the guides print in bold is what the pages say, in English and in Italian."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import polib
import pytest

from tests.support import ROOT
from tests.support.doc_pages import section

MESSAGES = polib.pofile(str(ROOT / "locale" / "it" / "LC_MESSAGES" / "django.po"))
BOLD = re.compile(r"\*\*([^*]+)\*\*")
PLACEHOLDER = re.compile(r"%\\?\(\w+\\?\)[sd]|\\\{\w+\\\}")
ENGLISH = ("organizers.md", "referees.md")
ITALIAN = ("organizzatori.md", "arbitri.md")


def labels(text: str) -> list[str]:
    return [" ".join(label.split()) for label in BOLD.findall(text)]


def said(label: str, messages: Iterable[str]) -> bool:
    """Whether a page can say this: word for word, but for what is filled in."""
    return any(pattern(message).fullmatch(label) for message in messages if message)


@cache
def pattern(message: str) -> re.Pattern[str]:
    return re.compile(PLACEHOLDER.sub(r"\\w+", re.escape(message)))


def in_english(entry: polib.POEntry) -> list[str]:
    return [entry.msgid, entry.msgid_plural]


def in_italian(entry: polib.POEntry) -> list[str]:
    return [entry.msgstr, *entry.msgstr_plural.values()]


def written(page: str) -> str:
    return Path(ROOT / "docs" / "guides" / page).read_text("utf-8")


@pytest.mark.parametrize(("english", "italian"), list(zip(ENGLISH, ITALIAN, strict=True)))
def test_guide_labels_are_those_of_the_pages_in_both_languages(english: str, italian: str) -> None:
    pairs = [
        (one, other)
        for one, other in zip(labels(written(english)), labels(written(italian)), strict=True)
        if not any(said(one, in_english(entry)) and said(other, in_italian(entry)) for entry in MESSAGES)
    ]
    assert pairs == []
    assert [len(marks) for marks in re.findall(r"^(#+) ", written(english), re.MULTILINE)] == [
        len(marks) for marks in re.findall(r"^(#+) ", written(italian), re.MULTILINE)
    ]


def test_tour_labels_are_those_of_the_pages_in_both_languages() -> None:
    tour = section(ROOT / "README.md", "A tour of ten minutes")
    pairs = re.findall(r"\*\*([^*]+)\*\*\s+\(([^)]+)\)", tour)
    assert len(pairs) > 20
    assert [
        pair
        for pair in pairs
        if not any(
            said(pair[0], in_italian(entry)) and said(pair[1], in_english(entry)) for entry in MESSAGES
        )
    ] == []
