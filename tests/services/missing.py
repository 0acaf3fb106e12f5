"""What to do without a part of the machine: skip visibly at home, fail where everything has to be there."""

import os
from typing import NoReturn

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
