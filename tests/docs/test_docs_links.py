"""Whatever the pages for readers name is there: pages, headings, files, pictures, commands."""

import re
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.docs.module_list import PACKAGES
from tests.support import ROOT
from tests.support.doc_pages import pages

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
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
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
def test_every_command_and_script_named_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    named = set(COMMAND.findall(text))
    assert named - set(get_commands()) == set()
    assert [script for script in SCRIPT.findall(text) if not (ROOT / script.rstrip(".")).is_file()] == []


# A name in a paragraph about one layer leaves that layer out.
BASES = (ROOT, ROOT / "tournaments")

DEVELOPMENT = sorted((ROOT / "docs" / "development").glob("*.md"))
ARCHITECTURE = [
    path
    for path in DEVELOPMENT
    if path.stem
    in {"architecture", "results", "draws-and-timetables", "published-pages", "offline", "access", "testing"}
]
"""The map of the code, and the pages that it leads to."""


@pytest.mark.parametrize("page", ARCHITECTURE, ids=ids(ARCHITECTURE))
def test_architecture_pages_name_files_that_exist(page: Path) -> None:
    named = set(PATH.findall(page.read_text("utf-8"))) - TO_BE_WRITTEN

    assert [path for path in named if not any((base / path).exists() for base in BASES)] == []


MODULES = tuple(
    f"/{path.relative_to(ROOT)}"
    for folder in (*PACKAGES, "tests", "benchmarks")
    for path in (ROOT / folder).rglob("*.py")
)
TO_BE_WRITTEN = {"transitions/swap.py"}
"""The module that the page on a new rule writes as its example."""


def absent_modules(text: str) -> list[str]:
    """The modules that a page names as a path (`pdf/page.py`) and that aren't there."""
    named = set(re.findall(r"`([\w./-]+\.py)`", text)) - TO_BE_WRITTEN
    return sorted(path for path in named if not any(module.endswith(f"/{path}") for module in MODULES))


def absent_names(text: str) -> list[str]:
    """The dotted names that a page gives (`page_cache.at_once`) and that no module has."""
    named = set(re.findall(r"`((?:[a-z_]+\.)+[a-z]\w*)(?:\(\))?`", text))
    return sorted(name for name in named if not name.endswith(FILES) and not is_ours(name))


FILES = (".py", ".html", ".toml", ".js")


def is_ours(dotted: str) -> bool:
    """Whether a module ends with these parts, or with all but the last, which is a word in it."""
    holder, _, name = dotted.rpartition(".")
    return (
        holder.partition(".")[0] in sys.stdlib_module_names
        or bool(modules_called(dotted))
        or any(re.search(rf"\b{name}\b", path.read_text("utf-8")) for path in modules_called(holder))
    )


def modules_called(dotted: str) -> list[Path]:
    """The modules and packages whose dotted names end so."""
    path = dotted.replace(".", "/")
    ends = (f"/{path}.py", f"/{path}/__init__.py")
    return [ROOT / module.removeprefix("/") for module in MODULES if module.endswith(ends)]


@pytest.mark.parametrize("page", DEVELOPMENT, ids=ids(DEVELOPMENT))
def test_development_pages_name_modules_that_exist(page: Path) -> None:
    assert absent_modules(page.read_text("utf-8")) == []


@pytest.mark.parametrize("page", ARCHITECTURE, ids=ids(ARCHITECTURE))
def test_architecture_pages_name_functions_that_exist(page: Path) -> None:
    assert absent_names(page.read_text("utf-8")) == []


def test_architecture_page_has_at_most_1500_words() -> None:
    text = (ROOT / "docs" / "development" / "architecture.md").read_text("utf-8")

    assert len(text.split()) <= 1500


def test_twin_module_or_name_that_is_gone_is_found() -> None:
    text = "`page_list.py` and `wanted.py`; `page_cache.at_once`, `page_cache.gone` and `kept.at_once`"

    assert absent_modules(text) == ["wanted.py"]
    assert absent_names(text) == ["kept.at_once", "page_cache.gone"]


def test_every_guide_picture_is_shown_and_light() -> None:
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
