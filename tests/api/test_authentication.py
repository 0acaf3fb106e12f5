"""Who calls: tokens, phones, cookies, and headers that can't be honoured."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from people.pairings import COOKIE
from tests.support import factories
from tests.support.festival import Festival

pytestmark = pytest.mark.django_db

CALLER = "/api/v1/caller/"


def caller(header: str = "") -> dict[str, object]:
    """What the service says of a caller with this header."""
    client = APIClient()
    if header:
        client.credentials(HTTP_AUTHORIZATION=header)
    answer: dict[str, object] = client.get(CALLER).json()
    return answer


def test_token_acts_for_its_account(festival: Festival) -> None:
    token, secret = factories.make_token(festival.organizer)
    assert caller(f"Bearer {secret}") == {
        "kind": "token",
        "id": str(token.pk),
        "may_write": True,
        "scope": "manage",
        "username": festival.organizer.username,
        "organizes": [str(festival.event.pk)],
    }


def test_phone_acts_for_its_pairing(festival: Festival) -> None:
    pairing, secret = factories.make_pairing(festival.event)
    assert caller(f"Pairing {secret}") == {
        "kind": "pairing",
        "id": str(pairing.pk),
        "may_write": True,
        "scope": None,
        "username": None,
        "organizes": [],
    }


def test_caller_without_credentials_is_the_public() -> None:
    assert caller() == {
        "kind": "public",
        "id": None,
        "may_write": True,
        "scope": None,
        "username": None,
        "organizes": [],
    }


@pytest.mark.parametrize("header", ["Bearer nonsense", "Bearer", "Basic YTpi", "Pairing x", "nonsense"])
def test_authorization_header_that_is_unknown_is_refused(header: str) -> None:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=header)
    answer = client.get(CALLER)

    assert answer.status_code == 401
    assert answer.json()["code"] == "authentication-failed"
    assert answer["WWW-Authenticate"] == 'Bearer realm="tendone"'


def test_token_or_pairing_that_has_ended_is_refused(festival: Festival) -> None:
    past = timezone.now() - timedelta(seconds=1)
    _token, expired = factories.make_token(festival.organizer, expires_at=past)
    _token, revoked = factories.make_token(festival.organizer, revoked_at=past)
    _token, inactive = factories.make_token(factories.make_account(is_active=False))
    _pairing, shut_out = factories.make_pairing(festival.event)
    _pairing.revoked_at = past
    _pairing.save()
    for header in (f"Bearer {expired}", f"Bearer {revoked}", f"Bearer {inactive}", f"Pairing {shut_out}"):
        assert caller(header)["status"] == 401


def test_read_token_can_not_write(festival: Festival) -> None:
    _token, secret = factories.make_token(festival.organizer, "read")
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    answer = client.post(f"/api/v1/events/{festival.event.pk}/teams/", {"name": "Torre"})

    assert (answer.status_code, answer.json()["code"]) == (403, "scope-too-narrow")


def test_session_cookie_writes_only_with_the_csrf_token(festival: Festival) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(festival.organizer)
    assert browser.get(CALLER).json()["kind"] == "account"
    answer = browser.post(f"/api/v1/events/{festival.event.pk}/teams/", {"name": "Torre"})
    assert (answer.status_code, festival.event.teams.count()) == (403, 3)


def test_phone_cookie_writes_only_with_the_csrf_token(festival: Festival) -> None:
    _pairing, secret = factories.make_pairing(festival.event)
    address = f"/api/v1/games/{festival.game.game_id}/result/"
    browser = APIClient(enforce_csrf_checks=True)
    browser.cookies[COOKIE] = secret
    assert browser.post(address, {"winner_seat": 0}).status_code == 403
    unchecked = APIClient()
    unchecked.cookies[COOKIE] = secret
    assert unchecked.post(address, {"winner_seat": 0}).status_code == 200
