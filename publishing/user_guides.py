"""The guides for organizers and for referees, as pages: the same texts that stand in `docs/guides/`.

Both languages of a guide tell the same under the same headings in the same order (`tests/docs` holds them to
it). So a part has one anchor in both: that of its English heading.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import override
from markdown_it import MarkdownIt
from markdown_it.token import Token

from games.engine.translations import SOURCE_LANGUAGE, mark, translate

FILES = {
    "organizers": mark("organizers.md", "file of a guide"),
    "referees": mark("referees.md", "file of a guide"),
}
"""Who a guide is for, as its address says, and its file, a msgid: each language may have its own."""


@dataclass(frozen=True, slots=True)
class GuidePart:
    """A heading of a guide: where it is, what it says, and how deep it stands (2, 3)."""

    anchor: str
    title: str
    level: int


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide in one language: its title, its parts in order, and all below the title as HTML."""

    title: str
    parts: tuple[GuidePart, ...]
    html: str


@cache
def guide(reader: str, language: str) -> Guide:
    """The guide for this kind of reader, one of `FILES`; KeyError if there is none."""
    tokens = _tokens(translate(FILES[reader], language))
    headings = _headings(tokens)
    anchors = _anchors(reader)
    # The title and the contents, which stand before the first part, the page has itself.
    begin = next(place for place, token in enumerate(tokens) if token.tag == "h2")
    own = {_slug(title): anchor for (title, _), anchor in zip(headings, anchors, strict=True)}
    openings = (token for token in tokens if token.type == "heading_open")
    for token, anchor in zip(openings, anchors, strict=True):
        token.attrSet("id", anchor)
    for token in tokens:
        for child in token.children or ():
            _lead(child, own)
    parts = (
        GuidePart(anchor, title, level)
        for (title, level), anchor in zip(headings, anchors, strict=True)
        if level > 1
    )
    return Guide(
        headings[0][0], tuple(parts), _MARKDOWN.renderer.render(tokens[begin:], _MARKDOWN.options, {})
    )


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def _tokens(file: str) -> list[Token]:
    return _MARKDOWN.parse(Path(settings.BASE_DIR, "docs", "guides", file).read_text("utf-8"))


def _headings(tokens: list[Token]) -> list[tuple[str, int]]:
    """Each heading's words and its depth."""
    return [
        (following.content, int(token.tag[1:]))
        for token, following in pairwise(tokens)
        if token.type == "heading_open"
    ]


@cache
def _anchors(reader: str) -> tuple[str, ...]:
    """An anchor for each heading: what the English one says."""
    return tuple(_slug(title) for title, _ in _headings(_tokens(translate(FILES[reader], SOURCE_LANGUAGE))))


def _slug(title: str) -> str:
    """A heading as links to it are written: small letters, hyphens for blanks, no punctuation."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _lead(token: Token, own: dict[str, str]) -> None:
    """Have a link or a picture of the file lead where the service has it.

    A link to a page that the service doesn't show, for programmers or operators, stays as words.
    """
    if token.type == "image":
        token.attrSet("src", static(f"guide/{Path(str(token.attrGet('src'))).name}"))
        token.attrSet("loading", "lazy")
        return
    if token.type != "link_open":
        return
    file, _, anchor = str(token.attrGet("href")).partition("#")
    if not file:
        token.attrSet("href", f"#{own[unquote(anchor)]}")
        return
    for reader, shown in FILES.items():
        for language, _name in settings.LANGUAGES:
            if translate(shown, language) == file:
                with override(language):
                    token.attrSet("href", reverse("publishing:guide", args=[reader]))
                return
    token.attrs.pop("href")
