"""Results that have to be confirmed: listed, confirmed, disputed, settled."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import DRAWN_TOURNAMENT, GAME
from api.problems import InvalidInput, field_problem
from api.schema import changes, decides, lists
from api.shapes.confirmations import (
    CheckedShape,
    ConfirmationBody,
    ConfirmationsBody,
    ConfirmationsShape,
    DisputeBody,
    SettlementBody,
    ToCheckShape,
)
from people.access import declares, organizes, writes_results
from tournaments.commands import confirm as actions
from tournaments.commands.decision_recording import Caller
from tournaments.models import MatchGame, Tournament
from tournaments.queries.confirmation import to_check

TAG = "confirmations"


@declares(writes_results, DRAWN_TOURNAMENT)
class Confirmations(Endpoint):
    """The results of a tournament that don't count yet."""

    subject: Tournament

    @lists("confirmations_list", TAG, ToCheckShape, "List results to confirm")
    def list_waiting(self) -> Response:
        """Those that wait, and those that are disputed; in the order of play."""
        rows = to_check(self.subject).select_related("game", "match__table")
        return self.page(rows, ToCheckShape, context=lambda _rows: {"tournament": self.subject})

    @declares(organizes)
    @changes(
        "confirmations_confirm",
        TAG,
        ConfirmationsShape,
        "Confirm several results",
        ConfirmationsBody,
        etag=False,
    )
    def confirm(self, results: list[dict[str, Any]]) -> Response:
        """Each as it was read; what has changed since, or is disputed, is left. Twice is once."""
        read = {row["game"]: row["version"] for row in results}
        confirmed, left = actions.confirm_several(self.subject, self.actor, read)
        return Response(ConfirmationsShape({"confirmed": confirmed, "left": left}).data)


@declares(writes_results, GAME)
class GameCheck(Endpoint):
    """What is said of one game's result."""

    subject: MatchGame

    @decides("games_confirm", TAG, CheckedShape, ConfirmationBody, "Confirm a result", etag=False)
    def confirm(self, by: Caller) -> Response:
        """By somebody else than who entered it, or by an organizer."""
        return self._checked(actions.confirm, by)

    @decides("games_dispute", TAG, CheckedShape, DisputeBody, "Dispute a result", etag=False)
    def dispute(self, by: Caller, reason: str) -> Response:
        """It doesn't count until an organizer has settled it, or it is corrected."""
        return self._checked(actions.dispute, by, reason)

    @declares(organizes)
    @decides("games_settle", TAG, CheckedShape, SettlementBody, "Settle a dispute", etag=False)
    def settle(self, by: Caller, outcome: str, **correction: Any) -> Response:
        """The result is kept, or corrected: `corrections/preview/` says before what that would do."""
        if outcome == "kept":
            return self._checked(actions.keep, by)
        needed = ("line", "replacement", "reason")
        told = _("A correction needs it.")
        missing = [field_problem(name, "required", told) for name in needed if name not in correction]
        if missing:
            raise InvalidInput(missing)
        return self._checked(actions.settle_by_correction, by, *(correction[name] for name in needed))

    def _checked(self, say: Callable[..., actions.Checked], by: Caller, *said: Any) -> Response:
        """How far the result has come after this was said of it."""
        checked = say(
            self.subject, by.actor, *said, expected_version=by.expected_version, client_id=by.client_id
        )
        return Response(CheckedShape(checked).data)
