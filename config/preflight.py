"""Checks before a server starts: one sentence and no start, if it couldn't work.

A broker that is away stops nobody: results are taken without one. It is said, and found again by itself.
"""

import logging
import os
import sqlite3
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import Error, connection

from config import catalogues, health, static_files
from config.backups import database_repair
from ledger import needed_code_version

BUILT = datetime(2026, 1, 1, tzinfo=UTC)
"""No clock can show an earlier time."""
APART = 30.0
"""Seconds that the clocks of a server and its database may differ."""
MOUNTS = Path("/proc/mounts")
ON_A_NETWORK = ("nfs", "cifs", "smb", "afs", "9p", "ceph", "glusterfs", "fuse.sshfs", "ncpfs")

logger = logging.getLogger("tendone.start")


class NotReadyError(ImproperlyConfigured):
    """The service can't start; its text is one sentence."""


def look(*, needs_migrations: bool = True) -> None:
    """Raise NotReadyError at the first thing that is wrong; log what only is a pity."""
    for wrong in problems(needs_migrations=needs_migrations):
        raise NotReadyError(wrong)
    for pity in warnings():
        logger.warning(pity)


def or_exit(*, needs_migrations: bool = True) -> None:
    """Look, and end the process with the sentence."""
    try:
        look(needs_migrations=needs_migrations)
    except NotReadyError as error:
        sys.stderr.write(f"{error}\n")
        # Neither a traceback nor somebody who catches it.
        sys.stderr.flush()
        os._exit(1)
    finally:
        # Processes that are made from this one must not share it.
        connection.close()


def problems(*, needs_migrations: bool = True) -> Iterator[str]:
    """What keeps the service from working, the first thing first."""
    if datetime.now(UTC) < BUILT:
        yield f"This machine's clock shows {datetime.now(UTC):%d.%m.%Y}: set it, facts are recorded with it."
    for folder in health.folders():
        if not health.is_writable(folder):
            yield f"The folder {folder} can't be written: see TENDONE_VAR, PUBLISHED_ROOT."
    for folder in health.full_folders():
        yield f"The disk of {folder} has less than {health.LEAST_FREE >> 20} MB left: make room first."
    if connection.vendor == "sqlite" and (kind := file_system(Path(connection.settings_dict["NAME"]))):
        yield (
            f"The database is on a network file system ({kind}), on which SQLite loses data: "
            "set TENDONE_VAR to a folder of this machine's own disk."
        )
    try:
        if damage := database_repair.find_problem():
            yield damage
            return
        connection.ensure_connection()
        apart = clock_difference()
        too_new = needed_code_version.refusal_here()
        missing = health.missing_migrations() if needs_migrations else []
    except (Error, sqlite3.Error) as error:
        yield f"The database at {database()} {why_not_open(error)}"
        return
    if abs(apart) > APART:
        yield f"This machine's clock is {apart:+.0f} seconds off that of the database: set both by NTP."
    if too_new:
        yield too_new
    if missing:
        yield f"The database lacks {len(missing)} migrations ({missing[0]}): run `manage.py migrate` first."
    yield from filter(None, (static_files.complaint(), catalogues.complaint()))


def warnings() -> Iterator[str]:
    """What works without, though not as it should."""
    if not settings.EMBEDDED and (error := health.reach_broker()):
        yield (
            f"The broker doesn't answer ({error}), see CELERY_BROKER_URL: results are taken, "
            "and standings computed once it is back."
        )


def database() -> str:
    """Where the database is, without user and password."""
    found = connection.settings_dict
    return f"{found['HOST'] or 'localhost'}:{found['PORT'] or 5432}" if found["HOST"] else str(found["NAME"])


def why_not_open(error: Exception) -> str:
    """Why the database couldn't be opened, and where to look."""
    if settings.EMBEDDED:
        return f"can't be opened ({error}): is another program using it, may this account read and write it?"
    return f"doesn't answer ({type(error.__cause__ or error).__name__}): see DATABASE_URL."


def clock_difference() -> float:
    """By how many seconds our clock is ahead of that of the database; 0 where it is the same."""
    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (there,) = cursor.fetchone()
    return float((datetime.now(UTC) - there).total_seconds())


def file_system(path: Path) -> str | None:
    """The kind of file system that a path is on, if it is one of a network."""
    try:
        lines = [line.split() for line in MOUNTS.read_text().splitlines()]
    except OSError:
        return None
    place = path.absolute()
    mounts = [(line[1].replace("\\040", " "), line[2]) for line in lines if len(line) > 2]
    fits = [(len(point), kind) for point, kind in mounts if place.is_relative_to(point)]
    kind = max(fits, default=(0, ""))[1]
    return kind if kind.startswith(ON_A_NETWORK) else None
