"""Celery tasks of the whole service's own."""

from celery import shared_task
from django.utils import timezone

from config import housekeeping, queues
from config.models import Heartbeat
from people.held_erasures import ERASE


@shared_task(name="config.beat_heart")
def beat_heart(queue: str = queues.REST) -> None:
    """Note that beat, broker and the worker of a queue work together; `/health/tasks/` says when they did."""
    Heartbeat.objects.update_or_create(name=queues.heart_of(queue), defaults={"at": timezone.now()})


@shared_task(name=ERASE)
def erase_what_is_due() -> None:
    """Erase what is due by the calendar, unless the clock isn't believed."""
    housekeeping.erase_what_is_due()
