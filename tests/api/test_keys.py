"""`Idempotency-Key`: every POST that makes something takes it, does the same once and answers it alike."""

from datetime import timedelta
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from cryptography.fernet import InvalidToken
from django.db import DatabaseError, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from config.housekeeping import erase_what_is_due
from integrations.models import Webhook
from people import rate_limits, stored_answers
from people.models import Announcement, Event, Pairing, StoredAnswer, Team, Try
from people.pairings import DAY_PIN
from tests.api.addresses import CALLS, Call, address, body_of
from tests.api.at_once import CALLERS, at_once
from tests.api.described import description, path_of
from tests.support import factories
from tests.support.clients import client_of_phone, client_of_token
from tests.support.festival import Festival
from tests.support.writes import nothing_written

pytestmark = pytest.mark.django_db

WITHOUT_KEY = {
    "entries_preview_import": "stores nothing",
    "games_preview_correction": "stores nothing",
    "receipts_verify": "stores nothing",
    "games_append": "each event has an id of its own",
    "pairings_admit_by_pin": "a phone is let in once; wrong tries count whatever is sent",
    "webhooks_remove": "what is removed is gone, and the second time it is a 404",
}
"""The POSTs that take no key, and why."""

REPLAYED = "Idempotency-Replayed"
FACTS = {"tournaments", "adjustments", "game-result", "game-forfeit", "squad-removal", "lots", "publish"}
"""The calls below that succeed and whose key goes into the ledger, or is an id."""


def keyed(key: object = None) -> dict[str, str]:
    """The header with a key, a new one where none is given."""
    return {"Idempotency-Key": str(key or uuid4())}


def operation_of(call: Call, festival: Festival) -> dict[str, Any]:
    """What the description says of a call."""
    path = path_of(address(call, festival))
    found: dict[str, Any] = description()["paths"][path][call.method.lower()]
    return found


def test_every_post_takes_an_idempotency_key_but_listed_ones() -> None:
    without = set()
    for methods in description()["paths"].values():
        if (operation := methods.get("post")) is not None:
            headers = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "header"}
            if "Idempotency-Key" not in headers:
                without.add(operation["operationId"])
            else:
                assert {"400", "409"} <= set(operation["responses"]), operation["operationId"]
    assert without == set(WITHOUT_KEY)


POSTS = [call for call in CALLS if call.method == "POST" and call.name not in ("archives", "game-log-file")]


@pytest.mark.parametrize("call", POSTS, ids=str)
def test_post_with_the_same_idempotency_key_is_done_once(call: Call, festival: Festival) -> None:
    if operation_of(call, festival)["operationId"] in WITHOUT_KEY:
        return
    client = client_of_token(festival.organizer)
    if "operator" in call.admits and "organizer" not in call.admits:
        client = APIClient()
        client.force_login(festival.organizer)
    path, body, key = address(call, festival), body_of(call, festival), keyed()
    first = client.post(path, body, headers=key)

    with nothing_written() as written:
        again = client.post(path, body, headers=key)

    assert again.status_code == first.status_code
    if first.status_code < 300:
        assert [each for each in written if "last_used_at" not in each] == []
        # A fact is answered as things stand, anything else as it was before.
        is_fact = call.name in FACTS
        assert (REPLAYED in again.headers) != is_fact
        assert is_fact or again.content == first.content
        other = client.post(path, {**body, "another": 1}, headers=key)
        assert (other.status_code, other.json()["code"]) == (
            (422, "invalid-input") if is_fact else (409, "client-id-reused")
        )
    else:
        assert REPLAYED not in again.headers


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("events", Event),
        ("event-copy", Event),
        ("teams", Team),
        ("announcements", Announcement),
        ("webhooks", Webhook),
        ("pairings", Pairing),
    ],
)
def test_post_repeated_with_its_key_makes_one_row_and_the_same_answer(
    name: str, model: Any, festival: Festival
) -> None:
    call = next(each for each in POSTS if each.name == name)
    client, path, key = client_of_token(festival.organizer), address(call, festival), keyed()
    body = body_of(call, festival)
    if name == "announcements":
        body["shown_until"] = (timezone.now() + timedelta(hours=1)).isoformat()
    before = model.objects.count()

    first = client.post(path, body, headers=key)
    again = client.post(path.rstrip("/") + "/", body, headers=key)

    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.content, again.headers.get("ETag")) == (first.content, first.headers.get("ETag"))
    assert (again.headers[REPLAYED], REPLAYED in first.headers) == ("true", False)
    assert model.objects.count() == before + 1


def test_idempotency_key_with_another_body_or_address_is_refused(
    festival: Festival, organizer: APIClient
) -> None:
    path, key = f"/api/v1/events/{festival.event.pk}/teams/", keyed()
    organizer.post(path, {"name": "Torre"}, headers=key)

    answers_ = [
        organizer.post(path, {"name": "Ponte"}, headers=key),
        organizer.post(f"/api/v1/events/{festival.event.pk}/tables/", {"name": "Torre"}, headers=key),
    ]

    assert [(each.status_code, each.json()["code"], each.json()["client_id"]) for each in answers_] == [
        (409, "client-id-reused", key["Idempotency-Key"])
    ] * 2
    assert not festival.event.teams.filter(name="Ponte").exists()


def test_idempotency_key_of_a_refused_call_can_be_used_again(
    festival: Festival, organizer: APIClient
) -> None:
    path, key = f"/api/v1/events/{festival.event.pk}/teams/", keyed()

    refused = organizer.post(path, {"name": "Centro" * 60}, headers=key)
    taken = organizer.post(path, {"name": "Torre"}, headers=key)

    assert (refused.status_code, taken.status_code) == (422, 201)


def test_idempotency_key_is_of_its_caller_alone(festival: Festival, organizer: APIClient) -> None:
    key, path = keyed(), f"/api/v1/events/{festival.event.pk}/pairings/"
    body = {"referee": str(festival.referee.pk)}

    told = [client.post(path, body, headers=key).json() for client in (organizer, APIClient())]

    assert told[0]["secret"] != told[1]["secret"]


def test_stored_answer_is_read_with_its_idempotency_key_alone(
    festival: Festival, organizer: APIClient
) -> None:
    key, path = uuid4(), f"/api/v1/events/{festival.event.pk}/webhooks/"
    body = {"url": "https://example.org/", "kinds": ["result.entered"]}
    secret = organizer.post(path, body, headers=keyed(key)).json()["secret"]

    row = StoredAnswer.objects.get()

    assert secret in stored_answers.read(row, key)
    assert str(key) not in f"{row.whose} {row.said} {row.answer}"
    assert secret not in row.answer
    with pytest.raises(InvalidToken):
        stored_answers.read(row, uuid4())


def test_stored_answer_is_dropped_after_a_day(festival: Festival, organizer: APIClient) -> None:
    path, key = f"/api/v1/events/{festival.event.pk}/referees/", keyed()
    first = organizer.post(path, {"first_name": "Ugo"}, headers=key).json()
    StoredAnswer.objects.update(at=timezone.now() - stored_answers.KEPT - timedelta(seconds=1))

    second = organizer.post(path, {"first_name": "Ugo"}, headers=key).json()

    assert second["id"] != first["id"]
    StoredAnswer.objects.update(at=timezone.now() - stored_answers.KEPT - timedelta(seconds=1))
    erase_what_is_due()
    assert not StoredAnswer.objects.exists()


def test_stored_answer_belongs_to_its_event(festival: Festival, organizer: APIClient) -> None:
    organizer.post(f"/api/v1/events/{festival.event.pk}/teams/", {"name": "Torre"}, headers=keyed())

    row = StoredAnswer.objects.get()

    assert row.event == festival.event


def test_wrong_pins_count_under_any_idempotency_key(festival: Festival, organizer: APIClient) -> None:
    phone = client_of_phone(festival.event, admitted=False)
    pin = organizer.post(f"/api/v1/events/{festival.event.pk}/day-pin/", {}).json()["pin"]
    guesses = (f"{number:06}" for number in range(DAY_PIN.tries + 2))
    wrong = [each for each in guesses if each != pin][: DAY_PIN.tries + 1]

    codes = [
        phone.post("/api/v1/pairings/current/admit/", {"pin": each}, headers=keyed()).json()["code"]
        for each in wrong
    ]

    assert codes == ["wrong-pin"] * (DAY_PIN.tries - 1) + ["pin-paused"] * 2


def test_tries_of_a_refused_call_with_a_key_stay_counted(festival: Festival) -> None:
    limit = rate_limits.RateLimit("test", 3, timedelta(minutes=1))

    def refuse(*_: Any, **__: Any) -> Any:
        rate_limits.note_wrong(limit, "somebody", "something")
        raise rate_limits.RateLimitedError(timezone.now())

    path, body = f"/api/v1/events/{festival.event.pk}/pairings/", {"referee": str(festival.referee.pk)}
    with mock.patch("api.views.pairings.ask", refuse):
        answer = APIClient().post(path, body, headers=keyed())

    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-tries")
    assert Try.objects.filter(limit="test").count() == 2
    assert not StoredAnswer.objects.exists()


def test_database_error_stores_no_answer_and_no_row(festival: Festival, organizer: APIClient) -> None:
    def breaks(*_: Any, **__: Any) -> Any:
        Team.objects.create(event=festival.event, number=77, name="Torre")
        raise DatabaseError

    with mock.patch("api.views.events.add_team", breaks), pytest.raises(DatabaseError), transaction.atomic():
        organizer.post(f"/api/v1/events/{festival.event.pk}/teams/", {"name": "Torre"}, headers=keyed())

    assert not festival.event.teams.filter(number=77).exists()
    assert not StoredAnswer.objects.exists()


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_idempotency_key_sent_by_many_at_once_makes_one_row() -> None:
    account = factories.make_account()
    event = factories.make_event(account)
    _token, secret = factories.make_token(account)
    clients = [APIClient(headers={"authorization": f"Bearer {secret}"}) for _ in range(CALLERS)]
    key = keyed()

    answered = at_once(
        lambda client: client.post(
            f"/api/v1/events/{event.pk}/referees/", {"first_name": "Ugo"}, headers=key
        ),
        clients,
    )

    assert answered == {201: CALLERS}
    assert event.referees.count() == 1
