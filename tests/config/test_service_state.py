"""What the desk says of the computer that the service runs on: full disks, and the last backup."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from config import health, service_state
from config.backup_folder import backups_in
from config.backups import database_repair
from config.service_state import LastBackup, last_backup
from tests.support import factories

NOW = datetime(2026, 9, 5, 15, 40, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _started_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """The service has been running for a day."""
    monkeypatch.setattr(service_state, "STARTED", NOW - timedelta(days=1))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database's file."""
    path = tmp_path / "tendone.sqlite3"
    path.touch()
    return path


def changed(file: Path, ago: timedelta) -> None:
    """Have a file been written to so long before now."""
    moment = (NOW - ago).timestamp()
    os.utime(file, (moment, moment))


def backed_up(folder: Path, ago: timedelta) -> datetime:
    """A backup that was made so long before now."""
    folder.mkdir(exist_ok=True)
    made = folder / f"tendone-000007-{NOW - ago:%Y%m%dT%H%M%SZ}.backup"
    made.touch()
    changed(made, ago)
    return NOW - ago


@pytest.mark.parametrize(
    ("backup_minutes", "change_minutes", "is_late"),
    [(2, 1, False), (9, 1, False), (11, 1, True), (11, 12, False), (600, 601, False), (600, 0, True)],
)
def test_backup_is_late_ten_minutes_after_a_change(
    database: Path, backup_minutes: int, change_minutes: int, is_late: bool
) -> None:
    made_at = backed_up(database.parent / "backup", timedelta(minutes=backup_minutes))
    changed(database, timedelta(minutes=change_minutes))

    found = last_backup(database, database.parent / "backup", NOW)

    assert (found.made_at, found.is_late) == (made_at, is_late)


def test_backup_found_to_hold_everything_is_not_late(database: Path) -> None:
    made_at = backed_up(database.parent / "backup", timedelta(hours=3))
    changed(database, timedelta(minutes=5))
    [newest] = backups_in(database.parent / "backup")

    changed(newest, timedelta(minutes=4))

    assert last_backup(database, database.parent / "backup", NOW) == LastBackup(newest.parent, made_at, False)


def test_backup_is_not_late_in_the_ten_minutes_after_the_start(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backed_up(database.parent / "backup", timedelta(hours=30))
    changed(database, timedelta(minutes=1))
    started = [NOW - timedelta(minutes=minutes) for minutes in (2, 11)]

    late = []
    for moment in started:
        monkeypatch.setattr(service_state, "STARTED", moment)
        late.append(last_backup(database, database.parent / "backup", NOW).is_late)

    assert late == [False, True]


@pytest.mark.parametrize(("change_minutes", "is_late"), [(1, False), (11, True)])
def test_backup_that_is_the_first_is_late_after_ten_minutes(
    database: Path, change_minutes: int, is_late: bool
) -> None:
    changed(database, timedelta(minutes=change_minutes))

    found = last_backup(database, database.parent / "backup", NOW)

    assert (found.made_at, found.is_late) == (None, is_late)


def test_write_ahead_log_counts_as_a_change_for_the_backup(database: Path) -> None:
    backed_up(database.parent / "backup", timedelta(minutes=11))
    changed(database, timedelta(hours=1))
    log = database.with_name("tendone.sqlite3-wal")
    log.touch()
    changed(log, timedelta(minutes=1))

    assert last_backup(database, database.parent / "backup", NOW).is_late


@pytest.fixture
def desk(client: Client) -> str:
    """The address of an event's desk, where its organizer is signed in."""
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    client.force_login(organizer)
    return f"/en/desk/events/{event.slug}/"


@pytest.mark.django_db
def test_desk_shows_the_last_backup_and_warns_if_it_is_late(
    client: Client, desk: str, database: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.EMBEDDED, settings.BACKUP_DIR = True, database.parent / "backup"
    monkeypatch.setattr(database_repair, "database_file", lambda: database)
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    changed(database, timedelta(0))
    backed_up(settings.BACKUP_DIR, timedelta(minutes=11))

    late = client.get(desk).content.decode()
    backed_up(settings.BACKUP_DIR, timedelta(minutes=2))
    good = client.get(desk).content.decode()

    assert "The last backup is of 5 September, 17:29." in late
    assert f"One should be made every two minutes, in {settings.BACKUP_DIR}" in late
    assert f"Last backup: 17:38, in {settings.BACKUP_DIR}" in good
    assert "The last backup is of" not in good


@pytest.mark.django_db
def test_desk_names_the_folder_whose_disk_is_full(
    client: Client, desk: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = client.get(desk).content.decode()
    monkeypatch.setattr(health, "folders", lambda: [tmp_path, tmp_path / "published"])
    monkeypatch.setattr(health, "LEAST_FREE", 1 << 60)

    after = client.get(desk).content.decode()

    assert "The disk is nearly full" not in before
    assert after.count(f"There is hardly any room left on the disk with {tmp_path}") == 1


@pytest.mark.django_db
def test_full_disk_is_not_told_on_the_sign_in_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "LEAST_FREE", 1 << 60)

    assert "The disk is nearly full" not in client.get("/en/desk/sign-in/").content.decode()


@pytest.mark.django_db
def test_desk_names_the_restore_command_of_a_damaged_database(
    client: Client, desk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = client.get(desk).content.decode()
    monkeypatch.setattr(service_state, "is_damaged", lambda: True)
    monkeypatch.setattr(
        database_repair, "find_repair", lambda: database_repair.Repair("manage.py restore --replace 7", True)
    )

    after = client.get(desk).content.decode()
    italian = client.get(desk.removeprefix("/en")).content.decode()

    assert "The database is damaged" not in before
    assert "types:</p><p><code>manage.py restore --replace 7</code></p></section>" in after
    assert "scrive:</p><p><code>manage.py restore --replace 7</code></p></section>" in italian
