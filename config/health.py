"""Health: whether the process answers, whether it is ready for people, and whether background work is done.

A proxy asks for readiness before it sends anybody here. Readiness doesn't depend on the broker: without it
results are taken all the same. Whether work is done is for monitoring: taking a web server out of service
wouldn't help.
"""

import logging
import os
import shutil
import sqlite3
from http import HTTPStatus
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.utils import timezone

from config import queues
from config.backup_folder import age_of_newest
from config.backups import database_repair
from config.backups.database_damage import find_damage, is_corruption
from config.models import Heartbeat
from config.static_files import not_collected
from config.watched_sqlite.base import check_served, is_missing
from ledger import outbox
from ledger.outages import DatabaseMovedError, Outage
from ledger.triggers import triggers_in_place
from people.access import anyone, requires
from people.held_erasures import held_now
from publishing.publication import Failing, failing

logger = logging.getLogger(__name__)

LATE = 60.0
"""Seconds after which work that is still due is a fault; for silent workers see `queues.longest_silence`."""
DAMAGED = "database-damaged"
"""The code for a database whose file is damaged."""
CHECKED_EVERY = 60.0
"""Seconds for which the database's file and the static files aren't checked again."""
BACKUP_LATE = 26 * 3600.0
"""Seconds after which a newer backup is missing in the full mode: even a daily one comes sooner."""
LEAST_FREE = 50 * 1024 * 1024
"""Free bytes on a disk below which the process isn't ready."""
REMEMBERED = 5.0
"""Seconds for which the broker isn't asked again: one that is away takes a second to find out."""


@requires(anyone)
def alive(request: HttpRequest) -> JsonResponse:
    """200 as long as the process serves requests."""
    return JsonResponse({"status": "ok"})


@requires(anyone)
def ready(request: HttpRequest) -> JsonResponse:
    """200 when requests can be served safely; 503 with the reason otherwise.

    A page that can't be rendered is no reason to send nobody here, as long as others can be: it is named. So
    is what waits for an organizer to confirm the date.
    """
    if reason := why_not_ready():
        return unavailable(reason)
    try:
        pages, held = failing(), held_now()
    except (Error, sqlite3.Error) as error:
        return unavailable(reason_of(error))
    named: dict[str, Any] = {}
    if pages.count:
        named["pages"] = {"failing": pages.count, "first": pages.first}
    if held:
        named["clock"] = {"reason": held.reason, "held": held.held}
    if not settings.EMBEDDED and (missed := missed_backup(Path(settings.BACKUP_DIR))):
        named["backup"] = missed
    if pages.is_everything:
        return unavailable("pages", **named)
    return JsonResponse({"status": "degraded" if named else "ok", **named})


def missed_backup(folder: Path) -> dict[str, Any] | None:
    """What is wrong with the backups of a machine that makes some; None where nothing is.

    A machine makes backups where there is one, or where a folder for them is set. `hours` is the age of a
    newest backup that is older than `BACKUP_LATE`, null where there is none. `folder` says that it can't be
    written, or that its disk is full.
    """
    age = age_of_newest(folder, timezone.now())
    if age is None and folder == Path(settings.VAR_DIR) / "backup":
        return None
    if age is None or age > BACKUP_LATE:
        return {"hours": None if age is None else round(age / 3600, 1)}
    if not folder.is_dir() or not is_writable(folder):
        return {"folder": "not-writable"}
    return {"folder": "full"} if is_full(folder) else None


def unavailable(reason: str, **named: Any) -> JsonResponse:
    """503 with the reason, what else there is to say, and the command that repairs a damaged database."""
    answer = {"status": "unavailable", "reason": reason, **named}
    if reason == Outage.DISK_FULL:
        answer["disks"] = [folder.name for folder in full_folders()]
        logger.error("No room on the disk of %s", ", ".join(map(str, full_folders())))
    if reason == DAMAGED and (good := database_repair.newest_good_backup()):
        answer["repair"] = database_repair.restore_command(good.name)
    return JsonResponse(answer, status=HTTPStatus.SERVICE_UNAVAILABLE)


def reason_of(error: Exception) -> str:
    """The code of the reason when the database answers with an error."""
    return DAMAGED if is_corruption(error) else "database"


@requires(anyone)
def tasks(request: HttpRequest) -> JsonResponse:
    """200 when what is due is being done; 503 when it waits for longer than a minute, or nobody works."""
    try:
        found = state_of_tasks()
    except Error:
        return unavailable("database")
    return JsonResponse(found, status=200 if found["status"] == "ok" else HTTPStatus.SERVICE_UNAVAILABLE)


def why_not_ready() -> str | None:
    """The code of the reason why the process isn't ready, or None; one query once migrations are found."""
    try:
        if is_damaged():
            return DAMAGED
        if is_moved():
            return Outage.DATABASE_MOVED
        if not triggers_in_place(connection):
            return "facts-unprotected"
        if not migrated():
            return "migrations"
    except (Error, sqlite3.Error) as error:
        return reason_of(error)
    if not static_files_are_there():
        return "static-files"
    if full_folders():
        return Outage.DISK_FULL
    return None if storage_is_writable() else "storage"


_checked: tuple[float, bool] | None = None


def is_damaged() -> bool:
    """Whether SQLite's quick check finds the database damaged; looked at once a minute."""
    global _checked
    database = database_repair.database_file()
    if database is None or is_missing(database):
        return False
    now = monotonic()
    if _checked is None or now - _checked[0] > CHECKED_EVERY:
        _checked = (now, find_damage(database) is not None)
    return _checked[1]


def is_moved() -> bool:
    """Whether the database's file isn't the one that this process serves."""
    database = database_repair.database_file()
    try:
        if database is not None:
            check_served(database)
    except DatabaseMovedError:
        return True
    return False


_collected: float | None = None


def static_files_are_there() -> bool:
    """Whether pages can name their static files. Once the files are there they are checked once a minute."""
    global _collected
    now = monotonic()
    if _collected is None or now - _collected > CHECKED_EVERY:
        _collected = None if not_collected() else now
    return _collected is not None


_migrated = False


def migrated() -> bool:
    """Whether the database is as new as the code. Once it is it stays so, as long as this process lives."""
    global _migrated
    if not _migrated:
        _migrated = not missing_migrations()
    return _migrated


def missing_migrations() -> list[str]:
    """The migrations that the database lacks."""
    loader = MigrationLoader(connection)
    return [
        f"{app}.{name}" for app, name in sorted(loader.graph.nodes.keys() - loader.applied_migrations.keys())
    ]


def storage_is_writable() -> bool:
    """Whether the folders that are written to are there and open to us."""
    return all(is_writable(folder) for folder in folders())


def folders() -> list[Path]:
    """The folders that the service writes to: its own, and that of published pages if they are in one."""
    options: dict[str, Any] = settings.STORAGES["published"].get("OPTIONS", {})
    published = [Path(options["location"])] if "location" in options else []
    return [Path(settings.VAR_DIR), *published]


def full_folders() -> list[Path]:
    """Those of them whose disk has less room than `LEAST_FREE`, one for each disk."""
    disks = {existing(folder).stat().st_dev: folder for folder in reversed(folders())}
    return [folder for folder in disks.values() if is_full(folder)]


def is_full(folder: Path) -> bool:
    """Whether the disk of a folder has less room than `LEAST_FREE`."""
    return shutil.disk_usage(existing(folder)).free < LEAST_FREE


def is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or where it would be made."""
    return os.access(existing(folder), os.W_OK | os.X_OK)


def existing(folder: Path) -> Path:
    """A folder, or the nearest above it that is there."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def state_of_tasks() -> dict[str, Any]:
    """How much is due, for how many seconds, and when workers last did something; four queries."""
    pages = failing()
    oldest = max(outbox.oldest_seconds(), failing_seconds(pages))
    found: dict[str, Any] = {"due": outbox.total() + pages.count, "oldest_seconds": round(oldest, 1)}
    late = oldest > LATE
    if not settings.EMBEDDED:
        heard = Heartbeat.seconds_since_heard()
        silent = [each for each in heard if (heard[each] or inf) > queues.longest_silence(each)]
        longest = None if None in heard.values() else max(filter(None, heard.values()), default=0.0)
        found |= {
            "heartbeat_seconds": None if longest is None else round(longest, 1),
            "silent_queues": silent,
            "broker": "ok" if broker_answers() else "away",
        }
        late = late or bool(silent)
    return {"status": "late" if late else "ok"} | found


def failing_seconds(pages: Failing) -> float:
    """For how long the first of the pages that can't be rendered has waited; 0 if there is none."""
    return max((timezone.now() - pages.since).total_seconds(), 0.0) if pages.since else 0.0


_asked: tuple[float, bool] | None = None


def broker_answers() -> bool:
    """Whether the broker takes a connection; remembered for some seconds."""
    global _asked
    now = monotonic()
    if _asked is None or now - _asked[0] > REMEMBERED:
        _asked = (now, reach_broker() is None)
    return _asked[1]


def reach_broker() -> str | None:
    """What kind of error stands between us and the broker; None if nothing does."""
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)
    except Exception as error:  # each transport has its own
        return type(error).__name__
    return None


urlpatterns = [
    path("live/", alive, name="alive"),
    path("ready/", ready, name="ready"),
    path("tasks/", tasks, name="tasks"),
]
