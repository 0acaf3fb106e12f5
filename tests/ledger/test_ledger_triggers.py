"""The database itself refuses to change facts, whoever asks."""

from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from ledger.checks import facts_are_guarded, sqlite_writers_queue
from ledger.models import Fact
from ledger.triggers import install_triggers, lifted_triggers, put_back, remove_triggers, triggers_in_place
from tests.support.ledger import found, stored
from tests.support.ledger_tables import without_triggers
from tests.support.writes import rolled_back

pytestmark = pytest.mark.django_db(transaction=True)

CHANGES = {
    "update": "UPDATE ledger_fact SET type = 'forged'",
    "update of one column alone": "UPDATE ledger_fact SET client_digest = ''",
    "delete": "DELETE FROM ledger_fact",
    "delete one": "DELETE FROM ledger_fact WHERE sequence = 2",
}
ONLY = {
    "postgresql": {
        "truncate": "TRUNCATE ledger_fact",
        "truncate the streams": "TRUNCATE ledger_stream CASCADE",
        "upsert": "INSERT INTO ledger_fact SELECT * FROM ledger_fact WHERE sequence = 1 "
        "ON CONFLICT (id) DO UPDATE SET type = 'forged'",
        "as a replica": "SET LOCAL session_replication_role = replica; DELETE FROM ledger_fact",
    },
    "sqlite": {
        "replace": "INSERT OR REPLACE INTO ledger_fact SELECT * FROM ledger_fact WHERE sequence = 1",
        "update or ignore": "UPDATE OR IGNORE ledger_fact SET type = 'forged'",
        "upsert": "INSERT INTO ledger_fact SELECT * FROM ledger_fact WHERE sequence = 1 "
        "ON CONFLICT (id) DO UPDATE SET type = 'forged'",
    },
}


def execute(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def changes() -> dict[str, str]:
    return CHANGES | ONLY[connection.vendor]


@pytest.fixture
def _unguarded() -> Iterator[None]:
    with without_triggers():
        yield


def test_triggers_refuse_every_change_of_a_fact() -> None:
    answer = stored(1, 2, 3)
    before = list(Fact.objects.order_by("sequence").values_list())
    for statement in changes().values():
        with pytest.raises(IntegrityError, match="Facts are never"):
            execute(statement)
        assert list(Fact.objects.order_by("sequence").values_list()) == before
    with pytest.raises(IntegrityError):
        Fact.objects.filter(sequence=1).update(text="{}")
    with pytest.raises(IntegrityError):
        Fact.objects.get(sequence=1).delete()
    with pytest.raises(IntegrityError):
        Fact.objects.get(sequence=1).save()

    assert len(answer.facts) == Fact.objects.count()


@pytest.mark.usefixtures("_unguarded")
def test_twin_facts_without_triggers_can_be_changed() -> None:
    for name, statement in changes().items():
        stored(1, 2, 3)
        before = list(Fact.objects.order_by("id").values_list())
        execute(statement)
        if name not in {"replace", "update of one column alone"}:
            assert list(Fact.objects.order_by("id").values_list()) != before, name


def test_triggers_refuse_replacing_a_fact_at_its_place() -> None:
    """A forged fact with an id of its own; SQLite's REPLACE would delete the true one without a word."""
    stored(1)
    columns = "stream_id, sequence, type, text, previous_hash, hash, recorded_at, client_id, client_digest"
    verb = "INSERT OR REPLACE" if connection.vendor == "sqlite" else "INSERT"
    forged = f"{verb} INTO ledger_fact (id, {columns}) SELECT %s, {columns} FROM ledger_fact"

    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(forged, ["0" * 32])

    assert found() == []


def test_stream_with_facts_can_not_be_deleted() -> None:
    stored(1)
    with pytest.raises(IntegrityError):
        execute("DELETE FROM ledger_stream")
    assert found() == []


def test_migrate_puts_lost_triggers_back() -> None:
    assert triggers_in_place(connection)
    remove_triggers(connection)
    assert not triggers_in_place(connection)
    call_command("migrate", verbosity=0)
    assert triggers_in_place(connection)


def test_twin_triggers_are_lost_where_a_remade_table_has_no_handler() -> None:
    now: Any = Fact._meta.get_field("client_digest")
    later = now.clone()
    later.null = True
    later.set_attributes_from_name("client_digest")
    later.model = Fact
    with connection.schema_editor() as editor:
        editor.alter_field(Fact, now, later)
    try:
        # SQLite remakes a table to alter its columns.
        assert triggers_in_place(connection) == (connection.vendor == "postgresql")
        put_back(apps.get_app_config("ledger"), "default")
        assert triggers_in_place(connection)
    finally:
        with without_triggers(), connection.schema_editor() as editor:
            editor.alter_field(Fact, later, now)


def test_triggers_are_not_installed_without_the_fact_table() -> None:
    with transaction.atomic():
        execute("DROP TABLE ledger_fact")
        assert not triggers_in_place(connection)
        assert facts_are_guarded(databases=["default"]) == []
        put_back(apps.get_app_config("ledger"), "default")
        transaction.set_rollback(True)
    assert triggers_in_place(connection)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "weakening",
    [
        "ALTER TABLE ledger_fact DISABLE TRIGGER ledger_fact_append_only",
        "ALTER TABLE ledger_fact ENABLE TRIGGER ledger_fact_append_only",
        "CREATE OR REPLACE TRIGGER ledger_fact_append_only BEFORE DELETE ON ledger_fact"
        " FOR EACH STATEMENT EXECUTE FUNCTION ledger_fact_append_only();"
        "ALTER TABLE ledger_fact ENABLE ALWAYS TRIGGER ledger_fact_append_only",
        "CREATE OR REPLACE FUNCTION ledger_fact_append_only() RETURNS trigger LANGUAGE plpgsql"
        " AS 'BEGIN RETURN NULL; END'",
    ],
)
def test_weakened_trigger_on_postgresql_is_found_and_mended(weakening: str) -> None:
    execute(weakening)
    assert not triggers_in_place(connection)
    install_triggers(connection)
    assert triggers_in_place(connection)


@pytest.mark.sqlite
def test_weakened_trigger_on_sqlite_is_found_and_mended() -> None:
    execute("DROP TRIGGER ledger_fact_no_update")
    execute(
        "CREATE TRIGGER ledger_fact_no_update BEFORE UPDATE OF type ON ledger_fact"
        " BEGIN SELECT RAISE(ABORT, 'Facts are never changed.'); END"
    )
    assert not triggers_in_place(connection)
    install_triggers(connection)
    assert triggers_in_place(connection)


def delete_unguarded() -> None:
    with transaction.atomic(), lifted_triggers(connection):
        Fact.objects.all().delete()


def test_lifted_triggers_are_back_after_commit_or_rollback() -> None:
    stored(1)
    with pytest.raises(RuntimeError), lifted_triggers(connection):
        pass
    with rolled_back():
        delete_unguarded()
    assert triggers_in_place(connection)
    assert Fact.objects.count() == 1
    delete_unguarded()
    assert triggers_in_place(connection)
    assert Fact.objects.count() == 0


def test_system_check_warns_of_missing_triggers() -> None:
    assert facts_are_guarded(databases=["default"]) == []
    with without_triggers():
        assert [message.id for message in facts_are_guarded(databases=["default"])] == ["ledger.W001"]
    assert facts_are_guarded() == []


def test_system_check_demands_begin_immediate_on_sqlite() -> None:
    assert sqlite_writers_queue() == []
    other = {"ENGINE": "django.db.backends.sqlite3", "OPTIONS": {}}
    with mock.patch.dict(settings.DATABASES, {"other": other}):
        assert [message.id for message in sqlite_writers_queue()] == ["ledger.E001"]
