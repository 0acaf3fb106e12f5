"""Rows that a body names by id: only those of the address's own event are taken."""

from typing import TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from api.problems import InvalidInput, field_problem
from people.models import Event

M = TypeVar("M", bound=Model)


def of_event(rows: QuerySet[M], event: Event, id: UUID, field: str) -> M:
    """The row of that id, if the event has it; else a 422 that names the body's field."""
    row = rows.filter(pk=id, event=event).first()
    if row is None:
        detail = _("There is no such row in this event.")
        raise InvalidInput([field_problem(field, "of-another-event", detail)])
    return row
