"""Celery tasks: what the calendar asks for, thin and idempotent."""

import logging
from zoneinfo import ZoneInfo

from celery import shared_task
from django.contrib.sessions.models import Session
from django.utils import timezone

from people.actors import Actor
from people.days import is_purge_due
from people.models import Event
from people.pairings import drop_expired
from people.privacy import drop_notes, named_events, purge
from people.tries import drop_past

logger = logging.getLogger(__name__)


@shared_task(name="people.drop_notes_of_past_events")
def drop_notes_of_past_events() -> None:
    """Empty the notes of persons (an allergy, say) once an event's last day is over where it was held."""
    noted = Event.objects.filter(persons__note__gt="").distinct()
    for event in noted:
        if event.ends_on < timezone.localdate(timezone=ZoneInfo(event.time_zone)):
            drop_notes(event, Actor.command())


@shared_task(name="people.drop_what_signing_in_left")
def drop_what_signing_in_left() -> None:
    """Forget tries that count no more, phones that nobody has let in, and sessions that are over."""
    drop_past()
    drop_expired()
    Session.objects.filter(expire_date__lt=timezone.now()).delete()


@shared_task(name="people.purge_past_events")
def purge_past_events() -> None:
    """Erase everybody of events whose time is over; one that fails keeps no other waiting."""
    for event in named_events():
        if not is_purge_due(event):
            continue
        try:
            purge(event, Actor.command())
        except Exception:
            logger.exception("The people of the event %s can't be erased.", event.pk)
