"""The processes of the full mode, each kept by a supervisor: what ends is started again."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic, sleep
from urllib.request import urlopen

from celery import Celery

from benchmarks import nginx, services
from benchmarks.festival.told import say
from tests.support.services import broker, postgresql
from tests.support.services.processes import PATIENCE, stop, tail, wait_until

RESTARTED_AFTER = 0.5
"""Seconds that a supervisor waits before it starts again what has ended."""
POSTGRESQL, REDIS, WEB, WORKER, BEAT = "PostgreSQL", "Redis", "web", "worker", "beat"


@dataclass
class Part:
    """A part of the service: how it begins, whether it is ready, and its process."""

    name: str
    begin: Callable[[], subprocess.Popen[bytes]]
    is_ready: Callable[[], bool]
    log: Path
    process: subprocess.Popen[bytes]
    starts: int = 1
    is_kept: bool = True
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def kill(self, random: Random, *, whole: bool = True) -> str:
        """`kill -9`, of the whole part or of one of the processes it has begun; which."""
        children = _descendants(self.process.pid)
        if not whole and children:
            _kill(random.choice(children))
            return "one process"
        for pid in (self.process.pid, *children):
            _kill(pid)
        return "all of it"

    def keep(self) -> None:
        """Start it again if it has ended and is to be kept."""
        with self._lock:
            if self.is_kept and self.process.poll() is not None:
                sleep(RESTARTED_AFTER)
                self.process = self.begin()
                self.starts += 1

    def processor_seconds(self) -> float:
        """Seconds of processor time that it has taken since it began, with all that it has begun."""
        return sum(map(_processor_seconds, (self.process.pid, *_descendants(self.process.pid))))

    def take_away(self) -> None:
        """Kill it, and don't start it again before `bring_back`."""
        with self._lock:
            self.is_kept = False
            self.process.kill()
            self.process.wait()

    def bring_back(self) -> None:
        """Start what was taken away."""
        self.is_kept = True
        self.keep()

    def end(self) -> None:
        """Stop it for good, as an operator does."""
        with self._lock:
            self.is_kept = False
            stop(self.process, signal.SIGQUIT if self.name == POSTGRESQL else signal.SIGTERM)

    def wait_until_ready(self) -> None:
        """Return when it serves again; RuntimeError with its log if it doesn't in twice the patience."""
        end = monotonic() + 2 * PATIENCE
        while not self.is_ready():
            if monotonic() > end:
                raise RuntimeError(f"{self.name} isn't ready again:\n{tail(self.log, 40)}")
            sleep(0.05)


@dataclass
class Service:
    """All parts by their names, their environment, and the port that people ask."""

    environment: dict[str, str]
    port: int
    parts: dict[str, Part]


@contextmanager
def running(
    *, front: str = WEB, prepare: Callable[[dict[str, str]], None] | None = None
) -> Iterator[Service]:
    """The service on a durable PostgreSQL and a Redis of its own, under a supervisor.

    `prepare` is called with the environment once there is a database; `front` is who answers people: the web
    processes, or nginx before them.
    """
    if front == "nginx" and not nginx.is_there():
        raise SystemExit("nginx isn't installed here (apt install nginx).")
    folder = Path(tempfile.mkdtemp(prefix="tendone-benchmark-"))
    with ExitStack() as started:
        started.callback(shutil.rmtree, folder, ignore_errors=True)
        database = postgresql.start(postgresql.DURABLE)
        started.callback(database.stop)
        redis = broker.start()
        started.callback(redis.stop)
        environment = services.own_environment("postgresql", folder) | services.on_server(database, folder)
        # Style sheets are in browsers' caches: nobody loads them here.
        environment |= {"CELERY_BROKER_URL": redis.url, "NAMED_FILES": "false"}
        say("an event is made, and its pages are published")
        if prepare is not None:
            prepare(environment)
        say("web, worker and beat start")
        port = broker.free_port()
        redis_port = int(redis.url.rsplit(":", 1)[1].split("/")[0])
        parts = {
            POSTGRESQL: Part(
                POSTGRESQL,
                database.begin,
                lambda: postgresql.answers(database.home) and _is_up(port, "ready"),
                database.home / "log",
                database.process,
            ),
            REDIS: Part(
                REDIS, redis.begin, lambda: broker.answers(redis_port), redis.home / "log", redis.process
            ),
        }
        beat = ["celery", "--app", "config", "beat", "--loglevel", "ERROR", "--pidfile", ""]
        worker = ["celery", "--app", "config", "worker", "--loglevel", "ERROR", "--concurrency", "1"]
        web = ["gunicorn", "--config", "config/gunicorn.py", "--bind", f"127.0.0.1:{port}", "config.wsgi"]
        hears = _hears(redis.url)
        for name, command, is_ready in (
            (WEB, web, lambda: _is_up(port, "ready")),
            (WORKER, worker, hears),
            (BEAT, [*beat, "--schedule", str(folder / "schedule")], lambda: True),
        ):
            parts[name] = _part(name, command, is_ready, environment, folder)
            started.callback(stop, parts[name].process)
        for name in (WEB, WORKER):
            wait_until(parts[name].is_ready, parts[name].process, parts[name].log)
        with _supervised(parts):
            asked = port
            if front == "nginx":
                asked = started.enter_context(nginx.before(folder / "published", port))
            yield Service(environment, asked, parts)


def _part(
    name: str, command: list[str], is_ready: Callable[[], bool], environment: dict[str, str], folder: Path
) -> Part:
    log = folder / f"{name}.log"

    def begin() -> subprocess.Popen[bytes]:
        with log.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=services.ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    return Part(name, begin, is_ready, log, begin())


@contextmanager
def _supervised(parts: dict[str, Part]) -> Iterator[None]:
    """Start again what ends, while this lasts; afterwards end all, those first that ask others."""
    is_over = threading.Event()

    def watch(part: Part) -> None:
        while not is_over.wait(0.05):
            part.keep()

    watchers = [threading.Thread(target=watch, args=(part,), daemon=True) for part in parts.values()]
    for watcher in watchers:
        watcher.start()
    try:
        yield
    finally:
        is_over.set()
        for watcher in watchers:
            watcher.join()
        for name in (WEB, BEAT, WORKER, REDIS, POSTGRESQL):
            parts[name].end()


def _is_up(port: int, what: str) -> bool:
    """Whether the web says that it is `live` or `ready`."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/health/{what}/", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _hears(url: str) -> Callable[[], bool]:
    """Whether a worker answers through the broker."""
    app = Celery(broker=url)
    app.conf.update(
        broker_transport_options={"socket_connect_timeout": 1, "socket_timeout": 1, "max_retries": 0}
    )

    def hears() -> bool:
        try:
            return bool(app.control.ping(timeout=0.3))
        except Exception:
            # The broker is away, in one of the many ways that its client has for it.
            return False

    return hears


def _descendants(pid: int) -> list[int]:
    """The processes that a process has begun, and those that these have begun (Linux)."""
    found = []
    with suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            found += [int(child), *_descendants(int(child))]
    return found


def _processor_seconds(pid: int) -> float:
    """Of a process, and of those that it has begun and seen the end of (Linux)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
