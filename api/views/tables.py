"""Tables: listed, put up, and what is played at one."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.pagination import Pages
from api.problems import Problem
from api.schema import describes
from api.shapes.entries import NothingBody
from api.shapes.tables import NewTableBody, TableShape
from api.subjects import EVENT, TABLE
from people import audit
from people.access import declares, organizes, reads_event
from tournaments.commands.table_codes import renew_code
from tournaments.models import Table

TAG = "tables"


@declares(reads_event, EVENT)
class EventTables(Endpoint):
    """The tables of an event."""

    pagination_class = Pages

    @describes("tables_list", TAG, {200: TableShape(many=True)}, summary="List tables")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """By number."""
        rows = Table.objects.filter(event=self.event).order_by("number")
        return self.page(rows, TableShape, context=lambda _tables: {"organizes": self.is_organizer})

    @declares(organizes)
    @describes(
        "tables_create",
        TAG,
        {201: TableShape},
        request=NewTableBody,
        summary="Put up a table",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """A draw puts up by itself the tables that it needs. A number twice is refused (409
        `number-taken`).
        """
        number = self.body(NewTableBody)["number"]
        try:
            with transaction.atomic():
                table = Table.objects.create(event=self.event, number=number)
                audit.keep([audit.created(table, self.actor, self.event.pk)])
        except IntegrityError as error:
            raise Problem(409, "number-taken", _("The event has a table of this number.")) from error
        return self.answer(table, TableShape, 201, organizes=True)


@declares(reads_event, TABLE)
class TableDetail(Endpoint):
    """A table."""

    subject: Table

    @describes("tables_read", TAG, {200: TableShape}, summary="Read a table", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Its number, and for the organizer its code."""
        return self.answer(self.subject, TableShape, organizes=self.is_organizer)


@declares(organizes, TABLE)
class TableCode(Endpoint):
    """The code on a table's card."""

    subject: Table

    @describes(
        "tables_renew_code",
        TAG,
        {200: TableShape},
        request=NothingBody,
        summary="Give a table a new code",
        etag=True,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """For a card that was misused: the former code opens nothing any more, and its page says so. Phones
        that are in go on. Each call makes another one.
        """
        self.body(NothingBody)
        return self.answer(renew_code(self.subject, self.actor), TableShape, organizes=True)
