"""The bell's rule: fewest cards in hand, then fewest points; and then, as is set."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine.rules_sheet.bell import NO_POINT, ONE_MORE_CARD, POINT_EACH
from tournaments.standings import GameClosing

BELL_RULES: Final[dict[str, Promise]] = {
    NO_POINT: _("Nobody has the point"),
    POINT_EACH: _("Each of them has a point"),
    ONE_MORE_CARD: _("They play on, one card each, until somebody is ahead"),
}
"""What happens with players who are level in both. Set up before the day and printed on the rules sheet."""

DEFAULT_BELL_RULE: Final = NO_POINT
"""What holds for settings from before there was a choice."""


def bell_rule(settings: Mapping[str, Any]) -> str:
    """The rule in a tournament's stored settings."""
    return str(settings.get("bell", DEFAULT_BELL_RULE))


def is_shared(bell: str, closed_by: str, winner: UUID | None) -> bool:
    """Whether a game that ended so gives each of its sides a point, by a tournament's setting `bell`.

    `closed_by` is a game's, `winner` its winning team: the bell ended it, and nobody won.
    """
    return bell == POINT_EACH and closed_by == "time" and winner is None


def level_end(bell: str) -> GameClosing | None:
    """How a game is closed whose sides are level at the bell, by a tournament's setting `bell`.

    None where they play on until somebody is ahead.
    """
    if bell == ONE_MORE_CARD:
        return None
    return GameClosing.SHARED if bell == POINT_EACH else GameClosing.BELL
