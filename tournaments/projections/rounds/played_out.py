"""The rest of a tournament, played to its end in one way: what each choice on the way leads to."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final
from uuid import UUID, uuid5

from tournaments.facts import stages as stage_facts
from tournaments.formats.format import PairingOutcome, PlayedRound, StageProgress
from tournaments.formats.stages.model import BestOfPlace, FirstOverall, Seeding
from tournaments.formats.stages.next_contestants import apply
from tournaments.formats.table_result import ResultKind
from tournaments.projections.rounds.course import Key, PlayedMatch, StageHistory, not_begun
from tournaments.projections.rounds.match_endings import Ending, ended_by, endings, ends_of, ranked_by
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
from tournaments.settings.stage import StageSettings
from tournaments.standings import GameClosing, Row, Rules
from tournaments.standings.outlook import asks_play_off, places_of, span_of, unknown_metrics

_NOTHING: Final[Unknown] = {}

Choose = Callable[[int], int]
"""Takes a number of possibilities, and gives the index of one."""


@dataclass(slots=True)
class OutcomePlaces:
    """The places of each squad: `found` are taken in some outcome, all others that may be are `allowed`."""

    found: dict[UUID, set[int]] = field(default_factory=dict)
    allowed: dict[UUID, set[int]] = field(default_factory=dict)

    def add(self, found: Mapping[UUID, set[int]], allowed: Mapping[UUID, set[int]]) -> None:
        """Take in what is known of one way."""
        for known, new in ((self.found, found), (self.allowed, allowed)):
            for squad, places in new.items():
                known.setdefault(squad, set()).update(places)


@dataclass(slots=True)
class SharedWork:
    """What many ways have in common, worked out once.

    `ids` are those of all squads. `tables` are groups by all that they follow from. `groups` are who is in
    them, by stage and number of rounds. `endings` are how an open match of the stage that is on can end.
    """

    ids: dict[Key, UUID] = field(default_factory=dict)
    tables: dict[Hashable, GroupTable] = field(default_factory=dict)
    groups: dict[tuple[UUID, int], tuple[frozenset[int], ...]] = field(default_factory=dict)
    endings: dict[UUID, list[Ending]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rest:
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
    memory: SharedWork = field(default_factory=SharedWork, compare=False)

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

    def play_out(self, choose: Choose, places: OutcomePlaces) -> list[Row[UUID]]:
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
                allowed |= across_groups(_spans(tables))
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
            return ranked_by(match, course, self._any_places(sides, there, choose))
        ways: list[tuple[PlayedMatch, PairingOutcome]] = []
        if not there:
            ways.append((match, PairingOutcome((Fraction(0),) * len(sides), None, walkover=True)))
        elif len(there) < len(sides):
            gone = next(side for side in sides if side not in there)
            ways.append(ended_by(match, course, course.kind.conceded(sides, ends_of(match), gone)))
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

    def _endings(self, match: PlayedMatch, course: StageHistory) -> list[Ending]:
        """How an open match can end; those of the stage that is on are worked out once."""
        if course.stage != self.courses[-1].stage or not self._has_fixed_groups(course):
            return endings(match, course, self.level)
        if match.id not in self.memory.endings:
            self.memory.endings[match.id] = endings(match, course, self.level)
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


def across_groups(spans: Mapping[UUID, tuple[int, int]]) -> dict[UUID, set[int]]:
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


def _spans(tables: Iterable[GroupTable]) -> dict[UUID, tuple[int, int]]:
    """The best and the worst place of each squad in its group, but of those that are ranked last."""
    spans = {}
    for table in tables:
        for row in table.rows:
            if not row.ranked_last:
                places = _allowed(row)
                spans[row.team] = min(places), max(places)
    return spans


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
