"""Another account of this machine, that tries to read."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree

from tests.support.run import missing

_READ = """
import os, pwd, sys
account = pwd.getpwnam("nobody")
os.setgroups([])
os.setgid(account.pw_gid)
os.setuid(account.pw_uid)
for folder, folders, files in os.walk(sys.argv[1]):
    if folder != sys.argv[1]:
        print(folder)
    for name in files:
        path = os.path.join(folder, name)
        if os.access(path, os.R_OK):
            open(path, "rb").close()
            print(path)
"""


def readable(folder: Path) -> set[str]:
    """What another account can list or read in a folder, by its path in there."""
    found = subprocess.run(
        [sys.executable, "-I", "-c", _READ, str(folder)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return {str(Path(line).relative_to(folder)) for line in found.splitlines()}


@contextmanager
def reachable_folder() -> Iterator[Path]:
    """A folder that all accounts can enter, unlike those that pytest makes; skips where we can't be another
    account.
    """
    if os.geteuid() != 0:
        missing.without("root, who alone can be another account", "run it as root.")
    folder = Path(tempfile.mkdtemp(prefix="tendone-reachable-"))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        rmtree(folder, ignore_errors=True)
