"""Open places where rounds follow from results: the rest is played out, again and again.

Each open game is won by one of its sides, or it ends level at the bell, where the bell rule allows that.
Rounds and stages that are still to be drawn are drawn by the formats as they would be. Where squads are level
for a place in the next stage, any order of them is possible. Where all of that is few enough, every way is
gone through; a bracket as the last stage tells its places by itself. Places are then exact, but for those
that hang on cards that nobody knows yet, or on lots of a stage that isn't drawn yet. Otherwise ways in which
each game is won by one of its sides are drawn with even odds. In sample n, from 1, choice k (from 1, of m
possibilities in their order) follows from the UTF-8 text below. It is the remainder by m of the text's
SHA-256 (as a hexadecimal number).

    tendone-even-2/<seed>/<n>/<k>

What was neither seen so nor ruled out by points or by the bracket is told apart.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import count
from math import comb, prod
from typing import Final
from uuid import UUID, uuid5

from tournaments.facts import stages as stage_facts
from tournaments.formats.format import PairingOutcome, PlayedRound, RoundPlan, StageProgress
from tournaments.formats.match_kind import GameEnd, Length
from tournaments.formats.stages.apply import apply
from tournaments.formats.stages.model import BestOfPlace, FirstOverall, Seeding
from tournaments.formats.table_result import ResultKind, TableResult
from tournaments.projections.rounds.course import (
    Key,
    PlayedGame,
    PlayedMatch,
    StageHistory,
    match_outcome,
    not_begun,
)
from tournaments.projections.rounds.qualifying import preview_next_stage
from tournaments.projections.rounds.ranking import (
    Decided,
    GroupTable,
    Unknown,
    annulled_of,
    group_table,
    group_tables,
    groups_of,
    rank_stages,
    ranked_last_of,
    squad_ids,
)
from tournaments.projections.rounds.redraw import as_due
from tournaments.settings.stage import StageSettings
from tournaments.standings import GameClosing, Row, Rules
from tournaments.standings.outlook import (
    ComputedOutlook,
    OutlookMethod,
    asks_play_off,
    counted_outlook,
    outlooks,
    places_of,
    span_of,
    unknown_metrics,
)
from tournaments.standings.rules import DECIDING

SAMPLING: Final = "tendone-even-2"
MOST_WAYS: Final = 256
"""Up to so many ways every one is gone through."""
MOST_WAYS_AT_TABLES: Final = 1_100
"""At tables of many up to so many, in small fields. A table of five can end in 541 orders, one of four and
one of three together in 975.
"""

MOST_SAMPLES: Final = 200
_WORK: Final = 20_000
"""Contestants squared, times samples: what is drawn at most, since pairing a round takes that long. Also
contestants times ways that are gone through.
"""

_NOTHING: Final[Unknown] = {}

Choose = Callable[[int], int]
"""Takes a number of possibilities, and gives the index of one."""


class _TooManyError(Exception):
    """There are more ways than are gone through."""


@dataclass(slots=True)
class _Places:
    """The places of each squad: `found` are taken in some outcome, all others that may be are `allowed`."""

    found: dict[UUID, set[int]] = field(default_factory=dict)
    allowed: dict[UUID, set[int]] = field(default_factory=dict)

    def add(self, found: Mapping[UUID, set[int]], allowed: Mapping[UUID, set[int]]) -> None:
        """Take in what is known of one way."""
        for known, new in ((self.found, found), (self.allowed, allowed)):
            for squad, places in new.items():
                known.setdefault(squad, set()).update(places)


_Ending = tuple[PlayedMatch, PairingOutcome]


@dataclass(slots=True)
class _Memory:
    """What many ways have in common, worked out once.

    `ids` are those of all squads. `tables` are groups by all that they follow from. `groups` are who is in
    them, by stage and number of rounds. `endings` are how an open match of the stage that is on can end.
    """

    ids: dict[Key, UUID] = field(default_factory=dict)
    tables: dict[Hashable, GroupTable] = field(default_factory=dict)
    groups: dict[tuple[UUID, int], tuple[frozenset[int], ...]] = field(default_factory=dict)
    endings: dict[UUID, list[_Ending]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is known: the stages so far and those that follow, the rules, and what was decided. Also how a
    game is closed whose sides are level at the bell (None: somebody always wins). `shares_places`: places at
    a table of many can be shared.
    """

    courses: tuple[StageHistory, ...]
    stages: tuple[StageSettings, ...]
    rules: Rules
    decided: Decided
    level: GameClosing | None
    shares_places: bool = True
    memory: _Memory = field(default_factory=_Memory, compare=False)

    def ids(self) -> dict[Key, UUID]:
        """What each squad goes by through all stages."""
        if not self.memory.ids:
            self.memory.ids = squad_ids(self.courses)
        return self.memory.ids

    def tables(
        self,
        course: StageHistory,
        ids: Mapping[Key, UUID],
        rules: Rules,
        decided: Decided,
        unknown: Unknown = _NOTHING,
    ) -> tuple[GroupTable, ...]:
        """As `group_tables`; where it is fixed who meets whom, the same results are ranked once."""
        if course.choice.has_places or not self._has_fixed_groups(course):
            return group_tables(course, ids, rules, decided, unknown)
        annulled = annulled_of(course)
        open_ = tuple(course.progress.open_pairings())
        found = []
        for index, members in enumerate(self._groups(course)):
            known = decided.among(ids[course.key(number)] for number in members)
            ends = tuple(
                tuple(game.end for game in match.games)
                for match in course.matches
                if members.issuperset(match.pairing.sides)
            )
            # Who won tells nothing of the places of the others.
            ranks_sides = course.format.result_kind is ResultKind.PLACES
            places = tuple(each.outcomes for each in course.progress.rounds) if ranks_sides else ()
            key = course.stage, index, annulled, open_, ends, places, known, tuple(unknown)
            table = self.memory.tables.get(key)
            if table is None:
                table = group_table(course, ids, rules, decided, index, members, unknown=unknown)
                self.memory.tables[key] = table
            found.append(table)
        return tuple(found)

    def _has_fixed_groups(self, course: StageHistory) -> bool:
        """Whether a stage is one of those so far, and who meets whom in it hangs on no result."""
        is_drawn = any(course.stage == each.stage for each in self.courses)
        return is_drawn and course.format.is_predetermined

    def _groups(self, course: StageHistory) -> tuple[frozenset[int], ...]:
        key = course.stage, len(course.progress.rounds)
        if key not in self.memory.groups:
            self.memory.groups[key] = tuple(map(frozenset, groups_of(course)))
        return self.memory.groups[key]

    def last_places(self) -> dict[UUID, set[int]]:
        """The place behind all others of those who were removed and are ranked last."""
        ids = self.ids()
        last = ranked_last_of(self.courses, ids, self.rules, self.decided)
        return {squad: {len(ids) - len(last) + 1} for squad in last}

    def anywhere(self) -> dict[UUID, set[int]]:
        """Every place for every squad, but for those that are ranked last."""
        ids = self.ids().values()
        if self.waits_for_who_left():
            return {squad: set(range(1, len(ids) + 1)) for squad in ids}
        last = self.last_places()
        return {squad: set(range(1, len(ids) - len(last) + 1)) for squad in ids} | last

    def waits_for_who_left(self) -> bool:
        """Whether somebody who left has an open match. It can then still change whether what they played
        counts, and with that who is ranked last.
        """
        progress = self.courses[-1].progress
        return any(not progress.gone.isdisjoint(pairing.sides) for pairing in progress.open_pairings())

    def unknown(self) -> Unknown:
        """By metric, the squads whose value hangs on cards of games to come."""
        course, ids = self.courses[-1], self.ids()
        if course.number < len(self.stages) or not course.is_all_drawn():
            return unknown_metrics(self.rules, set(ids.values()))
        open_ = {
            ids[course.key(side)] for pairing in course.progress.open_pairings() for side in pairing.sides
        }
        return unknown_metrics(self.rules, open_)

    def _compares_cards(self) -> bool:
        """Whether the next stage compares groups by cards of games to come."""
        course = self.courses[-1]
        if course.number >= len(self.stages) or not unknown_metrics(self.rules, ["any"]):
            return False
        if course.is_finished() or len(groups_of(course)) < 2:
            return False
        asked = self.stages[course.number].qualification
        return asked is not None and (
            asked.seeding is Seeding.RANKED
            or any(isinstance(rule, BestOfPlace | FirstOverall) for rule in asked.rules)
        )

    def play_out(self, choose: Choose, places: _Places) -> list[Row[UUID]]:
        """The rows at the end of one way, which is taken into `places`; none where they hang on cards."""
        course = self._finished(self.courses[-1], choose)
        ids = self.ids()
        done, decided, unknown = [*self.courses[:-1], course], self.decided, self.unknown()
        tables = self.tables(course, ids, self.rules, decided, unknown)
        is_last = course.number >= len(self.stages)
        if self._compares_cards() or any(row.undetermined for table in tables for row in table.rows):
            if is_last and len(done) == len(tables) == 1:
                rows = rank_stages(done, self.rules, decided, unknown, tables=self.tables)
                places.add(_found(rows), {row.team: _allowed(row) for row in rows})
                return [row for row in rows if not row.undetermined]
            # Who comes into which place of its group, and with that whoever goes on, can't be foreseen.
            allowed = self.anywhere()
            if is_last:
                allowed |= {row.team: places_of(row) for row in rank_stages(done, self.rules, decided)}
                allowed |= _across(_spans(tables))
            places.add({}, allowed)
            return []
        by_lot: set[UUID] = set()
        while course.number < len(self.stages):
            settings = self.stages[course.number]
            course, decided = self._following(course, settings, decided, choose)
            if not by_lot and _is_drawn_by_lot(settings, len(course.progress.contestants)):
                by_lot = {ids[course.key(one.number)] for one in course.progress.contestants}
            done.append(course)
        rows = self._rows_at_end(done, decided, unknown, choose)
        # The lots of a stage to come can be drawn otherwise than here.
        anywhere = set(range(1, len(by_lot) + 1))
        allowed = {row.team: anywhere if row.team in by_lot else _allowed(row) for row in rows}
        places.add(_found(rows), allowed)
        return [row for row in rows if not row.undetermined]

    def _rows_at_end(
        self, done: Sequence[StageHistory], decided: Decided, unknown: Unknown, choose: Choose
    ) -> list[Row[UUID]]:
        """The rows of stages that are all played.

        In groups a decision between squads that are level changes their places in the group, and with that
        the places of others. There each is decided in some order, in which it can be.
        """
        rows = rank_stages(done, self.rules, decided, unknown, tables=self.tables)
        if done[-1].choice.has_places or len(groups_of(done[-1])) < 2:
            return rows
        left_level: set[int] = set()
        while tied := next((row for row in rows if _waits(row) and row.place not in left_level), None):
            if not tied.unresolved and choose(2):
                left_level.add(tied.place)
                continue
            order = _any_order((tied.team, *tied.tied_with), choose)
            if asks_play_off(tied):
                decided = replace(decided, play_offs=(*decided.play_offs, order))
            else:
                decided = replace(decided, lots=(*decided.lots, order))
            rows = rank_stages(done, self.rules, decided, unknown, tables=self.tables)
        return rows

    def _finished(self, course: StageHistory, choose: Choose) -> StageHistory:
        """A stage played to its end, in one way."""
        drawn = {(match.round, match.pairing.slot): match for match in course.matches}
        matches: list[PlayedMatch] = []

        def play(progress: StageProgress, each: PlayedRound) -> StageProgress:
            outcomes = []
            for pairing, outcome in each.matches():
                number = each.plan.number
                match = drawn.get((number, pairing.slot)) or not_begun(course, number, pairing)
                if outcome is None:
                    match, outcome = self._ended(match, course, choose)
                matches.append(match)
                outcomes.append(outcome)
            return replace(progress, rounds=(*progress.rounds, PlayedRound(each.plan, tuple(outcomes))))

        progress = replace(course.progress, rounds=())
        for each in course.progress.rounds:
            progress = play(progress, each)
        while not course.is_ended and (plans := course.format.coming_rounds(progress, course.seed)):
            for plan in plans:
                progress = play(progress, PlayedRound(plan, (None,) * len(plan.pairings)))
        return replace(course, progress=progress, matches=tuple(matches))

    def _ended(
        self, match: PlayedMatch, course: StageHistory, choose: Choose
    ) -> tuple[PlayedMatch, PairingOutcome]:
        """One way in which an open match ends."""
        sides = match.pairing.sides
        there = [side for side in sides if side not in course.progress.gone]
        if there and course.format.result_kind is ResultKind.PLACES:
            return _ranked_by(match, course, self._any_places(sides, there, choose))
        ways: list[tuple[PlayedMatch, PairingOutcome]] = []
        if not there:
            ways.append((match, PairingOutcome((Fraction(0),) * len(sides), None, walkover=True)))
        elif len(there) < len(sides):
            gone = next(side for side in sides if side not in there)
            ways.append(_ended_by(match, course, course.kind.conceded(sides, _ends(match), gone)))
        if len(there) == len(sides) or match.games:
            ways += self._endings(match, course)
        return ways[choose(len(ways)) if len(ways) > 1 else 0]

    def _any_places(self, sides: Sequence[int], there: Sequence[int], choose: Choose) -> tuple[int, ...]:
        """The places of the sides of a table in any order of who is there, the others behind them."""
        placed: dict[int, int] = {}
        left = list(there)
        while left:
            if self.shares_places:
                drawn = 1 + choose(2 ** len(left) - 1)
                level = [one for at, one in enumerate(left) if drawn >> at & 1]
            else:
                level = [left[choose(len(left)) if len(left) > 1 else 0]]
            placed |= dict.fromkeys(level, len(placed) + 1)
            left = [one for one in left if one not in level]
        return tuple(placed.get(side, len(placed) + 1) for side in sides)

    def _endings(self, match: PlayedMatch, course: StageHistory) -> list[_Ending]:
        """How an open match can end; those of the stage that is on are worked out once."""
        if course.stage != self.courses[-1].stage or not self._has_fixed_groups(course):
            return _endings(match, course, self.level)
        if match.id not in self.memory.endings:
            self.memory.endings[match.id] = _endings(match, course, self.level)
        return self.memory.endings[match.id]

    def _following(
        self, course: StageHistory, settings: StageSettings, decided: Decided, choose: Choose
    ) -> tuple[StageHistory, Decided]:
        """The next stage, played to its end, with ties before it broken in any order."""
        ids = self.ids()
        preview = preview_next_stage(course, settings, ids, self.rules, decided, course.seed, self.tables)
        while preview.ties:
            order = _any_order((ids[course.key(one)] for one in preview.ties[0].contestants), choose)
            decided = replace(decided, lots=(*decided.lots, order))
            preview = preview_next_stage(course, settings, ids, self.rules, decided, course.seed, self.tables)
        came = apply(preview, course.progress.contestants)
        squads = tuple({**course.squads[each.was - 1], "since": 1} for each in came)
        number = course.number + 1
        rounds_before = course.rounds_before + len(course.progress.rounds)
        following = replace(
            course,
            # The matches of different stages are different ones, whatever their slots and sides.
            stage=uuid5(course.stage, f"stage/{number}"),
            number=number,
            matches=(),
            body={**course.body, "number": number, "rounds_before": rounds_before},
            choice=settings.choice,
            format=settings.format(),
            kind=settings.kind(),
            squads=squads,
            progress=StageProgress(stage_facts.contestants_of(squads), gone=frozenset()),
        )
        return self._finished(following, choose), decided


def _waits(row: Row[UUID]) -> bool:
    """Whether lots or a play-off can tell apart who shares this place."""
    return bool(row.tied_with) and len(places_of(row)) > 1 and not row.undetermined


def _any_order(squads: Iterable[UUID], choose: Choose) -> tuple[UUID, ...]:
    tied = sorted(squads)
    order = []
    while tied:
        order.append(tied.pop(choose(len(tied)) if len(tied) > 1 else 0))
    return tuple(order)


def _is_drawn_by_lot(settings: StageSettings, contestants: int) -> bool:
    """Whether a stage's draw hangs on more than the places in the stage before."""
    by_lot = settings.qualification is not None and settings.qualification.seeding is Seeding.LOTS
    return by_lot or settings.format().needs_lots(contestants)


def _found(rows: Iterable[Row[UUID]]) -> dict[UUID, set[int]]:
    return {row.team: places_of(row) for row in rows if not row.undetermined}


def _allowed(row: Row[UUID]) -> set[int]:
    return span_of(row) if row.undetermined else places_of(row)


def can_be_played_out(courses: Sequence[StageHistory]) -> bool:
    """Whether the rest follows from who wins, or from places at tables: not from points of deals, nor from
    places by hand.
    """
    return bool(courses) and all(
        course.choice.is_played and course.format.result_kind is not ResultKind.POINTS for course in courses
    )


def play_out(
    courses: tuple[StageHistory, ...],
    stages: tuple[StageSettings, ...],
    rules: Rules,
    decided: Decided,
    *,
    open_games: int,
    level: GameClosing | None,
    seed: str,
) -> ComputedOutlook[UUID]:
    """The possible places of every squad, by the id it has through all stages; `level` is as in
    `standings.outlook`. Raises CannotDraw.
    """
    courses = (*courses[:-1], as_due(courses[-1]))
    rest = _Rest(courses, stages, rules, decided, level)
    in_bracket, is_exact = _by_bracket(rest)
    if is_exact:
        teams = outlooks(squad_ids(courses).values(), in_bracket, in_bracket)
        return ComputedOutlook(teams, open_games, OutlookMethod.EXACT)
    most = _most_ways(courses[-1])
    if _fewest_ways(courses[-1]) > most:
        return _sampled(rest, open_games, seed)
    places = _Places()
    try:
        for _ in _every_way(rest, places, most):
            pass
    except _TooManyError:
        return _sampled(rest, open_games, seed)
    return counted_outlook(outlooks(squad_ids(courses).values(), places.found, places.allowed), open_games)


def _matches_left(course: StageHistory) -> int:
    """How many matches of a stage have at least to be decided yet."""
    if course.is_ended:
        return len(course.progress.open_pairings())
    return course.format.matches_left(course.progress)


def _most_ways(course: StageHistory) -> int:
    """How many ways are gone through."""
    if course.format.result_kind is not ResultKind.PLACES:
        return MOST_WAYS
    return max(MOST_WAYS, min(MOST_WAYS_AT_TABLES, _WORK // max(1, len(course.progress.contestants))))


def _fewest_ways(course: StageHistory) -> int:
    """In how many ways a stage can end at least."""
    left = _matches_left(course)
    if course.format.result_kind is not ResultKind.PLACES:
        return 1 << left
    open_ = course.progress.open_pairings()
    there = [len(set(pairing.sides) - course.progress.gone) for pairing in open_]
    undrawn = (left - len(open_)) * [course.format.seats - 1]
    return prod(map(_orders_of, [*there, *undrawn]))


@cache
def _orders_of(sides: int) -> int:
    """In how many ways so many can come to places that can be shared."""
    return sum(comb(sides, first) * _orders_of(sides - first) for first in range(1, sides + 1)) or 1


def _sampled(rest: _Rest, open_games: int, seed: str) -> ComputedOutlook[UUID]:
    squads = list(squad_ids(rest.courses).values())
    won = replace(rest, level=None, shares_places=False, memory=_Memory())
    samples = max(20, min(MOST_SAMPLES, _WORK // len(squads) ** 2))
    seen: dict[UUID, Counter[int]] = {squad: Counter() for squad in squads}
    places = _Places()
    for number in range(1, samples + 1):
        for row in won.play_out(_even(seed, number), places):
            seen[row.team][row.place] += 1
    teams = outlooks(squads, places.found, _bounds(rest), seen)
    return ComputedOutlook(teams, open_games, OutlookMethod.SAMPLED, samples, seed)


def _every_way(rest: _Rest, places: _Places, most: int) -> Iterator[None]:
    """Take every way into `places`, by counting through the choices as they come up."""
    taken: list[list[int]] = []
    for ways in range(most + 1):
        if ways == most:
            raise _TooManyError
        at = 0

        def choose(possibilities: int) -> int:
            nonlocal at
            if at == len(taken):
                taken.append([0, possibilities])
            at += 1
            return taken[at - 1][0]

        rest.play_out(choose, places)
        yield
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        if not taken:
            return
        taken[-1][0] += 1


def _even(seed: str, sample: int) -> Choose:
    """Choices with even odds (see the module)."""
    at = 0

    def choose(possibilities: int) -> int:
        nonlocal at
        at += 1
        text = f"{SAMPLING}/{seed}/{sample}/{at}"
        return int(hashlib.sha256(text.encode()).hexdigest(), 16) % possibilities

    return choose


def _ends(match: PlayedMatch) -> tuple[GameEnd, ...]:
    return tuple(game.end for game in match.games if game.end is not None)


def _ended_by(
    match: PlayedMatch, course: StageHistory, ends: Sequence[GameEnd]
) -> tuple[PlayedMatch, PairingOutcome]:
    """A match after all its games, of which the first are those that are over."""
    sides, kind = match.pairing.sides, course.kind
    ended = [game for game in match.games if game.end is not None]
    used = {game.number for game in ended}
    numbers = (number for number in count(1) if number not in used)
    further = tuple(
        PlayedGame(stage_facts.game_id(match.id, number), number, kind.seats(sides, number), end, None)
        for number, end in zip(numbers, ends[len(ended) :], strict=False)
    )
    finished = replace(match, games=(*ended, *further), state=kind.state(sides, ends))
    outcome = match_outcome(finished, course.format.points)
    if outcome is None:
        raise ValueError("a match without a further game has an outcome")
    return finished, outcome


def _ranked_by(
    match: PlayedMatch, course: StageHistory, places: tuple[int, ...]
) -> tuple[PlayedMatch, PairingOutcome]:
    """A match at a table of many whose sides came to these places."""
    firsts = [side for side, place in zip(match.pairing.sides, places, strict=True) if place == 1]
    winner = firsts[0] if len(firsts) == 1 else None
    end = GameEnd(winner, GameClosing.BELL if winner is None else GameClosing.PLAYED)
    finished, _ = _ended_by(match, course, _ends(match) or (end,))
    plan = RoundPlan(match.round, "", (), (match.pairing,))
    gone = course.progress.gone
    absent = frozenset(at for at in match.absent_at() if match.pairing.sides[at] in gone)
    result = TableResult(end.closed, winner, places=places, absent=absent)
    (outcome,) = course.format.outcomes(plan, [result])
    if outcome is None:
        raise ValueError("places decide a table")
    return finished, outcome


def _endings(
    match: PlayedMatch, course: StageHistory, level: GameClosing | None
) -> list[tuple[PlayedMatch, PairingOutcome]]:
    """How an open match can end, by the points of its sides: each further game is won by one of them or ends
    level. A decisive match goes on until somebody has won it, so there the winners alone matter: it ends in
    one way for each side.
    """
    kind = course.kind
    drawn = () if level is None or kind.decisive else (GameEnd(None, level),)
    waiting: list[tuple[GameEnd, ...]] = [_ends(match)]
    known = set()
    found = []
    while waiting:
        ends = waiting.pop(0)
        state = kind.state(match.pairing.sides, ends)
        # A game that gives nobody a point uses up none of a first to N.
        reached = state.points, 0 if kind.length is Length.FIRST_TO else len(ends)
        if reached in known:
            continue
        known.add(reached)
        if state.next_game is not None:
            waiting += [(*ends, end) for end in (*map(GameEnd, state.next_game.sides), *drawn)]
            continue
        found.append(_ended_by(match, course, ends))
    if kind.decisive:
        return list({outcome.winner: (ended, outcome) for ended, outcome in found}.values())
    return found


def _bounds(rest: _Rest) -> dict[UUID, set[int]]:
    """What can't be ruled out: the places that a bracket leaves open, or those that points allow."""
    in_bracket, _ = _by_bracket(rest)
    if in_bracket:
        return in_bracket
    course = rest.courses[-1]
    is_first = len(rest.courses) == len(rest.stages) == 1
    if is_first and not course.choice.has_places and rest.rules.metrics[:1] == ("points",):
        return _by_points(rest, course, squad_ids(rest.courses))
    return rest.anywhere()


def _by_bracket(rest: _Rest) -> tuple[dict[UUID, set[int]], bool]:
    """The places that a bracket leaves open to each squad, and whether each of them can be taken. Nothing
    where the last stage is no bracket. Who isn't in it has a place.
    """
    course = rest.courses[-1]
    if course.number < len(rest.stages) or course.is_ended:
        return {}, False
    ids = squad_ids(rest.courses)
    last = rest.last_places()
    numbers = {one.number: ids[course.key(one.number)] for one in course.progress.contestants}
    ranked_last = {number for number, squad in numbers.items() if squad in last}
    found = course.format.open_places(course.progress, ranked_last)
    if found is None:
        return {}, False
    # Between those who share a place a decision can be made.
    is_shared = rest.rules.ties not in DECIDING
    inside = {
        numbers[number]: {
            place
            for each in shared
            for place in range(each.best, (each.worst if is_shared else each.last) + 1)
        }
        for number, shared in found.by_contestant.items()
    }
    rows = rank_stages(rest.courses, rest.rules, rest.decided)
    outside = {row.team: places_of(row) for row in rows if row.team not in inside}
    return outside | inside, found.is_exact and is_shared


def _by_points(rest: _Rest, course: StageHistory, ids: Mapping[Key, UUID]) -> dict[UUID, set[int]]:
    """What points allow in each group. Nobody takes more from a match than a win gives, nor from a round to
    come than its best, and nobody loses what they have.
    """
    if rest.waits_for_who_left():
        return rest.anywhere()
    win = course.format.most_points
    best = max((win, *course.format.unplayed_points))
    total = course.format.rounds_for(len(course.progress.contestants)) or 0
    undrawn = max(0, total - len(course.progress.rounds))
    waiting: Counter[UUID] = Counter()
    left: Counter[UUID] = Counter()
    for each in course.progress.rounds:
        left.update(ids[course.key(side)] for pairing in each.open_pairings() for side in pairing.sides)
        if course.format.unplayed_points and not any(each.outcomes):
            # What a round without a match gives comes with the first result of the others.
            playing = {side for pairing in each.plan.pairings for side in pairing.sides}
            numbers = {one.number for one in course.progress.contestants}
            waiting.update(ids[course.key(number)] for number in numbers - playing)
    spans: dict[UUID, tuple[int, int]] = {}
    for table in group_tables(course, ids, rest.rules, rest.decided):
        # Whoever is ranked last takes part in nothing that these bounds are about.
        have = {row.team: row.value("points") or Fraction(0) for row in table.rows if not row.ranked_last}
        most = {
            squad: points + left[squad] * win + (undrawn + waiting[squad]) * best
            for squad, points in have.items()
        }
        for squad in have:
            ahead = 1 + sum(other > most[squad] for other in have.values())
            behind = len(have) - sum(other < have[squad] for other in most.values())
            spans[squad] = ahead, behind
    return _across(spans) | rest.last_places()


def _spans(tables: Iterable[GroupTable]) -> dict[UUID, tuple[int, int]]:
    """The best and the worst place of each squad in its group, but of those that are ranked last."""
    spans = {}
    for table in tables:
        for row in table.rows:
            if not row.ranked_last:
                places = _allowed(row)
                spans[row.team] = min(places), max(places)
    return spans


def _across(spans: Mapping[UUID, tuple[int, int]]) -> dict[UUID, set[int]]:
    """The places over all groups of who can come to these in the own one. All first ones stand before all
    second ones, and so on.
    """
    return {
        squad: set(
            range(
                1 + sum(worst < span[0] for _, worst in spans.values()),
                len(spans) - sum(best > span[1] for best, _ in spans.values()) + 1,
            )
        )
        for squad, span in spans.items()
    }
