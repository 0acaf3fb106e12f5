"""The processes that share the tests of a run."""

import os

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Have each worker come to settings of its own.

    Where a worker finds this variable, pytest-django reads the settings before the conftest has given it a
    folder. Workers that share a folder take each other's pages and backups away.
    """
    os.environ.pop("DJANGO_SETTINGS_MODULE", None)
