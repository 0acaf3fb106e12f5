"""Celery tasks of the whole service's own."""

from celery import shared_task
from django.utils import timezone

from config.models import Heartbeat

WORK = "work"


@shared_task(name="config.beat_heart")
def beat_heart() -> None:
    """Note that clock, broker and worker work together; `/health/tasks/` tells when they last did."""
    Heartbeat.objects.update_or_create(name=WORK, defaults={"at": timezone.now()})
