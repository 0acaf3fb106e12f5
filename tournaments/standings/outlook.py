"""Outlook: what the games that are still to be played can make of the standings.

Each open game is won by one of its sides, or it ends level at the bell, where the bell rule allows
that. Where that is feasible the possible places are exact: every way that makes a difference is counted.
Otherwise points rule out what they can, and outcomes are drawn with even odds. Places that were neither seen
nor ruled out are told apart. In what is drawn each game is won by one of its sides.

Draws of outcomes can be repeated. In sample n, from 1, the SHA-256 of the following UTF-8 text is computed.

    tendone-even-1/<seed>/<n>/<game>

It is read as a hexadecimal number. Its remainder by the number of sides is the index of the side that wins.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Generic

from .errors import CannotRank, gettext_noop
from .excluded_places import can_be_first, can_be_last
from .metric_inputs import Tally
from .metrics import METRICS, Follows
from .model import CountedResult, GameClosing, Row, T
from .possible_outcomes import Gains, Outcomes, OutcomeWay, TooManyError
from .ranking import rank
from .rules import Rules

SAMPLING = "tendone-even-1"
USUAL_SAMPLES = 200
MOST_WAYS = 20_000
MOST_RANKINGS = 400

_BY_MATCH = frozenset({Follows.LEADERS, Follows.WINNERS})


class OutlookMethod(StrEnum):
    """How possible places were found."""

    EXACT = "exact"
    BOUNDS = "bounds"
    SAMPLED = "sampled"


METHODS: dict[OutlookMethod, str] = {
    OutlookMethod.EXACT: gettext_noop("Exact: every way in which the open games can end was counted."),
    OutlookMethod.BOUNDS: gettext_noop(
        "Every way in which the open games can end was counted; some places hang on cards or on draws "
        "to come."
    ),
    OutlookMethod.SAMPLED: gettext_noop(
        "Outcomes drawn with even odds: %(samples)d, with the seed %(seed)s. Places that points or the "
        "bracket rule out are left out."
    ),
}
"""What to say of each method, as msgids."""


@dataclass(frozen=True, slots=True)
class TeamOutlook(Generic[T]):
    """The places of one team.

    `places`: each is taken in at least one outcome. `undecided`: neither found nor ruled out. `seen`: in how
    many samples the team took which place; none if there are no samples. A place that is shared is the first
    of those shared. Where lots or a play-off will decide among tied teams, each of their places is possible.
    """

    team: T
    places: tuple[int, ...]
    undecided: tuple[int, ...] = ()
    seen: tuple[tuple[int, int], ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether nothing can change the team's place any more."""
        return len(self.places) == 1 and not self.undecided


@dataclass(frozen=True, slots=True)
class ComputedOutlook(Generic[T]):
    """All teams in their order, and how their places were found: `samples` is 0 and `seed` empty without
    sampling.
    """

    teams: tuple[TeamOutlook[T], ...]
    open_games: int
    method: OutlookMethod
    samples: int = 0
    seed: str = ""


def compute_outlook(
    tally: Tally[T],
    rules: Rules,
    *,
    level: GameClosing | None = None,
    seed: str = "",
    samples: int = USUAL_SAMPLES,
) -> ComputedOutlook[T]:
    """The possible places of every team; open games are the results that aren't closed.

    `level`: how a game is closed whose sides are level at the bell. BELL: nobody has its point. SHARED: each
    has one. None: somebody always wins. Raises CannotRank for rules and results that contradict themselves.
    It does so too for a tally of matches round by round, in which it isn't known yet who meets.
    """
    if tally.rounds is not None:
        raise CannotRank(
            "drawn_by_results",
            gettext_noop("Who meets in the next rounds follows from results, so places can't be foreseen."),
        )
    question = _Question(tally, rules, level)
    is_counted = question.count()
    if not is_counted:
        question.sample(seed, samples)
    teams = outlooks(tally.teams, question.found, question.untold, question.seen)
    if is_counted:
        return counted_outlook(teams, len(question.open))
    return ComputedOutlook(teams, len(question.open), OutlookMethod.SAMPLED, samples, seed)


def outlooks(
    teams: Iterable[T],
    found: Mapping[T, set[int]],
    allowed: Mapping[T, set[int]],
    seen: Mapping[T, Counter[int]] | None = None,
) -> tuple[TeamOutlook[T], ...]:
    """The places of each team: `found` are taken in some outcome, all others that may be are `allowed`."""
    return tuple(
        TeamOutlook(
            team,
            tuple(sorted(found.get(team, ()))),
            tuple(sorted(allowed[team] - found.get(team, set()))),
            tuple(sorted(seen[team].items())) if seen else (),
        )
        for team in teams
    )


def counted_outlook(teams: tuple[TeamOutlook[T], ...], open_games: int) -> ComputedOutlook[T]:
    """The outlook where every way was counted."""
    is_open = any(each.undecided for each in teams)
    return ComputedOutlook(teams, open_games, OutlookMethod.BOUNDS if is_open else OutlookMethod.EXACT)


def all_played(rows: Sequence[Row[T]], teams: Sequence[T], *, is_closed: bool) -> ComputedOutlook[T]:
    """The outlook where no game is to come: `rows` themselves, the teams in the given order.

    Unless the tournament `is_closed`, lots or a play-off may still tell apart who is level.
    """
    found = {row.team: {row.place} if is_closed else places_of(row) for row in rows}
    return ComputedOutlook(
        tuple(TeamOutlook(team, tuple(sorted(found[team]))) for team in teams), 0, OutlookMethod.EXACT
    )


def places_of(row: Row[T]) -> set[int]:
    """The places that a row's team can have when all is played.

    They are all places that tied teams share, where lots or a play-off can still decide among them. Whoever
    is ranked last shares that place for good.
    """
    if row.ranked_last:
        return {row.place}
    if row.can_come_to:
        return set(row.can_come_to)
    return span_of(row) if row.unresolved or asks_play_off(row) else {row.place}


def asks_play_off(row: Row[T]) -> bool:
    """Whether a play-off can tell apart who is level in all else."""
    return any(metric == "play_off" for metric, _ in row.values)


def span_of(row: Row[T]) -> set[int]:
    """The places that a row's team shares with others."""
    return _span(row.place, len(row.tied_with) + 1)


def unknown_metrics(rules: Rules, teams: Collection[T]) -> dict[str, Collection[T]]:
    """What `rank` needs to know of `teams` that have games to come: by metric, whose value is unknown."""
    return {key: teams for key in rules.metrics if teams and METRICS[key].follows is Follows.CARDS}


class _Question(Generic[T]):
    """What is known so far of the places of each team: found, seen in samples, or still to be told."""

    def __init__(self, tally: Tally[T], rules: Rules, level: GameClosing | None) -> None:
        self.tally = tally
        self.level = level
        self.open = [result for result in tally.results if result.closed is None]
        self.closed = [result for result in tally.results if result.closed is not None]
        self.rules = rules
        self.follows = frozenset(METRICS[key].follows for key in rules.metrics)
        self.unknown = unknown_metrics(rules, {side for result in self.open for side in result.sides})
        self.points = dict.fromkeys(tally.teams, Fraction(0))
        for result in self.closed:
            for team in result.sides:
                self.points[team] += result.points(team)
        for adjustment in tally.adjustments:
            self.points[adjustment.team] += adjustment.points
        # Whoever was removed and is ranked last has that place whatever happens; the others share the rest.
        self.found: dict[T, set[int]] = {
            team: {len(tally.ranked) + 1} if team in tally.ranked_last else set() for team in tally.teams
        }
        self.untold: dict[T, set[int]] = {team: set() for team in tally.teams}
        self.seen: dict[T, Counter[int]] = {team: Counter() for team in tally.teams}
        self.known: set[Hashable] = set()
        self.ways = 0

    def count(self) -> bool:
        """Go through all that can happen; whether that was feasible. If not, `untold` has what may be."""
        try:
            outcomes = Outcomes(self.tally, not _BY_MATCH.isdisjoint(self.follows), self.level)
        except TooManyError:
            self._rule_out()
            return False
        tied: list[tuple[Gains, int, list[T]]] = []
        for gains in outcomes.gains():
            for place, group in self._by_points(gains):
                if len(group) == 1:
                    self.found[group[0]].add(place)
                else:
                    tied.append((gains, place, group))
        try:
            for gains, place, group in tied:
                self._break_tie(outcomes, gains, place, group)
        except TooManyError:
            for _, place, group in tied:
                for team in group:
                    self.untold[team].update(_span(place, len(group)))
            return False
        return True

    def sample(self, seed: str, samples: int) -> None:
        """Draw outcomes with even odds, and find places by them."""
        games = [str(result.game) for result in self.open]
        for number in range(1, samples + 1):
            drawn = _even(seed, number, games)
            winners = [
                (result, result.sides[each % len(result.sides)])
                for result, each in zip(self.open, drawn, strict=True)
            ]
            gained = Counter(winner for _, winner in winners)
            groups = self._by_points(tuple(gained[team] for team in self.tally.teams))
            if len(groups) == len(self.tally.ranked):
                for team in self.tally.ranked_last:
                    self.seen[team][len(self.tally.ranked) + 1] += 1
                for place, (team,) in groups:
                    self.found[team].add(place)
                    self.seen[team][place] += 1
                continue
            rows = self._rank(winners)
            self._learn(rows)
            for row in rows:
                if not row.undetermined:
                    self.seen[row.team][row.place] += 1

    def _by_points(self, gains: Gains) -> list[tuple[int, list[T]]]:
        """Who has as many points, with their first place; all together where points aren't asked first."""
        teams = self.tally.ranked
        if self.rules.metrics[:1] != ("points",):
            return [(1, list(teams))]
        total = {team: self.points[team] + gain for team, gain in zip(self.tally.teams, gains, strict=True)}
        groups = []
        place = 1
        for _, tied in groupby(sorted(teams, key=lambda team: -total[team]), key=lambda team: total[team]):
            group = list(tied)
            groups.append((place, group))
            place += len(group)
        return groups

    def _break_tie(self, outcomes: Outcomes[T], gains: Gains, place: int, group: list[T]) -> None:
        """Look at the ways to these gains, as long as one may tell something new about the group."""
        if self.rules.metrics[0] == "points" and any(
            not set(self.unknown.get(key, ())).isdisjoint(group) for key in self.rules.metrics[1:2]
        ):
            # The metric that comes next can't tell, whatever happens.
            for team in group:
                self.untold[team] |= _span(place, len(group))
            return
        if self._is_told_all(place, group):
            return
        for chosen in outcomes.leading_to(gains):
            self.ways += 1
            if self.ways > MOST_WAYS:
                raise TooManyError
            matters = place, tuple(group), self._what_matters(outcomes, chosen, group, gains)
            if matters not in self.known:
                self.known.add(matters)
                if len(self.known) > MOST_RANKINGS:
                    raise TooManyError
                rows = self._rank(outcomes.winners(chosen))
                self._learn([row for row in rows if row.team in group])
                if self._is_told_all(place, group):
                    return

    def _is_told_all(self, place: int, group: Collection[T]) -> bool:
        """Whether each of the group is known to come to any place that the group has."""
        span = _span(place, len(group))
        return all(span <= self.found[team] for team in group)

    def _what_matters(
        self,
        outcomes: Outcomes[T],
        chosen: Sequence[tuple[OutcomeWay[T], ...]],
        group: Collection[T],
        gains: Gains,
    ) -> Hashable:
        """All of an outcome that metrics which are told by winners look at among a group."""
        if Follows.WINNERS in self.follows:
            return tuple((result.game, winner) for result, winner in outcomes.winners(chosen))
        among: Counter[tuple[frozenset[T], T | None]] = Counter()
        wins: Counter[T] = Counter()
        leaders: Counter[T | None] = Counter()
        for result, winner in outcomes.winners(chosen):
            if Follows.TIED_GAMES in self.follows and all(side in group for side in result.sides):
                among[frozenset(result.sides), winner] += 1
            if Follows.WINS in self.follows and winner is not None and winner in group:
                wins[winner] += 1
        if Follows.LEADERS in self.follows:
            leaders.update(way.leader for ways in chosen for way in ways if way.leader in group)
        # Where points are asked first, the group is level on them.
        gained = (
            tuple(gains[outcomes.index[team]] for team in group) if "points" in self.rules.metrics[1:] else ()
        )
        return frozenset(among.items()), frozenset(wins.items()), frozenset(leaders.items()), gained

    def _rank(self, winners: Iterable[tuple[CountedResult[T], T | None]]) -> list[Row[T]]:
        played = [
            replace(result, winner=winner, closed=self.level if winner is None else GameClosing.PLAYED)
            for result, winner in winners
        ]
        return rank(
            self.tally.teams,
            [*self.closed, *played],
            self.rules,
            self.tally.adjustments,
            self.tally.lots,
            play_offs=self.tally.play_offs,
            ranked_last=self.tally.ranked_last,
            unknown=self.unknown,
        )

    def _learn(self, rows: Iterable[Row[T]]) -> None:
        for row in rows:
            if row.undetermined:
                self.untold[row.team] |= span_of(row)
            else:
                self.found[row.team] |= places_of(row)

    def _rule_out(self) -> None:
        """Leave open what points alone allow."""
        teams = self.tally.ranked
        if self.rules.metrics[:1] != ("points",):
            for team in teams:
                self.untold[team].update(_span(1, len(teams)))
            return
        numbers = {team: number for number, team in enumerate(teams)}
        fewest = [self.points[team] for team in teams]
        # Whoever is ranked last can take a game's point, too, and then nobody here has it.
        need_winner = [all(team in numbers for team in result.sides) for result in self.open]
        sides = [tuple(numbers[team] for team in result.sides if team in numbers) for result in self.open]
        still = Counter(number for each in sides for number in each)
        most = [have + still[number] for number, have in enumerate(fewest)]
        # Where nobody may have a game's point, or each side one, no flow has to end anywhere.
        is_given = self.level is not GameClosing.BELL
        is_single = self.level is not GameClosing.SHARED
        for team, number in numbers.items():
            best = 1 + sum(other > most[number] for other in fewest)
            worst = sum(other >= fewest[number] for other in most)
            given = [each for each, need in zip(sides, need_winner, strict=True) if need or number in each]
            if is_given and best == 1 and not can_be_first(number, fewest, given):
                best = 2
            if is_single and worst == len(teams) and not can_be_last(number, fewest, sides):
                worst -= 1
            self.untold[team].update(range(best, worst + 1))


def _span(place: int, teams: int) -> set[int]:
    return set(range(place, place + teams))


def _even(seed: str, sample: int, games: Iterable[str]) -> Iterator[int]:
    """A sample's number of each game, whose remainder tells who wins it (see the module)."""
    for game in games:
        text = f"{SAMPLING}/{seed}/{sample}/{game}"
        yield int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
