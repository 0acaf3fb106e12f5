"""Figures for Prometheus: counted once, with few labels, and only where somebody asked for them."""

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone
from prometheus_client import generate_latest

from config import environment, metrics
from config.environment import SettingError
from ledger import outbox
from ledger.append import append
from ledger.entries import NewFact
from ledger.signals import facts_added, worked_off
from publishing.models import Publication, PublishedPage
from tests.support import ROOT, factories
from tests.support.doc_pages import first_column, section


@pytest.fixture
def measured() -> Iterator[None]:
    """As with `METRICS_ADDRESS`, but that nobody listens."""
    metrics.listen()
    with override_settings(METRICS_ADDRESS=("127.0.0.1", 9)):
        yield
    facts_added.disconnect(metrics.count_facts)
    worked_off.disconnect(metrics.observe_wait)


def figure(start: str) -> float:
    """The value on the line that starts like this, 0 if there is none."""
    lines = generate_latest(metrics.registry()).decode().splitlines()
    return next((float(line.rpartition(" ")[2]) for line in lines if line.startswith(start)), 0.0)


@pytest.mark.django_db
@pytest.mark.usefixtures("measured")
def test_metrics_count_requests_by_route_and_refusals_by_code() -> None:
    told = 'tendone_requests_total{method="GET",route="api:event",status="404"}'
    before = figure(told), figure('tendone_refusals_total{code="not-found"}')
    Client().get(f"/api/v1/events/{uuid4()}/")
    Client().get(f"/api/v1/events/{uuid4()}/")

    assert (figure(told), figure('tendone_refusals_total{code="not-found"}')) == (
        before[0] + 2,
        before[1] + 2,
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("measured")
def test_metrics_count_committed_facts_and_waits() -> None:
    facts, waits = 'tendone_facts_total{kind="tried"}', 'tendone_due_seconds_count{topic="tried"}'
    before = figure(facts), figure(waits)
    group = uuid4()
    with transaction.atomic():
        append(uuid4(), "tried", None, None, [NewFact("noted", 1)])
        transaction.set_rollback(True)
    append(uuid4(), "tried", None, None, [NewFact("noted", 1), NewFact("noted", 2)])
    with transaction.atomic():
        outbox.announce("tried", group, uuid4(), 1)
    assert figure("tendone_due_rows ") == 1
    with transaction.atomic():
        outbox.settle(outbox.take("tried", group))
    assert (figure(facts), figure(waits)) == (before[0] + 2, before[1] + 1)
    assert (figure("tendone_due_rows "), figure("tendone_database_up ")) == (0, 1)


@pytest.mark.django_db
@pytest.mark.usefixtures("measured")
def test_metrics_count_pages_that_can_not_be_rendered() -> None:
    publication = Publication.objects.create(event=factories.make_event())
    now = timezone.now()
    pages = [
        PublishedPage(publication=publication, path=f"/palio/{number}/", failing_since=now, tried_at=now)
        for number in range(3)
    ]

    before = figure("tendone_pages_failing ")
    PublishedPage.objects.bulk_create(pages)

    assert (before, figure("tendone_pages_failing ")) == (0, 3)


def test_metrics_signals_have_no_receivers_by_default() -> None:
    assert not facts_added.has_listeners()
    assert not worked_off.has_listeners()


@pytest.mark.parametrize("wrong", ["9100", "localhost:", "localhost:0", ":9100", "localhost:port"])
def test_metrics_address_is_a_host_and_a_port(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METRICS_ADDRESS", wrong)
    with pytest.raises(SettingError, match="something like 127"):
        environment.endpoint("METRICS_ADDRESS")
    monkeypatch.setenv("METRICS_ADDRESS", "[::1]:9100")
    assert environment.endpoint("METRICS_ADDRESS") == ("::1", 9100)


def test_operators_guide_lists_each_metric() -> None:
    source = (ROOT / "config" / "metrics.py").read_text()
    counters = set(re.findall(r'Counter\("(\w+)"', source))
    named = set(re.findall(r'"(tendone_\w+)"', source))

    listed = first_column(section(ROOT / "docs" / "guides" / "operators.md", "Metrics"))

    assert set(listed) == (named - counters) | {f"{name}_total" for name in counters}
