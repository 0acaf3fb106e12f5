"""Reading pages as a person does: what stands in an element of a class, in its order."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "link", "input", "br", "wbr", "hr", "img"}


class Element:
    """An element with its attributes and what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.content: list[Element | str] = []

    @property
    def classes(self) -> list[str]:
        """Its classes."""
        return self.attributes.get("class", "").split()

    def walk(self) -> "Iterator[Element]":
        """Every element in it, in order."""
        for each in self.content:
            if isinstance(each, Element):
                yield each
                yield from each.walk()

    def all(self, selector: str) -> "list[Element]":
        """The elements in it of a `tag`, a `.class` or a `tag.class`."""
        tag, _, name = selector.partition(".")
        return [
            each
            for each in self.walk()
            if (not tag or each.tag == tag) and (not name or name in each.classes)
        ]

    def one(self, selector: str) -> "Element":
        """The only such element."""
        found = self.all(selector)
        assert len(found) == 1, f"{len(found)} elements are {selector}"
        return found[0]

    def has(self, selector: str) -> bool:
        """Whether there is such an element."""
        return bool(self.all(selector))

    @property
    def text(self) -> str:
        """What is heard, with single spaces."""
        return _spaced(self._read(heard=True))

    @property
    def seen(self) -> str:
        """What is seen: without the words for who hears the page."""
        return _spaced(self._read(heard=False))

    def _read(self, heard: bool) -> str:
        if not heard and "unseen" in self.classes:
            return ""
        parts = [each if isinstance(each, str) else each._read(heard) for each in self.content]
        inline = self.tag in {"b", "span", "a", "s", "strong", "small"}
        return "".join(parts) if inline else " ".join(parts)


def _spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("document", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].content.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].content.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)


def read(response: Any) -> Element:
    """An answer's page. Fails if its elements aren't closed in order."""
    builder = _Builder()
    builder.feed(response.content.decode())
    builder.close()
    assert len(builder.open) == 1, f"<{builder.open[-1].tag}> isn't closed"
    return builder.open[0]


def rows(page: Element) -> list[tuple[str, str, str, str]]:
    """The standings on a page: place as it is shown, team, points, reason."""
    return [
        (
            row.one(".place").seen,
            row.one(".standing-name").text,
            row.one(".standing-points").one("b").text,
            " ".join(reason.text for reason in row.all(".standing-reason")),
        )
        for row in page.all(".standing")
    ]
