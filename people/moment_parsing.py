"""A moment as people ask for it: a date and time, or a time alone on an event’s first day."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from django.utils.dateparse import parse_datetime, parse_time
from django.utils.translation import gettext as _

from people.models import Event

FIRST_YEAR, LAST_YEAR = 1900, 2199
"""The years that dates and times are taken of: before them nobody here was born, and near the ends of the
calendar a moment can't be brought to another time zone.
"""


class BadMomentError(ValueError):
    """What stands in the address is no moment."""


def has_year(day: date) -> bool:
    """Whether a date, or a date and time, is of a year that is taken."""
    return FIRST_YEAR <= day.year <= LAST_YEAR


def year_refused() -> str:
    """Which years are taken, in a sentence."""
    return _("Only years from %(first)d to %(last)d are taken.") % {"first": FIRST_YEAR, "last": LAST_YEAR}


def moment_asked(text: str, event: Event) -> datetime:
    """The moment of an ISO 8601 date and time, or of a time alone on the event's first day.

    Without an offset it is the event's local time, as the answer always is. Raises BadMomentError.
    """
    moment = _parsed(text, event)
    if moment is None:
        raise BadMomentError(text)
    here = ZoneInfo(event.time_zone)
    try:
        # As the database takes it, and as the page shows it: at the ends of the calendar neither may be.
        return (moment if moment.tzinfo else moment.replace(tzinfo=here)).astimezone(UTC).astimezone(here)
    except OverflowError as error:
        raise BadMomentError(text) from error


def _parsed(text: str, event: Event) -> datetime | None:
    # The plus of an offset that wasn't escaped arrives as a space.
    date_time, space, offset = text.rpartition(" ")
    readings = [text, f"{date_time}+{offset}"] if space else [text]
    for reading in readings:
        try:
            moment = parse_datetime(reading)
            if moment is None and isinstance(clock := parse_time(reading), time):
                moment = datetime.combine(event.starts_on, clock)
        except ValueError:
            continue
        if moment is not None:
            return moment
    return None
