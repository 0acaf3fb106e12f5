"""Reasons of decisions and corrections: codes, since facts hold no free text."""

from collections.abc import Collection, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as _

from games.outcome import NOT_FOLLOWED
from people.refusals import Refused

GONE_REASONS: Final[Mapping[str, Promise]] = {
    "withdrawn": gettext_lazy("withdrawn"),
    "no-show": gettext_lazy("didn’t turn up"),
    "disqualified": gettext_lazy("disqualified"),
}
"""Why a squad or a team doesn't play on."""

CAME_AFTER_ALL = "came-after-all"

REPLACED_REASONS = {**GONE_REASONS, CAME_AFTER_ALL: gettext_lazy("came after all")}
"""Why somebody gives a place to another: why a squad doesn't play on, or who was replaced is here now."""

# What may be given as a reason for a decision or a correction.
REASONS = {
    "typing-error": _("typing error"),
    "wrong-winner": _("wrong winner entered"),
    "wrong-table": _("entered at the wrong table"),
    "rule-misread": _("rule misread"),
    "misconduct": _("misconduct"),
    "late-information": _("learned afterwards"),
    "organizer-decision": _("decision of the organizers"),
}


LOG_REASONS = {**REASONS, NOT_FOLLOWED: _("the service can’t follow it: the result is from paper")}
"""Why a line of a log was taken out: what may be given, and what only the service gives."""


def check_reason(reason: str, among: Collection[str] = REASONS) -> str:
    """The reason itself, or `Refused("unknown-reason")` with the codes that there are."""
    if reason not in among:
        raise Refused(
            "unknown-reason",
            _("A reason is one of: %(reasons)s.") % {"reasons": ", ".join(among)},
            status=422,
            reasons=list(among),
        )
    return reason


def body_of_reason(reason: str | None) -> dict[str, str]:
    """What the body of a decision says of its reason, which needn't be given; raises as `check_reason`."""
    return {} if reason is None else {"reason": check_reason(reason)}
