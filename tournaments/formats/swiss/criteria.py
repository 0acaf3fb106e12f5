"""Criteria of a round's pairings: an ordered list, each before all after it.

A criterion gives each possible table, and each possible bye, a whole number; a round is the better the lower
their sum is. The first criterion in which two rounds differ decides. In one number: a table's cost is its row
of numbers read in a mixed base that no sum of a round can overflow. So the round with the lowest sum of costs
is the best by the whole list.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tournaments.standings.model import by_level

from ..errors import gettext_noop
from .standing import SwissScore

METHOD = "tendone-swiss-2"
"""What is drawn today. The lots: for two contestants the first 8 hexadecimal digits of the SHA-256 of the
UTF-8 text `tendone-swiss-1/<seed>/<round>/<lower number>/<higher number>`, for a bye with 0 as the lower
number.

Test vector: seed `palio-2022`, round 1, contestants 1 and 2 give bb61bf05.
"""

FIRST_METHOD = "tendone-swiss-1"
"""Without the criterion `bye_unplayed`: stages that were drawn by it go on by it, and can be repeated."""

LOTS = "tendone-swiss-1"
"""What the texts of all lots begin with."""

SEAT_LIMIT = 3
"""Nobody sits first, or second, so many times more often than the other way, if that can be avoided."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """What is counted: `of_pair` for a table (who ranks higher comes first), `of_bye` for a bye.

    `explanation` is a msgid.
    """

    key: str
    explanation: str
    of_pair: Callable[[SwissScore, SwissScore], int] = lambda high, low: 0
    of_bye: Callable[[SwissScore], int] = lambda one: 0


def lot(seed: str, number: int, one: int, other: int = 0) -> int:
    """The lot of two contestants who might meet in round `number`, or of a bye: 0 to 2**32 - 1."""
    low, high = sorted((one, other))
    digest = hashlib.sha256(f"{LOTS}/{seed}/{number}/{low}/{high}".encode()).digest()
    return int.from_bytes(digest[:4])


def higher_sits_first(high: SwissScore, low: SwissScore) -> bool | None:
    """Who has the first seat: who had it less often, then who didn't have it last; None where both are
    level.
    """
    if high.record.balance != low.record.balance:
        return high.record.balance < low.record.balance
    if high.record.last_seat != low.record.last_seat:
        return high.record.last_seat < low.record.last_seat
    return None


def balances_after(high: SwissScore, low: SwissScore) -> tuple[int, int]:
    """First seats minus second seats of each after this round: the greater one falls."""
    if high.record.balance < low.record.balance:
        return high.record.balance + 1, low.record.balance - 1
    return high.record.balance - 1, low.record.balance + 1


def seat_limit(high: SwissScore, low: SwissScore) -> int:
    """How many of the two would reach the limit."""
    after = balances_after(high, low)
    return (abs(after[0]) >= SEAT_LIMIT) + (abs(after[1]) >= SEAT_LIMIT)


def _seat_balance(high: SwissScore, low: SwissScore) -> int:
    one, other = balances_after(high, low)
    return one * one + other * other


def _same_seat(high: SwissScore, low: SwissScore) -> int:
    seat = 1 if higher_sits_first(high, low) is not False else -1
    return (high.record.last_seat == seat) + (low.record.last_seat == -seat)


def _score_difference(high: SwissScore, low: SwissScore) -> int:
    difference = high.units - low.units
    return difference * difference


def _floats_again(high: SwissScore, low: SwissScore) -> int:
    return high.record.down + low.record.up if high.group != low.group else 0


def _float_distance(high: SwissScore, low: SwissScore) -> int:
    return (low.rank - high.rank - 1) ** 2 if high.group != low.group else 0


def _fold(high: SwissScore, low: SwissScore) -> int:
    return (low.place - high.place - high.group_size // 2) ** 2 if high.group == low.group else 0


CRITERIA: tuple[Criterion, ...] = (
    Criterion(
        "rematch",
        gettext_noop("How often the two have met before. More than none only where the settings allow it."),
        of_pair=lambda high, low: high.record.met.get(low.number, 0),
    ),
    Criterion(
        "second_bye",
        gettext_noop("Byes that were had before. More than none only where the settings allow rematches."),
        of_bye=lambda one: one.record.byes,
    ),
    Criterion(
        "bye_after_walkover",
        gettext_noop("Walkovers won before a bye."),
        of_bye=lambda one: one.record.walkovers,
    ),
    Criterion(
        "bye_unplayed",
        gettext_noop("Rounds that the one with the bye hasn’t played: who has played least sits out last."),
        of_bye=lambda one: one.unplayed,
    ),
    Criterion(
        "bye_rank",
        gettext_noop("How many rank below the one with the bye."),
        of_bye=lambda one: one.below,
    ),
    Criterion(
        "labels",
        gettext_noop("Labels that the two have in common."),
        of_pair=lambda high, low: len(high.contestant.labels & low.contestant.labels),
    ),
    Criterion(
        "same_team",
        gettext_noop("Two of one team. Only where the settings keep teams apart."),
        of_pair=lambda high, low: high.contestant.team == low.contestant.team,
    ),
    Criterion(
        "seat_limit",
        gettext_noop("Who would have sat first, or second, three times more often than the other way."),
        of_pair=seat_limit,
    ),
    Criterion(
        "score_difference",
        gettext_noop("The difference of the two scores, squared."),
        of_pair=_score_difference,
    ),
    Criterion(
        "floats_again",
        gettext_noop("For two of different scores: how often each of them floated that way before."),
        of_pair=_floats_again,
    ),
    Criterion(
        "seat_balance",
        gettext_noop("First seats minus second seats of each of the two after this round, squared."),
        of_pair=_seat_balance,
    ),
    Criterion(
        "same_seat",
        gettext_noop("Who of the two would sit where they sat last."),
        of_pair=_same_seat,
    ),
    Criterion(
        "float_distance",
        gettext_noop("For two of different scores: how many rank between them, squared."),
        of_pair=_float_distance,
    ),
    Criterion(
        "fold",
        gettext_noop("For two of the same score: how far from top half meets bottom half in order, squared."),
        of_pair=_fold,
    ),
)


def weigh(
    criteria: Sequence[Criterion], standings: Sequence[SwissScore], seed: str, number: int
) -> list[list[int]]:
    """The cost of each two who could meet, by rank; with an odd number the bye comes last, as one more.

    Lots come after the last criterion.
    """
    size = len(standings)
    with_bye = size + size % 2
    pairs = [(high, low) for rank, high in enumerate(standings) for low in standings[rank + 1 :]]
    byes = standings if with_bye > size else ()
    costs = [0] * (len(pairs) + len(byes))
    by_lot = Criterion(
        "lot",
        "",
        of_pair=lambda high, low: lot(seed, number, high.number, low.number),
        of_bye=lambda one: lot(seed, number, one.number),
    )
    for criterion in (*criteria, by_lot):
        of_pair, of_bye = criterion.of_pair, criterion.of_bye
        column = [of_pair(high, low) for high, low in pairs]
        column += map(of_bye, byes)
        lowest = min(column)
        base = (max(column) - lowest) * (with_bye // 2) + 1
        if base > 1:
            costs = [cost * base + value - lowest for cost, value in zip(costs, column, strict=True)]
    matrix = [[0] * with_bye for _ in range(with_bye)]
    places = [(high.rank, low.rank) for high, low in pairs] + [(one.rank, size) for one in byes]
    for (high, low), cost in zip(places, costs, strict=True):
        matrix[high][low] = matrix[low][high] = cost
    return matrix


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

    What is said of both at once is said of the one who ranks higher. Labels have no note: what two have in
    common is nobody's business.
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
