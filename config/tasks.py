"""Celery tasks of the whole service's own."""

from celery import shared_task
from django.utils import timezone

from config import housekeeping
from config.models import Heartbeat
from people.erasing import ERASE

WORK = "work"


@shared_task(name="config.beat_heart")
def beat_heart() -> None:
    """Note that clock, broker and worker work together; `/health/tasks/` tells when they last did."""
    Heartbeat.objects.update_or_create(name=WORK, defaults={"at": timezone.now()})


@shared_task(name=ERASE)
def erase_what_is_due() -> None:
    """Erase what is due by the calendar, unless the clock isn't believed."""
    housekeeping.erase_what_is_due()
