"""Lists in the documentation: modules, benchmarks, and rows that are no projections."""

import re

from django.apps import apps

import tournaments.models
from tests.docs import module_list
from tests.support import ROOT
from tournaments.verification.row_snapshots import KINDS, OVERALL


def test_module_list_has_every_module_with_its_first_line() -> None:
    assert module_list.PAGE.read_text() == module_list.page(), "run python -m tests.docs.module_list"


def test_every_module_has_a_first_line() -> None:
    assert [str(path) for path in module_list.modules() if not module_list.first_line(path)] == []


def test_benchmarks_page_lists_every_command() -> None:
    page = (ROOT / "docs" / "development" / "benchmarks.md").read_text()
    table = re.findall(r"^\| `python -m benchmarks\.(\w+)", page, re.MULTILINE)
    commands = {path.stem for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text()}

    assert set(table) == {*commands, "festival"}


def test_models_of_tournaments_name_every_row_that_is_no_projection() -> None:
    projected = {kind.model.__name__ for kind in (*KINDS.values(), *OVERALL.values())} | {"Outlook"}
    models = {model.__name__ for model in apps.get_app_config("tournaments").get_models()}

    named = re.findall(r"`(\w+)`", tournaments.models.__doc__ or "")

    assert sorted(named) == sorted(models - projected)
