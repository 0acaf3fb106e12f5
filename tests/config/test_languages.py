"""Languages: the settings and the catalogues alone know which there are."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from api.shapes.events import EventBody
from desk.forms.events import EventForm
from tests.support import ROOT
from tests.support.pseudo_language import TAG, registered

PACKAGES = (
    "api",
    "config",
    "desk",
    "games",
    "integrations",
    "ledger",
    "people",
    "publishing",
    "referee",
    "rendering",
    "tournaments",
)
LANGUAGES = [language for language, _name in settings.LANGUAGES]
NAMED = re.compile(rf"(?:.*_)?(?:{'|'.join(LANGUAGES)})(?:[-_][A-Z]{{2}})?")
IN_MARKUP = re.compile(rf"""["'](?:{"|".join(LANGUAGES)})["']""")

LEFT = {
    "config/settings.py": "the languages that there are",
    "games/engine/translations.py": "the language of the texts in the code",
    "people/models/announcements.py": "columns that the release before reads, and the next one removes",
    "referee/pocket/shims.py": "the language of the texts in the code, on the phone",
}
"""Files that name a language, and why."""


def names_in(tree: ast.AST) -> Iterator[str]:
    """Texts and names in a module that can be a language's tag or end in one."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(name)) | ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name


def names_language(source: str) -> bool:
    """Whether a module has a language's tag, or something that is called after one."""
    return any(NAMED.fullmatch(name) for name in names_in(ast.parse(source)))


def files_that_name_one() -> Iterator[str]:
    for package in PACKAGES:
        for path in sorted(Path(ROOT, package).rglob("*.py")):
            if "migrations" not in path.parts and names_language(path.read_text("utf-8")):
                yield str(path.relative_to(ROOT))
    for folder, kind in (("templates", "*"), ("static/js", "*.js")):
        for path in sorted(Path(ROOT, folder).rglob(kind)):
            if path.is_file() and IN_MARKUP.search(path.read_text("utf-8")):
                yield str(path.relative_to(ROOT))


def test_modules_that_name_a_language_are_listed() -> None:
    assert sorted(files_that_name_one()) == sorted(LEFT)


@pytest.mark.parametrize(
    "source",
    ['words["it"]', 'language == "en"', 'get_language() or "it-IT"', "row.text_it", "say(text_en=words)"],
)
def test_twin_language_named_in_code_is_found(source: str) -> None:
    assert names_language(source)


def test_twin_no_language_is_found_in_other_words() -> None:
    assert not names_language("from markdown_it import MarkdownIt\nit_is = split('item', 'open')")


def accepted() -> tuple[bool, bool]:
    """Whether an event can be of the language that nobody speaks: in the desk's form, and in the API."""
    form, body = EventForm({"language": TAG}), EventBody(data={"language": TAG})
    body.is_valid()
    return "language" not in form.errors, "language" not in body.errors


def test_registered_language_can_be_chosen(tmp_path: Path) -> None:
    before = accepted()
    with registered(tmp_path):
        during = accepted()

    assert (before, during, accepted()) == ((False, False), (True, True), (False, False))
