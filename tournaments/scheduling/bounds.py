"""Bounds without a search: why there is no timetable, and before when none can end.

All of it counts: minutes of tables, of people, of referees and of rounds that are needed, beside those that
are there. Whatever is refuted here is impossible; what isn't may still be.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from .check import conflicts
from .indexed import Indexed, ready_at, starts_within
from .model import Cause, Flaw, Impossible, Judge, RoundOrder, SchedulingProblem, Window

_INCOMPLETE = {Flaw.NOT_PLACED, Flaw.NO_JUDGE}


def refuted(problem: SchedulingProblem, end: int | None = None) -> Impossible | None:
    """Why nothing fits, or nothing that is over at `end`; None if counting doesn't tell."""
    return Counting(problem).refuted(end)


def earliest_end(problem: SchedulingProblem) -> int | None:
    """No timetable ends before this. None without meetings, or if nothing fits at all."""
    counting = Counting(problem)
    if not problem.meetings or counting.refuted() is not None:
        return None
    ends = counting.ends()
    return ends[bisect_left(ends, True, hi=len(ends) - 1, key=lambda end: counting.refuted(end) is None)]


class Counting:
    """The counts of one problem, to be asked for several ends."""

    def __init__(self, problem: SchedulingProblem) -> None:
        self.problem = problem
        self.indexed = Indexed(problem)
        # What is pinned may stand anywhere; then only whole minutes can be counted on.
        self.step = 1 if any(each.pinned for each in problem.meetings) else problem.hall.step

    def ends(self) -> list[int]:
        """When the last meeting can be over, in order: ends of allowed starts, none before a pinned end."""
        indexed = self.indexed
        found = {start + indexed.minutes[at] for at in range(indexed.size) for start in indexed.starts[at]}
        pins = [each.pinned.start + each.minutes for each in self.problem.meetings if each.pinned is not None]
        return sorted(end for end in found if end >= max(pins, default=0))

    def refuted(self, end: int | None = None) -> Impossible | None:
        """As the function of that name."""
        problem = self.problem
        if not problem.meetings:
            return None
        if not problem.hall.tables or not problem.hall.stretches:
            return Impossible(Cause.NO_TABLE, tuple(self.indexed.keys))
        stretches = _until(problem.hall.stretches, end)
        checks: tuple[Callable[[tuple[Window, ...]], Impossible | None], ...] = (
            self._pinned,
            self._each,
            self._circle,
            self._order,
            self._people,
            self._tables,
            self._judges,
            self._rounds,
            self._waves,
        )
        for check in checks:
            if why := check(stretches):
                return why
        return None

    def _pinned(self, stretches: tuple[Window, ...]) -> Impossible | None:
        pins = [each.pinned for each in self.problem.meetings if each.pinned is not None]
        if not pins:
            return None
        found = tuple(each for each in conflicts(self.problem, pins) if each.flaw not in _INCOMPLETE)
        if found:
            keys = tuple(dict.fromkeys(key for each in found for key in each.keys))
            return Impossible(Cause.PINNED, keys, conflicts=found)
        return None

    def _each(self, stretches: tuple[Window, ...]) -> Impossible | None:
        """A meeting that fits nowhere by itself, or that nobody may judge."""
        longest = max((each.minutes for each in stretches), default=0)
        for at, meeting in enumerate(self.problem.meetings):
            if meeting.pinned is None:
                fits = meeting.minutes <= longest
            else:
                span = self.problem.span(meeting.pinned)
                fits = any(each.holds(span) for each in stretches)
            if not fits:
                return Impossible(Cause.TOO_LONG, (meeting.key,), needed=meeting.minutes, there=longest)
            if meeting.pinned is None and not self._starts(at, stretches):
                return self._too_late(at, stretches)
        if self.problem.judged:
            nobodys = self.indexed.keys_of(at for at, may in enumerate(self.indexed.may) if not may)
            if nobodys:
                return Impossible(Cause.NO_JUDGE, nobodys)
        return None

    def _too_late(self, at: int, stretches: tuple[Window, ...]) -> Impossible:
        """Of a meeting that is short enough and yet fits nowhere."""
        meeting = self.problem.meetings[at]
        earliest = meeting.not_before or 0
        if meeting.tournament in self.indexed.common:
            earliest = max(earliest, ready_at(self.problem, meeting.tournament))
        left = _from(stretches, earliest, self.problem.hall.step)
        there = max((each.minutes for each in left), default=0)
        return Impossible(
            Cause.TOO_LATE, (meeting.key,), meeting.tournament, meeting.minutes, there, not_before=earliest
        )

    def _starts(self, at: int, stretches: tuple[Window, ...]) -> list[int]:
        last = stretches[-1].end - self.indexed.minutes[at] if stretches else -1
        return [start for start in self.indexed.starts[at] if start <= last]

    def _circle(self, stretches: tuple[Window, ...]) -> Impossible | None:
        circle = set(range(self.indexed.size)) - set(in_order(self.indexed))
        return Impossible(Cause.CIRCLE, self.indexed.keys_of(sorted(circle))) if circle else None

    def _order(self, stretches: tuple[Window, ...]) -> Impossible | None:
        """Chains of meetings that come after each other, each as early as it can be."""
        indexed = self.indexed
        earliest: dict[int, int] = {}
        through: dict[int, int | None] = {}
        for at in in_order(indexed):
            limit, last = 0, None
            for before, minutes in indexed.before[at].items():
                if earliest[before] + minutes > limit:
                    limit, last = earliest[before] + minutes, before
            starts = [start for start in self._starts(at, stretches) if start >= limit]
            through[at] = last
            if not starts:
                chain: list[int] = []
                step: int | None = at
                while step is not None:
                    chain.append(step)
                    step = through[step]
                chain.reverse()
                return Impossible(
                    Cause.ORDER,
                    indexed.keys_of(chain),
                    needed=sum(indexed.minutes[each] for each in chain),
                    there=sum(each.minutes for each in stretches),
                )
            earliest[at] = starts[0]
        return None

    def _people(self, stretches: tuple[Window, ...]) -> Impossible | None:
        worst: Impossible | None = None
        for person, theirs in enumerate(self.indexed.of_person):
            minutes = [self.indexed.minutes[at] for at in theirs]
            short = shortage(minutes, stretches, 1, self.problem.hall.rest, self.step)
            if short and (worst is None or short[0] - short[1] > worst.needed - worst.there):
                keys = self.indexed.keys_of(theirs)
                worst = Impossible(Cause.PERSON, keys, self.indexed.names[person], *short)
        return worst

    def _at_once(self) -> int:
        """How many meetings there can be at once, by tables, people and referees."""
        counts = [len(self.problem.hall.tables)]
        fewest = min(len(people) for people in self.indexed.people)
        if fewest:
            counts.append(len(self.indexed.names) // fewest)
        if self.problem.judged:
            counts.append(len(self.problem.judges))
        return min(counts)

    def _tables(self, stretches: tuple[Window, ...]) -> Impossible | None:
        tables = len(self.problem.hall.tables)
        short = shortage(self.indexed.minutes, stretches, tables, self.problem.hall.changeover, self.step)
        if short is None:
            return None
        needed = sum(self.indexed.minutes)
        there = needed - (short[0] - short[1])
        in_all = tables * sum(each.minutes for each in stretches)
        return Impossible(Cause.TABLES, tuple(self.indexed.keys), None, needed, there, in_all=in_all)

    def _judges(self, stretches: tuple[Window, ...]) -> Impossible | None:
        """With `judged`: the meetings that only these may judge, for each set of referees that occurs."""
        if not self.problem.judged:
            return None
        for group in sorted({tuple(may) for may in self.indexed.may}, key=len, reverse=True):
            theirs = [at for at, may in enumerate(self.indexed.may) if set(may) <= set(group)]
            judges = [self.problem.judges[at] for at in group]
            minutes = [self.indexed.minutes[at] for at in theirs]
            needed, there = sum(minutes), sum(_minutes_of(each, stretches, min(minutes)) for each in judges)
            short = shortage(minutes, stretches, len(judges), 0, self.step)
            if needed > there:
                short = needed, there
            if short:
                return Impossible(Cause.JUDGES, self.indexed.keys_of(theirs), None, *short)
        return None

    def _rounds(self, stretches: tuple[Window, ...]) -> Impossible | None:
        """Rounds that don't mix, one after the other; and too few people for all tables at once."""
        at_once = self._at_once()
        hall = self.problem.hall
        if at_once < len(hall.tables):
            short = shortage(self.indexed.minutes, stretches, at_once, 0, self.step)
            if short:
                by_people = not self.problem.judged or at_once < len(self.problem.judges)
                return Impossible(
                    Cause.PERSON if by_people else Cause.JUDGES, tuple(self.indexed.keys), None, *short
                )
        if self.problem.rounds is not RoundOrder.APART:
            return None
        for tournament, rounds in self.indexed.rounds.items():
            if any(self.problem.meetings[at].pinned for each in rounds.values() for at in each):
                continue
            limit, needed = 0, 0
            for number in sorted(rounds):
                minutes = [self.indexed.minutes[at] for at in rounds[number]]
                after = self._round_end(minutes, limit, stretches, at_once)
                needed += max(minutes) * -(-len(minutes) // at_once)
                if after is None:
                    rest = [each for later, each in rounds.items() if later > number]
                    needed += sum(
                        max(self.indexed.minutes[at] for at in each) * -(-len(each) // at_once)
                        for each in rest
                    )
                    keys = self.indexed.keys_of(at for each in rounds.values() for at in each)
                    there = sum(each.minutes for each in stretches)
                    return Impossible(Cause.ROUNDS, keys, tournament, needed, there)
                limit = after
        return None

    def _waves(self, stretches: tuple[Window, ...]) -> Impossible | None:
        """Common starts: too few for all meetings of a tournament, for its rounds, or for one person's."""
        indexed, at_once = self.indexed, self._at_once()
        meetings = self.problem.meetings
        for tournament, starts in indexed.common.items():
            theirs = [
                at
                for at in range(indexed.size)
                if meetings[at].tournament == tournament and meetings[at].pinned is None
            ]
            long = max(indexed.minutes[at] for at in theirs)
            usable = {start for at in theirs for start in self._starts(at, stretches)} & set(starts)
            waves = len(usable)
            keys = indexed.keys_of(theirs)
            if len(theirs) > waves * at_once:
                in_all = 0
                if at_once == len(self.problem.hall.tables):
                    left = _from(stretches, min(usable, default=0), 1)
                    in_all = at_once * sum(each.minutes for each in left)
                needed, there = len(theirs) * long, waves * at_once * long
                return Impossible(Cause.TABLES, keys, None, needed, there, in_all=in_all)
            if self.problem.rounds is RoundOrder.APART:
                rounds = Counter(meetings[at].round for at in theirs if meetings[at].round)
                needed = sum(-(-count // at_once) for count in rounds.values())
                if needed > waves:
                    return Impossible(Cause.ROUNDS, keys, tournament, needed * long, waves * long)
            matches = Counter(person for at in theirs for person in indexed.people[at])
            for person, count in matches.most_common(1):
                if count > waves:
                    own = indexed.keys_of(at for at in theirs if person in indexed.people[at])
                    name = indexed.names[person]
                    return Impossible(Cause.PERSON, own, name, count * long, waves * long)
        return None

    def _round_end(
        self, minutes: list[int], limit: int, stretches: tuple[Window, ...], at_once: int
    ) -> int | None:
        """When a round that begins at `limit` is over at the earliest."""
        ends = sorted(
            {
                start + each
                for each in set(minutes)
                for start in starts_within(stretches, each, self.step)
                if start >= limit
            }
        )

        def fits(end: int) -> bool:
            there = _from(_until(stretches, end), limit, self.step)
            longest = max((each.minutes for each in there), default=0)
            return max(minutes) <= longest and not shortage(minutes, there, at_once, self._gap(), self.step)

        first = bisect_left(ends, True, key=fits)
        return ends[first] if first < len(ends) else None

    def _gap(self) -> int:
        """Minutes that surely are between two meetings one after the other."""
        return self.problem.hall.changeover if self._at_once() == len(self.problem.hall.tables) else 0


def in_order(indexed: Indexed) -> list[int]:
    """All meetings, each after those that it comes after; what is in a circle, or after one, is left out."""
    waiting = [len(before) for before in indexed.before]
    ready = [at for at, count in enumerate(waiting) if not count]
    for at in ready:
        for behind in indexed.behind[at]:
            waiting[behind] -= 1
            if not waiting[behind]:
                ready.append(behind)
    return ready


def shortage(
    minutes: Sequence[int], stretches: Iterable[Window], places: int, gap: int, step: int
) -> tuple[int, int] | None:
    """Whether so many places (tables, or one person) are surely too few for all these, with `gap` between
    two.

    Returns the minutes that are needed and there, or None.

    Two counts are made. One is how many of the shortest fit, the other how many minutes. On a grid of `step`,
    something of d minutes keeps the next one away for d + gap, rounded up to the grid.
    """
    if not minutes:
        return None
    taken = [_rounded(each + gap, step) for each in minutes]
    shortest, shortest_taken = min(minutes), min(taken)
    beyond = max(whole - each for whole, each in zip(taken, minutes, strict=True))
    usable = [each.minutes for each in stretches if each.minutes >= shortest]
    count = places * sum((each - shortest) // shortest_taken + 1 for each in usable)
    there = places * sum((each + beyond) // step * step for each in usable)
    if len(minutes) > count:
        # Those that are too many count as the shortest: the two differ by what surely lacks.
        return sum(minutes), sum(minutes) - shortest * (len(minutes) - count)
    needed = sum(taken)
    return (needed, there) if needed > there else None


def _rounded(minutes: int, step: int) -> int:
    return -(-minutes // step) * step


def _until(stretches: tuple[Window, ...], end: int | None) -> tuple[Window, ...]:
    if end is None:
        return stretches
    return tuple(Window(each.start, min(each.end, end)) for each in stretches if each.start < end)


def _from(stretches: tuple[Window, ...], start: int, step: int) -> tuple[Window, ...]:
    """What is left of the stretches from `start` on, beginning on their grid."""
    left = []
    for each in stretches:
        begin = each.start if each.start >= start else each.start + _rounded(start - each.start, step)
        if begin < each.end:
            left.append(Window(begin, each.end))
    return tuple(left)


def _minutes_of(judge: Judge, stretches: tuple[Window, ...], shortest: int) -> int:
    """How many minutes of the stretches a referee is there."""
    if not judge.windows:
        return sum(each.minutes for each in stretches if each.minutes >= shortest)
    shared = (max(0, each.overlap(window)) for each in stretches for window in judge.windows)
    return sum(each for each in shared if each >= shortest)
