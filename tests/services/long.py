"""Tests that take minutes: marked `long`, skipped unless pytest is given `--long`."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--long`."""
    parser.addoption("--long", action="store_true", help="run the tests marked `long`, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what takes long, unless it is asked for."""
    if config.getoption("--long"):
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes long: run with --long"))
