"""An embedded service on the sample palio whose wall clock is set wrong by faketime; its monotonic clock is
right.
"""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import sleep

from config.backup_folder import SUFFIX, BackupName, backups_in, parse_name
from tests.support import ROOT
from tests.support.services.embedded import running
from tests.support.services.processes import PATIENCE, wait_until

PROGRAM = """
import runpy, select, time
time.sleep = lambda seconds: select.select([], [], [], seconds)
runpy.run_module("config.embedded", run_name="__main__", alter_sys=True)
"""
"""The service; Python sleeps until a moment of the monotonic clock, which faketime moves all the same."""
LOOKS = 15.0
"""Seconds; the task that erases begins with the others at the start."""
NOTED = 3
BACKUPS = 6


@dataclass(frozen=True, slots=True)
class Left:
    """What there is of what goes by time."""

    persons: int
    notes: int
    backups: int


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the service: what was left, what was held and why, and the backup that the stop named."""

    left: Left
    held: str
    last: Path


def embedded(
    var: Path, code: Path = ROOT, shift: str | None = None, until: Callable[[], bool] | None = None
) -> str:
    """Start the service with its data in `var`, let it look at what is due, and stop it; what it printed.

    It is given `LOOKS` seconds after the first answer, or until something is so.
    """
    log = var.parent / f"{var.name}.log"
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        "TENDONE_VAR": str(var),
        **(clock(shift) if shift else {}),
    }
    with running(environment, log, program=("-c", PROGRAM), code=code) as (process, _port):
        if until is None:
            sleep(LOOKS)
        else:
            wait_until(until, process, log)
        os.killpg(process.pid, signal.SIGINT)
        process.wait(PATIENCE)
    return log.read_text()


def clock(shift: str) -> dict[str, str]:
    """The environment of processes whose wall clock is set wrong by so much."""
    library = subprocess.run(
        ["faketime", "-f", shift, "printenv", "LD_PRELOAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    # The command itself would stay between, and end before the service does.
    return {"LD_PRELOAD": library, "FAKETIME": shift, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


def moving_clock(shift: Path) -> dict[str, str]:
    """The environment of processes whose wall clock is wrong by what the file says at that moment; `+0` is
    right.
    """
    environment = clock("+0")
    del environment["FAKETIME"]
    return environment | {"FAKETIME_TIMESTAMP_FILE": str(shift), "FAKETIME_NO_CACHE": "1"}


def prepare(var: Path, code: Path = ROOT) -> None:
    """The sample palio, played today by the right clock: three notes, and six backups of two minutes each.

    It isn't published: what is due by the clock would wait until all pages are written.
    """
    embedded(var, code, until=lambda: True)
    database, folder = var / "tendone.sqlite3", var / "backup"
    with closing(sqlite3.connect(database)) as connection:
        today = datetime.now(UTC).date().isoformat()
        connection.execute(
            "UPDATE people_event SET starts_on = ?, ends_on = ?, is_published = 0", [today, today]
        )
        connection.execute(
            "UPDATE people_person SET note = 'noci' WHERE id IN (SELECT id FROM people_person LIMIT ?)",
            [NOTED],
        )
        connection.commit()
    made = backups_in(folder)
    for number in range(1, BACKUPS + 1):
        name = BackupName(number, datetime.now(UTC) - timedelta(minutes=2 * (BACKUPS + 1 - number)))
        shutil.copyfile(made[-1], folder / f"{name}{SUFFIX}")
    for path in made:
        path.unlink()


def left_in(var: Path) -> Left:
    """What there is now."""
    with closing(sqlite3.connect(var / "tendone.sqlite3")) as connection:
        [persons] = connection.execute("SELECT count(*) FROM people_person").fetchone()
        [notes] = connection.execute("SELECT count(*) FROM people_person WHERE note != ''").fetchone()
    named = [path for path in (var / "backup").glob(f"*{SUFFIX}") if parse_name(path)]
    return Left(persons, notes, len(named))


def held_in(var: Path) -> str:
    """What is held, and why; nothing by code that knows no holding."""
    with closing(sqlite3.connect(var / "tendone.sqlite3")) as connection:
        try:
            found = connection.execute("SELECT reason, held FROM people_serviceclock").fetchone()
        except sqlite3.OperationalError:
            return ""
    return f"{found[0]}: {', '.join(re.findall(r'[a-z]+', found[1]))}" if found and found[0] else ""


def run(var: Path, shift: str, code: Path = ROOT, until: Callable[[], bool] | None = None) -> Run:
    """Run the service with its clock set wrong by so much (`+40d`), for `LOOKS` seconds or until then."""
    said = embedded(var, code, shift, until)
    [last] = re.findall(r"^Stopped\. The last backup is (.*)$", said, re.MULTILINE)
    return Run(left_in(var), held_in(var), Path(last))
