"""Lines of the log: one object each, with ids and without anything personal or secret."""

import logging
from typing import Any
from unittest import mock

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import path
from structlog.contextvars import clear_contextvars

from config import gunicorn, logs
from config.celery import app, failed, request_of
from config.middleware import RequestLineMiddleware
from config.queues import STANDINGS
from ledger.models import Stream
from people import request_ids
from people.access import anyone, requires
from tests.support import factories
from tests.support.log_lines import written

log = logging.getLogger("tendone.tests")


@requires(anyone)
def broken(request: HttpRequest, code: str) -> HttpResponse:
    raise ValueError("Quagliarolo can't be read")


urlpatterns = [path("s/<str:code>/", broken, name="slip"), path("plain/", broken, {"code": ""}, name="plain")]


def test_log_has_one_line_a_request_with_the_id_of_the_answer(client: Client) -> None:
    with written() as told:
        answer = client.get("/health/live/")
    (line,) = told.lines("tendone.request")

    assert line.pop("duration_ms") >= 0
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "debug",
        "logger": "tendone.request",
        "message": "request",
        "request_id": answer["X-Request-ID"],
        "method": "GET",
        "route": "alive",
        "status": 200,
    }


@pytest.mark.django_db
def test_log_line_names_caller_and_event_by_ids() -> None:
    account = factories.make_account()
    event = factories.make_event(account)
    token, secret = factories.make_token(account)
    client = Client()
    client.force_login(account)
    with written() as told:
        client.get(f"/desk/events/{event.slug}/")
        Client(headers={"authorization": f"Bearer {secret}"}).get(f"/api/v1/events/{event.pk}/")
    found = [
        (line["route"], line["event_id"], line["actor"], line["actor_id"])
        for line in told.lines("tendone.request")
    ]

    assert found == [
        ("desk:event", str(event.pk), "account", str(account.pk)),
        ("api:event", str(event.pk), "token", str(token.pk)),
    ]
    assert secret not in told.text


def test_request_id_is_taken_from_a_proxy_alone(client: Client) -> None:
    given = {"X-Request-ID": "a-proxys-own-0001"}
    with override_settings(TRUSTED_PROXIES=1):
        assert client.get("/health/live/", headers=given)["X-Request-ID"] == "a-proxys-own-0001"
        for strange in ("short", "x" * 65, "Zoe Quagliarolo", 'a"b"c"d"e'):
            answer = client.get("/health/live/", headers={"X-Request-ID": strange})
            assert answer["X-Request-ID"] != strange
    assert client.get("/health/live/", headers=given)["X-Request-ID"] != "a-proxys-own-0001"


@pytest.mark.django_db
def test_request_id_is_on_error_pages_and_in_problems(client: Client) -> None:
    page = client.get("/nothing/here/")
    assert page["X-Request-ID"] in page.content.decode()
    problem = client.get("/api/v1/events/00000000-0000-0000-0000-000000000000/")
    assert problem.json()["request_id"] == problem["X-Request-ID"]


@override_settings(ROOT_URLCONF=__name__)
def test_log_of_an_error_has_kind_and_place_and_no_text() -> None:
    client = Client(raise_request_exception=False)
    with written() as told:
        client.get("/s/ABC234/")
        client.post("/s/ABC234/?token=canarinotoken")
    errors = [line for line in told.lines("django.request") if line["level"] == "error"]

    assert [(line["message"], line["error"]) for line in errors] == [
        ("Internal Server Error: slip", "ValueError")
    ] * 2
    assert all("test_logs.py" in line["frames"][-1] for line in errors)
    assert [word for word in ("ABC234", "canarinotoken", "Quagliarolo") if word in told.text] == []


@pytest.mark.django_db
def test_log_of_a_database_error_repeats_no_row() -> None:
    stream = Stream.objects.create(id="0f7d1c1e-0000-4000-8000-00000000cafe", kind="game")
    with written() as told:
        try:
            with transaction.atomic():
                Stream.objects.create(id=stream.pk, kind="game")
        except IntegrityError:
            log.exception("It can't be stored.")
    (line,) = told.lines("tendone.tests")
    assert "cafe" not in told.text
    assert line["error"].startswith("IntegrityError from ")
    if connection.vendor == "postgresql":
        assert line["error"] == "IntegrityError from UniqueViolation"


def test_log_of_an_error_has_its_text_in_development() -> None:
    record = log.makeRecord(log.name, logging.ERROR, "", 0, "No.", (), error("what was typed"))
    assert "what was typed" not in logs.formatter("INFO", as_json=True).format(record)
    assert "what was typed" in logs.formatter("DEBUG", as_json=True).format(record)


def error(text: str) -> Any:
    """An error with this text, as a record holds it."""
    caught = ValueError(text)
    return type(caught), caught, None


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("Not Found: /en/s/ABC234/x", "Not Found: /en/s/…/x"),
        ("GET /t/QWERTY/matches/ 404", "GET /t/…/matches/ 404"),
        ("at /desk/?code=1234&a=b", "at /desk/?code=…&a=b"),
        ("Authorization: Bearer abcdefghijklmnopqrstuvwxyz", "Authorization: Bearer …"),
        ("postgresql://tendone:secret@db/ is away", "postgresql://…@db/ is away"),  # pragma: allowlist secret
        ("nothing to hide at /palio/results/", "nothing to hide at /palio/results/"),
    ],
)
def test_log_message_of_a_library_is_scrubbed(message: str, left: str) -> None:
    assert logs.scrubbed(message) == left


def test_log_field_that_is_not_listed_is_not_written() -> None:
    with written() as told:
        log.warning("Seen.", extra={"route": "slip", "last_name": "Quagliarolo"})
    (line,) = told.lines()
    assert line["route"] == "slip"
    assert "Quagliarolo" not in told.text


def test_log_lines_of_the_embedded_mode_are_readable() -> None:
    clear_contextvars()
    record = log.makeRecord(log.name, logging.WARNING, "", 0, "Seen %s.", ("it",), None, extra={"status": 7})
    line = logs.formatter("INFO", as_json=False).format(record)
    assert line[19:] == " WARNING tendone.tests: Seen it. status=7"


def test_gunicorn_writes_no_access_log() -> None:
    assert gunicorn.accesslog is None
    assert gunicorn.logconfig_dict["loggers"]["gunicorn.access"]["level"] == "CRITICAL"


def test_task_has_the_id_of_the_request_that_woke_it(monkeypatch: pytest.MonkeyPatch) -> None:
    # Whatever another test has made of the broker.
    monkeypatch.setattr(app, "_spared_until", 0.0)
    sent: dict[str, Any] = {}

    def answer(request: HttpRequest) -> HttpResponse:
        with app.connection_for_write() as broker, broker.SimpleQueue(STANDINGS) as queue:
            queue.clear()
            app.send_task("tournaments.sweep_due_standings", connection=broker)
            sent.update(queue.get(timeout=60).headers)
        return HttpResponse()

    response = RequestLineMiddleware(answer)(RequestFactory().get("/"))

    assert request_of(sent[request_ids.FIELD]) == {"request_id": response["X-Request-ID"]}


def test_log_of_a_task_that_fails_names_the_outage(caplog: pytest.LogCaptureFixture) -> None:
    away = OperationalError("server closed the connection")

    failed(mock.Mock(), exception=away)
    failed(mock.Mock(), exception=ValueError("a mistake"))

    said = [record.getMessage() for record in caplog.records]
    assert [line.split(" is away")[0].split(" ")[:2] for line in said] == [
        ["The", "database"],
        ["A", "task"],
        ["A", "task"],
    ]
