"""Who was let in as which referee is a fact: a phone's row that says something else is found."""

import io
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from unittest import mock
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import translation

from integrations.change_feed.numbering import number_all
from integrations.models import Change
from ledger import read
from ledger.models import Fact, Stream
from ledger.receipts import make_receipt
from ledger.triggers import remove_triggers
from people import device_admissions, pairings
from people.actors import Actor
from people.models import Account, Event, Pairing, Referee
from people.person_erasure import purge
from people.refusals import Refused
from tests.support import factories
from tournaments.commands import results
from tournaments.commands.delete_event import delete_event
from tournaments.transfer.archive.export import export_event
from tournaments.transfer.archive.intake import take_in
from tournaments.verification import verify

pytestmark = pytest.mark.django_db
MODEL = Pairing._meta.label


@pytest.fixture
def account() -> Account:
    return factories.make_account()


@pytest.fixture
def event() -> Event:
    return factories.make_event(name="Palio della Fonte")


@pytest.fixture
def referee(event: Event) -> Referee:
    return factories.make_referee(event, first_name="Anna", last_name="Bo")


@pytest.fixture
def phone(referee: Referee, account: Account) -> Pairing:
    """Anna's phone, let in by the desk."""
    return let_in(referee, account)


def let_in(referee: Referee, account: Account) -> Pairing:
    """A phone of this referee that is let in by the desk."""
    pairing, _secret = pairings.ask(referee, factories.make_place())
    assert pairings.admit(pairing, account)
    return Pairing.objects.get(pk=pairing.pk)


def facts_of(pairing: Pairing) -> list[tuple[str, dict[str, Any]]]:
    """Types and bodies of a phone's facts."""
    return [(fact.type, fact.body) for fact in read.facts(pairing.pk)]


def digest_of(phone: Pairing) -> str:
    """The digest of a phone's secret, worked out here."""
    return sha256(f"tendone.device {phone.pk} {phone.secret_hash}".encode()).hexdigest()


def found() -> list[tuple[str, str, UUID | None]]:
    """Model, column and stream of all that is wrong, but for the guard that a test has switched off."""
    with translation.override("en"):
        listed = list(verify.verify())
    return [(wrong.model, wrong.column, wrong.stream) for wrong in listed if wrong.where != "the ledger"]


def write(pairing: Pairing, column: str, value: Any) -> None:
    """Change a column of a phone's row, past everything that the service does."""
    prepared = Pairing._meta.get_field("id").get_db_prep_value
    key, given = prepared(pairing.pk, connection), value
    if isinstance(value, UUID):
        given = prepared(value, connection)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE people_pairing SET {column} = %s WHERE id = %s", [given, key])
        assert cursor.rowcount == 1


def test_admission_and_revocation_are_facts_without_names(
    phone: Pairing, referee: Referee, account: Account
) -> None:
    pairings.revoke(phone, Actor.of_account(account))

    by = {"by": str(account.pk), "by_kind": "account"}
    assert facts_of(phone) == [
        (
            "device_admitted",
            {"referee": str(referee.pk), "how": "desk", "replaces": None, "secret": digest_of(phone), **by},
        ),
        ("device_revoked", {"referee": str(referee.pk), **by}),
    ]
    stored = str(list(Fact.objects.values()))
    assert [text for text in ("Anna", "Bo", phone.check_word) if text in stored] == []


def test_phone_that_the_pin_lets_in_has_facts_too(event: Event, referee: Referee) -> None:
    pin = pairings.set_day_pin(event, Actor.command())
    pairing, _secret = pairings.ask(referee, factories.make_place())
    assert Fact.objects.count() == 0

    assert pairings.admit_by_pin(pairing, pin)

    by = {"by": str(pairing.pk), "by_kind": "pairing"}
    body = {
        "referee": str(referee.pk),
        "how": "pin",
        "replaces": None,
        "secret": digest_of(pairing),
        **by,
    }
    assert facts_of(pairing) == [("device_admitted", body)]


def test_replacement_is_recorded_at_both_phones(phone: Pairing, referee: Referee, account: Account) -> None:
    new, _secret = pairings.ask(referee, factories.make_place())

    for _twice in range(2):
        pairings.replace(phone, new, account)

    assert [type for type, _body in facts_of(phone)] == ["device_admitted", "device_revoked"]
    assert [(type, body["replaces"]) for type, body in facts_of(new)] == [("device_admitted", str(phone.pk))]
    assert found() == []


def test_phone_change_that_changes_nothing_is_no_fact(
    phone: Pairing, referee: Referee, account: Account
) -> None:
    waiting, _secret = pairings.ask(referee, factories.make_place())
    stale = Pairing.objects.get(pk=phone.pk)

    pairings.admit(phone, account)
    pairings.revoke(waiting, Actor.command())
    for each in (phone, phone, stale):
        pairings.revoke(each, Actor.command())

    assert [len(facts_of(each)) for each in (phone, waiting)] == [2, 0]


ALTERED: dict[str, Callable[[Event], Any]] = {
    "referee_id": lambda event: factories.make_referee(event, first_name="Ugo").pk,
    "admitted_at": lambda _event: None,
    "admitted_by": lambda _event: "pin",
    "revoked_at": lambda _event: None,
    "secret_hash": lambda _event: "0" * 64,
    "admitted_by_account_id": lambda _event: factories.make_account().pk,
    "replaces_id": lambda event: factories.make_pairing(event)[0].pk,
}


def test_phone_secrets_that_were_exchanged_are_found(event: Event, phone: Pairing, account: Account) -> None:
    other = let_in(factories.make_referee(event, first_name="Ugo"), account)

    write(phone, "secret_hash", "0" * 64)
    write(other, "secret_hash", phone.secret_hash)
    write(phone, "secret_hash", other.secret_hash)

    assert set(found()) == {(MODEL, "secret_hash", phone.pk), (MODEL, "secret_hash", other.pk)}
    with mock.patch.object(device_admissions, "secret_digest", row_says):
        assert found() == []


def row_says(row: Pairing) -> Any:
    """What the facts say of a phone's secret, whatever its row says: the comparison switched off."""
    return read.facts(row.pk)[0].body["secret"]


def test_phone_s_altered_time_of_admission_is_found(phone: Pairing) -> None:
    write(phone, "admitted_at", datetime(2026, 1, 1, tzinfo=UTC))

    assert found() == [(MODEL, "admitted_at", phone.pk)]


def test_phone_that_was_shut_out_without_a_fact_is_found(phone: Pairing, account: Account) -> None:
    write(phone, "revoked_at", phone.admitted_at)

    assert found() == [(MODEL, "revoked_at", phone.pk)]


def test_phone_s_admitting_account_may_be_deleted_but_not_only_unnamed(
    event: Event, phone: Pairing, account: Account
) -> None:
    write(phone, "admitted_by_account_id", None)
    assert found() == [(MODEL, "admitted_by_account", phone.pk)]

    account.delete()

    assert found() == []


def test_phone_admission_of_an_earlier_version_has_no_digest_and_verifies(
    event: Event, referee: Referee, account: Account
) -> None:
    with mock.patch.object(device_admissions, "_record", _record_as_before):
        phone = let_in(referee, account)

    assert "secret" not in facts_of(phone)[0][1]
    assert found() == []
    write(phone, "secret_hash", "0" * 64)
    assert found() == []
    write(phone, "replaces_id", factories.make_pairing(event)[0].pk)
    assert found() == [(MODEL, "replaces", phone.pk)]


def _record_as_before(
    pairing: Pairing, actor: Actor, type: str, body: dict[str, Any], _at: datetime | None
) -> None:
    _RECORD(pairing, actor, type, {name: value for name, value in body.items() if name != "secret"}, None)


_RECORD = device_admissions._record


@pytest.mark.parametrize("column", ALTERED)
def test_phone_s_altered_column_of_whose_it_is_is_found(
    event: Event, phone: Pairing, account: Account, column: str
) -> None:
    let_in(factories.make_referee(event), account)
    pairings.revoke(phone, Actor.of_account(account))
    value = ALTERED[column](event)
    assert found() == []

    write(phone, column, value)

    assert found() == [(MODEL, column.removesuffix("_id"), phone.pk)]


def test_phone_s_exchanged_referee_is_named_by_ids(event: Event, phone: Pairing, referee: Referee) -> None:
    blamed = factories.make_referee(event, first_name="Ugo", last_name="Re")
    tournament = factories.drawn_tournament(event)
    results.enter_result(factories.games_of(tournament)[0], Actor.of_pairing(phone), seat=0)

    write(phone, "referee_id", blamed.pk)

    with translation.override("en"):
        assert [str(wrong) for wrong in verify.verify(event)] == [
            f"phone “{phone.check_word}” ({phone.pk}): referee is {blamed.pk}, and by the facts {referee.pk}"
        ]


def test_twin_phone_s_alteration_is_not_found_without_comparing_facts(event: Event, phone: Pairing) -> None:
    write(phone, "referee_id", factories.make_referee(event).pk)

    with mock.patch.object(device_admissions, "altered_columns", return_value=iter(())):
        assert found() == []


def test_phone_whose_row_is_gone_is_named(event: Event, phone: Pairing) -> None:
    with connection.cursor() as cursor:
        key = Pairing._meta.get_field("id").get_db_prep_value(phone.pk, connection)
        cursor.execute("DELETE FROM people_pairing WHERE id = %s", [key])

    assert found() == [(Stream._meta.label, "", phone.pk)]


def test_phone_facts_that_are_gone_are_named_by_a_receipt(event: Event, phone: Pairing) -> None:
    make_receipt(event.pk)
    remove_triggers(connection)
    assert found() == []

    Fact.objects.filter(stream=phone.pk).delete()
    Stream.objects.filter(pk=phone.pk).delete()

    with translation.override("en"):
        assert phone.pk in {wrong.stream for wrong in verify.verify(event)}


def test_phone_facts_that_cannot_be_read_are_reported(event: Event, phone: Pairing) -> None:
    remove_triggers(connection)
    Fact.objects.filter(stream=phone.pk).update(text="[]")

    with translation.override("en"):
        told = [str(wrong) for wrong in verify.verify(event)]

    assert [each for each in told if "whose phones they are can't be read" in each] != []


# From before, elsewhere and afterwards


def test_phones_that_an_earlier_version_let_in_are_named_and_no_fault(event: Event, phone: Pairing) -> None:
    before, _secret = factories.make_pairing(event)
    told = io.StringIO()

    call_command("verify", event.slug, stdout=told)

    assert told.getvalue().splitlines() == [
        f"{event.slug}: of 1 phones, which an earlier version let in, no fact says whose they are: "
        f"{before.check_word}.",
        "Everything is as it was recorded.",
    ]
    assert device_admissions.without_facts(event) == [before]
    pairings.revoke(before, Actor.command())
    assert found() == []


def test_archive_carries_the_facts_of_phones(event: Event, phone: Pairing) -> None:
    packed = io.BytesIO()
    export_event(event, packed, with_people=False)
    before = facts_of(phone)
    with translation.override("en"):
        assert not take_in(packed, Actor.command()).is_new
    elsewhere(event)

    packed.seek(0)
    taken = take_in(packed, Actor.command())

    assert (taken.is_new, facts_of(phone), device_admissions.without_facts(taken.event)) == (True, before, [])
    assert Pairing.objects.get(pk=phone.pk).revoked_at is not None
    assert found() == []


def elsewhere(event: Event) -> None:
    """As if the event had never been here."""
    delete_event(event)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM ledger_tombstone")


def test_archive_with_an_exchanged_referee_is_not_taken_in(event: Event, phone: Pairing) -> None:
    write(phone, "referee_id", factories.make_referee(event).pk)
    packed = io.BytesIO()
    export_event(event, packed, with_people=False)
    elsewhere(event)
    packed.seek(0)

    with pytest.raises(Refused) as refused:
        take_in(packed, Actor.command())

    assert refused.value.code == "archive-unfit"


def test_erasing_referees_ends_their_phones_and_keeps_the_facts(event: Event, phone: Pairing) -> None:
    purge(event, Actor.command())

    assert [type for type, _body in facts_of(phone)] == ["device_admitted", "device_revoked"]
    assert Referee.objects.get().first_name == ""
    assert found() == []


def test_facts_of_phones_are_not_told_to_programs(event: Event, phone: Pairing) -> None:
    assert number_all(event) == 0

    tournament = factories.drawn_tournament(event)

    assert number_all(event) == Change.objects.count() > 0
    assert set(Change.objects.values_list("subject_kind", "tournament")) == {("tournament", tournament.pk)}
