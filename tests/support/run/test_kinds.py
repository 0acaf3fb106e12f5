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
def test_kind_is_the_most_that_a_test_needs(item: Any, kind: str) -> None:
    assert kind_of(item) == kind


def test_what_serves_by_itself_is_there() -> None:
    assert [name for name in SERVING if not (ROOT / name).exists()] == []


def test_this_one_is_marked_as_a_unit(request: pytest.FixtureRequest) -> None:
    assert [mark.name for mark in request.node.own_markers] == ["unit"]
