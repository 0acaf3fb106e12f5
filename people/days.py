"""Whether an event is on: its days are those of its own place, and an evening ends late."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from people.models import Event

LATE = timedelta(hours=4)
"""So long after midnight it is still the evening before."""


def today(event: Event) -> date:
    """The date where the event is."""
    return timezone.now().astimezone(ZoneInfo(event.time_zone)).date()


def is_on(event: Event) -> bool:
    """Whether it is one of the event's days, or the night after the last."""
    evening = (timezone.now() - LATE).astimezone(ZoneInfo(event.time_zone)).date()
    return event.starts_on <= today(event) and evening <= event.ends_on
