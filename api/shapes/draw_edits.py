"""Changes of a draw by hand: what two squads that change places would change."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.fields import Id, Shape, Text, Whole, WholeInQuery
from api.shapes.common import DecisionBody
from api.shapes.tournaments import REASON_CODES
from tournaments.commands.edit_draw import EditPreview
from tournaments.formats.edits import TROUBLES

MOST_ROUND = 10_000


class DrawEditBody(DecisionBody):
    """Two squads that are to change places; the same again puts them back."""

    one = Id(help_text="A squad, by its id through all stages.")
    other = Id(help_text="Another one; in a draw of mini-tournaments of the same team.")
    round = Whole(
        min_value=1,
        max_value=MOST_ROUND,
        required=False,
        help_text="Counted through all stages. Without it every round of a draw of mini-tournaments in which "
        "their team plays, or the round that was drawn last.",
    )
    reason = Text(max_length=40, help_text=f"One of {REASON_CODES}.")


class DrawEditQuery(serializers.Serializer[Any]):
    """Who would change places, and where."""

    one = serializers.UUIDField(help_text="A squad, by its id through all stages.")
    other = serializers.UUIDField(help_text="Another one.")
    round = WholeInQuery(1, MOST_ROUND, required=False, help_text="As when it is decided.")


class SquadIdField(serializers.UUIDField):
    """A squad's id through all stages, which the context's `squads` has by that of the stage."""

    def to_representation(self, id: Any) -> str:
        """The same, where it isn't of the stage."""
        return str(self.context["squads"].get(id, id))


class RemarkField(serializers.CharField):
    """A remark on fairness in the reader's language."""

    def to_representation(self, remark: Any) -> str:
        """Of its msgid and values."""
        return _(remark.template) % dict(remark.values)


class EditedMatchShape(Shape):
    """A match, or a bye, before and after: its squads, side by side."""

    round = serializers.IntegerField(help_text="Counted through all stages.")
    table = serializers.IntegerField(allow_null=True, help_text="Null for a bye.")
    before = serializers.ListField(child=SquadIdField())
    after = serializers.ListField(child=SquadIdField())


class TroubleShape(Shape):
    """What a draw avoids where it can: a second meeting (in all these rounds), a match within a team, a
    second bye. At one table it avoids two who should be kept apart, and two strong ones.
    """

    code = serializers.ChoiceField(TROUBLES)
    rounds = serializers.ListField(child=serializers.IntegerField())
    squads = serializers.ListField(child=SquadIdField())


class FigureShape(Shape):
    """A sentence on fairness; null where it isn't told of."""

    code = serializers.CharField()
    text = RemarkField(source="*")
    is_even = serializers.BooleanField()


class ChangedFigureShape(Shape):
    """A figure of fairness that is another one after the change."""

    before = FigureShape(allow_null=True)
    after = FigureShape(allow_null=True)


class DrawEditPreviewShape(Shape):
    """What would change; nothing is stored. `is_clean`: nothing is worse than before."""

    rounds = serializers.ListField(child=serializers.IntegerField())
    matches = EditedMatchShape(many=True)
    broken = TroubleShape(many=True)
    mended = TroubleShape(many=True)
    figures = ChangedFigureShape(many=True)
    is_clean = serializers.BooleanField()


def edit_preview_row(seen: EditPreview) -> dict[str, Any]:
    """A preview as `DrawEditPreviewShape` shows it."""
    return {
        "rounds": seen.rounds,
        "matches": seen.matches,
        "broken": seen.broken,
        "mended": seen.mended,
        "figures": [{"before": before, "after": after} for before, after in seen.remarks],
        "is_clean": seen.is_clean,
    }
