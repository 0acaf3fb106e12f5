"""Child processes of a test run: as whom they run, how to wait for them, how to end them."""

import os
import pwd
import signal
import ssl
import subprocess
import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import TypedDict
from urllib.request import urlopen

PATIENCE = 600.0
"""Seconds that a test waits for anything; far above what it takes, also on a busy machine."""


class RunAs(TypedDict, total=False):
    """The arguments of `subprocess` that choose an identity."""

    user: int
    group: int
    extra_groups: list[int]


def unprivileged() -> RunAs:
    """Whom to run a server as that refuses to be root: nothing to change unless we are root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    raise RuntimeError(
        "PostgreSQL refuses to run as root, and this machine has no account 'nobody' to run it as."
    )


def wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    """Return when `ready()`; raise with the end of the log if the process ends first or patience does."""
    end = time.monotonic() + PATIENCE
    while not ready():
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended with {process.returncode}:\n{tail(log)}")
        if time.monotonic() > end:
            stop(process)
            raise RuntimeError(f"{process.args!r} was not ready after {PATIENCE:.0f} s:\n{tail(log)}")
        time.sleep(0.02)


def is_ready(port: int, scheme: str = "http") -> bool:
    """Whether the service on a port is ready for people, whoever signed its certificate."""
    address = f"{scheme}://127.0.0.1:{port}/health/ready/"
    try:
        with urlopen(address, timeout=5, context=ssl._create_unverified_context()) as answer:
            return bool(answer.status == 200)
    except (OSError, HTTPException):
        return False


def stop(process: subprocess.Popen[bytes], by: signal.Signals = signal.SIGTERM) -> None:
    """Ask a process to end, and insist if it doesn't."""
    if process.poll() is None:
        process.send_signal(by)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def tail(log: Path, lines: int = 20) -> str:
    """The last lines of a log file."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:]) if log.exists() else "(no log)"
