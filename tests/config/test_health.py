"""Health and readiness, as a proxy and an orchestrator ask for them."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

from config import health
from config.models import Heartbeat
from config.tasks import beat_heart
from ledger.models import OutboxMessage
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


@pytest.mark.django_db
def test_not_ready_while_the_database_is_older_than_the_code(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_migrated", False)
    MigrationRecorder(connection).record_unapplied("ledger", "0002_append_only")
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["reason"]) == (503, "migrations")
    MigrationRecorder(connection).record_applied("ledger", "0002_append_only")
    assert client.get("/health/ready/").status_code == 200


@pytest.mark.django_db
def test_not_ready_on_a_full_disk(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "LEAST_FREE", 1 << 60)
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["reason"]) == (503, "storage")


@pytest.mark.django_db
def test_readiness_is_cheap(client: Client, django_assert_num_queries: Any) -> None:
    client.get("/health/ready/")
    with django_assert_num_queries(1):
        client.get("/health/ready/")


@pytest.mark.django_db
def test_work_that_is_done_and_work_that_waits(client: Client) -> None:
    beat_heart()
    answer = client.get("/health/tasks/")
    assert (answer.status_code, answer.json()["status"], answer.json()["due"]) == (200, "ok", 0)
    row = OutboxMessage.objects.create(topic="outcome", group=uuid4(), stream=uuid4(), sequence=1)
    assert client.get("/health/tasks/").json()["due"] == 1
    OutboxMessage.objects.filter(pk=row.pk).update(created=timezone.now() - timedelta(minutes=3))
    answer = client.get("/health/tasks/")
    assert (answer.status_code, answer.json()["status"]) == (503, "late")
    assert answer.json()["oldest_seconds"] >= 180


@pytest.mark.postgresql
@pytest.mark.django_db
def test_a_heart_that_stopped_is_told(client: Client) -> None:
    assert client.get("/health/tasks/").json()["heartbeat_seconds"] is None
    beat_heart()
    Heartbeat.objects.update(at=timezone.now() - timedelta(minutes=2))
    answer = client.get("/health/tasks/")
    assert (answer.status_code, answer.json()["status"], answer.json()["broker"]) == (503, "late", "ok")


@override_settings(SECURE_SSL_REDIRECT=True)
def test_probes_speak_plain_http(client: Client) -> None:
    assert client.get("/health/live/").status_code == 200
    assert client.get("/").status_code == 301
