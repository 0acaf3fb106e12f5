"""A backup put back: checked first, then all or nothing, then verified."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader

from config.backups import postgresql, sqlite
from config.backups.container import BackupError, Manifest, opened
from people.models import Event
from publishing import publication, store
from tournaments import check

FILLED_BY_MIGRATING = {"django_migrations", "django_content_type", "auth_permission", "config_heartbeat"}
"""Tables that may have rows in a database that counts as empty."""


def restore(path: Path, *, replace: bool = False) -> Manifest:
    """Make the database what a backup holds, bring it up to date and verify it; returns the manifest.

    Only into an empty database, unless `replace` says that what is there may go. Nothing is changed if
    anything is wrong: raises BackupError.
    """
    with opened(path) as (archive, manifest):
        if manifest.database != connection.vendor:
            raise BackupError(
                f"This is a backup of {manifest.database}, and the database here is {connection.vendor}: "
                "take each event over by its archive (manage.py archive export and import)."
            )
        if unknown := unknown_migrations(manifest):
            raise BackupError(f"This backup was made by a newer version of the service ({unknown[0]}).")
        if not replace and (rows := rows_here()):
            raise BackupError(
                f"The database isn't empty ({rows}). --replace puts the backup in its place; "
                "what is there now is lost then."
            )
        withdraw_pages()
        if manifest.database == "sqlite":
            with sqlite.unpacked(archive, Path(settings.VAR_DIR), manifest) as restored:
                with pointing_at(restored):
                    bring_up_to_date()
                sqlite.put_in_place(restored, Path(connection.settings_dict["NAME"]))
        else:
            try:
                with postgresql.all_or_nothing():
                    postgresql.put_back(archive, manifest)
                    bring_up_to_date()
            except OperationalError as error:
                raise BackupError(
                    f"The database is in use, or away ({type(error.__cause__).__name__}): "
                    "stop web, workers and beat first."
                ) from error
    return manifest


def bring_up_to_date() -> None:
    """Migrate to this version, and find nothing wrong."""
    call_command("migrate", interactive=False, verbosity=0)
    if connection.vendor == "postgresql":
        postgresql.reset_sequences()
    # The store isn't that of which the backup tells.
    publication.write_anew()
    if findings := [str(wrong) for wrong in check.verify()]:
        raise BackupError("What is in this backup doesn't verify, and nothing was changed: " + findings[0])


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


def rows_here() -> str:
    """A table of the database that has rows, and how many; nothing if it is empty."""
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


def withdraw_pages() -> None:
    """Take back the published pages of what is there now: they would tell of another state."""
    if Event._meta.db_table not in connection.introspection.table_names():
        return
    try:
        slugs = list(Event.objects.values_list("slug", flat=True))
    except DatabaseError:
        # Tables of another version.
        return
    for slug in slugs:
        for address in list(publication.pages_of(slug)):
            store.remove(address)
    with suppress(DatabaseError):
        # Should nothing be put back after all.
        publication.write_anew()


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
