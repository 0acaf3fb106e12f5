"""The desk's pages on programs that are told."""

import json
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from integrations import tasks
from integrations.models import Delivery, Webhook
from integrations.webhooks import delivery, registration, secret_storage
from people.actors import Actor
from tests.desk.palio import Palio
from tests.support.forms import address, open_page
from tests.support.services.receiver import Receiver
from tournaments.commands import results
from tournaments.queries.history import happenings

pytestmark = pytest.mark.django_db
KINDS = ["result.entered"]


@pytest.fixture(autouse=True)
def _at_once() -> Iterator[None]:
    """What a worker would do on a thread is done before the answer."""
    with (
        mock.patch.object(tasks, "aside", lambda work, subject: work(subject)),
        mock.patch.object(tasks.tell, "delay", tasks.tell),
        mock.patch.object(tasks.send_test, "delay", tasks.send_test),
    ):
        yield


def made(palio: Palio, program: Receiver) -> Webhook:
    return registration.register(palio.event, Actor.command(), program.url, KINDS)[0]


def test_webhook_is_registered_and_its_secret_shown_once(
    palio: Palio, desk: Client, program: Receiver
) -> None:
    path = address("webhooks", palio.event.slug)
    open_page(desk, path)
    shown = desk.post(path, {"url": program.url, "kinds": KINDS})
    webhook = Webhook.objects.get()
    secret = secret_storage.decrypt(webhook.secret)
    assert secret in shown.content.decode()
    for name, values in (("webhooks", ()), ("webhook", (webhook.pk,))):
        page = desk.get(address(name, palio.event.slug, *values)).content.decode()
        assert program.url in page
        assert secret not in page


@pytest.mark.parametrize(
    "url", ["", "ftp://example.org/", "https://169.254.169.254/", "http://example.org@x/"]
)
def test_webhook_address_that_won_t_do_is_refused(palio: Palio, desk: Client, url: str) -> None:
    answer = desk.post(address("webhooks", palio.event.slug), {"url": url, "kinds": KINDS})
    assert answer.status_code == 422
    assert not Webhook.objects.exists()


def test_webhook_is_tested_paused_and_replayed(palio: Palio, desk: Client, program: Receiver) -> None:
    webhook = made(palio, program)

    def do(name: str, **fields: Any) -> None:
        answer = desk.post(address(f"webhook-{name}", palio.event.slug, webhook.pk), fields)
        assert answer.status_code == 302

    do("test")
    do("pause")
    results.enter_result(palio.games[0], Actor.command(), seat=0)
    tasks.sweep_webhooks()
    assert [json.loads(each.body)["type"] for each in program.received] == ["test"]
    do("resume")
    do("replay", delivery=Delivery.objects.get(is_test=False).pk)
    do("replay", since="2026-01-01T00:00")
    assert [json.loads(each.body)["type"] for each in program.received] == ["test", *["result.entered"] * 3]
    open_page(desk, address("webhook", palio.event.slug, webhook.pk))
    open_page(desk, address("webhook-replay", palio.event.slug, webhook.pk), 405)
    do("remove")
    assert not Webhook.objects.exists()


def test_webhook_page_says_why_nothing_is_sent_any_more(
    palio: Palio, desk: Client, program: Receiver
) -> None:
    webhook = made(palio, program)
    results.enter_result(palio.games[0], Actor.command(), seat=0)
    program.status, program.body = 410, b"<script>alert(1)</script>"
    delivery.deliver(webhook.pk)
    page = desk.get(address("webhook", palio.event.slug, webhook.pk)).content.decode()

    assert "The receiver says that it is gone for good (410)." in page
    assert "&lt;script&gt;alert(1)" in page


def test_webhook_pages_cost_as_many_queries_for_many_as_for_one(
    palio: Palio, desk: Client, program: Receiver
) -> None:
    def cost(name: str, *values: Any) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert desk.get(address(name, palio.event.slug, *values)).status_code == 200
        return len(captured)

    webhook = made(palio, program)
    delivery.send_once(registration.send_test(webhook).pk)
    few = cost("webhooks"), cost("webhook", webhook.pk)
    for _ in range(3):
        made(palio, program)
        delivery.send_once(registration.send_test(webhook).pk)

    assert (cost("webhooks"), cost("webhook", webhook.pk)) == few


def test_history_tells_of_a_webhook_in_words(palio: Palio, program: Receiver) -> None:
    webhook = made(palio, program)
    registration.pause(webhook, Actor.command())
    registration.resume(webhook, Actor.command())
    registration.rotate(webhook, Actor.command())

    with translation.override("it"):
        lines, _more = happenings(palio.event, limit=3)

    # Those of one minute are told as one line, with what was done before each.
    told = {each.removeprefix("Modifica: programma avvisato: ") for line in lines for each in line.details}
    assert told == {"nuovo segreto", "stato: in pausa → attivo", "stato: attivo → in pausa"}
