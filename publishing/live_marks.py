"""Marks by which an open public page without a stamp learns that it is old."""

from collections.abc import Callable, Mapping
from uuid import UUID

from django.urls import reverse

from publishing.page_cache import shared
from tournaments.queries import change_marks

MARKS: Mapping[str, Callable[[UUID], str]] = {
    "event": change_marks.event_mark,
    "outcomes": change_marks.outcomes_mark,
    "tournament": change_marks.tournament_mark,
    "match": change_marks.match_mark,
}
"""By the names of their addresses: what the desk's pages of an event ask for, the public pages about it, and
those of a tournament and of a match.
"""


def live(kind: str, subject: UUID) -> dict[str, str]:
    """What the template of a page needs: the mark that it is made with, and where it asks for the newest.

    One query, none for one more page. It is read before the page's data, so that no change is missed.
    """
    mark = shared(("mark", kind, subject), lambda: MARKS[kind](subject))
    return {"mark": mark, "asks": reverse(f"live:{kind}", args=[subject])}
