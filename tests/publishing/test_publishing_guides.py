"""The guides as pages: the texts of the manual with links and pictures that lead somewhere."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from games.engine.translations import translate
from publishing.user_guides import FILES, guide
from tests.support import ROOT
from tests.support.page_reading import read

SHOWN = [(reader, language) for reader in FILES for language in ("it", "en")]


def address(reader: str, language: str) -> str:
    return f"{'/en' if language == 'en' else ''}/guide/{reader}/"


@pytest.mark.parametrize(("reader", "language"), SHOWN)
def test_guide_is_shown_whole_with_its_contents(client: Client, reader: str, language: str) -> None:
    written = Path(ROOT, "docs", "guides", translate(FILES[reader], language)).read_text("utf-8")
    shown = read(client.get(address(reader, language)))
    assert shown.one("h1").text == re.findall(r"^# (.*)$", written, re.MULTILINE)[0]
    headings = re.findall(r"^###? (.*)$", written, re.MULTILINE)
    assert [each.text for each in shown.one(".guide-contents").all("li")] == headings
    text = shown.one(".guide-text")
    assert [each.attributes["href"] for each in shown.one(".guide-contents").all("a")] == [
        f"#{each.attributes['id']}" for each in text.walk() if each.tag in ("h2", "h3")
    ]


@pytest.mark.parametrize(("reader", "language"), SHOWN)
def test_guide_s_links_and_pictures_exist(client: Client, reader: str, language: str) -> None:
    text = read(client.get(address(reader, language))).one(".guide-text")
    anchors = {f"#{part.anchor}" for part in guide(reader, language).parts}
    links = {each.attributes["href"] for each in text.all("a") if "href" in each.attributes}
    wrong = [link for link in links - anchors if client.get(link).status_code != 200]
    assert wrong == []
    pictures = [each.attributes["src"] for each in text.all("img")]
    assert [src for src in pictures if finders.find(src.removeprefix("/static/")) is None] == []
    assert pictures


@pytest.mark.parametrize("reader", FILES)
def test_guide_has_the_same_anchors_and_levels_in_both_languages(reader: str) -> None:
    italian, english = guide(reader, "it").parts, guide(reader, "en").parts
    assert [(part.anchor, part.level) for part in italian] == [(part.anchor, part.level) for part in english]


def test_guide_for_unknown_readers_is_not_found(client: Client) -> None:
    assert client.get("/guide/operators/").status_code == 404
