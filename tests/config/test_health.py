"""Health and readiness, as a proxy and an orchestrator ask for them."""

from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import override_settings

from ledger.triggers import remove_triggers


def test_alive_without_a_database(client: Client) -> None:
    answer = client.get("/health/live/")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_ready(client: Client) -> None:
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_not_ready_while_facts_could_be_altered(client: Client) -> None:
    remove_triggers(connection)
    answer = client.get("/health/ready/")
    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "reason": "facts-unprotected"}


@pytest.mark.django_db
def test_not_ready_without_the_database(client: Client) -> None:
    def refuse(execute: Any, *arguments: Any) -> Any:
        raise DatabaseError("the server is away")

    with connection.execute_wrapper(refuse):
        answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable", "reason": "database"})


@override_settings(SECURE_SSL_REDIRECT=True)
def test_probes_speak_plain_http(client: Client) -> None:
    assert client.get("/health/live/").status_code == 200
    assert client.get("/").status_code == 301
