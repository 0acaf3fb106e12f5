"""Rows that name others that are gone, and columns that can't even be read, are found by verify."""

from collections.abc import Iterator
from unittest import mock

import pytest
from django.db import connection, transaction
from django.db.models import Model
from django.utils import translation

from games.models import Game
from ledger.models import Compatibility, Receipt
from ledger.receipts import make_receipt
from people.actors import Actor
from people.models import Entry, Pairing, Referee, Team
from programs.models import FeedMark
from programs.numbering import number_all
from tests import factories
from tournaments.commands import results
from tournaments.models import SquadMember, Tournament
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


def test_entry_that_plays_and_is_gone_is_found(tournament: Tournament) -> None:
    remove(Entry, SquadMember.objects.order_by("pk")[0].entry_id)

    assert ("tournaments.SquadMember", "entry") in found()
    with mock.patch.object(verify, "dangling", return_value=()):
        assert ("tournaments.SquadMember", "entry") not in found()


def test_team_that_plays_and_is_gone_is_found(tournament: Tournament) -> None:
    remove(Team, tournament.event.teams.all()[0].pk)

    assert {("tournaments.Squad", "team"), ("tournaments.SquadMember", "entry__team")} <= found()


def test_referee_of_a_phone_who_is_gone_is_found(tournament: Tournament) -> None:
    remove(Referee, Pairing.objects.get(event=tournament.event).referee_id)

    assert ("people.Pairing", "referee") in found()


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL's column takes nothing but ids")
@pytest.mark.parametrize("table", ["games_game", "ledger_receipt"])
def test_column_that_can_t_be_read_is_a_finding_and_others_follow(tournament: Tournament, table: str) -> None:
    remove(Referee, Pairing.objects.get(event=tournament.event).referee_id)
    row = (Game if table == "games_game" else Receipt).objects.order_by("pk")[0]
    key = row._meta.pk.get_db_prep_value(row.pk, connection)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET scope = scope || 'x' WHERE id = %s", [key])

    told = [str(wrong) for wrong in verify.verify()]

    assert any("can't be read" in each or "can’t be read" in each for each in told)
    assert any("there is no such row" in each for each in told)


@pytest.mark.parametrize("is_gone", [True, False])
def test_reading_version_below_what_facts_need_is_found(tournament: Tournament, is_gone: bool) -> None:
    if is_gone:
        Compatibility.objects.all().delete()
    else:
        Compatibility.objects.update(needs=1)

    assert any("earlier reading version" in str(wrong) for wrong in verify.verify())


@pytest.mark.parametrize(
    ("column", "value"), [("reached", 99), ("outcome", "0" * 64), ("was_over", False), ("tournament", None)]
)
def test_altered_mark_of_the_feed_is_found(tournament: Tournament, column: str, value: object) -> None:
    game = factories.games_of(tournament)[0].game_id

    assert FeedMark.objects.filter(source="facts", subject=game).update(**{column: value}) == 1

    assert list(verify.verify()) != []
