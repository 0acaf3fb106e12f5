"""Rows that a body names by id: only those of the address's own event are taken."""

from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from api.problems import InvalidInput, field_problem
from people.models import Event, Team

M = TypeVar("M", bound=Model)


def of_event(rows: QuerySet[M], event: Event, id: UUID, field: str, column: str = "event") -> M:
    """The row of that id, if the event has it (by this column); else a 422 that names the body's field."""
    row = rows.filter(pk=id, **{column: event}).first()
    if row is None:
        raise InvalidInput([not_of_event(field)])
    return row


def not_of_event(field: str) -> dict[str, str]:
    """The problem of a body's field that names a row which the event doesn't have."""
    return field_problem(field, "of-another-event", _("There is no such row in this event."))


def team_of(event: Event, id: UUID | None) -> Team:
    """The team of that id; InvalidInput where the event has none."""
    team = Team.objects.filter(pk__in=[id], event=event).first()
    if team is None:
        detail = _("The team isn't one of this event.")
        raise InvalidInput([field_problem("team", "unknown-team", detail)])
    return team
