"""An event named on the command line by its slug."""

from django.core.management.base import CommandError

from people.models import Event


def find_event(slug: str) -> Event:
    """The event of this slug; CommandError with those that there are."""
    event = Event.objects.filter(slug=slug).first()
    if event is None:
        known = ", ".join(Event.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no event “{slug}”; there are: {known}.")
    return event
