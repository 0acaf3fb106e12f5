"""Standings, receipts and verification."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.fields import Moment
from api.pagination import Pages
from api.problems import Problem
from api.schema import describes
from api.shapes.entries import NothingBody
from api.shapes.standings import (
    ComparedReceiptShape,
    OutlookShape,
    ReceiptShape,
    StandingsShape,
    StandingsVersionShape,
    VerificationShape,
)
from api.squads import book_of_squads
from api.subjects import DRAWN_TOURNAMENT, EVENT
from ledger.models import Receipt
from ledger.receipts import compare, make_receipt
from people.access import declares, organizes, reads_event
from tournaments.models import StandingsVersion, Tournament
from tournaments.projections.outlooks import outlook_table
from tournaments.queries.matches import standings_table
from tournaments.verification.verify import verify


class MomentQuery(serializers.Serializer[Any]):
    """As of when."""

    at = Moment(required=False, help_text="The standings as they stood at this moment.")


@declares(reads_event, DRAWN_TOURNAMENT)
class Standings(Endpoint):
    """The standings of a tournament."""

    subject: Tournament

    @describes(
        "standings_read",
        "standings",
        {200: StandingsShape},
        query=MomentQuery,
        summary="Read standings",
        etag=True,
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """The current ones, or those of a moment; 404 `no-standings` before the first."""
        table = standings_table(self.subject, self.query().get("at"))
        if table is None:
            raise Problem(404, "no-standings", _("There were no standings yet."))
        squads = [row.squad for row in table.rows if row.squad is not None]
        return self.answer(table, StandingsShape, names=book_of_squads(self.viewer, squads))


@declares(reads_event, DRAWN_TOURNAMENT)
class StandingsVersions(Endpoint):
    """How the standings moved."""

    pagination_class = Pages
    subject: Tournament

    @describes(
        "standings_list_versions",
        "standings",
        {200: StandingsVersionShape(many=True)},
        summary="List versions of the standings",
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """The newest first."""
        rows = StandingsVersion.objects.filter(tournament=self.subject).order_by("-number")
        return self.page(rows, StandingsVersionShape)


@declares(reads_event, DRAWN_TOURNAMENT)
class StillOpen(Endpoint):
    """What the games that are still to be played can make of the standings."""

    subject: Tournament

    @describes("outlook_read", "standings", {200: OutlookShape}, summary="Read what is still open", etag=True)
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Worked out shortly after the standings (see `is_newest`); 404 `no-outlook` before the first."""
        table = outlook_table(self.subject)
        if table is None:
            raise Problem(404, "no-outlook", _("Nobody has looked ahead yet."))
        return self.answer(table, OutlookShape)


@declares(organizes, EVENT)
class EventReceipts(Endpoint):
    """The receipts of an event."""

    pagination_class = Pages

    @describes("receipts_list", "receipts", {200: ReceiptShape(many=True)}, summary="List receipts")
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """The newest first."""
        rows = Receipt.objects.filter(scope=self.event.pk).order_by("-number")
        return self.page(rows, ReceiptShape)

    @describes(
        "receipts_make", "receipts", {201: ReceiptShape}, request=NothingBody, summary="Make a receipt"
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Over all facts of the event as they are now; one is also made after each round and at closing."""
        self.body(NothingBody)
        return Response(ReceiptShape(make_receipt(self.event.pk)).data, status=201)


@declares(reads_event, EVENT)
class ReceiptCheck(Endpoint):
    """A receipt that somebody has kept."""

    @describes("receipts_compare", "receipts", {200: ComparedReceiptShape}, summary="Check a receipt")
    def get(self, request: Request, root: str, **_kwargs: Any) -> Response:
        """Whether all that it sealed is here as it was; 404 `no-such-receipt` where none has this root."""
        found = compare(root.lower(), self.event.pk)
        if found is None:
            raise Problem(404, "no-such-receipt", _("No such receipt was made here."))
        return Response(ComparedReceiptShape(found).data)


@declares(organizes, EVENT)
class Verification(Endpoint):
    """Whether anything was altered."""

    @describes(
        "receipts_verify",
        "receipts",
        {200: VerificationShape},
        request=NothingBody,
        summary="Verify an event",
        has_key=False,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Chains, receipts, the legality of every game and every projection; changes nothing."""
        self.body(NothingBody)
        return Response(VerificationShape({"findings": list(verify(self.event))}).data)
