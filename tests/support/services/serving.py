"""The embedded service as `script/serve` starts it."""

import os
import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.services import embedded
from tests.support.services.processes import PATIENCE


@contextmanager
def serving(
    var: Path, *options: str, program: Sequence[str] = embedded.MODULE
) -> Iterator[tuple[int, dict[str, str]]]:
    """The embedded service with its data in `var`; yields its port and the lines it prints, by name."""
    log = var.parent / "log"
    environment = {"PATH": os.environ["PATH"], "TENDONE_VAR": str(var), "HOME": os.environ.get("HOME", "/")}
    with embedded.running(environment, log, *options, program=program) as (process, port):
        yield port, dict(re.findall(r"^([A-Z].*?): +(.*)$", log.read_text(), re.MULTILINE))
        # Ctrl-C in a terminal reaches every process of the group.
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert "Traceback" not in log.read_text(), log.read_text()
