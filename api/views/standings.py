"""Standings, receipts and verification."""

from django.utils.translation import gettext as _
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import DRAWN_TOURNAMENT, EVENT
from api.problems import Problem
from api.schema import changes, lists, reads
from api.shapes.common import MomentQuery
from api.shapes.standings import (
    ComparedReceiptShape,
    OutlookShape,
    ReceiptShape,
    StandingsShape,
    StandingsVersionShape,
    VerificationShape,
)
from api.squads import book_of_squads
from ledger.models import Receipt
from ledger.receipts import compare, make_receipt
from people.access import declares, organizes, reads_event
from tournaments.models import StandingsVersion, Tournament
from tournaments.queries.outlook import outlook_table
from tournaments.queries.standings import standings_table
from tournaments.verification.verify import verify


@declares(reads_event, DRAWN_TOURNAMENT)
class Standings(Endpoint):
    """The standings of a tournament."""

    subject: Tournament

    @reads("standings_read", "standings", StandingsShape, "Read standings", query=MomentQuery)
    def read(self) -> Response:
        """The current ones, or those of a moment; 404 `no-standings` before the first."""
        table = standings_table(self.subject, self.query().get("at"))
        if table is None:
            raise Problem(404, "no-standings", _("There were no standings yet."))
        squads = [row.squad for row in table.rows if row.squad is not None]
        return self.answer(table, StandingsShape, names=book_of_squads(self.viewer, squads))

    @lists("standings_list_versions", "standings", StandingsVersionShape, "List versions of the standings")
    def list_versions(self) -> Response:
        """The newest first."""
        rows = StandingsVersion.objects.filter(tournament=self.subject).order_by("-number")
        return self.page(rows, StandingsVersionShape)

    @reads("outlook_read", "standings", OutlookShape, "Read what is still open")
    def read_outlook(self) -> Response:
        """Worked out shortly after the standings (see `is_newest`); 404 `no-outlook` before the first."""
        table = outlook_table(self.subject)
        if table is None:
            raise Problem(404, "no-outlook", _("Nobody has looked ahead yet."))
        return self.answer(table, OutlookShape)


@declares(organizes, EVENT)
class EventReceipts(Endpoint):
    """The receipts of an event, and its verification."""

    @lists("receipts_list", "receipts", ReceiptShape, "List receipts")
    def list_all(self) -> Response:
        """The newest first."""
        rows = Receipt.objects.filter(scope=self.event.pk).order_by("-number")
        return self.page(rows, ReceiptShape)

    @changes("receipts_make", "receipts", ReceiptShape, "Make a receipt", status=201, etag=False)
    def make(self) -> Response:
        """Over all facts of the event as they are now; one is also made after each round and at closing."""
        return Response(ReceiptShape(make_receipt(self.event.pk)).data, status=201)

    @declares(reads_event)
    @reads("receipts_compare", "receipts", ComparedReceiptShape, "Check a receipt", etag=False)
    def compare(self) -> Response:
        """Whether all that it sealed is here as it was; 404 `no-such-receipt` where none has this root."""
        found = compare(self.kwargs["root"].lower(), self.event.pk)
        if found is None:
            raise Problem(404, "no-such-receipt", _("No such receipt was made here."))
        return Response(ComparedReceiptShape(found).data)

    @changes("receipts_verify", "receipts", VerificationShape, "Verify an event", once=False, etag=False)
    def verify(self) -> Response:
        """Chains, receipts, the legality of every game and every projection; changes nothing."""
        return Response(VerificationShape({"findings": list(verify(self.event))}).data)
