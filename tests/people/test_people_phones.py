"""Phones over a day: where they were seen and what waits on them, one replaced by the next, too many."""

from datetime import timedelta

import pytest
from django.http import HttpRequest
from django.utils import timezone

from people import pairings
from people.actors import Actor
from people.models import AuditEntry, Pairing, Referee
from people.pairings import COOKIE, SEEN_EVERY, Sighting, ask, replace, turn_away
from people.refusals import Refused
from tests.support import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def referee() -> Referee:
    return factories.make_referee(factories.make_event())


def request(queue: str | None = None, table: int | None = None, secret: str = "") -> HttpRequest:
    """A request of a phone, at a table and with a queue or not."""
    made = HttpRequest()
    made.COOKIES[COOKIE] = secret
    if queue is not None:
        made.META["HTTP_TENDONE_QUEUE"] = queue
    if table is not None:
        made.table_number = table  # type: ignore[attr-defined]
    return made


@pytest.mark.parametrize(
    ("header", "queue"),
    [("3", 3), ("0", 0), ("9999", 9999), ("10000", None), ("-1", None), ("x", None), ("²", None), ("", None)],
)
def test_phone_queue_header_is_read_if_it_is_a_number(header: str, queue: int | None) -> None:
    assert Sighting.of(request(header, 4)) == Sighting(4, queue)


def test_phone_table_and_queue_are_stored_once_a_minute(referee: Referee) -> None:
    pairing, secret = factories.make_pairing(referee.event, referee)

    def seen(queue: str | None, table: int | None) -> tuple[int | None, int | None]:
        pairings.pairing_of_request(request(queue, table, secret))
        pairing.refresh_from_db()
        return pairing.table_number, pairing.queue

    assert seen("3", 1) == (1, 3)
    assert seen("0", 2) == (1, 3)
    Pairing.objects.update(last_seen_at=timezone.now() - SEEN_EVERY)
    assert seen(None, 2) == (2, 3)
    Pairing.objects.update(last_seen_at=timezone.now() - SEEN_EVERY)
    assert seen("0", None) == (2, 0)


def test_phone_is_replaced_by_another_of_its_referee(referee: Referee) -> None:
    account = factories.make_account()
    old, _secret = factories.make_pairing(referee.event, referee)
    new, secret = ask(referee, factories.make_place())
    for _twice in range(2):
        replace(old, new, account)
    old.refresh_from_db()
    new.refresh_from_db()
    assert (old.revoked_at is None, new.revoked_at, new.replaces) == (False, None, old)
    assert (new.admitted_by, new.admitted_by_account) == ("desk", account)
    assert pairings.pairing_of_request(request(secret=secret)) == new
    trail = AuditEntry.objects.filter(event=referee.event).order_by("at", "model")
    changed = {(each.row_id, name) for each in trail for name in each.changes}
    assert changed == {
        (old.pk, "revoked_at"),
        *((new.pk, name) for name in ("admitted_at", "admitted_by", "admitted_by_account", "replaces")),
    }
    assert {each.actor_id for each in trail} == {account.pk}


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("pairing-revoked", "revoked", "waiting"),
        ("pairing-revoked", "in", "revoked"),
        ("not-admitted", "waiting", "waiting"),
        ("not-waiting", "in", "in"),
    ],
)
def test_phone_replacement_in_a_wrong_state_is_refused(
    referee: Referee, code: str, old: str, new: str
) -> None:
    def made(state: str) -> Pairing:
        pairing, _secret = factories.make_pairing(referee.event, referee, admitted=state != "waiting")
        if state == "revoked":
            pairings.revoke(pairing, Actor.command())
        return pairing

    former, current = made(old), made(new)
    before = list(Pairing.objects.order_by("pk").values())
    with pytest.raises(Refused) as refused:
        replace(former, current, factories.make_account())

    assert (refused.value.code, list(Pairing.objects.order_by("pk").values())) == (code, before)


def test_phone_replacement_by_another_referee_s_is_refused(referee: Referee) -> None:
    old, _secret = factories.make_pairing(referee.event, referee)
    new, _secret = ask(factories.make_referee(referee.event, first_name="Ugo"), factories.make_place())
    with pytest.raises(Refused) as refused:
        replace(old, new, factories.make_account())
    assert refused.value.code == "other-referee"


def test_waiting_phones_can_be_turned_away_at_once(referee: Referee) -> None:
    inside, _secret = factories.make_pairing(referee.event, referee)
    elsewhere, _secret = ask(factories.make_referee(factories.make_event()), factories.make_place())
    for _ in range(8):
        ask(referee, factories.make_place())
    assert turn_away(referee.event, Actor.command()) == 8
    assert set(Pairing.objects.filter(revoked_at=None)) == {inside, elsewhere}
    later, _secret = ask(referee, factories.make_place())
    assert timezone.now() - later.asked_at < timedelta(minutes=1)
