"""From an address to the row that it names and the event that this row belongs to, in one query."""

from operator import attrgetter
from typing import Any

from django.db.models import Model
from django.http import Http404

from people.models import Event


def nothing_here() -> Http404:
    """The same answer for what isn't there and for what the caller may not know of."""
    return Http404()


class Subject:
    """Finds the row of an address. As a callable it is a `find_event` of `people.access`.

    `argument` is the name in the address, `lookup` the column that it names, `event` the dotted way from the
    row to its event (empty where the row is the event), `related` what else is read along.
    """

    def __init__(
        self, model: type[Model], argument: str, event: str = "", lookup: str = "pk", related: str = ""
    ) -> None:
        self.model = model
        self.argument = argument
        self.event = event
        self.lookup = lookup
        self.related = [*related.split(), *([event.replace(".", "__")] if event else [])]

    def find(self, **kwargs: Any) -> tuple[Any, Event]:
        """The row and its event, or 404."""
        rows = self.model._default_manager.filter(**{self.lookup: kwargs[self.argument]})
        row = (rows.select_related(*self.related) if self.related else rows).first()
        if row is None:
            raise nothing_here()
        event: Event = attrgetter(self.event)(row) if self.event else row
        return row, event

    def __call__(self, **kwargs: Any) -> Event:
        """The event alone."""
        return self.find(**kwargs)[1]
