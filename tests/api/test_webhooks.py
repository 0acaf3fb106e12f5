"""Webhooks by the API."""

from collections.abc import Iterator
from unittest import mock

import pytest
from rest_framework.test import APIClient

from integrations import tasks
from integrations.models import Webhook
from integrations.webhooks import delivery
from tests.support.festival import Festival
from tests.support.services.receiver import Receiver

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_is_woken() -> Iterator[None]:
    with mock.patch.object(tasks.tell, "delay"), mock.patch.object(tasks.send_test, "delay"):
        yield


def test_webhook_is_registered_paused_tested_replayed_and_removed(
    festival: Festival, organizer: APIClient, program: Receiver
) -> None:
    Webhook.objects.all().delete()
    listed = f"/api/v1/events/{festival.event.pk}/webhooks/"
    made = organizer.post(listed, {"url": program.url, "kinds": ["draw.published", "result.entered"]})
    assert made.status_code == 201
    secret, row = made.json().pop("secret"), made.json()
    assert secret.startswith("whsec_")
    one = f"/api/v1/webhooks/{row['id']}/"
    read = organizer.get(one).json()
    assert read == {name: value for name, value in row.items() if name != "secret"}
    assert organizer.get(listed).json()["results"] == [read]
    assert organizer.post(f"{one}pause/", {}).json()["state"] == "paused"
    assert organizer.post(f"{one}resume/", {}).json()["state"] == "active"
    assert organizer.post(f"{one}rotate-secret/", {}).json()["secret"] != secret
    sent = organizer.post(f"{one}test/", {})
    delivery.send_once(sent.json()["id"])
    assert program.received[0].headers["webhook-id"] == sent.json()["message"]
    (line,) = organizer.get(f"{one}deliveries/").json()["results"]
    assert (line["state"], line["attempts"][0]["status"]) == ("delivered", 204)
    assert organizer.post(f"{one}replay/", {"delivery": line["id"]}).json() == {"count": 1}
    assert organizer.post(f"{one}replay/", {"delivery": 10**9}).status_code == 404
    assert organizer.post(f"{one}replay/", {"since": "2026-01-01T00:00:00Z"}).json() == {"count": 1}
    assert organizer.post(f"{one}replay/", {}).status_code == 422
    assert organizer.post(f"{one}remove/", {}).status_code == 204
    assert organizer.get(one).status_code == 404


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"url": "https://169.254.169.254/", "kinds": ["result.entered"]}, "webhook-address"),
        ({"url": "https://example.org/", "kinds": ["log.entered"]}, "invalid-input"),
        ({"url": "https://example.org/", "kinds": []}, "invalid-input"),
        ({"url": "https://example.org/", "kinds": ["result.entered"] * 2}, ""),
    ],
)
def test_webhook_with_a_wrong_address_or_kind_is_refused(
    festival: Festival, organizer: APIClient, body: dict[str, object], code: str
) -> None:
    answer = organizer.post(f"/api/v1/events/{festival.event.pk}/webhooks/", body)
    assert answer.json().get("code", "") == code
