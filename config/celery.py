"""The Celery application: `celery -A config worker`, `celery -A config beat`.

A task bears the id of the request that it came from, and one line is written about each.

What is due is in the database; the broker only wakes workers up. One that was away is found soon, and isn't
waited for each time.
"""

import logging
import os
import sys
import time
from time import perf_counter
from typing import Any

import kombu
from celery import Celery
from celery.app.amqp import AMQP
from celery.signals import (
    before_task_publish,
    setup_logging,
    task_failure,
    task_postrun,
    task_prerun,
    worker_init,
    worker_ready,
)
from django.conf import settings
from kombu.exceptions import OperationalError
from kombu.transport import redis, virtual
from redis.exceptions import ResponseError
from structlog.contextvars import bind_contextvars, clear_contextvars

from config import metrics_files

LOOKS_EVERY = 2.0
"""Seconds between two looks of a worker, or of beat, whether the broker is back."""
SPARED = 5.0
"""Seconds for which nobody tries again after the broker gave no answer."""


class SureQoS(redis.QoS):
    """What a worker has taken and not told to be done.

    Done is done, whether or not the broker heard of it. Else a worker whose broker was silent at that moment
    holds it for taken, and takes nothing any more. That the message may come a second time changes nothing.
    """

    def ack(self, delivery_tag: str) -> None:
        """Tell the broker; what it raises is raised."""
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


class SureChannel(redis.Channel):
    """A channel that counts so."""

    QoS = SureQoS


class SureTransport(redis.Transport):
    """Redis with such channels; one that refuses to write is away, too.

    It refuses while its disk is full, say, and takes messages again without being started anew.
    """

    Channel = SureChannel
    connection_errors = (*redis.Transport.connection_errors, ResponseError)


class PatientConnection(kombu.Connection):
    """A connection that looks for its broker at the same pace however long it is away.

    Kombu looks ever more rarely, so that after some minutes a worker would find it half a minute late.
    """

    def get_transport_cls(self) -> Any:
        """How the broker is spoken with: with Redis, surely."""
        found = super().get_transport_cls()
        return SureTransport if found is redis.Transport else found

    def _ensure_connection(self, *args: Any, **kwargs: Any) -> Any:
        kwargs.setdefault("interval_max", LOOKS_EVERY)
        return super()._ensure_connection(*args, **kwargs)


class PatientAMQP(AMQP):
    """Celery's messages over such connections."""

    Connection = PatientConnection
    BrokerConnection = PatientConnection


class BrokerAwayError(OperationalError):
    """Nobody was asked: the broker gave no answer a moment ago."""


class Application(Celery):
    """Celery, in which a broker that is away costs one request its patience, and not each that follows.

    After a message that couldn't be sent none is tried for `SPARED` seconds by this process; the sweep finds
    what they would have told. Beat, which brings its own producer, always tries.
    """

    _spared_until = 0.0

    def send_task(self, *args: Any, **kwargs: Any) -> Any:
        """Send a message; `OperationalError` if the broker is away."""
        if kwargs.get("producer") is not None:
            return super().send_task(*args, **kwargs)
        if time.monotonic() < self._spared_until:
            raise BrokerAwayError("The broker is away; what is due stays due.")
        try:
            sent = super().send_task(*args, **kwargs)
        except OperationalError:
            self._spared_until = time.monotonic() + SPARED
            raise
        self._spared_until = 0.0
        return sent


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

if "worker" in sys.argv:
    metrics_files.prepare()

app = Application("tendone", amqp=PatientAMQP)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

logger = logging.getLogger("tendone.task")


@setup_logging.connect
def keep_log(**_: object) -> None:
    """Logs are set up by Django's settings: somebody listens, so Celery leaves them alone."""


@before_task_publish.connect
def name_request(headers: dict[str, Any], **_: object) -> None:
    """Send the id of the request along with what it woke."""
    from people import request_ids

    if request_id := request_ids.current():
        headers[request_ids.FIELD] = request_id


@task_prerun.connect
def begin(task_id: str, task: Any, **_: object) -> None:
    """Have all lines of a task bear its id and its request's."""
    clear_contextvars()
    task.request.begun = perf_counter()
    bind_contextvars(task_id=task_id, **request_of(task.request.get("request_id")))


@task_postrun.connect
def end(task: Any, state: str | None = None, **_: object) -> None:
    """Write a line. What the clock asks for every few seconds is told at the level DEBUG alone."""
    task_line(task.name, state or "", perf_counter() - getattr(task.request, "begun", perf_counter()))
    clear_contextvars()


@task_failure.connect
def failed(sender: Any, einfo: Any = None, exception: BaseException | None = None, **_: object) -> None:
    """Write down where a task failed; what is due stays due."""
    from ledger.outages import log_outage, outage_of

    if outage := outage_of(exception):
        log_outage(outage, exception)
    error = (type(exception), exception, exception.__traceback__) if exception else None
    logger.error("A task failed; what is due stays due.", exc_info=error, extra={"task": sender.name})


def task_line(name: str, state: str, seconds: float) -> None:
    """The line about a task that has ended."""
    from people import request_ids

    if settings.METRICS_ADDRESS:
        from config import metrics

        metrics.task(name, state.lower(), seconds)
    level = logging.INFO if request_ids.current() else logging.DEBUG
    logger.log(
        level, "task", extra={"task": name, "state": state.lower(), "duration_ms": round(seconds * 1e3, 1)}
    )


def request_of(request_id: object) -> dict[str, str]:
    """The id of a request as it is bound to lines, if one came along."""
    return {"request_id": request_id} if isinstance(request_id, str) else {}


@worker_init.connect
def refuse(**_: object) -> None:
    """Refuse to start where it can't work."""
    from config import preflight

    preflight.or_exit()


@worker_ready.connect
def serve_metrics(**_: object) -> None:
    """Answer Prometheus, where that is asked for."""
    from config import metrics

    metrics.serve()
