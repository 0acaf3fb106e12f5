"""Who wins a game that the bell ends: fewest cards in hand, then fewest points; and then, as is set."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

BELL_RULES: Final[dict[str, Promise]] = {
    "no_point": _("Nobody has the point"),
    "point_each": _("Each of them has a point"),
    "one_more_card": _("They play on, one card each, until somebody is ahead"),
}
"""What happens with players who are level in both. Set up before the day and printed on the rules sheet."""
