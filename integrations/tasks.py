"""Celery tasks: thin, idempotent. No worker waits for a receiver.

Receivers are waited for on threads of their own. One that hangs holds up no standings, neither in the full
mode nor in the embedded one.
"""

import logging
import threading
from collections.abc import Callable
from typing import Any
from uuid import UUID

from celery import shared_task
from django.db import connections

from integrations.webhooks import delivery

MOST_THREADS = 8
"""Webhooks that one process sends by at the same time; the others wait for the sweep."""

logger = logging.getLogger(__name__)
_free = threading.BoundedSemaphore(MOST_THREADS)


@shared_task(name="programs.tell")
def tell(event_id: str) -> None:
    """Send what has happened in an event."""
    for webhook in delivery.due().filter(event=UUID(event_id)):
        aside(delivery.deliver, webhook.pk)


@shared_task(name="programs.sweep_webhooks")
def sweep_webhooks() -> None:
    """Send whatever is due: what a lost message left, what failed before, what a dead sender was at."""
    for test in delivery.tests_left().values_list("pk", flat=True):
        aside(delivery.send_once, test)
    for webhook in delivery.due().select_related("event"):
        try:
            if delivery.is_something_due(webhook):
                aside(delivery.deliver, webhook.pk)
        except Exception:
            logger.exception("What is due by the webhook %s can't be told.", webhook.pk)


@shared_task(name="programs.send_test")
def send_test(delivery_id: int) -> None:
    """Send a message that was asked for, once."""
    aside(delivery.send_once, delivery_id)


def wake(event_id: UUID) -> None:
    """Have an event's webhooks told, where it has any; lost or doubled, it changes nothing but the hour."""
    if delivery.is_listening(event_id):
        tell.delay(str(event_id))


def aside(work: Callable[[Any], object], subject: Any) -> bool:
    """Do something on a thread of its own; False, and nothing done, where too many are at it."""
    if not _free.acquire(blocking=False):
        return False

    def run() -> None:
        try:
            work(subject)
        except Exception:
            logger.exception("A webhook failed; what is due stays due.")
        finally:
            connections.close_all()
            _free.release()

    threading.Thread(target=run, name="webhook", daemon=True).start()
    return True
