"""Preview of a qualification: its rules, asked of a stage as it stands."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from ..errors import CannotDraw, gettext_noop
from ..order import drawn_lot
from .model import (
    BestOfPlace,
    Everybody,
    FirstOfEachGroup,
    FirstOverall,
    Going,
    Qualification,
    Reason,
    Seeding,
    StagePreview,
    StageResult,
    Tie,
    UnequalGroups,
    Value,
)
from .seeding import METHOD, Through, number

Level = tuple[int, ...]


def preview_stage(
    result: StageResult,
    qualification: Qualification,
    decided: Iterable[Sequence[int]] = (),
    seed: str = "",
) -> StagePreview:
    """Who goes on, who doesn't, who waits for what, and which ties have to be decided first.

    `decided` are recorded orders (lots, a play-off), the latest last; the latest that names all who are level
    breaks their tie. `seed` is that of the lots by which `Seeding.LOTS` numbers. Raises CannotDraw where
    groups are compared that can't be: of different sizes without a rule for it, or without values.
    """
    return _Asking(result, qualification, [tuple(each) for each in decided]).answer(seed)


@dataclass(frozen=True, slots=True)
class _PreviewPlace:
    """Where somebody stands in a group."""

    group: int
    place: int


class _Asking:
    """One preview in the making: who is through, in tiers, who waits, and what is level."""

    def __init__(self, result: StageResult, qualification: Qualification, decided: list[Level]) -> None:
        self.result = result
        self.qualification = qualification
        self.decided = decided
        self.levels = [
            [part for level in group.places for part in self._broken(level)] for group in result.groups
        ]
        self.places: dict[int, _PreviewPlace] = {}
        for group, levels in enumerate(self.levels):
            place = 1
            for level in levels:
                self.places |= dict.fromkeys(level, _PreviewPlace(group, place))
                place += len(level)
        self.through: dict[int, tuple[tuple[int, int], Reason]] = {}
        self.level_through: list[tuple[tuple[int, int], Level]] = []
        self.waits: dict[int, Reason] = {}
        self.ties: list[Tie] = []
        self.left_out: frozenset[int] = frozenset()
        self.missing = sum(group.missing for group in result.groups)

    def _broken(self, level: Level) -> list[Level]:
        """What is level, as single ones where a record says in which order."""
        if len(level) > 1:
            for record in reversed(self.decided):
                if set(level) <= set(record):
                    return [(one,) for one in record if one in level]
        return [level]

    def _available(self, levels: Iterable[Level]) -> list[Level]:
        """The levels without those who are gone or through already; a record may name just the others."""
        return [
            part
            for level in levels
            if (
                rest := tuple(one for one in level if one not in self.result.gone and one not in self.through)
            )
            for part in self._broken(rest)
        ]

    def answer(self, seed: str) -> StagePreview:
        """Ask the rules one after the other, and put together what they say."""
        for index, group in enumerate(self.result.groups):
            if group.missing:
                reason = Reason("group_open", (("group", group.name), ("missing", group.missing)))
                self._wait((one for level in self.levels[index] for one in level), reason)
        for index, rule in enumerate(self.qualification.rules):
            match rule:
                case FirstOfEachGroup():
                    self._first_of_each(index, rule)
                case BestOfPlace():
                    self._best_of_place(index, rule)
                case FirstOverall():
                    self._first_overall(index, rule)
                case Everybody():
                    self._everybody(index)
        goes_on = self._numbered(seed)
        for tie in self.ties:
            self._wait((one for one in tie.contestants if one not in self.through), Reason("tie"))
        return StagePreview(
            goes_on=goes_on,
            stays=tuple(
                Going(one, Reason("withdrawn") if one in self.result.gone else self._reason("below_cut", one))
                for one in self.places
                if one not in self.through and one not in self.waits
            ),
            waits=tuple(Going(one, reason) for one, reason in self.waits.items()),
            ties=tuple(self.ties),
            seeding=self.qualification.seeding,
            left_out=self.left_out,
        )

    def _reason(self, code: str, one: int, **more: int) -> Reason:
        """A reason that names place and group."""
        where = self.places[one]
        group = self.result.groups[where.group].name
        return Reason(code, (("place", where.place), ("group", group), *more.items()))

    def _wait(self, waiting: Iterable[int], reason: Reason) -> None:
        for one in waiting:
            if one not in self.result.gone and one not in self.through:
                self.waits.setdefault(one, reason)

    def _cut(self, levels: Iterable[Level], spots: int) -> list[Level]:
        """The levels that fit into so many spots; the one that would span the cut is a tie."""
        fitting = []
        for level in levels:
            if not spots:
                break
            if len(level) > spots:
                self.ties.append(Tie("cut", level, spots))
                break
            fitting.append(level)
            spots -= len(level)
        return fitting

    def _decided_groups(self) -> Iterator[list[Level]]:
        """The groups in which no result is missing."""
        for group, levels in zip(self.result.groups, self.levels, strict=True):
            if not group.missing:
                yield levels

    def _waits_for_others(self, waiting: Iterable[int]) -> bool:
        """Whether those who are compared across groups wait, since results of a group are missing."""
        if self.missing:
            self._wait(waiting, Reason("others_open", (("missing", self.missing),)))
        return bool(self.missing)

    def _take(self, at: tuple[int, int], level: Level, reason: Reason | Callable[[int], Reason]) -> None:
        """Who is level goes on; `at` are the index of the rule and the position in it."""
        for one in level:
            self.through[one] = (at, reason if isinstance(reason, Reason) else reason(one))
        self.level_through.append((at, level))

    # --- the rules

    def _first_of_each(self, index: int, rule: FirstOfEachGroup) -> None:
        def reason(one: int) -> Reason:
            if self.places[one].place <= rule.count:
                return self._reason("group_place", one, count=rule.count)
            return self._reason("moved_up", one)

        for levels in self._decided_groups():
            position = 1
            for level in self._cut(self._available(levels), rule.count):
                self._take((index, position), level, reason)
                position += len(level)

    def _best_of_place(self, index: int, rule: BestOfPlace) -> None:
        spots, place, rank = rule.count, rule.place, 1
        most = max((len(group.members) for group in self.result.groups), default=0)
        while spots and place <= most:
            candidates = self._candidates(place)
            if self._waits_for_others(candidates or ()) or candidates is None:
                return
            levels = self._compared(candidates, place)
            if levels is None:
                self._wait(candidates, Reason("tie"))
                return
            before = len(self.ties)
            for level in self._cut(levels, spots):
                reason = Reason("best_of_place", (("rank", rank), ("place", place), ("count", rule.count)))
                moved_up = partial(self._reason, "moved_up")
                self._take((index, place), level, moved_up if place > rule.place else reason)
                rank += len(level)
                spots -= len(level)
            if len(self.ties) > before:
                return
            place += 1

    def _candidates(self, place: int) -> list[int] | None:
        """Who is in that place of each group and can still go on; None where a tie leaves that open."""
        candidates: list[int] = []
        unclear: list[Level] = []
        for levels in self._decided_groups():
            for level in levels:
                first = self.places[level[0]].place
                if not first <= place < first + len(level):
                    continue
                rest = self._available([level])
                if not rest:
                    continue
                if len(rest[0]) > 1:
                    unclear.append(rest[0])
                else:
                    candidates += rest[0]
        if not unclear:
            return candidates
        tied = {one for tie in self.ties for one in tie.contestants}
        self.ties += [Tie("place", level, 1) for level in unclear if not tied.intersection(level)]
        self._wait(candidates, Reason("tie"))
        return None

    def _first_overall(self, index: int, rule: FirstOverall) -> None:
        everybody = [one for levels in self.levels for level in levels for one in level]
        if self._waits_for_others(everybody):
            return
        if self.ties:
            self._wait(everybody, Reason("tie"))
            return
        if len(self.levels) == 1:
            levels: list[Level] | None = self._available(self.levels[0])
        else:
            available = [one for level in self._available([tuple(everybody)]) for one in level]
            levels = self._compared(available, 1)
        if levels is None:
            self._wait(everybody, Reason("tie"))
            return
        rank = 1
        for level in self._cut(levels, rule.count):
            self._take((index, rank), level, Reason("overall", (("rank", rank), ("count", rule.count))))
            rank += len(level)

    def _everybody(self, index: int) -> None:
        for levels in self._decided_groups():
            position = 1
            for level in self._available(levels):
                self._take((index, position), level, Reason("everybody"))
                position += len(level)

    # --- comparing across groups

    def _compared(self, candidates: Sequence[int], place: int) -> list[Level] | None:
        """The candidates in order, who is level together; None where a tie leaves open what is counted.

        Groups that have no such place play no part.
        """
        if len(candidates) < 2:
            return [tuple(candidates)] if candidates else []
        left_out = self._without_last(place)
        if left_out is None:
            return None
        self.left_out |= left_out
        values = self.result.compare(left_out)
        for one in candidates:
            if one not in values:
                raise CannotDraw(
                    "no_values",
                    gettext_noop("Nothing is known by which contestant %(contestant)d could be compared."),
                    contestant=one,
                )

        levels = _ordered(candidates, {one: values[one] for one in candidates})
        return [part for level in levels for part in self._broken(level)]

    def _without_last(self, place: int) -> frozenset[int] | None:
        """Against whom results aren't counted: who is beyond the size of the smallest group.

        None where that is a tie, which is noted.
        """
        groups = [index for index, levels in enumerate(self.levels) if sum(map(len, levels)) >= place]
        sizes = {index: sum(map(len, self.levels[index])) for index in groups}
        smallest, largest = min(sizes.values()), max(sizes.values())
        if smallest == largest or self.qualification.unequal is UnequalGroups.AS_THEY_ARE:
            return frozenset()
        if self.qualification.unequal is None:
            raise CannotDraw(
                "unequal_groups",
                gettext_noop(
                    "Groups have %(smallest)d to %(largest)d contestants: say how they are compared, as they "
                    "are or without the results against the last ones."
                ),
                smallest=smallest,
                largest=largest,
            )
        left_out: set[int] = set()
        unclear: list[Tie] = []
        for index in groups:
            for level in self.levels[index]:
                first = self.places[level[0]].place
                if first > smallest:
                    left_out |= set(level)
                elif first + len(level) - 1 > smallest:
                    unclear.append(Tie("left_out", level, smallest - first + 1))
        self.ties += unclear
        return None if unclear else frozenset(left_out)

    # --- numbers for the next stage

    def _numbered(self, seed: str) -> tuple[Going, ...]:
        """Who goes on, by seed; without numbers as long as anything is open."""
        in_order = sorted(self.through, key=lambda one: (self.through[one][0], self.places[one].group))
        plain = tuple(Going(one, self.through[one][1]) for one in in_order)
        if self.qualification.seeding is not Seeding.LOTS and not self._waits_for_results():
            # Beside those at the cut: who draws lots or has them play off hears of all at once.
            self.ties += self._level_seeds()
        if self.ties or self.waits:
            return plain
        if self.qualification.seeding is Seeding.LOTS:
            numbered = sorted(self.through, key=lambda one: drawn_lot(f"{METHOD}/{seed}/{one}"))
        else:
            tiers = self._tiers(in_order)
            if self.ties:
                return plain
            numbered = list(number(tiers, crossed=self.qualification.seeding is Seeding.CROSSED))
        seeds = {one: index for index, one in enumerate(numbered, start=1)}
        seeded = (replace(each, seed=seeds[each.contestant]) for each in plain)
        return tuple(sorted(seeded, key=lambda each: each.seed or 0))

    def _waits_for_results(self) -> bool:
        return any(reason.code in ("group_open", "others_open") for reason in self.waits.values())

    def _level_seeds(self) -> list[Tie]:
        """Who goes on and shares a place, so that it is open whom they meet."""
        return [
            Tie("seeding", level, len(level))
            for (index, _), level in self.level_through
            if len(level) > 1 and not isinstance(self.qualification.rules[index], BestOfPlace)
        ]

    def _tiers(self, in_order: Sequence[int]) -> list[list[Through]]:
        """Who goes on in tiers: all winners, all seconds, …; ties across groups are noted."""
        tiers = []
        for _, members in groupby(in_order, key=lambda one: self.through[one][0]):
            tier = list(members)
            if self.qualification.seeding is Seeding.RANKED and not self.ties:
                levels = self._compared(tier, 1)
                if levels is None:
                    return []
                self.ties += [Tie("seeding", level, len(level)) for level in levels if len(level) > 1]
                tier = [one for level in levels for one in level]
            tiers.append([Through(one, self.places[one].group) for one in tier])
        return tiers


def _ordered(level: Sequence[int], values: Mapping[int, Sequence[Value]]) -> list[Level]:
    """Contestants by their values, the weightiest first; who is level together. As in the standings, a metric
    that can't tell of one of those who are level decides nothing among them.
    """
    if len(level) < 2 or not values[level[0]]:
        return [tuple(level)]
    found = {one: values[one][0].value for one in level}
    later = {one: values[one][1:] for one in level}
    known = {value for value in found.values() if value is not None}
    if None in found.values() or len(known) < 2:
        return _ordered(level, later)
    return [
        part
        for value in sorted(known, reverse=values[level[0]][0].highest_first)
        for part in _ordered([one for one in level if found[one] == value], later)
    ]
