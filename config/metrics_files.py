"""Files in which the processes of one server add up their measurements.

The folder has to be named before anything is measured, which is why this module imports next to nothing.
"""

import atexit
import os
import shutil
import tempfile

from config import environment

FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def prepare() -> None:
    """Name a folder of this server's own, if it is to be measured; its processes are made after that."""
    if environment.endpoint("METRICS_ADDRESS") is None or environment.text(FOLDER):
        return
    folder = tempfile.mkdtemp(prefix="tendone-metrics-")
    os.environ[FOLDER] = folder
    atexit.register(_remove, folder, os.getpid())


def _remove(folder: str, maker: int) -> None:
    # Processes that are forked have their maker's farewells, too.
    if os.getpid() == maker:
        shutil.rmtree(folder, ignore_errors=True)
