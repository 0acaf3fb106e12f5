"""Edition of the service: another one where anything has changed that pages are made of."""

import tomllib
from collections.abc import Collection
from functools import cache
from pathlib import Path

import grimp
import pytest
from django.conf import settings

from publishing import responses

BASE = Path(settings.BASE_DIR)


@cache
def imported_by_publishing() -> frozenset[Path]:
    """The files of our modules that publishing imports, directly or not."""
    linter = tomllib.loads((BASE / "pyproject.toml").read_text())["tool"]["importlinter"]
    graph = grimp.build_graph(*linter["root_packages"], cache_dir=None)
    found = {"publishing"} | graph.find_upstream_modules("publishing", as_package=True)
    return frozenset(file_of(module) for module in found)


def file_of(module: str) -> Path:
    path = BASE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def missing_from(files: Collection[Path]) -> set[str]:
    """What publishing imports and isn't among these files."""
    return {str(path.relative_to(BASE)) for path in imported_by_publishing() - set(files)}


def test_edition_has_all_that_publishing_imports() -> None:
    files = list(responses.edition_files())

    assert missing_from(files) == set()
    assert len(files) == len(set(files))
    assert all(path.is_relative_to(BASE) and "__pycache__" not in path.parts for path in files)


def test_twin_edition_without_a_package_is_found_incomplete() -> None:
    files = [path for path in responses.edition_files() if not path.is_relative_to(BASE / "people")]

    missing = missing_from(files)

    assert "people/display_names.py" in missing
    assert {path.partition("/")[0] for path in missing} == {"people"}


def test_edition_has_translations_templates_and_data_files() -> None:
    found = {str(path.relative_to(BASE)) for path in responses.edition_files()}

    beside = {"templates/base.html", "locale/it/LC_MESSAGES/django.mo", "tournaments/formats/designs.txt"}
    assert beside - found == set()


def test_edition_changes_with_the_content_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "names.py"
    monkeypatch.setattr(responses, "edition_files", lambda: iter([file]))
    editions = []

    for code in ("first", "second", "second"):
        file.write_text(code)
        editions.append(responses.edition.__wrapped__())

    assert editions[0] != editions[1] == editions[2]
