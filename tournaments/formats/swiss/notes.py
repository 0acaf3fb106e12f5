"""Notes of a pairing: codes, each with the contestant it concerns, and their sentences.

Labels have no note: what two contestants have in common is nobody's business.
"""

from collections.abc import Sequence

from tournaments.standings.model import by_level

from ..errors import gettext_noop
from .criteria import SEAT_LIMIT, balances_after
from .standing import SwissScore

Note = tuple[str, int]

NOTES: dict[str, str] = {
    "rematch": gettext_noop(
        "%(contestant)s and the opponent have met before: no pairing of this round is without a second "
        "meeting."
    ),
    "same_team": gettext_noop(
        "%(contestant)s and the opponent are of one team: not everybody could be kept apart."
    ),
    "float_down": gettext_noop(
        "%(contestant)s has more points than the opponent: those with equal points can't all meet each other."
    ),
    "float_up": gettext_noop("%(contestant)s has fewer points than the opponent."),
    "float_again": gettext_noop(
        "%(contestant)s has been paired up or down in this way before; a bye counts as down."
    ),
    "off_fold": gettext_noop(
        "By order alone %(contestant)s would meet somebody else with as many points: the draw also looks at "
        "earlier meetings, teams and seats."
    ),
    "late": gettext_noop("%(contestant)s comes late and plays from this round on."),
    "seat_limit": gettext_noop(
        "%(contestant)s will have sat first, or second, three times more often than the other way."
    ),
}
"""The sentence of each code, a msgid; `contestant` is a name."""


def notes_for(
    pairs: Sequence[tuple[SwissScore, SwissScore]], number: int, *, teams_apart: bool
) -> list[tuple[Note, ...]]:
    """The notes of each pair (who ranks higher, who ranks lower) of round `number`.

    What is said of both at once is said of the one who ranks higher.
    """
    off_fold = _off_fold(pairs)
    noted = []
    for high, low in pairs:
        notes: list[Note] = []
        if high.record.met.get(low.number):
            notes.append(("rematch", high.number))
        if teams_apart and high.contestant.team == low.contestant.team:
            notes.append(("same_team", high.number))
        if high.group != low.group:
            notes += [("float_down", high.number), ("float_up", low.number)]
            notes += [("float_again", high.number)] * (high.record.down > 0)
            notes += [("float_again", low.number)] * (low.record.up > 0)
        elif high.number in off_fold:
            notes.append(("off_fold", high.number))
        notes += [("late", one.number) for one in (high, low) if one.contestant.since == number > 1]
        notes += [
            ("seat_limit", one.number)
            for one, after in zip((high, low), balances_after(high, low), strict=True)
            if abs(after) >= SEAT_LIMIT
        ]
        noted.append(tuple(notes))
    return noted


def _off_fold(pairs: Sequence[tuple[SwissScore, SwissScore]]) -> set[int]:
    """Who meets another than top half against bottom half would give, among those who meet their equals."""
    found = set()
    for members in by_level((pair[0].group, pair) for pair in pairs if pair[0].group == pair[1].group):
        ranked = sorted((one for pair in members for one in pair), key=lambda one: one.rank)
        half = len(ranked) // 2
        in_order = {(high.number, low.number) for high, low in zip(ranked[:half], ranked[half:], strict=True)}
        found |= {high.number for high, low in members if (high.number, low.number) not in in_order}
    return found
