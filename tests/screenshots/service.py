"""The service as `script/serve` starts it, on a folder of its own, with the sample palio."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from tests.services.processes import stop, wait_until

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Service:
    """Where it is, and how the organizer signs in."""

    base: str
    account: str
    password: str
    var: Path
    """Its data."""


@contextmanager
def running(folder: Path) -> Iterator[Service]:
    """A service with its data below `folder`, ended at the end."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    log = folder / "serve.log"
    command = [sys.executable, "-m", "config.embedded", "--port", str(port)]
    unset = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**unset, "TENDONE_VAR": str(folder / "var")}, stdout=output, stderr=output
        )
    base = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: _answers(base), process, log)
        told = dict(re.findall(r"^([^:\n]+): +(\S+)", log.read_text(), re.MULTILINE))
        yield Service(base, told["Account"], told["Password"], folder / "var")
    finally:
        stop(process)


def _answers(base: str) -> bool:
    try:
        with urlopen(f"{base}/health/ready/", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
