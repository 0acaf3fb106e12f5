"""Celery tasks: what the calendar asks for, thin and idempotent."""

from zoneinfo import ZoneInfo

from celery import shared_task
from django.utils import timezone

from people.actors import Actor
from people.models import Event
from people.privacy import drop_notes


@shared_task(name="people.drop_notes_of_past_events")
def drop_notes_of_past_events() -> None:
    """Empty the notes of persons (an allergy, say) once an event's last day is over where it was held."""
    noted = Event.objects.filter(persons__note__gt="").distinct()
    for event in noted:
        if event.ends_on < timezone.localdate(timezone=ZoneInfo(event.time_zone)):
            drop_notes(event, Actor.command())
