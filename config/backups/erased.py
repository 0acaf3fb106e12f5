"""Erasures and backups: erasing again after a restore, and bringing rows back from a backup on request."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, transaction

from config.backup_folder import backups_in, parse_name
from config.backups import postgresql, sqlite
from config.backups.container import BackupError, blocks_of, opened
from ledger import outbox
from people import audit, erasures, public_changes
from people.actors import Actor
from people.erasures import Erasure, ErasureRecord
from people.models import Announcement, AuditEntry, Entry, Event, Person, Referee
from people.person_erasure import repeat

# ruff: noqa: S608  # names of tables and columns are those of our models
MODELS = (Person, AuditEntry, Entry, Referee, Announcement)
PREFIX = "erased_"
BATCH = 500


def repeat_all(*folders: Path) -> ErasureRecord:
    """Erase again what the records of these folders name.

    Returns the record with those erasures alone that found something to erase. Raises BackupError if a record
    can't be read.
    """
    try:
        record = erasures.read(*dict.fromkeys(path.absolute() for path in folders))
    except OSError as error:
        raise BackupError(f"{error.filename} can't be read ({error.strerror}).") from error
    return replace(record, erasures=[each for each in record.erasures if repeat(each, Actor.command())])


def cancel(erasure: Erasure, reason: str) -> tuple[Path, int]:
    """Bring back what was erased; returns the backup that it came from, and how many rows that one lacks.

    The newest backup with all of it is taken, else the newest of those with most: somebody may have been
    entered after the last backup. Phones that were shut out stay so. The trail of the event says why. Raises
    BackupError.
    """
    event = Event.objects.filter(pk=erasure.event).first()
    if event is None:
        raise BackupError("The event itself was deleted: first put back a backup that holds it.")
    if not erasure.is_open(erasures.count_days_run()):
        raise BackupError(f"The service has run on {erasures.DAYS} days since: no backup holds it any more.")
    lacking, path = _find_rows(erasure)
    try:
        with rows_of(path), transaction.atomic():
            _bring_back(event, erasure)
            _note(event, reason)
    except DatabaseError as error:
        raise BackupError(f"What {path.name} holds can't be put back: {error}") from error
    erasures.add(settings.BACKUP_DIR, "cancelled", erasure.id)
    return path, lacking


def _find_rows(erasure: Erasure) -> tuple[int, Path]:
    """How many of the rows the best backup lacks, and its path. Raises BackupError if none has any."""
    best: tuple[int, Path] | None = None
    reasons = []
    for path in reversed(backups_in(Path(settings.BACKUP_DIR))):
        name = parse_name(path)
        if erasure.cleared is not None and name is not None and name.number >= erasure.cleared:
            continue
        try:
            with rows_of(path):
                lacking = _count_lacking(erasure)
        except (BackupError, DatabaseError) as error:
            reasons.append(f"{path.name}: {error}")
            continue
        if lacking < (best[0] if best else erasure.total):
            best = lacking, path
        if not lacking:
            break
    if best is None:
        raise BackupError(" ".join([f"No good backup in {settings.BACKUP_DIR} holds it.", *reasons[:3]]))
    return best


@contextmanager
def rows_of(path: Path) -> Iterator[None]:
    """The tables of persons of a backup, beside our own under a prefix."""
    with opened(path) as (archive, manifest):
        if manifest.database == "sqlite":
            with sqlite.unpacked(archive, Path(settings.VAR_DIR), manifest) as copy:
                with connection.cursor() as cursor:
                    cursor.execute("ATTACH DATABASE %s AS backup", [str(copy)])
                try:
                    for model in MODELS:
                        table = model._meta.db_table
                        _run(f'CREATE TEMP VIEW {PREFIX}{table} AS SELECT * FROM backup."{table}"')
                    yield
                finally:
                    for model in MODELS:
                        _run(f"DROP VIEW IF EXISTS {PREFIX}{model._meta.db_table}")
                    _run("DETACH DATABASE backup")
        else:
            with transaction.atomic(), connection.cursor() as cursor:
                for model in MODELS:
                    table = model._meta.db_table
                    columns = ", ".join(f'"{each}"' for each in manifest.columns[table])
                    cursor.execute(
                        f'CREATE TEMP TABLE {PREFIX}{table} ON COMMIT DROP AS SELECT {columns} FROM "{table}"'
                        " LIMIT 0"
                    )
                    statement: Any = f"COPY {PREFIX}{table} ({columns}) FROM STDIN"
                    with cursor.copy(statement) as copied:
                        for block in blocks_of(archive, postgresql.file_of(table)):
                            copied.write(block)
                yield


def _count_lacking(erasure: Erasure) -> int:
    """How many rows the backup hasn't, or has without the name or note."""
    persons, referees = PREFIX + Person._meta.db_table, PREFIX + Referee._meta.db_table
    return erasure.total - (
        _count(persons, erasure.persons)
        + _count(referees, erasure.referees, "AND first_name <> ''")
        + _count(persons, erasure.notes, "AND note <> ''")
    )


def _bring_back(event: Event, erasure: Erasure) -> None:
    """Copy the rows; what was entered since stays."""
    _insert(Person, "id", erasure.persons)
    _insert(AuditEntry, "person_id", erasure.persons)
    _insert(Referee, "id", erasure.referees)
    _set(Entry, "person_id", erasure.persons, ("person_id", "code_hash"), "person_id IS NULL")
    _set(Referee, "id", erasure.referees, ("first_name", "last_name", "team_id"), "first_name = ''")
    _set(Person, "id", erasure.notes, ("note",), "note = ''")
    if erasure.is_everybody:
        _insert(Announcement, "event_id", [event.pk])


def _note(event: Event, reason: str) -> None:
    actor = Actor.command()
    if event.persons.exists():
        audit.change(event, actor, event.pk, {"purged_at": None})
    audit.note(event, actor, event.pk, "erasure_cancelled", reason)
    event.pending_erasures.all().delete()
    outbox.announce(public_changes.LOOKS, event.pk, event.pk, 0)


def _insert(model: Any, column: str, ids: list[Any]) -> None:
    table, key = model._meta.db_table, model._meta.pk.column
    # What an update has added since takes its default.
    stored = _columns_of(f"{PREFIX}{table}")
    columns = ", ".join(
        f'"{field.column}"' for field in model._meta.concrete_fields if field.column in stored
    )
    for part in _parts(ids):
        _run(
            f'INSERT INTO "{table}" ({columns}) SELECT {columns} FROM {PREFIX}{table} old WHERE {column} IN'
            f' ({_marks(part)}) AND NOT EXISTS (SELECT 1 FROM "{table}" own WHERE own.{key} = old.{key})',
            part,
        )


def _set(model: Any, column: str, ids: list[Any], columns: tuple[str, ...], where: str) -> None:
    """Give rows the values that they had, those of the backup whose `column` is one of these ids."""
    table = model._meta.db_table
    for part in _parts(ids):
        values = ", ".join(
            f'{each} = (SELECT {each} FROM {PREFIX}{table} old WHERE old.id = "{table}".id)'
            for each in columns
        )
        _run(
            f'UPDATE "{table}" SET {values} WHERE {where} AND id IN'
            f" (SELECT id FROM {PREFIX}{table} WHERE {column} IN ({_marks(part)}))",
            part,
        )


def _count(table: str, ids: list[Any], where: str = "") -> int:
    found = 0
    with connection.cursor() as cursor:
        for part in _parts(ids):
            cursor.execute(
                f"SELECT count(*) FROM {table} WHERE id IN ({_marks(part)}) {where}",
                part,
            )
            found += cursor.fetchone()[0]
    return found


def _columns_of(table: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} LIMIT 0")
        return {column.name if hasattr(column, "name") else column[0] for column in cursor.description}


def _run(statement: str, values: list[Any] | None = None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _parts(ids: list[Any]) -> Iterator[list[Any]]:
    # SQLite stores ids as texts.
    stored = [each.hex if connection.vendor == "sqlite" else each for each in ids]
    for start in range(0, len(stored), BATCH):
        yield stored[start : start + BATCH]


def _marks(part: list[Any]) -> str:
    return ", ".join(["%s"] * len(part))
