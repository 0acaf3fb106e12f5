"""Reading an event's change feed, page by page."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from integrations.change_feed.cursors import FeedCursor, cursor_at
from integrations.change_feed.numbering import last_number
from integrations.models import Change
from people.models import Event
from people.refusals import Refused
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class FeedPage:
    """Changes in their order, the cursor from which the next page goes on, and whether there is one now."""

    changes: list[Change]
    next: FeedCursor
    has_more: bool


def page_of(
    event: Event, after: FeedCursor, limit: int, *, kinds: Collection[str] = (), sees_drafts: bool
) -> FeedPage:
    """So many changes after a cursor, of these kinds (all where none is named).

    Who doesn't organize the event (`sees_drafts`) is told nothing of tournaments whose draw isn't public yet.
    Raises `Refused("cursor-gone")` for a cursor of another feed. The number of queries doesn't depend on how
    much there is.
    """
    last = last_number(event)
    _check(event, after, last)
    wanted = Change.objects.filter(event=event, number__gt=after.number, number__lte=last)
    if kinds:
        wanted = wanted.filter(kind__in=kinds)
    if not sees_drafts:
        public = Tournament.objects.filter(event=event, status__in=Tournament.PUBLIC)
        wanted = wanted.filter(
            Q(tournament=None, subject_kind="palio") | Q(tournament__in=public.values("pk"))
        )
    found = list(wanted.order_by("number")[: limit + 1])
    shown = found[:limit]
    if len(found) > limit:
        return FeedPage(shown, cursor_at(shown[-1].number, shown[-1].pk), has_more=True)
    # Everything up to here was looked at, whatever was left out of it.
    return FeedPage(shown, _cursor_of(event, last), has_more=False)


def end_of(event: Event) -> FeedCursor:
    """The cursor of who wants only what is to come."""
    return _cursor_of(event, last_number(event))


def _cursor_of(event: Event, number: int) -> FeedCursor:
    change = Change.objects.filter(event=event, number=number).first()
    return cursor_at(change.number, change.pk) if change else FeedCursor()


def _check(event: Event, after: FeedCursor, last: int) -> None:
    if after.number and (after.number > last or _cursor_of(event, after.number) != after):
        raise Refused(
            "cursor-gone",
            _("This cursor isn’t from this event’s feed as it is now. Begin again without one."),
            status=410,
        )
