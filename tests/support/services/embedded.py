"""The embedded service in a group of processes of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support import ROOT
from tests.support.services.broker import free_port
from tests.support.services.processes import is_ready, wait_until

MODULE = ("-m", "config.embedded")


def start(
    environment: Mapping[str, str],
    log: Path,
    port: int,
    *options: str,
    program: Sequence[str] = MODULE,
    code: Path = ROOT,
) -> subprocess.Popen[bytes]:
    """Start it, and wait until it is ready; `program` is what Python runs in the folder `code`."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *program, "--port", str(port), *options],
            cwd=code,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    scheme = "https" if "--lan" in options and "--plain" not in options else "http"
    wait_until(lambda: is_ready(port, scheme), process, log)
    return process


@contextmanager
def running(
    environment: Mapping[str, str],
    log: Path,
    *options: str,
    program: Sequence[str] = MODULE,
    code: Path = ROOT,
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The service and its port; all its processes are killed if it wasn't ended within the block."""
    port = free_port()
    process = start(environment, log, port, *options, program=program, code=code)
    try:
        yield process, port
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
