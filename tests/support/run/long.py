"""What takes minutes, and how much of it a run without `--long` does.

Unless pytest is given `--long`, tests marked so are skipped, and properties are asked of a part of their
examples.
"""

from collections.abc import Iterable
from typing import Any

import hypothesis
import pytest

FEW = 8
"""Below so many examples nothing is saved: they are tried in any run."""

asked = False
"""Whether this run was given `--long`; known before any test is imported."""


def some(count: int) -> int:
    """How many of so many examples this run tries: all of them, or one in six."""
    return count if asked else max(min(count, FEW), count // 6)


def examples(count: int, **others: Any) -> hypothesis.settings:
    """Decorate a property with its number of examples: `@examples(60)`, and what else `settings` takes."""
    return hypothesis.settings(max_examples=some(count), **others)


def one_in(step: int, cases: Iterable[Any]) -> list[Any]:
    """Cases for `parametrize`: every `step`th in any run, the others as `long`."""
    return [
        case if place % step == 0 else pytest.param(*_values(case), marks=pytest.mark.long)
        for place, case in enumerate(cases)
    ]


def _values(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--long`."""
    parser.addoption(
        "--long", action="store_true", help="run the tests marked `long`, and properties in full"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Say it to the properties, before they are imported."""
    global asked
    asked = config.getoption("--long")
    # A busy machine is no reason to fail; a failing example is printed so that it can be repeated.
    hypothesis.settings.register_profile("tendone", deadline=None, print_blob=True, max_examples=some(100))
    hypothesis.settings.load_profile("tendone")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what takes long, unless it is asked for."""
    if asked:
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes long: run with --long"))
