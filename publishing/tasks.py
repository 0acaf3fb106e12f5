"""Celery tasks that write public pages: idempotent, with plain arguments."""

import logging
from uuid import UUID

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded

from publishing import publication

logger = logging.getLogger(__name__)


def wake(event_id: UUID) -> None:
    """Send the message that wakes a worker, unless one is on its way. Lost or doubled, it changes nothing but
    the hour.
    """
    if publication.claim_call(event_id):
        publish.delay(str(event_id))


@shared_task(name="publishing.publish")
def publish(event_id: str) -> None:
    """Write some of what is due of an event; the rest after whatever else waits."""
    if publication.publish(UUID(event_id)):
        wake(UUID(event_id))


@shared_task(name="publishing.publish_what_is_due")
def publish_what_is_due() -> None:
    """Write whatever is due: finds what a lost message left, what time alone has changed, and new editions.
    What a message is on its way for is left to that.

    An event that can't be published keeps no other one waiting: it is logged, and stays due.
    """
    for event_id in publication.events_due():
        if publication.is_called_for(event_id):
            continue
        try:
            publish(str(event_id))
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            logger.exception("The pages of %s can't be published.", event_id)
