"""Rarer searches for garbage: what is collected with the tests lives as long as the run, and Python would
walk through all of it again and again.
"""

import gc

import pytest

OBJECTS, YOUNG, MIDDLE = 200_000, 20, 100
"""After how many new objects the youngest are searched, and how many such searches lead to a wider one."""

# While tests are read and collected next to nothing is garbage.
gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave everything that is there once the tests are known out of all searches."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS, YOUNG, MIDDLE)
    gc.enable()
