"""Who may call what: every method of every address, by every role, published and not."""

from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.urls import get_resolver
from rest_framework.test import APIClient

from config.checks import declared_access, url_patterns
from tests import factories
from tests.api.addresses import CALLS, ROLES, Call, address, body_of, told
from tests.api.conftest import Festival, client_of_phone, client_of_token, make_festival

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def kept(committed: None) -> tuple[Festival, Festival]:
    """A published festival and another that isn't, for all calls of this module."""
    return make_festival(), make_festival(is_published=False)


@pytest.fixture
def festival(kept: tuple[Festival, Festival], db: None) -> Festival:
    """The published one, as it was made."""
    return deepcopy(kept[0])


@pytest.fixture
def hidden(kept: tuple[Festival, Festival], db: None) -> Festival:
    """The other one, as it was made."""
    return deepcopy(kept[1])


def client_as(role: str, festival: Festival) -> APIClient:
    """A client of this role."""
    match role:
        case "public":
            return APIClient()
        case "reader":
            return client_of_token(festival.organizer, "read")
        case "stranger":
            return client_of_token(factories.make_account())
        case "waiting phone":
            return client_of_phone(festival.event, admitted=False)
        case "phone":
            return client_of_phone(festival.event)
    return client_of_token(festival.organizer)


def send(client: APIClient, call: Call, festival: Festival) -> Any:
    """Make a call with a body that it takes."""
    if call.name == "archives":
        return client.post(address(call, festival), b"no zip", content_type="application/zip")
    if call.name == "game-log-file" and call.method == "POST":
        return client.post(address(call, festival), b"", content_type="application/x-ndjson")
    send_by = getattr(client, call.method.lower())
    answer = send_by(address(call, festival), *([] if call.method == "GET" else [body_of(call, festival)]))
    if answer.streaming:
        # A file that nobody reads stays open.
        told(answer)
    return answer


def refusals(call: Call, festival: Festival) -> dict[str, int | None]:
    """The status by which each role is refused, None where it isn't; every call begins with the same rows."""
    found: dict[str, int | None] = {}
    for role in ROLES:
        with transaction.atomic():
            answer = send(client_as(role, festival), call, festival)
            transaction.set_rollback(True)
        assert answer.status_code < 500
        refused = answer.status_code in (401, 403)
        found[role] = answer.status_code if refused else None
        assert ("WWW-Authenticate" in answer) is (answer.status_code == 401)
        if refused:
            assert answer.json()["status"] == answer.status_code
    return found


def expected(call: Call, role: str) -> int | None:
    """Who isn't known is asked to sign in, who is known and may not is told so."""
    if role in call.admits:
        return None
    if role == "public":
        return 401
    if call.name.startswith("current-pairing"):
        # Only a phone can be meant; a token for reading is refused for that first.
        return 403 if (role, call.method) == ("reader", "POST") else 401
    return 403


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_only_these_roles_are_admitted(call: Call, festival: Festival) -> None:
    assert refusals(call, festival) == {role: expected(call, role) for role in ROLES}


# A phone may ask for a pairing before the event is published: it has to know two random ids for it.
HIDING = [
    call
    for call in CALLS
    if call.argument not in ("", "token") and (call.method, call.name) != ("POST", "pairings")
]


@pytest.mark.parametrize("call", HIDING, ids=str)
def test_of_an_unpublished_event_nothing_is_told(call: Call, hidden: Festival) -> None:
    gone = without(hidden, call.argument)
    for role in ("public", "stranger"):
        client = client_as(role, hidden)
        answer = send(client, call, hidden)
        assert answer.status_code == 404
        assert answer.json() == send(client, call, gone).json()


def without(festival: Festival, argument: str) -> Festival:
    """The festival with an id that nothing has."""
    nowhere: Any = Nowhere()
    changes = {"team": {"teams": [nowhere]}, "game": {"games": [nowhere]}}
    return replace(festival, **changes.get(argument, {argument: nowhere}))


@dataclass
class Nowhere:
    """A row that isn't there."""

    pk: UUID = field(default_factory=uuid4)
    game_id: UUID = field(default_factory=uuid4)


def test_a_draw_is_the_organizers_until_it_is_published(organizer: APIClient, festival: Festival) -> None:
    tournament = factories.drawn_tournament(festival.event, name="Segreto", published=False)
    match = factories.matches_of(tournament)[0]
    game = factories.games_of(tournament)[0]
    for path in (
        f"tournaments/{tournament.pk}/matches/",
        f"tournaments/{tournament.pk}/rounds/",
        f"matches/{match.pk}/",
        f"games/{game.game_id}/",
        f"games/{game.game_id}/log/",
    ):
        assert organizer.get(f"/api/v1/{path}").status_code == 200
        assert client_of_phone(festival.event).get(f"/api/v1/{path}").status_code == 404
        assert APIClient().get(f"/api/v1/{path}").status_code == 404
    path = f"/api/v1/tournaments/{tournament.pk}/"
    assert APIClient().get(path).json()["stages"] == []
    assert [stage["seed"] for stage in organizer.get(path).json()["stages"]] == [factories.SEED]


def test_every_address_is_in_the_table_above() -> None:
    names = {str(getattr(pattern, "name", "")) for pattern in get_resolver("api.urls").url_patterns}
    assert names == {call.name for call in CALLS} | {"docs", "nowhere"}


def test_every_address_declares_its_access() -> None:
    patterns = list(url_patterns(get_resolver("api.urls")))
    assert patterns
    assert [path for path, callback in patterns if declared_access(callback) is None] == []
