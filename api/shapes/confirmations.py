"""Results that wait for confirmation, and what is said of them."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.fields import Body, Choice, Id, Shape, Text, Whole
from api.shapes.games import MAX_LINE, LogEventShape
from api.shapes.matches import CHECK_HELP, CHECKS
from api.shapes.tournaments import REASON_CODES
from tournaments.models import MatchGame
from tournaments.queries.confirmation import check
from tournaments.settings.confirmation import DISPUTES, Check, confirmation_rule

MOST_AT_ONCE = 500
VERSION_HELP = "The length of the game's log at which this was read; with another there it is a 409."


class ToCheckShape(Shape):
    """A result that is in and doesn't count yet."""

    game = serializers.UUIDField(source="game_id")
    match = serializers.UUIDField(source="match_id")
    round = serializers.IntegerField(source="match.round")
    table = serializers.IntegerField(source="match.table.number", help_text="The table's number.")
    number = serializers.IntegerField(help_text="Of the game within the match, from 1.")
    version = serializers.IntegerField(source="game.version", help_text="The length of the game's log.")
    check = serializers.SerializerMethodField(help_text=CHECK_HELP)
    dispute = serializers.SerializerMethodField(help_text="Why it is disputed; null unless it is.")
    winner_team = serializers.UUIDField(source="game.winner_team", allow_null=True)
    winner_seat = serializers.IntegerField(source="game.winner_seat", allow_null=True)
    closed_by = serializers.CharField(source="game.closed_by")

    @extend_schema_field(serializers.ChoiceField(CHECKS))
    def get_check(self, row: MatchGame) -> str:
        """By the rule of its tournament."""
        return self._check(row).value

    @extend_schema_field(serializers.ChoiceField(list(DISPUTES), allow_null=True))
    def get_dispute(self, row: MatchGame) -> str | None:
        """A code."""
        return row.dispute if self._check(row) is Check.DISPUTED else None

    def _check(self, row: MatchGame) -> Check:
        return check(row, confirmation_rule(self.context["tournament"].settings))


class CheckedShape(Shape):
    """How far a result has come, after what was said of it."""

    version = serializers.IntegerField(help_text="The length of the game's log.")
    check = serializers.ChoiceField(CHECKS, help_text=CHECK_HELP)


class ConfirmationBody(Body):
    """A result is right as it was read."""

    expected_version = Whole(min_value=0, max_value=MAX_LINE, help_text=VERSION_HELP)


class DisputeBody(ConfirmationBody):
    """A result isn't right, and why."""

    reason = Choice(list(DISPUTES))


class SettlementBody(ConfirmationBody):
    """A dispute is settled: the result is kept, or corrected as `corrections/` does it."""

    outcome = Choice(["kept", "corrected"])
    line = Whole(
        min_value=1,
        max_value=MAX_LINE,
        required=False,
        help_text="With `corrected`: the line that was wrong.",
    )
    replacement = serializers.ListField(
        child=LogEventShape(), required=False, max_length=50, help_text="What is right instead."
    )
    reason = Text(max_length=40, required=False, help_text=f"Why it is corrected: one of {REASON_CODES}.")


class ReadResultBody(Body):
    """A result that was read, at its version."""

    game = Id()
    version = Whole(min_value=0, max_value=MAX_LINE)


class ConfirmationsBody(Body):
    """Results that are right as they were read."""

    results = serializers.ListField(
        child=ReadResultBody(), allow_empty=False, min_length=1, max_length=MOST_AT_ONCE
    )

    def validate_results(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Each game once."""
        if len({row["game"] for row in rows}) < len(rows):
            raise serializers.ValidationError(_("A game stands here twice."), code="given-twice")
        return rows


class ConfirmationsShape(Shape):
    """Which of them are confirmed now, and which have changed since or are disputed."""

    confirmed = serializers.ListField(child=serializers.UUIDField())
    left = serializers.ListField(child=serializers.UUIDField())
