"""Whatever the pages for readers name is there: pages, headings, files, pictures, commands."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.docs.pages import ROOT, pages

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:[a-z_]+/)+[\w./-]*|[\w-]+\.(?:md|toml|yml|yaml))`")
COMMAND = re.compile(r"manage\.py (\w+)")
SCRIPT = re.compile(r"script/[a-z.]+")
MOST_BYTES = 150 * 1024
PAGES = pages()


def ids(paths: list[Path]) -> list[str]:
    return [path.name for path in paths]


def anchors(page: Path) -> set[str]:
    """The headings' addresses, as they are made where repositories are looked at."""
    headings = re.findall(
        r"^#+ (.*)$", re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL), re.M
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=ids(PAGES))
def test_every_link_leads_somewhere(page: Path) -> None:
    wrong = []
    for link in LINK.findall(page.read_text("utf-8")):
        if re.match(r"https?://", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            wrong.append(link)
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=ids(PAGES))
def test_every_command_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    named = set(COMMAND.findall(text))
    assert named - set(get_commands()) == set()
    assert [script for script in SCRIPT.findall(text) if not (ROOT / script.rstrip(".")).is_file()] == []


def test_every_file_that_the_architecture_names_is_there() -> None:
    text = (ROOT / "docs" / "development" / "architecture.md").read_text("utf-8")
    named = set(PATH.findall(text))
    assert len(named) > 30
    missing = [path for path in named if not any((base / path).exists() for base in BASES)]
    assert missing == []


# A name in a paragraph about one floor leaves that floor out.
BASES = (ROOT, ROOT / "tournaments", ROOT / "tournaments" / "actions", ROOT / "tournaments" / "formats")


def test_every_picture_is_shown_somewhere_and_is_light() -> None:
    pictures = {path.name for path in (ROOT / "docs" / "guides" / "images").iterdir()}
    shown = {
        Path(link).name
        for page in PAGES
        for link in LINK.findall(page.read_text("utf-8"))
        if link.endswith(".png")
    }
    assert pictures == shown
    assert [
        name for name in pictures if (ROOT / "docs" / "guides" / "images" / name).stat().st_size > MOST_BYTES
    ] == []
