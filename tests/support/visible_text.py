"""What of an answer is read as text, and which of its words are in no catalogue."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from typing import Any

from icalendar import Calendar

from tests.support.page_reading import VOID
from tests.support.pdf_text import text_of

UNREAD = {"script", "style", "code", "pre", "textarea"}
"""Elements that hold code, or what somebody has typed."""
READ = {"alt", "title", "aria-label", "aria-description", "placeholder", "label"}
"""Attributes that are read."""
ALIKE = {"Tendone", "UNO", "Excel", "AB", "BC", "CA", "XLSX", "JSON", "PIN", "QR"}
"""Words that are the same in every language: names, kinds of files, who meets in a mini-tournament."""
_WORD = re.compile(r"[A-Za-z]{2,}")
_ADDRESS = re.compile(r"\S*(?:://|@|\d|/\w+/|\.\w+/)\S*|\w+…")
"""Addresses, codes, what else has digits, and a name that is cut short."""
_TABLE_CODE = re.compile(r"(?:[B-DF-HJ-NP-TV-Z]{3}){1,2}")
"""A table's code, or half of one: no vowels."""


class _Reader(HTMLParser):
    """Collects what is read on a page in the page's own language."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._open: list[tuple[str, bool, dict[str, str]]] = []
        self._language = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "html":
            self._language = given.get("lang", "")
        is_read = not self._open or self._open[-1][1]
        is_read &= tag not in UNREAD and given.get("lang", self._language) == self._language
        if is_read:
            self.texts += [value for name, value in given.items() if name in READ]
            if tag == "meta" and given.get("name") == "description":
                self.texts.append(given["content"])
            if tag == "input" and given.get("type") in ("submit", "button"):
                self.texts.append(given.get("value", ""))
        if tag not in VOID:
            self._open.append((tag, is_read, given))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and any(each[0] == tag for each in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self._open or not self._open[-1][1]:
            return
        tag, _is_read, given = self._open[-1]
        # An option that says its value is a code, such as a time zone.
        if tag != "option" or given.get("value", data).strip() != data.strip():
            self.texts.append(data)


def of_page(html: str) -> list[str]:
    """The texts of a page, its title and what is heard of it."""
    reader = _Reader()
    reader.feed(html)
    return reader.texts


def of_calendar(content: bytes) -> list[str]:
    """What a calendar says of its appointments."""
    names = ("X-WR-CALNAME", "SUMMARY", "DESCRIPTION", "LOCATION")
    return [str(part[name]) for part in Calendar.from_ical(content).walk() for name in names if name in part]


def of_answer(response: Any) -> list[str]:
    """The texts of a page, a paper, a calendar or a table; of other files none."""
    content = b"".join(response) if response.streaming else response.content
    match response["Content-Type"].partition(";")[0]:
        case "text/html":
            return of_page(content.decode())
        case "application/pdf":
            return [text_of(content)]
        case "text/calendar":
            return of_calendar(content)
        case "text/csv":
            rows = csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=";")
            return [cell for row in rows for cell in row]
    return []


def words_of(texts: Iterable[str]) -> Iterator[str]:
    """The words in plain letters, without addresses and codes."""
    for text in texts:
        found = _WORD.findall(_ADDRESS.sub(" ", text))
        yield from (word for word in found if not _TABLE_CODE.fullmatch(word))


def untranslated(texts: Iterable[str], data: set[str]) -> list[str]:
    """The words that are neither in a catalogue nor among the names that somebody gave."""
    return sorted(set(words_of(texts)) - data - ALIKE)
