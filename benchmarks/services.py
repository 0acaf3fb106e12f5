"""A database of a measurement's own, and the measurement in a process that sees nothing else."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from tests.support.services import postgresql
from tests.support.services.processes import stop

ROOT = Path(__file__).resolve().parent.parent
DATABASES = ("sqlite", "postgresql")
MARK = "TENDONE_BENCHMARK"
"""Set in the processes that measure: what they open was made for them and is thrown away afterwards."""
SECONDS = 300.0


def arguments(description: str | None) -> argparse.ArgumentParser:
    """The command line of a script; `--help` prints what the script says of itself."""
    end_well_when_told()
    return argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def report_failures(wrong: Sequence[object]) -> int:
    """Print each thing that isn't as it has to be; the exit status, 1 if there is any."""
    for line in wrong:
        print(f"FAILED: {line}", file=sys.stderr)
    return int(bool(wrong))


def end_well_when_told() -> None:
    """Have SIGTERM end a script as Ctrl-C does, so that what it started is stopped."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))


@contextmanager
def database(kind: str) -> Iterator[dict[str, str]]:
    """The environment of a process that has an empty database of its own, settings as in use.

    SQLite waits for the disk at each commit, as it does in use; the private PostgreSQL doesn't.
    """
    folder = Path(tempfile.mkdtemp(prefix="tendone-benchmark-"))
    server = None
    environment = own_environment(kind, folder)
    try:
        if kind == "postgresql":
            server = postgresql.start()
            environment |= on_server(server, folder)
            # Without them the web processes don't start.
            command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
        yield environment
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def own_environment(kind: str, folder: Path) -> dict[str, str]:
    """The environment of a process that sees nothing of the shell's settings and writes to this folder."""
    ours = {name: value for name, value in os.environ.items() if name not in OVERRIDDEN}
    return ours | {
        MARK: kind,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TENDONE_VAR": str(folder),
        "ALLOWED_HOSTS": "localhost,127.0.0.1,testserver",
        "LOG_LEVEL": "ERROR",
    }


def on_server(server: postgresql.Server, folder: Path) -> dict[str, str]:
    """What the environment of the full mode has besides, on an empty database of this server."""
    make_database(server.url)
    (folder / "static").mkdir()
    return {
        "DATABASE_URL": server.url,
        "SECRET_KEY": "known to every reader of the benchmarks, and long enough",
        "CELERY_BROKER_URL": "memory://localhost",
        "HTTPS": "false",
        "STATIC_ROOT": str(folder / "static"),
        "PUBLISHED_ROOT": str(folder / "published"),
    }


# What a developer may have exported for a service of their own must not reach a measurement.
OVERRIDDEN = {
    *("DATABASE_URL", "CELERY_BROKER_URL", "SECRET_KEY", "HTTPS", "DEBUG", "TRUSTED_PROXIES"),
    *("PUBLIC_ADDRESS", "CONN_MAX_AGE", "CSRF_TRUSTED_ORIGINS", "STATIC_ROOT", "SECURE_SSL_REDIRECT"),
    *("PUBLISHED_ROOT", "PUBLISHED_STORAGE", "BACKUP_ROOT"),
}


def make_database(url: str) -> None:
    """Make the empty database that a server's address names."""
    with psycopg.connect(make_conninfo(url, dbname="postgres"), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{postgresql.DATABASE}"')


def run_on(kind: str, module: str, seconds: float = SECONDS) -> int:
    """Run a module of `benchmarks.on_database` on such a database; its exit status, 1 if it took too long."""
    with database(kind) as environment:
        process = subprocess.Popen(
            [sys.executable, "-m", f"benchmarks.on_database.{module}"], cwd=ROOT, env=environment
        )
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            print(f"{module} on {kind} took more than {seconds:.0f} s and was stopped.", file=sys.stderr)
            return 1
        finally:
            stop(process)


def run_on_databases(kinds: list[str], module: str, seconds: float = SECONDS) -> int:
    """Run such a module on one database after the other, in `seconds` together; 1 if one of them failed."""
    statuses = []
    for kind in kinds:
        try:
            statuses.append(run_on(kind, module, seconds / len(kinds)))
        except postgresql.PostgreSQLMissingError as error:
            print(f"NOT MEASURED on {kind}: {error}", file=sys.stderr)
            statuses.append(1)
    return int(any(statuses))
