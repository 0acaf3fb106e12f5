"""Prometheus metrics: figures of few labels, none of a person, an event or an address.

They are served on an address of their own (`METRICS_ADDRESS`), which nobody outside should reach; without it
nothing is. Each process measures for itself, and what serves adds them up.
"""

import logging
from collections.abc import Iterator
from math import inf
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, multiprocess, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from config import environment, metrics_files
from config.backup_folder import age_of_newest
from ledger import outbox
from ledger.signals import facts_added, worked_off
from publishing import publication

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10)

REQUESTS = Counter("tendone_requests", "Requests that were answered.", ["route", "method", "status"])
REQUEST_SECONDS = Histogram("tendone_request_seconds", "How long requests took.", ["route"], buckets=SECONDS)
REFUSALS = Counter("tendone_refusals", "What the API refused.", ["code"])
FACTS = Counter("tendone_facts", "Facts that were stored.", ["kind"])
DUE_SECONDS = Histogram(
    "tendone_due_seconds", "How long work waited that is done now.", ["topic"], buckets=(*SECONDS, 30, 60)
)
TASKS = Counter("tendone_tasks", "Tasks that ended.", ["task", "state"])
TASK_SECONDS = Histogram("tendone_task_seconds", "How long tasks took.", ["task"], buckets=(*SECONDS, 30, 60))

logger = logging.getLogger(__name__)


def request(route: str, method: str, status: int, seconds: float, code: str | None) -> None:
    """Count an answer; `code` is that of a problem, if it was one."""
    REQUESTS.labels(route, method, str(status)).inc()
    REQUEST_SECONDS.labels(route).observe(seconds)
    if code:
        REFUSALS.labels(code).inc()


def task(name: str, state: str, seconds: float) -> None:
    """Count a task that ended."""
    TASKS.labels(name, state).inc()
    TASK_SECONDS.labels(name).observe(seconds)


def count_facts(kind: str, count: int, **_: Any) -> None:
    """Count facts that were committed."""
    FACTS.labels(kind).inc(count)


def observe_wait(topic: str, seconds: float, **_: Any) -> None:
    """Measure how long something was due: of `outcome` from a result to its standings, of `shown` from
    these to the published pages.
    """
    DUE_SECONDS.labels(topic).observe(seconds)


def listen() -> None:
    """Count facts, and measure waits, as the ledger's signals announce them."""
    facts_added.connect(count_facts)
    worked_off.connect(observe_wait)


class DatabaseCollector(Collector):
    """Figures that are read from the database when somebody asks for metrics."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Due rows and their age, failing pages, the newest backup, connections and heartbeats.

        The first figure says whether the database answers; where it doesn't, there are few others.
        """
        figures: dict[str, tuple[str, float]] = {}
        heard: dict[str, float | None] = {}
        # Models aren't ready when the settings name this module.
        from config.models import Heartbeat

        try:
            figures["tendone_due_rows"] = "Work that is due.", outbox.total()
            figures["tendone_due_oldest_seconds"] = "How long the oldest has waited.", outbox.oldest_seconds()
            failing = publication.failing().count
            figures["tendone_pages_failing"] = "Public pages that can't be rendered.", failing
            heard = Heartbeat.seconds_since_heard()
            if (age := age_of_newest(settings.BACKUP_DIR, timezone.now())) is not None:
                figures["tendone_backup_age_seconds"] = "Since the newest backup here was made.", age
            if connection.vendor == "postgresql":
                figures["tendone_database_connections"] = "Open to this database.", connections_open()
            up = 1.0
        except DatabaseError:
            up = 0.0
        finally:
            # Each time it is another thread. (A test's connection is the test's.)
            if not connection.in_atomic_block:
                connection.close()
        yield GaugeMetricFamily("tendone_database_up", "Whether the database answers.", up)
        for name, (text, value) in figures.items():
            yield GaugeMetricFamily(name, text, value)
        hearts = GaugeMetricFamily(
            "tendone_heartbeat_seconds", "Since the worker of a queue was last heard of.", labels=["queue"]
        )
        for queue, seconds in heard.items():
            hearts.add_metric([queue], inf if seconds is None else seconds)
        yield hearts


def connections_open() -> float:
    """How many connections this database has, from anywhere."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return float(cursor.fetchone()[0])


def registry() -> CollectorRegistry:
    """Everything that this server knows: its processes' figures together, and the database's."""
    found = CollectorRegistry()
    if environment.text(metrics_files.FOLDER):
        multiprocess.MultiProcessCollector(found)  # type: ignore[no-untyped-call]  # of theirs
    else:
        found.register(REGISTRY)
    found.register(DatabaseCollector())
    return found


def serve() -> None:
    """Answer Prometheus on `METRICS_ADDRESS`, from a thread; an address that is taken stops nothing."""
    if settings.METRICS_ADDRESS is None:
        return
    host, port = settings.METRICS_ADDRESS
    try:
        start_http_server(port, host, registry())
    except OSError as error:
        logger.error("METRICS_ADDRESS can't be served (%s): is another process on it?", error.strerror)
