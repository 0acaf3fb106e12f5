"""Each test has one kind, by what it needs."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.support import ROOT
from tests.support.run.kinds import SERVING, kind_of


def an_item(name: str, *fixtures: str, mark: str = "") -> Any:
    """As much of a test as its kind is read from."""
    return SimpleNamespace(
        nodeid=f"{name}::test", fixturenames=fixtures, get_closest_marker=lambda asked: asked == mark or None
    )


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        (an_item("tests/games/test_x.py"), "unit"),
        (an_item("tests/games/test_x.py", "tmp_path"), "unit"),
        (an_item("tests/desk/test_x.py", mark="django_db"), "database"),
        (an_item("tests/desk/test_x.py", "live_server"), "database"),
        (an_item("tests/config/test_serve.py"), "database"),
        (an_item("tests/acceptance/test_x.py"), "database"),
        (an_item("tests/desk/test_x.py", "live_server", "page", mark="django_db"), "browser"),
    ],
)
def test_test_kind_follows_from_what_it_needs(item: Any, kind: str) -> None:
    assert kind_of(item) == kind


def test_paths_that_serve_by_themselves_exist() -> None:
    assert [name for name in SERVING if not (ROOT / name).exists()] == []


def test_unit_mark_is_set_on_this_test(request: pytest.FixtureRequest) -> None:
    assert [mark.name for mark in request.node.own_markers] == ["unit"]
