"""The kinds of changes that programs are told of."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.facts import matches

LOG = "log.entered"
RESULT_ENTERED = "result.entered"
RESULT_CORRECTED = "result.corrected"
RESULT_WITHDRAWN = "result.withdrawn"
STANDINGS = "standings.computed"
ROUND_CLOSED = "round.closed"
DECISION = "decision.made"
DRAW_MADE, STAGE_DRAWN = "draw.made", "stage.drawn"
PALIO_DECISION = "palio.decided"
PALIO_COMPUTED = "palio.computed"
PALIO_FINAL = "palio.final"

KINDS: dict[str, str | Promise] = {
    LOG: _("a line entered in a game’s log"),
    RESULT_ENTERED: _("a result entered"),
    RESULT_CORRECTED: _("a result corrected"),
    RESULT_WITHDRAWN: _("a result taken back"),
    "result.confirmed": _("a result confirmed"),
    "result.disputed": _("a result disputed"),
    "dispute.settled": _("a dispute settled"),
    DRAW_MADE: _("a draw made"),
    "draw.changed": _("a draw changed"),
    "draw.published": _("a draw published"),
    STAGE_DRAWN: _("a stage drawn"),
    "round.drawn": _("a round drawn"),
    ROUND_CLOSED: _("a round played to its end"),
    STANDINGS: _("standings computed"),
    "points.adjusted": _("points adjusted"),
    "tournament.closed": _("a tournament closed"),
    "tournament.reopened": _("a tournament reopened"),
    DECISION: _("any other decision of a tournament"),
    PALIO_DECISION: _("a decision of the palio"),
    PALIO_COMPUTED: _("the palio’s table computed"),
    PALIO_FINAL: _("the palio decided: everything is played"),
}
"""Every kind, with what it is in words."""

_OF_FACTS = {
    matches.CONFIRMED: "result.confirmed",
    matches.ACCEPTED: "result.confirmed",
    matches.DISPUTED: "result.disputed",
    matches.SETTLED: "dispute.settled",
    "draw_made": DRAW_MADE,
    "draw_edited": "draw.changed",
    "rounds_redrawn": "draw.changed",
    "draw_published": "draw.published",
    "stage_drawn": STAGE_DRAWN,
    "round_drawn": "round.drawn",
    "points_adjusted": "points.adjusted",
    "tournament_closed": "tournament.closed",
    "tournament_reopened": "tournament.reopened",
}
_BEFORE: dict[str, frozenset[str]] = {
    # A stage is told as the draw where its format was one that ranks teams, when it was told.
    STAGE_DRAWN: frozenset({DRAW_MADE}),
}
"""As what facts of a kind were told before there was that kind; what was told stays."""
_OF_STREAMS = {"game": LOG, "palio": PALIO_DECISION}


def kind_of_fact(stream_kind: str, type: str) -> str:
    """The kind of a fact of a stream."""
    return _OF_STREAMS.get(stream_kind) or _OF_FACTS.get(type, DECISION)


def is_told_right(kind: str, told: str) -> bool:
    """Whether a fact that is of a kind now can have been told as this one."""
    return told == kind or told in _BEFORE.get(kind, ())
