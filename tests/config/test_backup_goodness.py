"""Backups are checked before they count, and rotation never removes a good one for one that isn't."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from config.backup_folder import KEEP_ALL, KEEP_DAILY, KEEP_HOURLY, backups_in, rotate, superfluous
from config.backups import chains, container
from config.backups import sqlite as files
from config.backups.chains import ChainMemory
from config.backups.container import BackupError
from config.backups.database_damage import find_damage
from config.backups.database_repair import restore_command
from config.backups.goodness import BackupCheck
from config.embedded.backup import Backups
from ledger.append import append
from ledger.entries import NewFact
from tests.support.ledger_tables import without_triggers
from tests.support.sqlite_files import all_of_them, cut, make_database, overwrite_page, with_another_row

NOW = datetime(2026, 9, 12, 18, 30, tzinfo=UTC)

STREAMS = [UUID(int=number) for number in range(1, 4)]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database of many pages."""
    path = tmp_path / "var" / "tendone.sqlite3"
    path.parent.mkdir()
    make_database(path, rows=200)
    return path


def test_find_damage_names_the_damage_of_a_database(database: Path, tmp_path: Path) -> None:
    whole = database.read_bytes()
    assert find_damage(database) is None

    overwrite_page(database, 30)
    assert find_damage(database) == "the table fact"
    overwrite_page(database, 1)
    assert find_damage(database) == "its first page is no longer that of a database"
    database.write_bytes(whole)
    cut(database, 0.6)
    size, there = len(whole), database.stat().st_size
    assert find_damage(database) == f"its end is missing, {there:,} of {size:,} bytes are there"


def test_damaged_database_makes_no_backup_and_rotates_none_out(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    good = files.back_up(database, folder, NOW - timedelta(hours=2))
    overwrite_page(database, 30)

    with pytest.raises(BackupError, match=r"is damaged: .* doesn't count as a backup"):
        files.back_up(database, folder, NOW - timedelta(hours=2))
    rotate(folder, NOW, BackupCheck(tmp_path).is_good, all_of_them)

    assert backups_in(folder) == [good]
    assert [path.name for path in folder.glob("*.damaged")] == ["tendone-000002-20260912T163000Z.damaged"]


def test_twin_damaged_backup_rotates_a_good_one_out_without_the_check(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "backup"
    files.back_up(database, folder, NOW - timedelta(hours=2))
    overwrite_page(database, 30)
    monkeypatch.setattr(files, "find_fault", lambda copy, chains: None)
    monkeypatch.setattr(
        files, "described", lambda copy, now: container.Manifest("sqlite", "", tables={"results": 1})
    )

    damaged = files.back_up(database, folder, NOW - timedelta(hours=2))
    rotate(folder, NOW, lambda path: True, all_of_them)

    assert backups_in(folder) == [damaged]


def test_damaged_copies_are_removed_but_the_last(database: Path, tmp_path: Path) -> None:
    overwrite_page(database, 30)
    for _ in range(3):
        with pytest.raises(BackupError):
            files.back_up(database, tmp_path / "backup", NOW)

    assert [path.name for path in (tmp_path / "backup").glob("tendone*")] == [
        "tendone-000003-20260912T183000Z.damaged"
    ]


def test_failing_disk_makes_no_backup(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync_of_a_failing_disk(descriptor: int) -> None:
        for path in (tmp_path / "backup").glob("*.unfinished"):
            overwrite_page(path, 1)

    monkeypatch.setattr(os, "fsync", fsync_of_a_failing_disk)
    with pytest.raises(BackupError):
        files.back_up(database, tmp_path / "backup", NOW)
    assert backups_in(tmp_path / "backup") == []


def test_backup_of_an_unchanged_database_is_the_one_before(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    made = [files.back_up(database, folder, NOW), files.back_up(database, folder, NOW + timedelta(hours=1))]
    made.append(files.back_up(with_another_row(database), folder, NOW))
    cut(made[-1], 0.9)
    made.append(files.back_up(database, folder, NOW))

    # A backup that is cut doesn't stand for what it held.
    assert [path.name[:14] for path in made] == [
        "tendone-000001",
        "tendone-000001",
        "tendone-000002",
        "tendone-000003",
    ]


def earlier_name(moment: datetime) -> Path:
    """What earlier versions called a backup of this moment."""
    return Path(f"tendone-{moment:%Y%m%dT%H%M%SZ}.backup")


def three_of_an_hour(database: Path, folder: Path) -> list[Path]:
    """Three backups of one hour, of which rotation leaves one."""
    hour = NOW - timedelta(hours=3)
    return [
        files.back_up(with_another_row(database), folder, hour + timedelta(minutes=minute))
        for minute in (2, 4, 6)
    ]


Harm = Callable[[Path], object]


@pytest.mark.parametrize("harm", [lambda path: cut(path, 0.9), lambda path: path.write_bytes(b"")])
def test_rotation_keeps_a_good_backup_beside_a_newer_one_that_is_not(
    database: Path, tmp_path: Path, harm: Harm
) -> None:
    folder = tmp_path / "backup"
    made = three_of_an_hour(database, folder)
    harm(made[-1])

    rotate(folder, NOW, BackupCheck(tmp_path).is_good, all_of_them)

    assert backups_in(folder) == made[1:]


def test_twin_rotation_keeps_a_cut_backup_alone_without_the_check(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    made = three_of_an_hour(database, folder)
    cut(made[-1], 0.9)

    rotate(folder, NOW, lambda path: True, all_of_them)

    assert backups_in(folder) == made[-1:]


def test_rotation_checks_a_backup_of_an_earlier_version(database: Path, tmp_path: Path) -> None:
    """Those were given their names unchecked: a damaged database is in a file that is whole."""
    folder, hour = tmp_path / "backup", NOW - timedelta(hours=3)
    good = files.back_up(database, folder, hour)
    good = good.rename(folder / earlier_name(hour))
    damaged = folder / earlier_name(hour + timedelta(minutes=2))
    overwrite_page(database, 30)
    with container.written(damaged, container.Manifest("sqlite", "")) as writing:
        writing.add(files.NAME, [database.read_bytes()])

    rotate(folder, NOW, BackupCheck(tmp_path).is_good, all_of_them)

    assert backups_in(folder) == [good, damaged]


@given(st.dictionaries(st.integers(min_value=0, max_value=60 * 24 * 45), st.booleans(), max_size=80))
def test_rotation_removes_none_without_a_newer_good_one_that_stays(ages: dict[int, bool]) -> None:
    made = {
        earlier_name(NOW - timedelta(minutes=age)): (timedelta(minutes=age), good)
        for age, good in ages.items()
    }
    removed = set(superfluous(made, NOW, lambda path: made[path][1]))
    good = {path for path, (_, is_good) in made.items() if is_good}

    for path in removed:
        age, _ = made[path]
        assert age > KEEP_ALL
        period = slice(8, 19 if age <= KEEP_HOURLY else 16)
        assert any(
            other > path
            and (
                age > KEEP_DAILY or (other.name[period] == path.name[period] and made[other][0] <= KEEP_DAILY)
            )
            for other in good - removed
        )
    if good:
        assert max(good) not in removed


def facts(count: int) -> None:
    """Three streams with so many facts each."""
    for stream in STREAMS:
        append(stream, "test", None, None, [NewFact("noted", {"number": n}) for n in range(count)])


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_backup_with_an_altered_fact_is_refused(tmp_path: Path) -> None:
    facts(5)
    good = back_up_by_command(tmp_path)
    with without_triggers(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE ledger_fact SET text = '{}' WHERE sequence = 3 AND stream_id = %s", [STREAMS[1].hex]
        )

    with pytest.raises(CommandError, match=r"fact 3: The fact was altered.*doesn't count as a backup"):
        back_up_by_command(tmp_path)

    assert backups_in(tmp_path) == [good]


def back_up_by_command(folder: Path) -> Path:
    """Back up as an operator does; the newest backup then."""
    call_command("backup", str(folder))
    return backups_in(folder)[-1]


def test_backup_of_a_damaged_database_logs_the_restore_command(
    database: Path, tmp_path: Path, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.BACKUP_DIR = tmp_path / "backup"
    backups = Backups(database, settings.BACKUP_DIR, all_of_them)
    good = backups.make()
    overwrite_page(database, 30)

    assert good is not None
    assert backups.make() is None

    [line] = [record.getMessage() for record in caplog.records]
    assert line.startswith(
        f"No backup was made in {settings.BACKUP_DIR}. The database {database} is damaged: "
    )
    assert line.endswith(
        f"Type, while the service is stopped:\n    {restore_command(good, settings.VAR_DIR)}"
    )


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_backup_checks_chains_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only new and longer streams, and so many others that it stays cheap."""
    facts(5)
    checked: list[str] = []
    check_stream = chains.check_stream

    def note(copy: Any, stream: str, sequence: int, hash: str) -> Any:
        checked.append(stream[-1])
        return check_stream(copy, stream, sequence, hash)

    monkeypatch.setattr(chains, "check_stream", note)
    monkeypatch.setattr(chains, "SPARE_FACTS", 5)
    memory, turns = ChainMemory(), []
    with closing(sqlite3.connect(connection.settings_dict["NAME"], uri=True)) as copy:
        for turn in range(4):
            if turn == 2:
                append(STREAMS[0], "test", None, None, [NewFact("noted", {"number": 5})])
            assert memory.find_fault(copy) is None
            turns.append("".join(checked))
            checked.clear()

    assert turns == ["123", "1", "12", "3"]
