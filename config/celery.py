"""The Celery application: `celery -A config worker`, `celery -A config beat`.

A task bears the id of the request that it came from, and one line is written about each.
"""

import logging
import os
import sys
from time import perf_counter
from typing import Any

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
from structlog.contextvars import bind_contextvars, clear_contextvars

from config import metrics_files
from config.broker import Application, PatientAMQP

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
