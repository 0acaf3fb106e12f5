"""A backup put back: checked first, then all or nothing, then verified."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Error as SQLiteError
from time import sleep

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Max
from django.utils import timezone

from config import queues
from config.backups import database_repair, making, postgresql, sqlite
from config.backups.container import BackupError, Manifest, opened
from config.backups.database_damage import find_damage
from config.backups.erased import repeat_all
from config.locks import LockedError, lock_folder, who_holds
from config.models import Heartbeat
from config.watched_sqlite.base import is_missing
from ledger import needed_code_version
from people.erasures import ErasureRecord
from people.models import Event
from publishing import page_store, publication
from tournaments.verification import verify

FILLED_BY_MIGRATING = {
    *("django_migrations", "django_content_type", "auth_permission"),
    *("config_heartbeat", "people_serviceclock", "ledger_compatibility"),
}
"""Tables that may have rows in a database that counts as empty."""


@contextmanager
def alone_with(database: Path) -> Iterator[None]:
    """Have no service, and no other command of this kind, work with a file of SQLite meanwhile."""
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with lock_folder(database.parent):
            yield
    except LockedError as error:
        raise BackupError(f"{who_holds(error)}: stop it first.") from error


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back, where the damaged database is that was there, and what was erased again."""

    manifest: Manifest
    set_aside: Path | None
    repeated: ErasureRecord
    """What was erased after the backup was made, and was erased again."""
    replaced: Path | None
    """The backup of what was there before."""


def restore(path: Path, *, replace: bool = False) -> Restored:
    """Make the database what a backup holds, bring it up to date and verify it.

    `path` is a file, or the name of a backup in the folder of backups. The database has to be empty, unless
    `replace` says that what is there may go. A sound database is backed up before; a damaged file of SQLite
    is kept under another name. Nothing is changed if anything is wrong: raises BackupError.
    """
    with ExitStack() as stack:
        archive, manifest = stack.enter_context(opened(find_backup(path)))
        if connection.vendor == "sqlite":
            stack.enter_context(alone_with(Path(connection.settings_dict["NAME"])))
        if manifest.database != connection.vendor:
            raise BackupError(
                f"This is a backup of {manifest.database}, and the database here is {connection.vendor}: "
                "take each event over by its archive (manage.py archive export and import)."
            )
        if wrong := needed_code_version.refusal(manifest.needs, "This backup"):
            raise BackupError(wrong)
        if unknown := unknown_migrations(manifest):
            raise BackupError(f"This backup was made by a newer version of the service ({unknown[0]}).")
        damage = damage_here()
        if not replace and damage:
            raise BackupError(
                f"The database is damaged: {damage}. --replace puts the backup in its place and keeps the "
                "damaged file under another name."
            )
        if not replace and (rows := rows_here()):
            raise BackupError(
                f"{where()} isn't empty ({rows}). --replace puts the backup in its place; what is there "
                "now is backed up before."
            )
        refuse_while_served()
        replaced = back_up_here() if not damage and rows_here() else None
        withdraw_pages(is_readable=damage is None and not is_missing_here())
        set_aside = None
        if manifest.database == "sqlite":
            database = Path(connection.settings_dict["NAME"])
            with sqlite.unpacked(archive, Path(settings.VAR_DIR), manifest) as restored:
                with pointing_at(restored):
                    repeated = bring_up_to_date(find_backup(path).parent)
                if damage:
                    set_aside = sqlite.set_aside(database)
                sqlite.put_in_place(restored, database)
        else:
            try:
                with postgresql.alone(), postgresql.all_or_nothing():
                    postgresql.put_back(archive, manifest)
                    repeated = bring_up_to_date(find_backup(path).parent)
            except OperationalError as error:
                raise BackupError(
                    f"The database is in use, or away ({type(error.__cause__).__name__}): "
                    "stop web, workers and beat first."
                ) from error
    return Restored(manifest, set_aside, repeated, replaced)


def where() -> str:
    """Which database this is, for a sentence."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"The database {given['NAME']}"
    return f"The database {given['NAME']} on {given['HOST'] or 'this machine'}"


def refuse_while_served() -> None:
    """Raise BackupError while somebody else is connected to PostgreSQL's database with our account.

    Workers may hold no connection just now, so their signs of life count, too.
    """
    if connection.vendor != "postgresql":
        return
    if Heartbeat._meta.db_table in connection.introspection.table_names():
        refuse_beside_workers()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND usename = current_user AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        [others] = cursor.fetchone()
    if others:
        raise BackupError(
            f"{where()} is in use ({others} other connections): stop web, workers and beat first."
        )


def refuse_beside_workers() -> None:
    """Wait until the next sign of life would have come; BackupError if it has."""
    heard = _newest_heartbeat()
    while heard and (timezone.now() - heard).total_seconds() < queues.HEART + 5:
        sleep(0.5)
        if (later := _newest_heartbeat()) != heard:
            raise BackupError(
                f"{where()} is in use (a worker was heard of at {later:%H:%M:%S} UTC): "
                "stop web, workers and beat first."
            )


def _newest_heartbeat() -> datetime | None:
    try:
        found: datetime | None = Heartbeat.objects.aggregate(at=Max("at"))["at"]
    except DatabaseError:
        # A table of another version.
        return None
    return found


def back_up_here() -> Path:
    """A backup of what is there now. Raises BackupError if it can't be made."""
    try:
        return making.back_up(Path(settings.BACKUP_DIR))
    except making.FAILURES as error:
        raise BackupError(f"What is there now can't be backed up first: {error}") from error


def find_backup(path: Path) -> Path:
    """A file, or where there is none the backup of this name in the folder of backups."""
    named = Path(settings.BACKUP_DIR) / path.name
    return named if path.name == str(path) and not path.exists() and named.exists() else path


def damage_here() -> str | None:
    """What is damaged in the database's file, or None; of PostgreSQL nothing is known."""
    database = database_repair.database_file()
    try:
        return None if database is None or is_missing(database) else find_damage(database)
    except SQLiteError as error:
        raise BackupError(f"The database {database} can't be opened ({error}).") from error


def bring_up_to_date(folder: Path) -> ErasureRecord:
    """Migrate to this version, erase again what was erased since, and find nothing wrong.

    The records of erasures are those of `folder` and of the folder of backups.
    """
    call_command("migrate", interactive=False, verbosity=0)
    if connection.vendor == "postgresql":
        postgresql.reset_sequences()
    found = repeat_all(folder, Path(settings.BACKUP_DIR))
    # The store isn't that of which the backup tells.
    publication.write_anew()
    if findings := [str(wrong) for wrong in verify.verify()]:
        raise BackupError("What is in this backup doesn't verify, and nothing was changed: " + findings[0])
    return found


def unknown_migrations(manifest: Manifest) -> list[str]:
    """Migrations of the backup that this version hasn't; those of libraries that are gone don't count."""
    loader = MigrationLoader(None)
    known = set(loader.disk_migrations) | {
        replaced for migration in loader.disk_migrations.values() for replaced in migration.replaces
    }
    return [
        f"{app}.{name}"
        for app, names in manifest.migrations.items()
        if app in loader.migrated_apps
        for name in names
        if (app, name) not in known
    ]


def is_missing_here() -> bool:
    """Whether the file of the database isn't there; opening it would make an empty one."""
    database = database_repair.database_file()
    return database is not None and is_missing(database)


def rows_here() -> str:
    """A table of the database that has rows, and how many; nothing if it is empty, or isn't there."""
    if is_missing_here():
        return ""
    try:
        names = connection.introspection.django_table_names(only_existing=True)
    except DatabaseError as error:
        raise BackupError(f"The database doesn't answer ({type(error.__cause__).__name__}).") from error
    with connection.cursor() as cursor:
        for name in sorted(set(names) - FILLED_BY_MIGRATING):
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(name)}")  # noqa: S608  # a table of ours
            if found := cursor.fetchone()[0]:
                return f"{name}: {found}"
    return ""


def withdraw_pages(*, is_readable: bool) -> None:
    """Take back the published pages of what is there now: they would tell of another state.

    Where the database can't be read, all pages go; they are written again from what is put back.
    """
    for address in list(pages_here() if is_readable else page_store.published("/")):
        page_store.remove(address)
    if is_readable:
        with suppress(DatabaseError):
            # Should nothing be put back after all.
            publication.write_anew()


def pages_here() -> Iterator[str]:
    """The addresses of the published pages of all events in the database."""
    if Event._meta.db_table not in connection.introspection.table_names():
        return
    try:
        slugs = list(Event.objects.values_list("slug", flat=True))
    except DatabaseError:
        # Tables of another version.
        return
    for slug in slugs:
        yield from publication.pages_of(slug)


@contextmanager
def pointing_at(path: Path) -> Iterator[None]:
    """Have the service's connection lead to another file of SQLite."""
    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = str(path)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before
