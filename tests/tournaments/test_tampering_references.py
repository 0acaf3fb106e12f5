"""Rows that name others that are gone, and columns that can't even be read, are found by verify."""

from collections.abc import Iterator
from io import StringIO
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import Model
from django.utils import translation

from integrations.change_feed.numbering import number_all
from integrations.models import FeedMark
from ledger import verify as verify_ledger
from ledger.models import Compatibility
from ledger.receipts import make_receipt
from ledger.triggers import remove_triggers
from people.actors import Actor
from people.models import Entry, Pairing, Referee, Team
from tests.support import factories
from tests.support.palio_days import make_day
from tournaments.commands import results
from tournaments.models import OtherGame, SquadMember, Tournament
from tournaments.verification import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Iterator[Tournament]:
    """A game is over, a phone is in, the feed is numbered; rows can go though others name them."""
    made = factories.drawn_tournament(factories.make_event())
    pairing, _secret = factories.make_pairing(made.event)
    results.enter_result(factories.games_of(made)[0], Actor.of_pairing(pairing), seat=0)
    make_receipt(made.event_id)
    number_all(made.event)
    with translation.override("en"), transaction.atomic():
        assert [str(wrong) for wrong in verify.verify()] == []
        yield made
        # Rows are missing, which SQLite would say at the end.
        transaction.set_rollback(True)


def remove(model: type[Model], pk: object) -> None:
    """Delete a row alone, as with foreign keys off."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
        value = model._meta.pk.get_db_prep_value(pk, connection)
        cursor.execute(f"DELETE FROM {model._meta.db_table} WHERE id = %s", [value])
        assert cursor.rowcount == 1
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = DEFAULT")


def found() -> set[tuple[str, str]]:
    return {(wrong.model, wrong.column) for wrong in verify.verify()}


def test_verify_finds_an_entry_that_plays_and_is_gone(tournament: Tournament) -> None:
    remove(Entry, SquadMember.objects.order_by("pk")[0].entry_id)

    assert ("tournaments.SquadMember", "entry") in found()
    with mock.patch.object(verify, "dangling", return_value=()):
        assert ("tournaments.SquadMember", "entry") not in found()


def test_verify_finds_a_team_that_plays_and_is_gone(tournament: Tournament) -> None:
    remove(Team, tournament.event.teams.all()[0].pk)

    assert {("tournaments.Squad", "team"), ("tournaments.SquadMember", "entry__team")} <= found()


def test_verify_finds_a_phone_s_referee_who_is_gone(tournament: Tournament) -> None:
    remove(Referee, Pairing.objects.get(event=tournament.event).referee_id)

    assert ("people.Pairing", "referee") in found()


def test_verify_finds_a_palio_s_discipline_that_is_gone(db: None) -> None:
    day = make_day()
    day.run("Superiore", "Centro")
    assert found() == set()

    remove(OtherGame, day.race)

    assert found() == {("tournaments.Palio", "rules"), ("tournaments.OtherPlacing", "discipline")}
    assert {wrong.what.split()[2].rstrip(",") for wrong in verify.verify(day.event)} == {str(day.race)}


def store(table: str, column: str, value: str) -> None:
    """Put what the column can't hold, as SQL writes it, into the last row of a table."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        cursor.execute(
            f"UPDATE {table} SET {column} = {value} WHERE rowid = (SELECT max(rowid) FROM {table})"
        )
        assert cursor.rowcount == 1
        cursor.execute("PRAGMA ignore_check_constraints = OFF")


def verified() -> set[str]:
    """The lines that the command prints of what is wrong, without that facts could be altered."""
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify", stdout=out, stderr=StringIO())
    assert ended.value.code == 1
    return {line for line in out.getvalue().splitlines() if "triggers" not in line}


BYTES, NO_UTF_8 = "x'fffe'", "CAST(x'fffe' AS TEXT)"
UNREADABLE = [
    ("games_game", "scope", "scope || 'x'"),
    ("ledger_receipt", "scope", "scope || 'x'"),
    ("people_event", "name", NO_UTF_8),
    ("people_team", "short_name", NO_UTF_8),
    *(
        (table, column, value)
        for table, column in (
            ("ledger_fact", "text"),
            ("ledger_fact", "previous_hash"),
            ("ledger_stream", "head_hash"),
            ("people_event", "id"),
            ("people_pairing", "referee_id"),
            ("tournaments_table", "number"),
            ("tournaments_tournament", "settings"),
        )
        for value in (BYTES, NO_UTF_8)
    ),
]
on_sqlite = pytest.mark.skipif(
    "connection.vendor != 'sqlite'", reason="PostgreSQL's columns take no other type"
)


@on_sqlite
@pytest.mark.parametrize(("table", "column", "value"), UNREADABLE)
def test_verify_reports_an_unreadable_column_and_goes_on(
    tournament: Tournament, table: str, column: str, value: str
) -> None:
    remove_triggers(connection)
    Compatibility.objects.update(needs=1)
    FeedMark.objects.filter(source="facts").update(reached=99)
    before = verified()
    store(table, column, value)

    after = verified()

    assert after - before != set()
    assert after & before != set()


@on_sqlite
def test_twin_verify_ends_at_an_unreadable_column_without_the_check(tournament: Tournament) -> None:
    store("people_team", "short_name", NO_UTF_8)

    with mock.patch.object(verify_ledger, "is_unreadable", return_value=False), pytest.raises(DatabaseError):
        list(verify.verify())


@on_sqlite
def test_verify_raises_an_error_of_the_database_itself(tournament: Tournament) -> None:
    full = OperationalError("disk I/O error")

    with mock.patch.object(verify, "words_of", side_effect=full), pytest.raises(OperationalError):
        list(verify.verify())


@pytest.mark.parametrize("is_gone", [True, False])
def test_verify_finds_a_reading_version_below_what_facts_need(tournament: Tournament, is_gone: bool) -> None:
    if is_gone:
        Compatibility.objects.all().delete()
    else:
        Compatibility.objects.update(needs=1)

    assert any("earlier reading version" in str(wrong) for wrong in verify.verify())


@pytest.mark.parametrize(
    ("column", "value"), [("reached", 99), ("outcome", "0" * 64), ("was_over", False), ("tournament", None)]
)
def test_verify_finds_an_altered_mark_of_the_feed(tournament: Tournament, column: str, value: object) -> None:
    game = factories.games_of(tournament)[0].game_id

    assert FeedMark.objects.filter(source="facts", subject=game).update(**{column: value}) == 1

    assert list(verify.verify()) != []
