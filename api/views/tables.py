"""Tables: listed, put up, and what is played at one."""

from django.db import IntegrityError
from django.utils.translation import gettext as _
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import EVENT, TABLE
from api.problems import Problem
from api.schema import changes, lists, reads
from api.shapes.tables import NewTableBody, TableShape
from people.access import declares, organizes, reads_event
from tournaments.commands.table_cards import put_up_tables, renew_code
from tournaments.models import Table

TAG = "tables"


@declares(reads_event, EVENT)
class EventTables(Endpoint):
    """The tables of an event."""

    @lists("tables_list", TAG, TableShape, "List tables")
    def list_all(self) -> Response:
        """By number."""
        rows = Table.objects.filter(event=self.event).order_by("number")
        return self.page(rows, TableShape, context=lambda _tables: {"organizes": self.is_organizer})

    @declares(organizes)
    @changes("tables_create", TAG, TableShape, "Put up a table", NewTableBody, status=201)
    def put_up(self, number: int) -> Response:
        """A draw puts up by itself the tables that it needs. A number twice is refused (409
        `number-taken`).
        """
        try:
            new = put_up_tables(self.event, self.actor, [number])
        except IntegrityError:
            # A draw puts up the same one at this moment, and waits for nobody.
            new = []
        if not new:
            raise Problem(409, "number-taken", _("The event has a table of this number."))
        return self.answer(new[0], TableShape, 201, organizes=True)


@declares(reads_event, TABLE)
class TableDetail(Endpoint):
    """A table."""

    subject: Table

    @reads("tables_read", TAG, TableShape, "Read a table")
    def read(self) -> Response:
        """Its number, and for the organizer its code."""
        return self.answer(self.subject, TableShape, organizes=self.is_organizer)

    @declares(organizes)
    @changes("tables_renew_code", TAG, TableShape, "Give a table a new code")
    def renew_code(self) -> Response:
        """For a card that was misused: the former code opens nothing any more, and its page says so. Phones
        that are in go on. Each call makes another one.
        """
        return self.answer(renew_code(self.subject, self.actor), TableShape, organizes=True)
