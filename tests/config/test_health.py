"""Health and readiness, as a proxy and an orchestrator ask for them."""

import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

from config import health, queues
from config.backup_folder import SUFFIX, BackupName
from config.backups import database_repair
from config.backups.sqlite import back_up
from config.models import Heartbeat
from config.tasks import beat_heart
from ledger.models import OutboxMessage
from ledger.triggers import remove_triggers
from people.models import Event
from publishing.models import Publication, PublishedPage
from publishing.page_cache import KeptPage
from tests.support import factories
from tests.support.sqlite_files import make_database, overwrite_page


def test_liveness_needs_no_database(client: Client) -> None:
    answer = client.get("/health/live/")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_readiness_of_a_service_in_order_is_ok(client: Client) -> None:
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_readiness_fails_without_ledger_triggers(client: Client) -> None:
    remove_triggers(connection)
    answer = client.get("/health/ready/")
    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "reason": "facts-unprotected"}


@pytest.mark.django_db
def test_readiness_fails_without_the_database(client: Client) -> None:
    def refuse(execute: Any, *arguments: Any) -> Any:
        raise DatabaseError("the server is away")

    with connection.execute_wrapper(refuse):
        answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable", "reason": "database"})


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Path:
    """A damaged file in the place of the database's, and one good backup of it; the backup's path."""
    database, settings.BACKUP_DIR = tmp_path / "tendone.sqlite3", tmp_path / "backup"
    make_database(database)
    made = back_up(database, settings.BACKUP_DIR)
    monkeypatch.setattr(database_repair, "database_file", lambda: database)
    monkeypatch.setattr(health, "_checked", None)
    assert not health.is_damaged()
    overwrite_page(database, 5)
    return made


@pytest.mark.sqlite
@pytest.mark.django_db
def test_readiness_fails_with_a_damaged_database(
    client: Client, damaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It was found sound a moment ago, and isn't looked at before a minute is over.
    assert client.get("/health/ready/").status_code == 200
    monkeypatch.setattr(health, "CHECKED_EVERY", -1.0)

    answer = client.get("/health/ready/")
    assert answer.status_code == 503
    assert answer.json() == {
        "status": "unavailable",
        "reason": "database-damaged",
        "repair": f".venv/bin/python manage.py restore --replace {damaged.name}",
    }


@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.usefixtures("damaged")
def test_twin_readiness_is_ok_with_damage_that_is_not_checked(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "CHECKED_EVERY", -1.0)
    monkeypatch.setattr(health, "find_damage", lambda database: None)
    assert client.get("/health/ready/").status_code == 200


@pytest.mark.sqlite
@pytest.mark.django_db
def test_readiness_names_damage_that_a_statement_finds(client: Client) -> None:
    def find_corruption(execute: Any, *arguments: Any) -> Any:
        error = sqlite3.DatabaseError("database disk image is malformed")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise DatabaseError(str(error)) from error

    with connection.execute_wrapper(find_corruption):
        answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["reason"]) == (503, "database-damaged")


@pytest.mark.django_db
def test_readiness_fails_while_migrations_are_missing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_migrated", False)
    MigrationRecorder(connection).record_unapplied("ledger", "0002_append_only")
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["reason"]) == (503, "migrations")
    MigrationRecorder(connection).record_applied("ledger", "0002_append_only")
    assert client.get("/health/ready/").status_code == 200


@pytest.mark.django_db
def test_readiness_fails_on_a_full_disk(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(health, "folders", lambda: [tmp_path])
    monkeypatch.setattr(health, "LEAST_FREE", 1 << 60)
    answer = client.get("/health/ready/")

    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "reason": "disk-full", "disks": [tmp_path.name]}
    assert f"No room on the disk of {tmp_path}" in caplog.text


@pytest.mark.django_db
def test_readiness_costs_three_queries(client: Client, django_assert_num_queries: Any) -> None:
    client.get("/health/ready/")
    with django_assert_num_queries(3):
        client.get("/health/ready/")


@pytest.fixture
def pages() -> list[PublishedPage]:
    """Two published pages of a published event, of which each can be made to fail."""
    event = factories.make_event(slug="palio")
    publication = Publication.objects.create(event=event)
    return [
        PublishedPage.objects.create(publication=publication, path=f"/palio/{name}/", stamp=name)
        for name in ("carte", "bocce")
    ]


@pytest.mark.django_db
def test_readiness_names_pages_that_cannot_be_rendered(client: Client, pages: list[PublishedPage]) -> None:
    since = timezone.now() - timedelta(minutes=3)
    PublishedPage.objects.filter(pk=pages[0].pk).update(failing_since=since, tried_at=since)
    some, work = client.get("/health/ready/"), client.get("/health/tasks/")
    PublishedPage.objects.update(failing_since=since, tried_at=since)
    all_of_them = client.get("/health/ready/")
    Event.objects.update(is_published=False)
    nobodys = client.get("/health/ready/")

    one = {"failing": 1, "first": "/palio/carte/"}
    assert (some.status_code, some.json()) == (200, {"status": "degraded", "pages": one})
    assert (work.status_code, work.json()["status"], work.json()["due"]) == (503, "late", 1)
    both = {"failing": 2, "first": "/palio/bocce/"}
    assert (all_of_them.status_code, all_of_them.json()) == (
        503,
        {"status": "unavailable", "reason": "pages", "pages": both},
    )
    assert (nobodys.status_code, nobodys.json()) == (200, {"status": "ok"})


@pytest.fixture
def uncollected(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that was started without static files, and knows of none: no page can be rendered."""
    monkeypatch.setattr(health, "_collected", False)
    files: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    with patch.dict(files, clear=True):
        KeptPage.forget()
        with pytest.raises(ValueError, match="Missing staticfiles manifest entry"):
            Client().get("/")
        yield


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.usefixtures("uncollected")
def test_readiness_fails_without_static_files(client: Client) -> None:
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable", "reason": "static-files"})


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.usefixtures("uncollected")
def test_twin_readiness_is_ok_without_looking_for_static_files(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "not_collected", list)

    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_health_of_tasks_is_late_while_work_waits_too_long(client: Client) -> None:
    beat_all()
    answer = client.get("/health/tasks/")
    assert (answer.status_code, answer.json()["status"], answer.json()["due"]) == (200, "ok", 0)
    row = OutboxMessage.objects.create(topic="outcome", group=uuid4(), stream=uuid4(), sequence=1)
    assert client.get("/health/tasks/").json()["due"] == 1
    OutboxMessage.objects.filter(pk=row.pk).update(created=timezone.now() - timedelta(minutes=3))
    answer = client.get("/health/tasks/")
    assert (answer.status_code, answer.json()["status"]) == (503, "late")
    assert answer.json()["oldest_seconds"] >= 180


def beat_all() -> None:
    """The workers of all queues are there."""
    for queue in queues.QUEUES:
        beat_heart(queue.name)


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.parametrize("queue", queues.LIMITS)
def test_health_of_tasks_names_a_queue_without_a_heartbeat(client: Client, queue: str) -> None:
    assert client.get("/health/tasks/").json()["silent_queues"] == list(queues.LIMITS)
    beat_all()
    answer = client.get("/health/tasks/")
    assert (answer.status_code, answer.json()["status"], answer.json()["silent_queues"]) == (200, "ok", [])
    limit = timedelta(seconds=queues.longest_silence(queue))
    heart = Heartbeat.objects.filter(name=queues.heart_of(queue))

    # A task of this queue may still be at work.
    heart.update(at=timezone.now() - limit + timedelta(seconds=50))
    assert client.get("/health/tasks/").json()["silent_queues"] == []

    heart.update(at=timezone.now() - limit - timedelta(seconds=1))
    answer = client.get("/health/tasks/")
    assert (answer.status_code, answer.json()["status"], answer.json()["broker"]) == (503, "late", "ok")
    assert answer.json()["silent_queues"] == [queue]


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.parametrize(("hours", "said"), [(25, {}), (27, {"backup": {"hours": 27.0}})])
def test_readiness_warns_of_a_missed_backup(
    client: Client, settings: Any, tmp_path: Path, hours: int, said: dict[str, Any]
) -> None:
    settings.VAR_DIR, settings.BACKUP_DIR = tmp_path, tmp_path / "backup"
    settings.BACKUP_DIR.mkdir()
    assert client.get("/health/ready/").json() == {"status": "ok"}
    made_at = timezone.now() - timedelta(hours=hours)

    (settings.BACKUP_DIR / f"{BackupName(1, made_at)}{SUFFIX}").touch()

    answer = client.get("/health/ready/")
    assert answer.json() == {"status": "degraded" if said else "ok", **said}
    assert answer.status_code == 200


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.parametrize("is_own", [True, False])
def test_readiness_warns_where_an_expected_backup_is_missing(
    client: Client, settings: Any, tmp_path: Path, is_own: bool
) -> None:
    settings.VAR_DIR = tmp_path
    settings.BACKUP_DIR = tmp_path / ("backup" if is_own else "stick")

    absent = client.get("/health/ready/").json()
    settings.BACKUP_DIR.mkdir()
    empty = client.get("/health/ready/").json()

    expected = {"status": "ok"} if is_own else {"status": "degraded", "backup": {"hours": None}}
    assert (absent, empty) == (expected, expected)


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.parametrize(("lacking", "word"), [("is_writable", "not-writable"), ("is_full", "full")])
def test_readiness_warns_of_a_backup_folder_full_or_not_writable(
    client: Client, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking: str, word: str
) -> None:
    settings.BACKUP_DIR = tmp_path
    (tmp_path / f"{BackupName(1, timezone.now())}{SUFFIX}").touch()
    found = getattr(health, lacking)
    monkeypatch.setattr(
        health, lacking, lambda folder: folder != tmp_path and found(folder) if word != "full" else True
    )
    monkeypatch.setattr(health, "full_folders", list)

    assert client.get("/health/ready/").json() == {"status": "degraded", "backup": {"folder": word}}


@pytest.mark.postgresql
@pytest.mark.django_db
def test_readiness_looks_for_static_files_again_after_a_minute(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_collected", None)
    monkeypatch.setattr(health, "not_collected", list)
    assert client.get("/health/ready/").status_code == 200
    monkeypatch.setattr(health, "not_collected", lambda: ["css/base.css"])
    assert client.get("/health/ready/").status_code == 200

    monkeypatch.setattr(health, "CHECKED_EVERY", 0.0)

    assert client.get("/health/ready/").json()["reason"] == "static-files"


@override_settings(SECURE_SSL_REDIRECT=True)
def test_health_probes_are_not_redirected_to_https(client: Client) -> None:
    assert client.get("/health/live/").status_code == 200
    assert client.get("/").status_code == 301
