"""From now on migrations don't stop a service that runs: old code works with new tables, and new with old.

What a migration does that old code can't live with, or that keeps a large table locked, is found here. Add
what is new first, fill it, and remove what is old one release later (docs/guides/operators.md, "Updates
without a pause"); what is harmless all the same says why in `CONSIDERED`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

RELEASED = {
    "config": "0001",
    "games": "0002",
    "ledger": "0003",
    "people": "0014",
    "publishing": "0001",
    "tournaments": "0012",
}
"""The last migration of each app that isn't held to this: those up to it were before the first release.
Until there is one, whoever adds a migration that was never anywhere else moves the number along.
"""

CONSIDERED: dict[tuple[str, str], str] = {
    ("games", "0003_one_index_of_seats"): "it only drops an index that a unique constraint repeats",
    (
        "people",
        "0017_pin_attempts_without_their_event",
    ): "it only drops a small table’s foreign key",
    ("tournaments", "0014_one_index_where_two_were"): "it only drops indexes that unique constraints repeat",
}
"""Migrations that are let through, each with the reason."""

LARGE = {"fact", "stream", "game", "seat", "matchgame", "standing", "auditentry"}
"""Models whose tables grow with every game: what locks one for as long as it is read stops entries."""


def dangers_of(given: Sequence[Operation]) -> list[str]:
    """What a migration of these operations does that a service which runs can't bear."""
    created = {each.name.lower() for each in given if isinstance(each, migrations.CreateModel)}
    return [found for each in operations(given) for found in danger(each, created)]


def operations(given: Sequence[Operation]) -> Iterator[Operation]:
    """Operations, those within others too; what only is in Django's mind changes no table."""
    for each in given:
        if isinstance(each, migrations.SeparateDatabaseAndState):
            yield from operations(each.database_operations)
        else:
            yield each


def danger(operation: Operation, created: set[str]) -> Iterator[str]:
    """What is dangerous about one operation on a table that was there before."""
    name = str(getattr(operation, "model_name", getattr(operation, "name", ""))).lower()
    if name in created:
        return
    match operation:
        case migrations.RemoveField() | migrations.DeleteModel():
            yield f"{operation.describe()}: code that runs still reads it"
        case migrations.RenameField() | migrations.RenameModel() | migrations.AlterModelTable():
            yield f"{operation.describe()}: code that runs knows the old name"
        case migrations.AlterField():
            yield f"{operation.describe()}: it may write the whole table anew, or refuse what old code writes"
        case migrations.AddField(field=field) if not is_harmless(field):
            yield f"{operation.describe()}: old code writes rows without it; give it db_default or null"
        case migrations.AddConstraint():
            yield f"{operation.describe()}: every row is checked under a lock; and old code may break it"
        case migrations.AddIndex() if name in LARGE:
            yield f"{operation.describe()}: use AddIndexConcurrently in a migration of its own"
        case migrations.RunSQL() | migrations.RunPython():
            if not operation.reversible:
                yield f"{operation.describe()}: it can't be undone"


def is_harmless(field: Any) -> bool:
    """Whether rows can be written by code that doesn't know the field."""
    return field.null or field.has_db_default() or field.many_to_many is True


def later_ones() -> list[migrations.Migration]:
    """The migrations that are held to this."""
    return [
        migration
        for (app, name), migration in MigrationLoader(None).disk_migrations.items()
        if app in RELEASED and name[:4] > RELEASED[app] and (app, name) not in CONSIDERED
    ]


def test_new_migrations_have_no_dangers_for_a_running_service() -> None:
    found = {str(each): dangers_of(each.operations) for each in later_ones()}
    assert {name: dangers for name, dangers in found.items() if dangers} == {}


def test_considered_migrations_exist_and_have_a_reason() -> None:
    assert set(CONSIDERED) <= set(MigrationLoader(None).disk_migrations)
    assert all(CONSIDERED.values())


TEXT = models.CharField(max_length=9)


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField("team", "name"),
        migrations.DeleteModel("Team"),
        migrations.RenameField("team", "name", "title"),
        migrations.RenameModel("Team", "Contrada"),
        migrations.AlterField("team", "name", TEXT),
        migrations.AddField("team", "motto", TEXT),
        migrations.AddConstraint("team", models.CheckConstraint(condition=models.Q(number__gt=0), name="x")),
        migrations.AddIndex("fact", models.Index(fields=["type"], name="y")),
        migrations.RunSQL("DELETE FROM people_team"),
        migrations.SeparateDatabaseAndState(database_operations=[migrations.DeleteModel("Team")]),
    ],
    ids=lambda operation: operation.describe(),
)
def test_twin_each_dangerous_migration_is_found(operation: Operation) -> None:
    assert len(dangers_of([operation])) == 1


def test_harmless_migrations_have_no_dangers() -> None:
    harmless: list[Operation] = [
        migrations.CreateModel("Sponsor", [("id", models.BigAutoField(primary_key=True))]),
        migrations.AddField("sponsor", "name", TEXT),
        migrations.AddField("team", "motto", models.CharField(max_length=9, null=True)),
        migrations.AddField("team", "size", models.IntegerField(db_default=0)),
        migrations.AddIndex("team", models.Index(fields=["number"], name="z")),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("team", "name")]),
    ]
    assert dangers_of(harmless) == []
