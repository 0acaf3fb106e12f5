"""Each protection holds, and without it the same attack gets in: a row each.

An attack says whether it got in. What turns a protection off is as small as can be, so that the row fails
when that very part is missing.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp  # type: ignore[import-untyped]  # it has no types
from rest_framework.authentication import SessionAuthentication
from rest_framework.test import APIClient

from people import access, actors, check_in, pairings, second_factor, sign_in_limits
from people.actors import Actor, make_token
from people.models import Account, ApiToken, Event, Pairing, SecondFactor
from people.rate_limits import CountedAttempt
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.factories import PASSWORD
from tests.support.forms import address

pytestmark = pytest.mark.django_db

Off = Callable[[pytest.MonkeyPatch, Any], None]


class World:
    """An organizer with an event that isn't published, and somebody else with another."""

    def __init__(self) -> None:
        self.organizer = factories.make_account("vittima")
        self.event = factories.make_event(self.organizer, is_published=False)
        self.stranger = factories.make_account("altro")
        self.other = factories.make_event(self.stranger)

    @property
    def api(self) -> str:
        """The event's address in the API."""
        return f"/api/v1/events/{self.event.pk}/"

    @property
    def home(self) -> str:
        """The event's page at the desk."""
        return address("event", self.event.slug)


def opens(client: Client, path: str) -> bool:
    """Whether a page or an address of the API is shown."""
    return client.get(path).status_code == 200


def bearing(secret: str, scheme: str = "Bearer") -> APIClient:
    """A program, or a phone."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"{scheme} {secret}")
    return client


def sign_in(client: Client, password: str = PASSWORD) -> Any:
    """Give the password."""
    return client.post(address("sign-in"), {"username": "vittima", "password": password})


def is_in(client: Client) -> bool:
    """Whether somebody is signed in."""
    return opens(client, address("home"))


def protect(account: Account) -> bytes:
    """Set a second factor up; its key."""
    key = second_factor.new_key()
    SecondFactor.objects.create(account=account, key=key)
    return bytes.fromhex(key)


# --- Attacks ------------------------------------------------------------------------------------------------


def another_organizer(world: World) -> bool:
    return opens(browser_of(world.stranger), world.home)


def another_events_phone(world: World) -> bool:
    return opens(bearing(factories.make_pairing(world.other)[1], "Pairing"), world.api)


def the_public(world: World) -> bool:
    return opens(Client(), f"/en/{world.event.slug}/")


def a_token_for_reading_writes(world: World) -> bool:
    client = bearing(factories.make_token(world.organizer, "read")[1])
    return bool(client.post(f"{world.api}teams/", {"name": "Torre"}).status_code == 201)


def a_token_for_results_manages(world: World) -> bool:
    client = bearing(factories.make_token(world.organizer, "results")[1])
    return bool(client.post(f"{world.api}teams/", {"name": "Torre"}).status_code == 201)


def a_token_of_one_event_opens_another(world: World) -> bool:
    own = factories.make_event(world.organizer)
    return opens(bearing(factories.make_token(world.organizer, event=own)[1]), world.api)


def a_stolen_row_of_a_token(world: World) -> bool:
    token, _secret = make_token(world.organizer, "programma", ApiToken.Scope.READ)
    return opens(bearing(token.secret_hash), world.api)


def a_stolen_row_of_a_phone(world: World) -> bool:
    pairing, _secret = pairings.ask(factories.make_referee(world.event), factories.make_place())
    Pairing.objects.update(admitted_at=timezone.now())
    return opens(bearing(pairing.secret_hash, "Pairing"), world.api)


def a_token_of_the_past(world: World) -> bool:
    ended = timezone.now() - timedelta(hours=1)
    return opens(bearing(factories.make_token(world.organizer, expires_at=ended)[1]), world.api)


def a_revoked_token(world: World) -> bool:
    token, secret = factories.make_token(world.organizer)
    browser_of(world.organizer).post(address("token-revoke", token.pk))
    return opens(bearing(secret), world.api)


def a_phone_of_the_past(world: World) -> bool:
    _pairing, secret = factories.make_pairing(world.event)
    Pairing.objects.update(admitted_at=timezone.now() - timedelta(days=3))
    Event.objects.update(ends_on=timezone.localdate() - timedelta(days=3))
    return opens(bearing(secret, "Pairing"), world.api)


def a_revoked_phone(world: World) -> bool:
    pairing, secret = factories.make_pairing(world.event)
    browser_of(world.organizer).post(address("pairing-revoke", world.event.slug, pairing.pk))
    return opens(bearing(secret, "Pairing"), world.api)


def the_sixth_password(world: World) -> bool:
    for _ in range(5):
        sign_in(Client(), "falsa")
    return bool(sign_in(Client()).status_code == 302)


def a_forged_address(world: World) -> bool:
    for each in range(6):
        client = Client(HTTP_X_FORWARDED_FOR=f"192.0.2.{each}")
        sign_in(client, "falsa" if each < 5 else PASSWORD)
    return is_in(client)


def the_sixth_code(world: World) -> bool:
    key = protect(world.organizer)
    client = Client()
    sign_in(client)
    for code in ("000000",) * 5 + (f"{totp(key):06}",):
        client.post(address("sign-in-code"), {"code": code})
    return is_in(client)


def the_password_alone(world: World) -> bool:
    protect(world.organizer)
    client = Client()
    sign_in(client)
    return is_in(client)


def a_code_that_was_seen(world: World) -> bool:
    code = f"{totp(protect(world.organizer)):06}"
    second_factor.accepts(world.organizer, code)
    return second_factor.accepts(world.organizer, code)


def an_open_laptop(world: World) -> bool:
    protect(world.organizer)
    wrong = {"password": "falsa"}  # pragma: allowlist secret
    browser_of(world.organizer).post(address("second-factor-off"), wrong)
    return not SecondFactor.objects.exists()


def a_form_of_another_site(world: World) -> bool:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(world.organizer)
    return browser.post(address("sign-out-everywhere")).status_code == 302


def a_script_of_another_site(world: World) -> bool:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(world.organizer)
    return bool(browser.post(f"{world.api}teams/", {"name": "Torre"}).status_code == 201)


def a_script_reads_the_session(world: World) -> bool:
    client = Client()
    sign_in(client)
    return not client.cookies["session"]["httponly"]


def another_site_sends_the_session(world: World) -> bool:
    client = Client()
    sign_in(client)
    return client.cookies["session"]["samesite"] not in ("Lax", "Strict")


def a_session_put_under_the_victim(world: World) -> bool:
    known = SessionStore()
    known.save()
    victim, thief = Client(), Client()
    victim.cookies["session"] = thief.cookies["session"] = str(known.session_key)
    sign_in(victim)
    return is_in(thief)


def a_session_after_another_password(world: World) -> bool:
    thief = browser_of(world.organizer)
    world.organizer.set_password("un-altra-parola")
    world.organizer.save()
    return is_in(thief)


def a_session_after_signing_out_everywhere(world: World) -> bool:
    thief = browser_of(world.organizer)
    browser_of(world.organizer).post(address("sign-out-everywhere"))
    return is_in(thief)


def the_thirty_first_slip(world: World) -> bool:
    entry = factories.make_entry(factories.make_team(world.event))
    code = check_in.check_in(entry, Actor.command())
    for _ in range(30):
        Client().get("/en/s/7KQM-2ZXA-WD4P/")
    return opens(Client(), f"/en/s/{code}/")


# --- What turns a protection off ----------------------------------------------------------------------------


def always(predicate: Any) -> Off:
    """A predicate that admits everybody."""
    return lambda patch, settings: patch.setattr(predicate, "fn", lambda actor, event: True)


def replaced(owner: Any, name: str, by: Any) -> Off:
    """Something else in place of a function or value."""
    found = import_module(owner) if isinstance(owner, str) else owner
    return lambda patch, settings: patch.setattr(found, name, by)


def setting(name: str, value: Any) -> Off:
    """Another setting."""
    return lambda patch, settings: setattr(settings, name, value)


def both(*offs: Off) -> Off:
    """More than one at once."""

    def off(patch: pytest.MonkeyPatch, settings: Any) -> None:
        for each in offs:
            each(patch, settings)

    return off


def without_csrf(patch: pytest.MonkeyPatch, settings: Any) -> None:
    """Django's middleware against forms of other sites is left out."""
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "Csrf" not in each]


def plain(secret: str) -> str:
    """A secret as it is."""
    return secret


long_ago = SimpleNamespace(now=lambda: timezone.now() - timedelta(days=30))
unlimited = replaced(sign_in_limits, "begin", lambda *keys: CountedAttempt(()))
unlimited_slips = dataclasses.replace(check_in.SLIP_CODES, tries=10**9)
step_of = second_factor._step_of


@dataclass(frozen=True)
class Row:
    """A protection: the attack that it keeps out, and how it is turned off."""

    attack: Callable[[World], bool]
    off: Off


ROWS = [
    Row(another_organizer, always(access.organizes)),
    Row(another_events_phone, always(access.referees)),
    Row(the_public, always(access.sees_published)),
    Row(a_token_for_reading_writes, replaced(Actor, "has_scope", lambda actor, needed: True)),
    Row(a_token_for_results_manages, replaced(Actor, "has_scope", lambda actor, needed: True)),
    Row(a_token_of_one_event_opens_another, replaced(Actor, "reaches", lambda actor, event: True)),
    Row(a_stolen_row_of_a_token, replaced(actors, "secret_hash", plain)),
    Row(a_stolen_row_of_a_phone, replaced(pairings, "secret_hash", plain)),
    Row(a_token_of_the_past, replaced(actors, "timezone", long_ago)),
    Row(a_revoked_token, replaced("desk.views.tokens", "revoke_token", lambda token: None)),
    Row(
        a_phone_of_the_past,
        both(
            replaced(pairings, "is_over", lambda pairing: False),
            replaced(access, "is_over", lambda pairing: False),
        ),
    ),
    Row(a_revoked_phone, replaced(pairings, "revoke", lambda pairing, actor: None)),
    Row(the_sixth_password, unlimited),
    Row(a_forged_address, setting("TRUSTED_PROXIES", 1)),
    Row(the_sixth_code, unlimited),
    Row(the_password_alone, replaced("desk.views.session", "is_set_up", lambda account: False)),
    Row(
        a_code_that_was_seen,
        replaced(second_factor, "_step_of", lambda key, digits, *, after: step_of(key, digits, after=-1)),
    ),
    Row(an_open_laptop, replaced("desk.forms.account", "proves", lambda *given: True)),
    Row(a_form_of_another_site, without_csrf),
    Row(
        a_script_of_another_site, replaced(SessionAuthentication, "enforce_csrf", lambda self, request: None)
    ),
    Row(a_script_reads_the_session, setting("SESSION_COOKIE_HTTPONLY", False)),
    Row(another_site_sends_the_session, setting("SESSION_COOKIE_SAMESITE", None)),
    Row(a_session_put_under_the_victim, replaced(SessionStore, "cycle_key", lambda store: None)),
    Row(
        a_session_after_another_password,
        replaced(Account, "_get_session_auth_hash", lambda account, secret=None: "always"),
    ),
    Row(
        a_session_after_signing_out_everywhere,
        replaced("desk.views.account", "end_sessions", lambda account: None),
    ),
    Row(the_thirty_first_slip, replaced(check_in, "SLIP_CODES", unlimited_slips)),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.attack.__name__)
def test_protection_holds_and_the_attack_gets_in_without_it(
    row: Row, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    with transaction.atomic():
        assert not row.attack(World())
        transaction.set_rollback(True)
    row.off(monkeypatch, settings)
    assert row.attack(World())
