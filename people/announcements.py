"""Announcements: made, shown for a while, taken back. Rows and their trail, no facts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from people import audit
from people.actors import Actor
from people.entries import lock_event
from people.input_problems import BadInputError, Code, InputProblem
from people.intake.cell_text import clean, has_odd_characters
from people.intake.cell_text import shown as shown_short
from people.models import Announcement, Event
from people.models.announcements import EARLIER_COLUMNS, MOST_TEXT

LONGEST = timedelta(hours=24)
"""Nothing is pinned for longer: what holds for days belongs on the page itself."""
MOST_AT_ONCE = 3
"""More than so many at once nobody reads."""


@dataclass(frozen=True, slots=True)
class ShownAnnouncement:
    """An announcement as a reader is told it; `language` is that of the text."""

    text: str
    language: str
    until: datetime


def shown(now: datetime | None = None) -> QuerySet[Announcement]:
    """All that are to be seen at a moment, of all events."""
    return Announcement.objects.filter(taken_back_at=None, shown_until__gt=now or timezone.now())


def how_many(event: OuterRef, now: datetime | None = None) -> Coalesce:
    """How many are to be seen of the event that a query is about: they go by themselves."""
    rows = shown(now).filter(event=event).order_by().values("event")
    return Coalesce(Subquery(rows.annotate(count=Count("pk")).values("count")), 0)


def current(event: Event) -> list[Announcement]:
    """What is to be seen of an event now, the newest first; one query."""
    return list(shown().filter(event=event).select_related("event").order_by("-announced_at"))


def shown_announcements(event: Event, language: str) -> list[ShownAnnouncement]:
    """What is to be seen of an event now, for a reader of this language. One query, none where whoever read
    the event has asked `how_many` with it and left that as its `announced`: mostly nothing is up.
    """
    if event.announced == 0:
        return []
    return [ShownAnnouncement(*each.text(language), each.shown_until) for each in current(event)]


@transaction.atomic
def announce(
    event: Event,
    actor: Actor,
    texts: Mapping[str, str],
    shown_until: datetime,
    *,
    client_id: UUID | None = None,
) -> Announcement:
    """Announce a sentence, given by language, until a time.

    Sent again with the same `client_id` it is the same announcement. Raises `BadInputError` with all that is
    wrong: no text, one that is too long, a time that has passed or is too far, too many.
    """
    lock_event(event)
    given = {language: text for language, each in texts.items() if (text := clean(each))}
    there = Announcement.objects.filter(pk=client_id).first() if client_id is not None else None
    if there is not None and there.event_id == event.pk:
        return there
    now = timezone.now()
    problems = _wrong(texts, given)
    if not now < shown_until <= now + LONGEST:
        hours = LONGEST // timedelta(hours=1)
        problems.append(InputProblem(Code.TIME_NOT_AHEAD, column="shown_until", params={"hours": hours}))
    if not problems and len(current(event)) >= MOST_AT_ONCE:
        problems.append(InputProblem(Code.TOO_MANY_ANNOUNCEMENTS, params={"limit": MOST_AT_ONCE}))
    if problems:
        raise BadInputError(*problems)
    earlier = {column: given.get(language, "") for language, column in EARLIER_COLUMNS.items()}
    row = Announcement(event=event, shown_until=shown_until, announced_at=now, texts=given, **earlier)
    if client_id is not None and there is None:
        row.pk = client_id
    audit.create(row, actor, event.pk)
    return row


def _wrong(texts: Mapping[str, str], given: Mapping[str, str]) -> list[InputProblem]:
    """What is wrong with the languages of the texts, and with those that aren't empty."""
    problems = []
    languages = tuple(dict(settings.LANGUAGES))
    for language in texts:
        if language not in languages:
            value, params = shown_short(language), {"choices": languages}
            problems.append(InputProblem(Code.NOT_A_CHOICE, column="texts", value=value, params=params))
    for language, text in given.items():
        problem = partial(InputProblem, column=f"texts.{language}", value=shown_short(text))
        if len(text) > MOST_TEXT:
            problems.append(problem(Code.TOO_LONG, params={"limit": MOST_TEXT}))
        if has_odd_characters(text):
            problems.append(problem(Code.ODD_CHARACTERS))
    if not given:
        problems.append(InputProblem(Code.MISSING, column="texts", params={"field": "text"}))
    return problems


@transaction.atomic
def take_back(announcement: Announcement, actor: Actor) -> bool:
    """Show it no more; False if it isn't shown any more anyway."""
    lock_event(announcement.event)
    announcement.refresh_from_db()
    if announcement.taken_back_at is not None or announcement.shown_until <= timezone.now():
        return False
    return audit.change(announcement, actor, announcement.event_id, {"taken_back_at": timezone.now()})
