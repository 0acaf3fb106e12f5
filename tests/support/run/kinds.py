"""Kinds of tests, by what they need: each is marked `unit`, `database` or `browser` when it is collected.

So `pytest -m unit` runs those alone that need neither a database nor a browser.
"""

import pytest

from tests.support.run.databases import drives_browser, touches_database

SERVING = (
    "tests/acceptance/",
    "tests/config/test_broker_away.py",
    "tests/config/test_connections.py",
    "tests/config/test_dev.py",
    "tests/config/test_embedded_tasks.py",
    "tests/config/test_queues.py",
    "tests/config/test_serve.py",
    "tests/config/test_wrong_clock.py",
    "tests/tournaments/test_earlier_versions.py",
)
"""Whose tests start the service, or open databases, by themselves: no fixture shows it."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test, before any are chosen by their marks."""
    for item in items:
        item.add_marker(kind_of(item))


def kind_of(item: pytest.Item) -> str:
    """The kind of a test: the most that it needs."""
    if drives_browser(item):
        return "browser"
    return "database" if touches_database(item) or item.nodeid.startswith(SERVING) else "unit"
