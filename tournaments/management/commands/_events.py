"""Events and tournaments named on the command line."""

from datetime import datetime

from django.core.management.base import CommandError

from people.date_times import BadMomentError, moment_asked
from people.models import Event
from tournaments.models import Tournament


def find_event(slug: str) -> Event:
    """The event of this slug; CommandError with those that there are."""
    event = Event.objects.filter(slug=slug).first()
    if event is None:
        known = ", ".join(Event.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no event “{slug}”; there are: {known}.")
    return event


def find_tournament(event_slug: str, tournament_slug: str) -> Tournament:
    """The tournament of this event and slug; CommandError with those that there are."""
    event = find_event(event_slug)
    tournament = event.tournaments.select_related("event").filter(slug=tournament_slug).first()
    if tournament is None:
        known = ", ".join(event.tournaments.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"“{event_slug}” has no tournament “{tournament_slug}”; it has: {known}.")
    return tournament


def find_moment(text: str, event: Event) -> datetime:
    """A date and time, or a time alone on the event's first day, where the event is."""
    try:
        return moment_asked(text, event)
    except BadMomentError as error:
        raise CommandError(
            f"“{text}” is no moment; expected one such as 2022-09-17T15:40, or 15:40."
        ) from error
