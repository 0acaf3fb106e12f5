"""Backed up under load, put back into an empty database, verified and compared: equal."""

import json
import sqlite3
import threading
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from django.utils import timezone

from config import preflight, queues
from config.backup_folder import backups_in
from config.backups import container, database_repair, postgresql, restoring, sqlite
from config.backups.container import BackupError, Manifest
from config.backups.database_repair import restore_command
from config.locks import lock_folder
from config.models import Heartbeat
from config.version import VERSION
from ledger.append import append
from ledger.entries import NewFact
from ledger.needed_code_version import KNOWN
from people.actors import Actor
from people.models import Event
from publishing import page_store, publication
from tests.support import ROOT, factories
from tests.support.services.other_folder import elsewhere
from tests.support.sqlite_files import cut, overwrite_page
from tests.support.zips import packed, unpacked
from tournaments.commands import results
from tournaments.verification import verify
from tournaments.verification.row_snapshots import picture

pytestmark = pytest.mark.django_db(transaction=True)

EARLIER = ROOT / "tests" / "data" / "earlier"
Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def event() -> Event:
    """An event that is being played."""
    event = factories.make_event(factories.make_account(), slug="kept", is_published=True)
    games = factories.games_of(factories.drawn_tournament(event))
    for game in games[:3]:
        results.enter_result(game, Actor.command(), seat=0)
    return event


def back_up(folder: Path) -> Path:
    """By the command, as an operator does."""
    said = StringIO()
    call_command("backup", str(folder), stdout=said)
    (made,) = backups_in(folder)
    assert said.getvalue().startswith(f"{made}: ")
    return made


def all_rows() -> Rows:
    """Everything that is stored, but for what migrating writes down about itself."""
    found: Rows = {}
    for table in sorted(set(connection.introspection.django_table_names(only_existing=True))):
        if table != "django_migrations":
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
                found[table] = sorted(cursor.fetchall(), key=repr)
    return found


@contextmanager
def restored_elsewhere(tmp_path: Path) -> Iterator[Path]:
    """Back up, and put the backup back into a database of its own; the backup."""
    made = back_up(tmp_path / "backup")
    with elsewhere(tmp_path):
        restoring.restore(made)
        yield made


@contextmanager
def written_to(streams: list[UUID]) -> Iterator[None]:
    """Facts are added as fast as it goes, in turns to the first stream and to one of their own."""
    stopping = threading.Event()
    begun = threading.Event()

    def write() -> None:
        number = 0
        while not stopping.is_set():
            number += 1
            stream = streams[0] if number % 2 else uuid4()
            append(stream, "load", None, None, [NewFact("noted", {"number": number})])
            begun.set()
        connection.close()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert begun.wait(60)
        yield
    finally:
        stopping.set()
        thread.join()


def test_restore_gives_back_equal_rows(event: Event, tmp_path: Path) -> None:
    made = back_up(tmp_path / "backup")
    before, projected = all_rows(), [picture(each) for each in event.tournaments.all()]
    assert made.stat().st_mode & 0o777 == 0o600
    with container.opened(made) as (_, manifest):
        assert manifest.tables["ledger_fact"] == manifest.facts > 0
        assert manifest.needs == KNOWN
    with elsewhere(tmp_path):
        call_command("restore", str(made), stdout=StringIO())
        assert all_rows() == before
        restored = Event.objects.get(slug="kept")
        assert [picture(each) for each in restored.tournaments.all()] == projected
        # It goes on from there.
        factories.make_team(restored)
        game = factories.games_of(restored.tournaments.get())[3]
        assert results.enter_result(game, Actor.command(), seat=1).refusal is None
        with container.opened(back_up(tmp_path / "again")) as (_, later):
            assert later.facts > manifest.facts
    assert all_rows() == before


def test_backup_under_load_is_of_one_moment(event: Event, tmp_path: Path) -> None:
    made = []
    with written_to([uuid4()]):
        for number in range(3):
            made.append(back_up(tmp_path / str(number)))
    with elsewhere(tmp_path):
        # Putting back compares every head with the manifest, and verifies every chain.
        manifest = restoring.restore(made[-1]).manifest
        assert [str(wrong) for wrong in verify.verify()] == []
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM ledger_fact")
            assert cursor.fetchone()[0] == manifest.facts
    counts = []
    for each in made:
        with container.opened(each) as (_, described):
            counts.append(described.facts)

    assert counts == sorted(set(counts))


def test_restore_replaces_a_database_only_when_asked_to(event: Event, tmp_path: Path) -> None:
    made = back_up(tmp_path / "backup")
    factories.make_event(factories.make_account(), slug="later")
    with pytest.raises(CommandError, match="isn't empty"):
        call_command("restore", str(made))
    assert Event.objects.filter(slug="later").exists()


@pytest.mark.sqlite
def test_restore_removes_published_pages_of_the_replaced_database(event: Event, tmp_path: Path) -> None:
    made, before = back_up(tmp_path / "backup"), all_rows()
    with elsewhere(tmp_path):
        restoring.restore(made)
        later = factories.make_event(factories.make_account(), slug="later", is_published=True)
        while publication.publish(later.pk):
            pass
        assert page_store.get("/later/") is not None
        restoring.restore(made, replace=True)
        assert page_store.get("/later/") is None
        assert all_rows() == before


@pytest.mark.sqlite
def test_restore_makes_pages_due(event: Event, tmp_path: Path) -> None:
    """Its rows tell of pages that lie where it was made."""
    while publication.publish(event.pk):
        pass
    made = back_up(tmp_path / "backup")
    with elsewhere(tmp_path):
        for address in list(publication.pages_of(event.slug)):
            page_store.remove(address)
        restoring.restore(made)
        assert publication.events_due() == [event.pk]
        while publication.publish(event.pk):
            pass
        assert page_store.get("/kept/") is not None


def altered(made: Path, target: Path, change: Callable[[str, bytes], bytes]) -> Path:
    """A backup with other bytes in its files."""
    files = unpacked(made.read_bytes())
    target.write_bytes(packed({name: change(name, content) for name, content in files.items()}))
    return target


def with_manifest(**changes: Any) -> Callable[[str, bytes], bytes]:
    """A change of the manifest alone."""
    return lambda name, data: (
        json.dumps(json.loads(data) | changes).encode() if name == "manifest.json" else data
    )


def test_restore_refuses_a_backup_that_is_not_whole(event: Event, tmp_path: Path) -> None:
    made = back_up(tmp_path / "backup")
    other = "sqlite" if connection.vendor == "postgresql" else "postgresql"
    cut = tmp_path / "cut"
    cut.write_bytes(made.read_bytes()[:-500])
    cases = {
        r"cut is no whole backup: it is damaged, cut off, or another file\.$": cut,
        "There is no file": tmp_path / "nowhere",
        "altered or is damaged": altered(
            made, tmp_path / "a", lambda name, data: data if name == "manifest.json" else data[:-1] + b"!"
        ),
        "by its archive": altered(made, tmp_path / "b", with_manifest(database=other)),
        f"This backup needs reading version {KNOWN + 1}": altered(
            made, tmp_path / "n", with_manifest(needs=KNOWN + 1)
        ),
        "newer version": altered(
            made, tmp_path / "c", with_manifest(migrations={"ledger": ["9999_not_known_yet"]})
        ),
        "format 7": altered(made, tmp_path / "d", with_manifest(format=7)),
    }
    with elsewhere(tmp_path):
        for sentence, path in cases.items():
            with pytest.raises(BackupError, match=sentence):
                restoring.restore(path)
        assert connection.introspection.table_names() == []


def test_restore_refuses_a_backup_that_does_not_verify(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with restored_elsewhere(tmp_path) as made:
        before = all_rows()
        monkeypatch.setattr(verify, "verify", lambda: iter(["the stream 1 is cut"]))
        with pytest.raises(BackupError, match="the stream 1 is cut"):
            restoring.restore(made, replace=True)
        connection.close()
        assert all_rows() == before


Harm = Callable[[Path], object]


def page_of(table: str, database: Path) -> int:
    """A page in which rows of a table are."""
    with closing(sqlite3.connect(database)) as opened:
        found = opened.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [table]).fetchone()
    return int(found[0])


HARMS: dict[str, tuple[Harm, str]] = {
    "a page of the ledger": (
        lambda database: overwrite_page(database, page_of("ledger_fact", database)),
        "is damaged: the table ledger_fact.",
    ),
    "the first page": (
        lambda database: overwrite_page(database, 1),
        "is damaged: its first page is no longer that of a database.",
    ),
    "cut to 60 %": (lambda database: cut(database, 0.6), "is damaged: its end is missing, "),
    "missing": (lambda database: database.unlink(), "is missing, and there are backups of one."),
    "empty": (lambda database: cut(database, 0), "is missing, and there are backups of one."),
}


@pytest.mark.sqlite
@pytest.mark.parametrize("harm", HARMS)
def test_damaged_database_is_named_with_its_restore_command(
    harm: str, event: Event, tmp_path: Path, settings: Any
) -> None:
    settings.BACKUP_DIR = tmp_path / "backup"
    made, before = back_up(settings.BACKUP_DIR), all_rows()
    do_harm, sentence = HARMS[harm]
    with elsewhere(tmp_path):
        restoring.restore(made)
        database = Path(connection.settings_dict["NAME"])
        connection.close()
        do_harm(database)
        damaged = database.read_bytes() if database.exists() else b""

        start = list(preflight.problems())
        with pytest.raises(CommandError) as verified:
            call_command("verify")
        command = f"Type, while the service is stopped:\n    {restore_command(made, settings.VAR_DIR)}"
        for text in (*start, str(verified.value)):
            assert text.startswith(f"The database {database} {sentence}")
            assert command in text
        assert len(start) == 1

        call_command("restore", made.name, replace=True, stdout=StringIO())
        assert all_rows() == before
        assert list(preflight.problems()) == []
        call_command("verify", stdout=StringIO())
        connection.close()
        kept = database.with_name(f"{database.name}.damaged-1")
        assert (kept.read_bytes() if kept.exists() else b"") == damaged


@pytest.mark.sqlite
def test_twin_damaged_database_is_not_replaced_unless_set_aside(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with restored_elsewhere(tmp_path) as made:
        connection.close()
        overwrite_page(Path(connection.settings_dict["NAME"]), 1)
        monkeypatch.setattr(sqlite, "set_aside", lambda database: None)
        with pytest.raises(sqlite3.DatabaseError, match="not a database"):
            restoring.restore(made, replace=True)


@pytest.mark.sqlite
def test_damaged_database_is_set_aside_with_its_write_ahead_log(tmp_path: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        (tmp_path / f"tendone.sqlite3{ending}").write_text(f"first{ending}")
    assert sqlite.set_aside(tmp_path / "tendone.sqlite3") == tmp_path / "tendone.sqlite3.damaged-1"
    (tmp_path / "tendone.sqlite3-wal").write_text("second")
    assert sqlite.set_aside(tmp_path / "tendone.sqlite3") == tmp_path / "tendone.sqlite3.damaged-2-wal"
    assert sqlite.set_aside(tmp_path / "tendone.sqlite3") is None

    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "tendone.sqlite3.damaged-1": "first",
        "tendone.sqlite3.damaged-1-wal": "first-wal",
        "tendone.sqlite3.damaged-1-shm": "first-shm",
        "tendone.sqlite3.damaged-2-wal": "second",
    }


@pytest.mark.sqlite
def test_damaged_database_is_replaced_only_when_asked_for(event: Event, tmp_path: Path) -> None:
    with restored_elsewhere(tmp_path) as made:
        connection.close()
        cut(Path(connection.settings_dict["NAME"]), 0.6)
        with pytest.raises(BackupError, match=r"is damaged: its end is missing, .*--replace puts"):
            restoring.restore(made)


@pytest.mark.sqlite
def test_restore_over_a_damaged_database_removes_all_published_pages(event: Event, tmp_path: Path) -> None:
    while publication.publish(event.pk):
        pass
    made = back_up(tmp_path / "backup")
    assert page_store.get("/kept/") is not None
    with elsewhere(tmp_path):
        restoring.restore(made)
        connection.close()
        overwrite_page(Path(connection.settings_dict["NAME"]), 1)
        restoring.restore(made, replace=True)
        assert list(page_store.published("/")) == []


@pytest.mark.sqlite
def test_start_without_database_and_backups_has_no_problem(tmp_path: Path, settings: Any) -> None:
    settings.BACKUP_DIR = tmp_path / "backup"
    with elsewhere(tmp_path):
        assert database_repair.find_problem() is None


@pytest.mark.sqlite
def test_missing_database_without_a_good_backup_is_told(event: Event, tmp_path: Path, settings: Any) -> None:
    settings.BACKUP_DIR = tmp_path / "backup"
    made = back_up(settings.BACKUP_DIR)
    cut(made, 0.5)
    with elsewhere(tmp_path):
        assert database_repair.find_problem() == (
            f"The database {tmp_path / 'elsewhere.sqlite3'} is missing, and there are backups of one. "
            f"To begin with an empty one, move {settings.BACKUP_DIR} elsewhere. "
            f"There is no good backup in {settings.BACKUP_DIR}: look elsewhere. "
            f"Type, while the service is stopped:\n    {restore_command('FILE', settings.VAR_DIR)}"
        )


@pytest.mark.sqlite
def test_restore_under_a_running_service_is_refused(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = back_up(tmp_path / "backup")
    with elsewhere(tmp_path), lock_folder(tmp_path):
        with pytest.raises(BackupError, match=r"^Tendone is already running .* stop it first\.$"):
            restoring.restore(made, replace=True)
        said = StringIO()
        with pytest.raises(CommandError, match="stop it first"):
            call_command("restore", str(made), "--replace", stdout=said)
        assert said.getvalue() == ""
        assert connection.introspection.table_names() == []
        # Without the lock it would be.
        monkeypatch.setattr("config.locks.try_lock", lambda descriptor: True)
        restoring.restore(made, replace=True)
        assert Event.objects.exists()


@pytest.mark.sqlite
def test_restore_into_a_database_in_use_is_refused(tmp_path: Path) -> None:
    with elsewhere(tmp_path):
        target = Path(connection.settings_dict["NAME"])
        with closing(sqlite3.connect(target)) as writer:
            writer.execute("PRAGMA journal_mode=WAL")
            writer.execute("BEGIN IMMEDIATE")
            with pytest.raises(BackupError, match="stop the service first"):
                sqlite.put_in_place(tmp_path / "empty", target, patience=0)


def test_manifest_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())

    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "config.version.VERSION"}
    assert Manifest("sqlite", "").version == VERSION


def test_restore_backs_up_what_it_replaces(event: Event, tmp_path: Path, settings: Any) -> None:
    settings.BACKUP_DIR = tmp_path / "own"
    made = back_up(tmp_path / "backup")
    with elsewhere(tmp_path):
        assert restoring.restore(made).replaced is None
        factories.make_event(factories.make_account(), slug="later")
        said = StringIO()

        call_command("restore", str(made), "--replace", stdout=said)

        assert not Event.objects.filter(slug="later").exists()
        [before] = backups_in(settings.BACKUP_DIR)
        assert said.getvalue().startswith(
            f"{restoring.where()} is replaced.\nWhat was there before is in {before}.\n"
        )
        restoring.restore(before, replace=True)
        assert Event.objects.filter(slug="later").exists()


def test_restore_refuses_to_replace_what_can_not_be_backed_up(
    event: Event, tmp_path: Path, settings: Any
) -> None:
    with restored_elsewhere(tmp_path) as made:
        factories.make_event(factories.make_account(), slug="later")
        settings.BACKUP_DIR = made

        with pytest.raises(BackupError, match="can't be backed up first"):
            restoring.restore(made, replace=True)

        assert Event.objects.filter(slug="later").exists()


@pytest.mark.postgresql
@pytest.mark.parametrize("is_asked", [True, False])
def test_restore_while_others_are_connected_is_refused(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_asked: bool
) -> None:
    made = back_up(tmp_path / "backup")
    if not is_asked:
        monkeypatch.setattr(restoring, "refuse_while_served", lambda: None)
    with elsewhere(tmp_path):
        other = connection.get_new_connection(connection.get_connection_params())
        try:
            if is_asked:
                with pytest.raises(BackupError, match=r"elsewhere on .* is in use \(1 other connections\)"):
                    restoring.restore(made, replace=True)
            else:
                restoring.restore(made, replace=True)
        finally:
            other.close()
        assert (connection.introspection.table_names() == []) == is_asked


@pytest.mark.postgresql
@pytest.mark.parametrize("is_working", [True, False])
def test_restore_while_a_worker_has_heartbeats_is_refused(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_working: bool
) -> None:
    made = back_up(tmp_path / "backup")

    def wait(seconds: float) -> None:
        """Time goes by; a worker that was stopped is silent."""
        if is_working:
            Heartbeat.objects.update(at=timezone.now())
        else:
            monkeypatch.setattr(queues, "HEART", -10.0)

    monkeypatch.setattr(restoring, "sleep", wait)
    with elsewhere(tmp_path):
        with connection.schema_editor() as schema:
            schema.create_model(Heartbeat)
        Heartbeat.objects.create(name="work", at=timezone.now())
        if is_working:
            with pytest.raises(BackupError, match="a worker was heard of at"):
                restoring.restore(made, replace=True)
            assert connection.introspection.table_names() == [Heartbeat._meta.db_table]
        else:
            restoring.restore(made, replace=True)
            assert Event.objects.exists()


@pytest.mark.postgresql
@pytest.mark.parametrize("is_locked", [True, False])
def test_backup_during_a_restore_is_refused(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    made = back_up(tmp_path / "backup")
    found: list[str] = []
    put_back = postgresql.put_back

    def make_one(archive: zipfile.ZipFile, manifest: Manifest) -> None:
        put_back(archive, manifest)
        try:
            with postgresql.snapshot():
                found.append("copies")
        except BackupError as error:
            found.append(str(error))

    monkeypatch.setattr(postgresql, "put_back", make_one)
    if not is_locked:
        monkeypatch.setattr(postgresql, "alone", nullcontext)
    with elsewhere(tmp_path):
        restoring.restore(made, replace=True)
        assert Event.objects.exists()

    assert found == (
        ["A backup is being put back: no other one is made meanwhile."] if is_locked else ["copies"]
    )


def test_backup_of_a_database_without_tables_is_refused(tmp_path: Path) -> None:
    with elsewhere(tmp_path):
        # SQLite makes the file.
        connection.ensure_connection()
        with pytest.raises(CommandError, match="nothing to back up yet"):
            call_command("backup", str(tmp_path / "backup"), stdout=StringIO())

    assert backups_in(tmp_path / "backup") == []


@pytest.mark.postgresql
@pytest.mark.parametrize("is_numbered_on", [True, False])
def test_restore_of_an_earlier_version_s_postgresql_backup(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_numbered_on: bool
) -> None:
    """Migrations since then add models, and rows for each of them."""
    if not is_numbered_on:
        monkeypatch.setattr(postgresql, "reset_sequences", lambda: None)
    with elsewhere(tmp_path):
        if not is_numbered_on:
            with pytest.raises(IntegrityError):
                restoring.restore(EARLIER / "2026-11-22-4e30b87.backup")
            return
        restored = restoring.restore(EARLIER / "2026-11-22-4e30b87.backup")
        assert restored.manifest.facts == 1875
        assert [str(wrong) for wrong in verify.verify()] == []
        factories.make_event(factories.make_account(), slug="later")


@pytest.mark.postgresql
def test_backup_of_an_unchanged_postgresql_has_equal_files(event: Event, tmp_path: Path) -> None:
    made = [postgresql.back_up(tmp_path, datetime(2026, 9, 12, 18, minute, tzinfo=UTC)) for minute in (0, 1)]
    files = []
    for each in made:
        with container.opened(each) as (_, manifest):
            files.append(manifest.files)
    assert files[0] == files[1]
