"""Results that have to be confirmed: listed, confirmed, disputed, settled."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.pagination import Pages
from api.problems import InvalidInput, field_problem
from api.schema import decides, describes
from api.shapes.confirmations import (
    CheckedShape,
    ConfirmationBody,
    ConfirmationsBody,
    ConfirmationsShape,
    DisputeBody,
    SettlementBody,
    ToCheckShape,
)
from api.subjects import DRAWN_TOURNAMENT, GAME
from people.access import declares, organizes, writes_results
from tournaments.commands import confirm
from tournaments.models import MatchGame, Tournament
from tournaments.queries.confirmation import to_check

TAG = "confirmations"


@declares(writes_results, DRAWN_TOURNAMENT)
class Confirmations(Endpoint):
    """The results of a tournament that don't count yet."""

    pagination_class = Pages
    subject: Tournament

    @describes(
        "confirmations_list",
        TAG,
        {200: ToCheckShape(many=True)},
        summary="List results to confirm",
    )
    def get(self, request: Request, **_kwargs: Any) -> Response:
        """Those that wait, and those that are disputed; in the order of play."""
        rows = to_check(self.subject).select_related("game", "match__table")
        return self.page(rows, ToCheckShape, context=lambda _rows: {"tournament": self.subject})

    @declares(organizes)
    @describes(
        "confirmations_confirm",
        TAG,
        {200: ConfirmationsShape},
        request=ConfirmationsBody,
        summary="Confirm several results",
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Each as it was read; what has changed since, or is disputed, is left. Twice is once."""
        read = {row["game"]: row["version"] for row in self.body(ConfirmationsBody)["results"]}
        confirmed, left = confirm.confirm_several(self.subject, self.actor, read)
        return Response(ConfirmationsShape({"confirmed": confirmed, "left": left}).data)


class GameCheck(Endpoint):
    """What is said of one game's result."""

    subject: MatchGame

    def told(self, checked: confirm.Checked) -> Response:
        """How far it has come."""
        return Response(CheckedShape(checked).data)


@declares(writes_results, GAME)
class GameConfirmation(GameCheck):
    """A result that is right."""

    @decides("games_confirm", TAG, CheckedShape, ConfirmationBody, summary="Confirm a result", etag=False)
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """By somebody else than who entered it, or by an organizer."""
        version = self.body(ConfirmationBody)["expected_version"]
        return self.told(
            confirm.confirm(self.subject, self.actor, expected_version=version, client_id=self.client_id())
        )


@declares(writes_results, GAME)
class GameDispute(GameCheck):
    """A result that isn't right."""

    @decides("games_dispute", TAG, CheckedShape, DisputeBody, summary="Dispute a result", etag=False)
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """It doesn't count until an organizer has settled it, or it is corrected."""
        body = self.body(DisputeBody)
        return self.told(
            confirm.dispute(
                self.subject,
                self.actor,
                body["reason"],
                expected_version=body["expected_version"],
                client_id=self.client_id(),
            )
        )


@declares(organizes, GAME)
class GameSettlement(GameCheck):
    """A dispute, settled."""

    @decides("games_settle", TAG, CheckedShape, SettlementBody, summary="Settle a dispute", etag=False)
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """The result is kept, or corrected: `corrections/preview/` says before what that would do."""
        body = self.body(SettlementBody)
        version, key = body["expected_version"], self.client_id()
        if body["outcome"] == "kept":
            return self.told(confirm.keep(self.subject, self.actor, expected_version=version, client_id=key))
        missing = [name for name in ("line", "replacement", "reason") if name not in body]
        if missing:
            told = _("A correction needs it.")
            raise InvalidInput([field_problem(name, "required", told) for name in missing])
        return self.told(
            confirm.settle_by_correction(
                self.subject,
                self.actor,
                body["line"],
                body["replacement"],
                body["reason"],
                expected_version=version,
                client_id=key,
            )
        )
