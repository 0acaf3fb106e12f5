"""What lets phones and programs in: tokens, pairings, the day's PIN."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from django.db import connection, connections
from django.http import HttpRequest
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from people import pairings, rate_limits
from people.access import referees
from people.actors import (
    PREFIX,
    USED_EVERY,
    Actor,
    ActorKind,
    actor_of_token,
    make_named_token,
    make_token,
    revoke_token,
)
from people.events import add_referee
from people.models import ApiToken, AuditEntry, Event, Pairing, Try
from people.pairings import COOKIE, DAY_PIN, admit, admit_by_pin, ask, pin_paused, revoke, set_day_pin
from people.refusals import Refused
from tests.people.support import festival, new_account


def phone(event: Event) -> tuple[Pairing, str]:
    """A phone that asks to be let in."""
    return ask(add_referee(event, Actor.of_account(new_account()), "Ivo"), "192.0.2.1")


def wrong(pin: str) -> str:
    """A PIN that isn't this one."""
    return f"{(int(pin) + 1) % 1_000_000:06}"


# --- Tokens -------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_token_acts_for_its_account_and_is_stored_as_a_hash() -> None:
    account = new_account()
    token, secret = make_token(account, "tabellone", ApiToken.Scope.READ)
    assert secret.startswith(PREFIX)
    actor = actor_of_token(secret)
    assert actor is not None
    assert (actor.kind, actor.account, actor.id, actor.may_write) == (
        ActorKind.TOKEN, account, token.pk, False,
    )  # fmt: skip
    assert secret not in str(list(ApiToken.objects.values()))
    _, writing = make_token(account, "tabellone", ApiToken.Scope.RESULTS)
    written = actor_of_token(writing)
    assert written is not None
    assert written.may_write


@pytest.mark.django_db
def test_token_of_a_taken_name_is_refused_while_the_first_is_good() -> None:
    account = new_account()
    secret = make_named_token(account, "programma", ApiToken.Scope.READ, expires_at=None)
    assert actor_of_token(secret) is not None
    with pytest.raises(Refused) as refused:
        make_named_token(account, "programma", ApiToken.Scope.READ)
    assert refused.value.code == "name-taken"
    assert [each["field"] for each in refused.value.params["problems"]] == ["name"]
    revoke_token(account.tokens.get())
    make_named_token(account, "programma", ApiToken.Scope.READ)
    assert account.tokens.filter(revoked_at=None).count() == 1


@pytest.mark.django_db
def test_token_opens_nothing_once_revoked_expired_or_without_its_account() -> None:
    account = new_account()
    soon = timezone.now() + timedelta(hours=1)
    token, secret = make_token(account, "programma", ApiToken.Scope.READ, expires_at=soon)
    assert actor_of_token(secret) is not None
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())
    assert actor_of_token(secret) is None
    token, secret = make_token(account, "programma", ApiToken.Scope.READ)
    revoke_token(token)
    assert actor_of_token(secret) is None
    _, secret = make_token(account, "programma", ApiToken.Scope.READ)
    account.is_active = False
    account.save()
    assert actor_of_token(secret) is None
    assert actor_of_token("") is None
    assert actor_of_token(secret[:-1]) is None


@pytest.mark.django_db
def test_token_expires_at_its_very_moment(stopped_clock: datetime) -> None:
    _, secret = make_token(new_account(), "programma", ApiToken.Scope.READ, expires_at=stopped_clock)

    assert actor_of_token(secret) is None


@pytest.mark.django_db
@pytest.mark.parametrize("before", [USED_EVERY, 2 * USED_EVERY])
def test_token_notes_its_use_after_a_minute_or_more(before: timedelta, stopped_clock: datetime) -> None:
    token, secret = make_token(new_account(), "programma", ApiToken.Scope.READ)
    ApiToken.objects.filter(pk=token.pk).update(last_used_at=stopped_clock - before)

    actor_of_token(secret)

    token.refresh_from_db()
    assert token.last_used_at == stopped_clock


@pytest.mark.django_db
def test_token_used_less_than_a_minute_ago_writes_nothing(stopped_clock: datetime) -> None:
    token, secret = make_token(new_account(), "programma", ApiToken.Scope.READ)
    just_now = stopped_clock - USED_EVERY + timedelta(seconds=1)
    ApiToken.objects.filter(pk=token.pk).update(last_used_at=just_now)

    actor_of_token(secret)

    token.refresh_from_db()
    assert token.last_used_at == just_now


# --- Pairings -----------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_phone_is_a_referee_of_its_event_until_revoked() -> None:
    event, _, organizer = festival()
    other, _, _ = festival()
    pairing, _ = phone(event)
    actor = Actor.of_pairing(pairing)
    assert not referees.test(actor, event)
    account = new_account()
    admit(pairing, account)
    assert referees.test(actor, event)
    assert not referees.test(actor, other)
    revoke(pairing, organizer)
    assert not referees.test(actor, event)
    trail = AuditEntry.objects.filter(row_id=pairing.pk).order_by("at")
    assert [(line.actor_id, sorted(line.changes)) for line in trail] == [
        (account.pk, ["admitted_at", "admitted_by", "admitted_by_account"]),
        (organizer.id, ["revoked_at"]),
    ]


@pytest.mark.django_db
def test_revoked_phone_can_not_be_admitted_from_a_stale_list() -> None:
    event, _, organizer = festival()
    pairing, _ = phone(event)
    stale = Pairing.objects.get(pk=pairing.pk)
    revoke(pairing, organizer)
    admit(stale, new_account())

    assert not admit_by_pin(stale, set_day_pin(event, organizer))
    assert Pairing.objects.get(pk=pairing.pk).admitted_at is None


def request_of(secret: str) -> HttpRequest:
    """A request of the phone that holds this secret."""
    request = HttpRequest()
    request.COOKIES[COOKIE] = secret
    return request


@pytest.mark.django_db
def test_phone_is_noted_as_seen_once_a_minute_at_most() -> None:
    event, _, organizer = festival()
    pairing, secret = phone(event)
    for expected in (2, 1, 1):
        with CaptureQueriesContext(connection) as queries:
            assert pairings.pairing_of_request(request_of(secret)) == pairing
        assert len(queries) == expected
    first = Pairing.objects.get(pk=pairing.pk).last_seen_at
    assert first is not None
    Pairing.objects.update(last_seen_at=first - pairings.SEEN_EVERY)
    pairings.pairing_of_request(request_of(secret))
    second = Pairing.objects.get(pk=pairing.pk).last_seen_at
    assert second is not None
    assert second >= first
    revoke(pairing, organizer)
    assert pairings.pairing_of_request(request_of(secret)) is None
    assert pairings.pairing_of_request(HttpRequest()) is None


# --- The day's PIN ------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_day_pin_admits_until_there_is_a_new_one() -> None:
    event, _, organizer = festival()
    pairing, _ = phone(event)
    assert not admit_by_pin(pairing, "")
    old = set_day_pin(event, organizer)
    pairing.event.refresh_from_db()
    assert not admit_by_pin(pairing, wrong(old))
    assert admit_by_pin(pairing, old)
    assert (pairing.admitted_by, pairing.admitted_by_account) == (Pairing.AdmittedBy.PIN, None)
    new = set_day_pin(event, organizer)
    later, _ = phone(event)
    assert new != old or admit_by_pin(later, new)
    assert (len(old), old.isdigit()) == (6, True)
    assert old not in str(list(AuditEntry.objects.values()))


@pytest.mark.django_db
def test_day_pin_is_paused_after_ten_wrong_ones_of_an_event() -> None:
    event, _, organizer = festival()
    other, _, _ = festival()
    pin = set_day_pin(event, organizer)
    for _ in range(DAY_PIN.tries):
        assert not pin_paused(event)
        assert not admit_by_pin(phone(event)[0], wrong(pin))
    assert pin_paused(event)
    pairing, _ = phone(event)
    assert not admit_by_pin(pairing, pin)
    assert not pin_paused(other)
    admit(pairing, new_account())
    assert referees.test(Actor.of_pairing(pairing), event)
    Try.objects.filter(limit=DAY_PIN.name).update(at=timezone.now() - DAY_PIN.window)
    assert not pin_paused(event)
    assert admit_by_pin(phone(event)[0], pin)


@pytest.mark.django_db
def test_day_pin_pause_ends_when_the_oldest_of_ten_tries_leaves_the_window(stopped_clock: datetime) -> None:
    event, _, organizer = festival()
    pin = set_day_pin(event, organizer)
    for _ in range(DAY_PIN.tries):
        admit_by_pin(phone(event)[0], wrong(pin))
    oldest, second = Try.objects.filter(limit=DAY_PIN.name).order_by("pk")[:2]
    Try.objects.filter(pk=oldest.pk).update(at=stopped_clock - timedelta(minutes=5))
    Try.objects.filter(pk=second.pk).update(at=stopped_clock - timedelta(minutes=2))

    assert pairings.pin_pause(event) == 5 * 60


@pytest.mark.django_db
def test_rate_limit_pauses_until_the_oldest_of_the_latest_tries_leaves_the_window(
    stopped_clock: datetime,
) -> None:
    limit = rate_limits.RateLimit("tried", 3, timedelta(minutes=10))
    for minutes in (7, 4, 1):
        rate_limits.note_wrong(limit, "key", str(minutes))
        Try.objects.filter(at=stopped_clock).update(at=stopped_clock - timedelta(minutes=minutes))

    with pytest.raises(rate_limits.RateLimitedError) as limited:
        rate_limits.check(limit, "key")

    assert limited.value.wait == 3 * 60


@pytest.mark.django_db
def test_twin_day_pin_without_the_pause_admits_at_the_eleventh_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin."""
    monkeypatch.setattr(pairings, "DAY_PIN", replace(DAY_PIN, tries=10**9))
    event, _, organizer = festival()
    pin = set_day_pin(event, organizer)
    for _ in range(DAY_PIN.tries):
        admit_by_pin(phone(event)[0], wrong(pin))

    assert admit_by_pin(phone(event)[0], pin)


@pytest.mark.django_db
def test_day_pin_entered_right_uses_up_no_tries() -> None:
    event, _, organizer = festival()
    pin = set_day_pin(event, organizer)
    for _ in range(DAY_PIN.tries + 2):
        assert admit_by_pin(phone(event)[0], pin)
    for _ in range(DAY_PIN.tries):
        admit_by_pin(phone(event)[0], wrong(pin))

    assert pin_paused(event)
    assert admit_by_pin(phone(event)[0], set_day_pin(event, organizer))


def guess_at_once(event: Event, pin: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Eight phones type a wrong PIN at once, where three more may be tried; how many PINs are compared."""
    phones = [phone(event)[0] for _ in range(8)]
    for _ in range(DAY_PIN.tries - 3):
        rate_limits.begin((DAY_PIN, str(event.pk)))
    together = Barrier(len(phones))
    compared = []

    def compare(typed: str, _stored: str) -> bool:
        compared.append(typed)
        return typed == pin

    def guess(pairing: Pairing) -> bool:
        together.wait()
        try:
            return admit_by_pin(pairing, wrong(pin))
        finally:
            connections.close_all()

    monkeypatch.setattr(pairings, "check_password", compare)
    with ThreadPoolExecutor(len(phones)) as pool:
        assert not any(pool.map(guess, phones))
    return len(compared)


@pytest.mark.django_db(transaction=True)
def test_day_pin_tries_at_once_are_limited_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    event, _, organizer = festival()

    compared = guess_at_once(event, set_day_pin(event, organizer), monkeypatch)

    assert (compared, Try.objects.filter(limit=DAY_PIN.name).count()) == (3, DAY_PIN.tries)


@pytest.mark.django_db(transaction=True)
def test_twin_day_pin_tries_at_once_pass_the_limit_unless_they_are_noted_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event, _, organizer = festival()

    def count_alone(event: Event) -> rate_limits.CountedAttempt:
        rate_limits.check(DAY_PIN, str(event.pk))
        return rate_limits.CountedAttempt(())

    monkeypatch.setattr(pairings, "_try_pin", count_alone)

    assert guess_at_once(event, set_day_pin(event, organizer), monkeypatch) == 8
