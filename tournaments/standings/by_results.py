"""Metrics from a team's own results, and those between the teams that are tied.

Each function takes the tally and some teams. A metric that looks at each team by itself gives values to those
of whom it can tell. One that compares the given teams with each other gives them to all or to none.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations

from .metric_inputs import Tally
from .model import T
from .result_sums import Meetings, SideFigures

Values = dict[T, Fraction]


def points(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """What games gave, or matches and byes, with what was decided."""
    values = {team: Fraction(tally.meetings.points.get(team, 0)) for team in group}
    for bye in tally.rounds.counted_byes() if tally.rounds else ():
        if bye.team in values:
            values[bye.team] += bye.points
    for adjustment in tally.adjustments:
        if adjustment.team in values:
            values[adjustment.team] += adjustment.points
    return values


def stage_place(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """What the format itself says, of those whom it has placed."""
    return {team: Fraction(tally.places[team]) for team in group if team in tally.places}


def wins(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Games won, or matches, against somebody who was there (FIDE C.07, 2026, article 7.2)."""
    won = tally.count.wins
    if tally.rounds is not None:
        winners = (match.winner for match in tally.rounds.matches if not match.walkover)
        won = Counter(team for team in winners if team is not None)
    return {team: Fraction(won[team]) for team in group}


def games_won(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The games that the team has in the scores of its decided matches, and those that byes give."""
    return {team: Fraction(won) for team, (won, _) in _games(tally, group).items()}


def games_difference(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The same, less the games that its opponents have in these scores."""
    return {team: Fraction(won - lost) for team, (won, lost) in _games(tally, group).items()}


def _games(tally: Tally[T], group: Collection[T]) -> dict[T, tuple[int, int]]:
    """Games won and lost; none without rounds."""
    if tally.rounds is None:
        return {}
    won, lost = Counter[T](), Counter[T]()
    for match in tally.rounds.matches:
        if match.points is not None:
            for team, own, others in zip(match.sides, match.games, reversed(match.games), strict=True):
                won[team] += own
                lost[team] += others
    for bye in tally.rounds.byes:
        won[bye.team] += bye.games
    return {team: (won[team], lost[team]) for team in group}


def direct_match(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The points in the games (or matches) among the group so far (FIDE C.07, 2026, article 6.1).

    It is their sum where all who met did so equally often, otherwise the sum of the averages of each two
    (6.1.2).
    """
    return _averages_among(tally, group, Fraction(0))


def direct_match_at_most(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The same if each won all that is missing among the group.

    What is still open is missing, and a meeting of two who haven't met.
    """
    return _averages_among(tally, group, tally.rounds.win if tally.rounds is not None else Fraction(1))


def _averages_among(tally: Tally[T], group: Collection[T], missing: Fraction) -> Values[T]:
    """The averages with so many points for each meeting that is missing. What more than two play together
    counts as a meeting of all of them.
    """
    values = dict.fromkeys(group, Fraction(0))
    times: Counter[frozenset[T]] = Counter()
    scores: defaultdict[frozenset[T], defaultdict[T, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    pairs = {frozenset(pair) for pair in combinations(values, 2)}
    for meeting in tally.encounters.among(values):
        sides = frozenset(meeting.sides)
        pairs.difference_update(map(frozenset, combinations(meeting.sides, 2)))
        times[sides] += meeting.times
        for team, taken in zip(meeting.sides, meeting.points, strict=True):
            scores[sides][team] += taken + missing * (meeting.times - meeting.decided)
    for pair in pairs:
        times[pair] = 1
        scores[pair] |= dict.fromkeys(pair, missing)
    often = {times[sides] for sides in times if sides not in pairs}
    as_often = often.pop() if len(often) == 1 else 1
    for sides, taken_by in scores.items():
        for team, taken in taken_by.items():
            values[team] += taken * as_often / times[sides]
    return values


def direct_match_as_often(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """As edition 3 has it (`rules.EDITION`): the sum, also where some have met more often than others."""
    return _points_among(tally.encounters, group)


def direct_match_with_walkovers(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """As edition 2 has it: walkovers of every format count."""
    return _points_among(tally.meetings, group)


def _points_among(meetings: Meetings[T], group: Collection[T]) -> Values[T]:
    values = dict.fromkeys(group, Fraction(0))
    for meeting in meetings.among(values):
        for team, taken in zip(meeting.sides, meeting.points, strict=True):
            values[team] += taken
    return values


def direct_match_as_often_at_most(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """As edition 3 has it: the points that each could have if it won all that is missing among the group.

    Missing is what is still open, and what it would take for any two to have met as often as those who met
    most. That is once at least.
    """
    return _most_among(tally, tally.encounters, group)


def direct_match_with_walkovers_at_most(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The same as edition 2 has it."""
    return _most_among(tally, tally.meetings, group)


def _most_among(tally: Tally[T], meetings: Meetings[T], group: Collection[T]) -> Values[T]:
    win = tally.rounds.win if tally.rounds is not None else Fraction(1)
    values = _points_among(meetings, group)
    met = _times_met(meetings, values)
    for meeting in meetings.among(values):
        for team in meeting.sides:
            values[team] += win * (meeting.times - meeting.decided)
    times = max(met.values(), default=1)
    for pair in combinations(values, 2):
        for team in pair:
            values[team] += win * (times - met[frozenset(pair)])
    return values


def _times_met(meetings: Meetings[T], group: Collection[T]) -> Counter[frozenset[T]]:
    """How often each two of the group were drawn against each other."""
    met: Counter[frozenset[T]] = Counter()
    for meeting in meetings.among(group):
        for pair in combinations(meeting.sides, 2):
            met[frozenset(pair)] += meeting.times
    return met


def direct_match_as_drawn(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """As edition 1 has it (`rules.EDITION`): what is open gives nothing.

    Nothing is told where some of the group were drawn against each other more often than others.
    """
    values = _points_among(tally.meetings, group)
    met = _times_met(tally.meetings, values)
    often = set(met.values())
    if len(met) < len(values) * (len(values) - 1) // 2:
        often.add(0)
    return values if len(often) == 1 else {}


def card_points_for(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """What the team took in cards."""
    figures = tally.count.card_points
    return _known(figures, {team: Fraction(figures.own[team]) for team in group})


def card_points_difference(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """What the team took in cards, less what the others took at its tables."""
    figures = tally.count.card_points
    return _known(figures, {team: Fraction(figures.own[team] - figures.others[team]) for team in group})


def penalties(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Cards drawn as penalties."""
    figures = tally.count.penalties
    return _known(figures, {team: Fraction(figures.own[team]) for team in group})


def _known(figures: SideFigures[T], values: Values[T]) -> Values[T]:
    """None for a team of whose games one was played and not counted."""
    return {team: value for team, value in values.items() if not figures.uncounted[team]}


def mini_tournaments(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """Finished matches of several games in which the team alone took the most points."""
    return {team: Fraction(tally.count.mini_tournaments[team]) for team in group}


def play_off(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The place in the latest play-off among all of the group, if there was one."""
    return recorded(tally.play_offs, group)


def lots(tally: Tally[T], group: Collection[T]) -> Values[T]:
    """The place in the latest drawing of lots among all of the group, if there was one."""
    return recorded(tally.lots, group)


def recorded(orders: Sequence[Sequence[T]], group: Collection[T]) -> Values[T]:
    """The places, from 1, in the latest recorded order that names all of the group."""
    for order in reversed(orders):
        if set(group) <= set(order):
            return {team: Fraction(order.index(team) + 1) for team in group}
    return {}
