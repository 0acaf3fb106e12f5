"""The rule of confirmation: what a tournament asks for before a result counts.

A confirmation, like a dispute, is of a game's log at one version. So a result that was corrected since waits
anew, whatever was said of the one before.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

NOBODY: Final = "none"
SECOND_PERSON: Final = "second_person"
ORGANIZER: Final = "organizer"

CONFIRMATIONS: Final[dict[str, Promise]] = {
    NOBODY: _("Nobody: a result counts as soon as it is entered"),
    SECOND_PERSON: _("A second person: another referee’s phone, or the desk"),
    ORGANIZER: _("The organizers, at the desk"),
}
"""Who has to confirm a result before it counts."""

DISPUTES: Final[dict[str, Promise]] = {
    "wrong-winner": _("Somebody else has won"),
    "wrong-points": _("The points are wrong"),
    "not-over": _("The game isn’t over"),
    "wrong-table": _("It belongs to another game"),
    "rule-misread": _("A rule was misread"),
}
"""What can be said of a result that isn't right; facts keep the code."""

_Result = TypeVar("_Result")


class Check(StrEnum):
    """How far a result has come. `NOTHING`: nobody is asked, or the game isn't over."""

    NOTHING = "nothing"
    WAITING = "submitted"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"

    @property
    def counts(self) -> bool:
        """Whether a result that is in counts."""
        return self in (Check.NOTHING, Check.CONFIRMED)


def confirmation_rule(settings: Mapping[str, Any]) -> str:
    """The rule in a tournament's stored settings: one of `CONFIRMATIONS`."""
    return str(settings.get("confirmation", NOBODY))


def check_of(rule: str, *, is_over: bool, version: int, confirmed: int, disputed: int) -> Check:
    """How far a game's result has come.

    `version` is the log's; `confirmed` and `disputed` are the versions of which that was said last (0: of
    none).
    """
    if rule == NOBODY or not is_over:
        return Check.NOTHING
    if confirmed == version:
        return Check.CONFIRMED
    return Check.DISPUTED if disputed == version else Check.WAITING


def counted(
    rule: str, outcomes: Mapping[UUID, _Result], confirmed: Collection[UUID]
) -> Mapping[UUID, _Result]:
    """Of games' outcomes those that count: under a rule, only of games whose result is confirmed as it is."""
    if rule == NOBODY:
        return outcomes
    return {game: outcome for game, outcome in outcomes.items() if game in confirmed}
