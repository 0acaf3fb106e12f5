"""Days of an event: they are those of its own place, and an evening ends late."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from people.models import Event, Pairing

LATE = timedelta(hours=4)
"""So long after midnight it is still the evening before."""


def today(event: Event, now: datetime | None = None) -> date:
    """The date where the event is."""
    return (now or timezone.now()).astimezone(ZoneInfo(event.time_zone)).date()


def purge_day(event: Event) -> date:
    """The day on which the names of an event's people are erased.

    One that is made here after it took place is looked at for as long: its days count from then on.
    """
    made = event.created_at.astimezone(ZoneInfo(event.time_zone)).date()
    return max(event.ends_on, made) + timedelta(days=event.purge_after_days)


def is_purge_due(event: Event, now: datetime | None = None) -> bool:
    """Whether that day has come where the event was held, and the night before it is over."""
    return purge_day(event) <= _evening(event, now)


def notes_day(event: Event) -> date:
    """The day on which the notes of an event's persons are erased: the one after its last."""
    return event.ends_on + timedelta(days=1)


def are_notes_due(event: Event, now: datetime) -> bool:
    """Whether the event's last day is over where it was held."""
    return notes_day(event) <= today(event, now)


def is_on(event: Event) -> bool:
    """Whether it is one of the event's days, or the night after the last."""
    return event.starts_on <= today(event) and _evening(event) <= event.ends_on


def pairing_ends(pairing: Pairing) -> datetime:
    """When a phone's pairing ends by itself: with the day after the event's last one, where the event is.

    Who lets a phone in when that is over means it: it has that day and the next. Touches `pairing.event`.
    """
    zone = ZoneInfo(pairing.event.time_zone)
    begun = (pairing.admitted_at or pairing.asked_at).astimezone(zone).date()
    last = max(pairing.event.ends_on, begun) + timedelta(days=1)
    return datetime.combine(last + timedelta(days=1), time.min, zone)


def is_over(pairing: Pairing) -> bool:
    """Whether that moment has come."""
    return pairing_ends(pairing) <= timezone.now()


def _evening(event: Event, now: datetime | None = None) -> date:
    return today(event, (now or timezone.now()) - LATE)
