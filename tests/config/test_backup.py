"""Copies of a database in use: whole, on time, no burden, and never without one."""

import sqlite3
import threading
import zipfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.backup_folder import (
    KEEP_ALL,
    KEEP_DAILY,
    KEEP_HOURLY,
    LOCK,
    SCRATCH,
    backups_in,
    next_backup,
    parse_name,
    superfluous,
)
from config.backups.sqlite import NAME, back_up
from config.embedded import backup as embedded_backup
from config.embedded.backup import Backups, BackupThread
from tests.support.sqlite_files import all_of_them, connect, with_another_row

NOW = datetime(2026, 9, 12, 18, 30, tzinfo=UTC)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with a write-ahead log, as the service uses it, and one row."""
    path = tmp_path / "tendone.sqlite3"
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE fact (number INTEGER PRIMARY KEY)")
        connection.execute("INSERT INTO fact VALUES (1)")
    return path


def numbers(path: Path) -> list[int]:
    """What a database or a backup holds."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return numbers(Path(archive.extract(NAME, mkdtemp(dir=path.parent.parent))))
    with closing(connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [number for (number,) in connection.execute("SELECT number FROM fact ORDER BY number")]


def all_good(path: Path) -> bool:
    """Every backup is good."""
    return True


def named(moment: datetime) -> Path:
    """The file that a backup of this moment is called."""
    return Path(f"tendone-{moment:%Y%m%dT%H%M%SZ}.backup")


def test_backup_is_one_file_with_everything_committed(database: Path, tmp_path: Path) -> None:
    with closing(connect(database)) as writer:
        writer.execute("INSERT INTO fact VALUES (2)")
        made = back_up(database, tmp_path / "backup", NOW)
        assert numbers(made) == [1, 2]
    assert made.name == "tendone-000001-20260912T183000Z.backup"
    assert {path.name for path in (tmp_path / "backup").iterdir()} == {made.name, LOCK}


def test_backup_can_be_read_by_its_owner_alone(database: Path, tmp_path: Path) -> None:
    made = back_up(database, tmp_path / "backup", NOW)
    assert [path.stat().st_mode & 0o777 for path in (made, made.parent)] == [0o600, 0o700]


def test_backup_holds_nothing_of_an_open_transaction(database: Path, tmp_path: Path) -> None:
    with closing(connect(database)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO fact VALUES (2)")
        made = back_up(database, tmp_path / "backup", NOW)
        writer.execute("COMMIT")
    assert numbers(made) == [1]
    assert numbers(database) == [1, 2]


def test_backup_does_not_make_writers_wait(database: Path, tmp_path: Path) -> None:
    """Each write may wait for nothing: a busy database would raise at once."""
    done = threading.Event()
    failures: list[sqlite3.Error] = []

    def write() -> None:
        with closing(sqlite3.connect(database, isolation_level=None, timeout=0)) as writer:
            for number in range(2, 400):
                try:
                    writer.execute("INSERT INTO fact VALUES (?)", [number])
                except sqlite3.Error as error:
                    failures.append(error)
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    copies = []
    while not done.is_set():
        copies.append(numbers(back_up(database, tmp_path / "backup", NOW)))
    thread.join()

    assert failures == []
    assert all(copy == list(range(1, len(copy) + 1)) for copy in copies)
    assert numbers(back_up(database, tmp_path / "backup", NOW)) == list(range(1, 400))


def test_backup_thread_backs_up_changes_and_nothing_twice(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    thread = BackupThread(Backups(database, folder, all_of_them), interval=0.01)
    thread.start()
    while not backups_in(folder):
        pass
    with_another_row(database)
    while len(backups_in(folder)) < 2:
        pass
    thread.stop()

    assert [numbers(path) for path in backups_in(folder)] == [[1], [1, 2]]


def test_backup_thread_has_writes_during_a_backup_in_the_next_one(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = Backups(database, tmp_path / "backup", all_of_them)
    monkeypatch.setattr("config.embedded.backup.rotate", lambda *arguments: with_another_row(database))
    thread = BackupThread(backups, interval=0.01)
    thread.start()
    while len(backups_in(tmp_path / "backup")) < 2:
        pass
    thread.stop()

    assert numbers(backups_in(tmp_path / "backup")[1]) == [1, 2]


def test_backup_to_a_folder_that_is_gone_is_logged(
    database: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "stick").write_text("not a folder")
    assert Backups(database, tmp_path / "stick", all_of_them).make() is None
    assert {record.getMessage() for record in caplog.records} == {
        f"No backup was made in {tmp_path / 'stick'}."
    }


@pytest.mark.parametrize("failing", ["make", "rotate"])
def test_backup_thread_goes_on_after_an_error(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    backups = Backups(database, tmp_path / "backup", all_of_them)
    owner: Any = backups if failing == "make" else embedded_backup
    works = getattr(owner, failing)

    def fail_once(*arguments: Any) -> Any:
        monkeypatch.setattr(owner, failing, works)
        raise RuntimeError("nobody expected this")

    monkeypatch.setattr(owner, failing, fail_once)
    thread = BackupThread(backups, interval=0.01)
    thread.start()
    while not backups_in(tmp_path / "backup"):
        assert thread.is_alive()
    thread.stop()

    assert numbers(backups_in(tmp_path / "backup")[-1]) == [1]


def test_backup_folder_ignores_other_files(tmp_path: Path) -> None:
    for name in ("tendone-holiday.backup", "photo.jpg", "tendone-20260912T183000Z.unfinished"):
        (tmp_path / name).touch()
    (tmp_path / named(NOW)).touch()
    assert backups_in(tmp_path) == [tmp_path / named(NOW)]


def test_backups_are_ordered_by_number_after_those_of_earlier_versions(tmp_path: Path) -> None:
    names = [
        "tendone-20260912T120000Z.backup",
        "tendone-20260912T183000Z.backup",
        "tendone-000001-20260912T190000Z.backup",
        "tendone-000002-20260911T040000Z.backup",
        "tendone-999999-20260912T190200Z.backup",
        "tendone-1000000-20260912T190000Z.backup",
    ]
    for name in reversed(names):
        (tmp_path / name).touch()

    assert [path.name for path in backups_in(tmp_path)] == names
    assert sorted(names) != names


def test_backup_order_stays_when_the_clock_is_set_back(database: Path, tmp_path: Path) -> None:
    made = [
        back_up(with_another_row(database), tmp_path / "backup", NOW - timedelta(hours=hours)).name
        for hours in (0, 1, 24 * 400)
    ]

    assert [path.name for path in backups_in(tmp_path / "backup")] == made
    # By their times they would come the other way round.
    assert sorted(made, key=lambda name: name.split("-")[2]) == made[::-1]


def test_backup_number_of_an_unfinished_backup_is_not_used_again(tmp_path: Path) -> None:
    (tmp_path / "tendone-000007-20260912T183000Z.damaged").touch()
    with next_backup(tmp_path, NOW) as path:
        assert parse_name(path) == parse_name(Path("tendone-000008-20260912T183000Z.backup"))


def test_backups_at_once_into_one_folder_wait_for_each_other(database: Path, tmp_path: Path) -> None:
    folder, made = tmp_path / "backup", []
    threads = [
        threading.Thread(target=lambda: made.append(back_up(with_another_row(database), folder, NOW)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert set(made) == set(backups_in(folder))
    numbers_made = [name.number for path in backups_in(folder) if (name := parse_name(path))]
    # Two that find the same bytes are one.
    assert numbers_made == list(range(1, len(numbers_made) + 1))


def test_backup_gives_up_where_another_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.backup_folder.PATIENCE", 0.0)
    with next_backup(tmp_path, NOW), pytest.raises(TimeoutError, match="takes too long"):
        next_backup(tmp_path, NOW).__enter__()


def test_twin_backups_at_once_have_one_name_without_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.locks.try_lock", lambda descriptor: True)
    with next_backup(tmp_path, NOW) as first, next_backup(tmp_path, NOW) as second:
        assert first == second


def test_backup_removes_files_of_a_killed_one(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    (folder / f"{SCRATCH}x").mkdir(parents=True)
    (folder / f"{SCRATCH}x" / NAME).touch()
    (folder / "tendone-000001-20260912T183000Z.unfinished").touch()

    made = back_up(database, folder, NOW)

    assert {path.name for path in folder.iterdir()} == {made.name, LOCK}


def test_rotation_keeps_all_of_the_last_hour_and_one_an_hour_before() -> None:
    made = [named(NOW - timedelta(minutes=2 * number)) for number in range(360)]
    kept = sorted(set(made) - set(superfluous(made, NOW, all_good)))
    last_hour = [path for path in kept if path >= named(NOW - KEEP_ALL)]

    assert len(last_hour) == 31
    assert [path.name[8:19] for path in kept if path not in last_hour] == [
        f"20260912T{hour:02d}" for hour in range(6, 18)
    ]


@given(st.sets(st.integers(min_value=0, max_value=60 * 24 * 45), max_size=80))
def test_rotation_keeps_the_newest_all_young_ones_and_one_a_period(ages: set[int]) -> None:
    made = {named(NOW - timedelta(minutes=age)): timedelta(minutes=age) for age in ages}
    removed = set(superfluous(made, NOW, all_good))
    kept = set(made) - removed
    assert removed <= set(made)
    if made:
        assert max(made) in kept
    assert all(made[path] > KEEP_ALL for path in removed)
    days = {path.name[8:16] for path, age in made.items() if age <= KEEP_DAILY}
    assert days <= {path.name[8:16] for path in kept}
    hours = {path.name[8:19] for path, age in made.items() if age <= KEEP_HOURLY}
    assert hours <= {path.name[8:19] for path in kept}
    # Doing it again removes nothing more.
    assert superfluous(kept, NOW, all_good) == []
