"""What to do without a part of the machine: skip visibly at home, fail where everything has to be there."""

import os
from typing import Any, NoReturn

import pytest

absent: dict[str, str] = {}
"""What was looked for and not found in this run: name to advice. The summary of the run lists it."""


def strict() -> bool:
    """Whether a missing part fails the run (`CI=true`) instead of being skipped and named."""
    return os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def without(name: str, advice: str) -> NoReturn:
    """Leave the test that needs `name`: skipped and named in the summary, failed under `CI=true`."""
    absent[name] = advice
    if strict():
        pytest.fail(f"{name} is missing: {advice}", pytrace=False)
    pytest.skip(f"{name} is missing: {advice}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In a worker of pytest-xdist: send what was missing to the process that sums up."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["absent"] = absent


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """In the process that sums up: take it; a worker that died has sent nothing."""
    absent.update(getattr(node, "workeroutput", {}).get("absent", {}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what wasn't tested because the machine lacks a part."""
    for name, advice in absent.items():
        terminalreporter.write_line(f"NOT TESTED: {name} is missing: {advice}", yellow=True)
