"""Who may call what: every method of every address, by every role, published and not.

The expected answers stand in `tests.api.addresses`. What is refused tells nothing and stores nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.urls import URLPattern, get_resolver
from django.utils import timezone
from rest_framework.test import APIClient

from api.permissions import Subject
from ledger.models import Fact
from people.models import ApiToken, AuditEntry, Organizer, Pairing
from tests.api.addresses import (
    CALLS,
    ENDED,
    READERS,
    ROLES,
    Call,
    address,
    body_of,
    id_of,
    root_of,
    told,
)
from tests.support import factories
from tests.support.clients import client_of_phone, client_of_token
from tests.support.festival import Festival, make_festival
from tests.support.run import long
from tests.support.writes import nothing_written, rolled_back
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

PROBLEM = {"type", "title", "status", "code", "detail", "request_id"}
"""What a refusal tells."""


@dataclass
class World:
    """A published festival, another organizer's that is published too, and one that isn't."""

    festival: Festival
    other: Festival
    hidden: Festival


@pytest.fixture(scope="module")
def world(committed: None) -> World:
    """For all calls of this module: each is rolled back, so that all find the same rows."""
    made = World(make_festival(), make_festival(), make_festival(is_published=False))
    # An event more of the same organizer, for the tokens of one event.
    Organizer.objects.create(event=made.hidden.event, account=made.festival.organizer)
    for festival in (made.festival, made.other, made.hidden):
        root_of(festival.event)
    return made


@pytest.fixture
def festival(world: World, db: None) -> Festival:
    """The published one."""
    return world.festival


def client_as(role: str, festival: Festival, other: Festival) -> APIClient:
    """A client of this role at the festival; `other` is where strangers come from.

    It is noted already that it calls, so that no call has to, however long all of them take.
    """
    client = new_client(role, festival, other)
    later = timezone.now() + timedelta(hours=1)
    ApiToken.objects.update(last_used_at=later)
    Pairing.objects.update(last_seen_at=later)
    return client


def new_client(role: str, festival: Festival, other: Festival) -> APIClient:
    """The same."""
    organizer, past = festival.organizer, timezone.now() - timedelta(days=3)
    match role:
        case "public":
            return APIClient()
        case "reader":
            return client_of_token(organizer, "read")
        case "results":
            return client_of_token(organizer, "results")
        case "of this event":
            return client_of_token(organizer, event=festival.event)
        case "of another event":
            elsewhere = factories.make_event(organizer)
            return client_of_token(organizer, event=elsewhere)
        case "stranger":
            return client_of_token(other.organizer)
        case "operator":
            client = APIClient()
            client.force_login(factories.make_account(is_staff=True, is_superuser=True))
            return client
        case "foreign phone":
            return client_of_phone(other.event)
        case "revoked token":
            return client_of_token(organizer, revoked_at=past)
        case "token of the past":
            return client_of_token(organizer, expires_at=past)
        case "waiting phone" | "phone" | "revoked phone" | "phone of the past":
            return phone_as(role, festival)
    return client_of_token(organizer)


def phone_as(role: str, festival: Festival) -> APIClient:
    """A phone of the festival, in this state."""
    before = set(Pairing.objects.values_list("pk", flat=True))
    client = client_of_phone(festival.event, admitted=role != "waiting phone")
    mine = Pairing.objects.exclude(pk__in=before)
    if role == "revoked phone":
        mine.update(revoked_at=timezone.now())
    if role == "phone of the past":
        mine.update(admitted_at=timezone.now() - timedelta(days=3))
    return client


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


def expected(call: Call, role: str) -> int | None:
    """Who isn't known is asked to sign in, who is known and may not is told so; None for who is admitted."""
    if role in ENDED:
        return 401
    if role in call.admits:
        return None
    if role == "public":
        return 401
    if call.name.startswith("current-pairing"):
        # Only a phone can be meant; a token for less than everything is refused for that first.
        return 403 if role in READERS and call.method == "POST" else 401
    return 403


@pytest.mark.parametrize("role", ROLES)
def test_role_is_admitted_to_what_the_table_says_and_nothing_else(role: str, world: World) -> None:
    """Every call as it was made; a refusal is a problem without further members, and stores nothing."""
    festival = world.festival
    client = client_as(role, festival, world.other)
    found: dict[str, int | None] = {}
    for call in asked(role):
        with rolled_back(), nothing_written() as written:
            answer = send(client, call, festival)
            assert answer.status_code < 500
            refused = answer.status_code in (401, 403)
            found[str(call)] = answer.status_code if refused else None
            assert ("WWW-Authenticate" in answer) is (answer.status_code == 401)
        if refused:
            assert set(answer.json()) - {"needed"} == PROBLEM
            assert written == []

    assert found == {str(call): expected(call, role) for call in asked(role)}


def asked(role: str) -> list[Call]:
    """All calls; what describes the API takes its time, and asks nobody who they are.

    What has ended opens nothing anywhere: these roles share the calls among them, but with `--long`.
    """
    calls = [call for call in CALLS if call.name != "schema" or role == "public"]
    return shared(calls, role, sorted(ENDED))


def shared(calls: list[Call], role: str, roles: Sequence[str]) -> list[Call]:
    """The calls of a role, where these roles share them among them unless `--long` is asked."""
    if role not in roles or long.asked:
        return calls
    return calls[roles.index(role) :: len(roles)]


# A phone may ask for a pairing before the event is published: it has to know two random ids for it.
HIDING = [
    call
    for call in CALLS
    if call.argument not in ("", "token") and (call.method, call.name) != ("POST", "pairings")
]
OUTSIDE = ("public", "stranger", "operator", "of another event", "waiting phone", "foreign phone")
ALIKE = OUTSIDE[2:]
"""Those that share the calls, as `ENDED` do: to each of them the event is as little there."""


def told_by(answer: Any) -> dict[str, Any]:
    """What a refusal says but for the number of its request, which is another each time."""
    problem: dict[str, Any] = answer.json()
    del problem["request_id"]
    return problem


@pytest.mark.parametrize("role", OUTSIDE)
def test_unpublished_event_is_answered_as_not_found(role: str, world: World) -> None:
    """The answer is the one to what isn't there: in another event's or with an id that nothing has. Who isn't
    known is asked to sign in for either, where nobody unknown is let in.
    """
    hidden = world.hidden
    client = client_as(role, hidden, world.other)
    nothing = told_by(client.get(f"/api/v1/events/{uuid4()}/"))
    found = {}
    calls = shared(HIDING, role, ALIKE)
    for call in calls:
        with rolled_back(), nothing_written() as written:
            answer = send(client, call, hidden)
            if role == "public":
                nothing = told_by(send(client, call, without(hidden, call.argument)))
        found[str(call)] = (answer.status_code, told_by(answer) == nothing, written)
    first_asked = {str(call) for call in HIDING if role == "public" and "public" not in call.admits}

    assert found == {str(call): (401 if str(call) in first_asked else 404, True, []) for call in calls}


@pytest.fixture(scope="module")
def undrawn(committed: None) -> Festival:
    """A published festival whose draw isn't published."""
    made = make_festival()
    Tournament.objects.filter(pk=made.tournament.pk).update(status=Tournament.Status.DRAWN)
    return made


def is_below_a_draw(call: Call) -> bool:
    """Whether for others the address isn't there before the draw is published, by its view."""
    (callback,) = (
        pattern.callback
        for pattern in get_resolver("api.urls").url_patterns
        if isinstance(pattern, URLPattern) and pattern.name == call.name
    )
    found: Any = getattr(getattr(callback, "cls", None), "find_event", None)
    return isinstance(found, Subject) and found.drawn is not None


BELOW_A_DRAW = [call for call in CALLS if is_below_a_draw(call)]


@pytest.mark.parametrize("role", OUTSIDE)
def test_unpublished_draw_is_answered_as_not_found(role: str, world: World, undrawn: Festival) -> None:
    """Below it the answer is the one to what isn't there, whatever is asked for."""
    client = client_as(role, undrawn, world.other)
    found = {}
    calls = shared(BELOW_A_DRAW, role, ALIKE)
    for call in calls:
        with rolled_back(), nothing_written() as written:
            answer = send(client, call, undrawn)
            nothing = told_by(send(client, call, without(undrawn, call.argument)))
        found[str(call)] = (answer.status_code, told_by(answer) == nothing, written)
    first_asked = {str(call) for call in BELOW_A_DRAW if role == "public" and "public" not in call.admits}

    assert found == {str(call): (401 if str(call) in first_asked else 404, True, []) for call in calls}


def test_twin_unpublished_draw_is_answered_403_by_the_predicate_alone(
    world: World, undrawn: Festival, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Subject, "is_hidden", lambda *_: False)
    client = client_as("stranger", undrawn, world.other)
    guarded = [call for call in BELOW_A_DRAW if "stranger" not in call.admits]

    with rolled_back():
        found = {str(call): send(client, call, undrawn).status_code for call in guarded}

    assert found == {str(call): 403 for call in guarded}


# A call of the organizer with another event's row in its body: (call, member, whose row).
MIXED = [
    ("entries", "team", "team"),
    ("pairings", "referee", "referee"),
    ("pairing-replacement", "by", "pairing"),
    ("adjustments", "team", "team"),
    ("squads", "entries", "entry"),
    ("match-swap", "other", "match"),
    ("placements", "places", "squad"),
    ("squad-substitution", "entry", "entry"),
    ("squad-substitution", "reserve", "entry"),
    ("game-forfeit", "winner_team", "team"),
    ("palio-jokers", "team", "team"),
]


@pytest.mark.parametrize(("name", "member", "whose"), MIXED)
def test_row_of_another_event_in_a_body_is_refused(name: str, member: str, whose: str, world: World) -> None:
    festival, other = world.festival, world.other
    call = next(each for each in CALLS if (each.method, each.name) == ("POST", name))
    foreign = str(id_of(other, whose))
    value: Any = {
        "entries": [foreign],
        "places": [{"squad": foreign, "place": 1}],
    }.get(member, foreign)
    stored = (Fact.objects.count(), AuditEntry.objects.count())
    body = body_of(call, festival) | {member: value}
    answer = client_of_token(festival.organizer).post(address(call, festival), body)

    assert answer.status_code in (404, 409, 422), answer.json()
    assert (Fact.objects.count(), AuditEntry.objects.count()) == stored
    assert other.event.name not in answer.content.decode()


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


def test_draw_is_the_organizer_s_until_it_is_published(organizer: APIClient, festival: Festival) -> None:
    tournament = factories.drawn_tournament(festival.event, name="Segreto", published=False)
    match = factories.matches_of(tournament)[0]
    game = factories.games_of(tournament)[0]
    for path in (
        f"tournaments/{tournament.pk}/matches/",
        f"tournaments/{tournament.pk}/rounds/",
        f"tournaments/{tournament.pk}/clock/",
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


def test_every_api_address_is_in_the_table_of_calls() -> None:
    names = {str(getattr(pattern, "name", "")) for pattern in get_resolver("api.urls").url_patterns}
    assert names == {call.name for call in CALLS} | {"docs", "nowhere"}
