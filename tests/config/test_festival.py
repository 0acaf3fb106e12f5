"""The festival of `benchmarks/` in short: it goes on while parts are killed, and while the broker is away."""

import subprocess
import sys

import pytest

from tests.support import ROOT

SMALL = ("--referees", "10", "--viewers", "10", "--pace", "8")


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [
        ("benchmarks.kills", "--rounds", "4"),
        ("benchmarks.broker_away", "--seconds", "15", "--around", "10"),
    ],
)
def test_festival_loses_nothing_while_parts_are_away(command: tuple[str, ...]) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", *command, *SMALL],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
