"""The service as `script/serve` starts it, on a folder of its own, with the sample palio."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.services import embedded
from tests.support.services.processes import stop


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
    log = folder / "serve.log"
    unset = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    with embedded.running({**unset, "TENDONE_VAR": str(folder / "var")}, log) as (process, port):
        told = dict(re.findall(r"^([^:\n]+): +(\S+)", log.read_text(), re.MULTILINE))
        yield Service(f"http://127.0.0.1:{port}", told["Account"], told["Password"], folder / "var")
        stop(process)
