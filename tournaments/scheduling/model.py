"""Plain data of a timetable, and of what is said of it: codes and numbers, no sentences.

Times are whole minutes from a zero that the caller chooses (the midnight before the first day, say). So
several days are one line of time. Keys of meetings, tables, people, teams and judges are the caller's: any
text, each used once among its kind. Where nothing else decides, what stands first comes first.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


@dataclass(frozen=True, slots=True, order=True)
class Window:
    """From `start` until before `end`, in minutes."""

    start: int
    end: int

    @property
    def minutes(self) -> int:
        """How long it is."""
        return self.end - self.start

    def overlap(self, other: "Window") -> int:
        """How many minutes the two share; below 1 if none."""
        return min(self.end, other.end) - max(self.start, other.start)

    def holds(self, other: "Window") -> bool:
        """Whether all of the other one lies within it."""
        return self.start <= other.start and other.end <= self.end


def merged(windows: Iterable[Window]) -> tuple[Window, ...]:
    """The windows in order, those that touch or overlap made one; empty ones are left out."""
    found: list[Window] = []
    for window in sorted(each for each in windows if each.minutes > 0):
        if found and window.start <= found[-1].end:
            found[-1] = Window(found[-1].start, max(found[-1].end, window.end))
        else:
            found.append(window)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Placement:
    """A meeting at a table from a minute on, with its referee if it has one."""

    key: str
    table: str
    start: int
    judge: str | None = None


@dataclass(frozen=True, slots=True)
class ScheduledMatch:
    """What takes a table for some minutes: a match with all its games.

    `people` can't be in two places and rest between their meetings; no referee of `teams` judges it. It
    begins when all of `after` (keys) are over, and not before `not_before`. `round` is counted from 1 within
    its `tournament`, 0 for none: how rounds follow each other says `SchedulingProblem.rounds`. What is
    `pinned` stays where it is: what has begun (`is_begun`: for good), what the organizer has fixed.
    """

    key: str
    minutes: int
    people: frozenset[str] = frozenset()
    teams: frozenset[str] = frozenset()
    after: tuple[str, ...] = ()
    tournament: str = ""
    round: int = 0
    not_before: int | None = None
    pinned: Placement | None = None
    is_begun: bool = False


@dataclass(frozen=True, slots=True)
class Judge:
    """A referee, of a `team` or of none, who is there in the `windows`; without any, all the time."""

    key: str
    team: str | None = None
    windows: tuple[Window, ...] = ()

    def may(self, meeting: ScheduledMatch) -> bool:
        """Whether this referee may judge a meeting: it isn't of the own team."""
        return self.team is None or self.team not in meeting.teams

    def is_there(self, span: Window) -> bool:
        """Whether this referee is there all the while."""
        return not self.windows or any(each.holds(span) for each in self.windows)


@dataclass(frozen=True)
class Hall:
    """The tables and when they can be played at.

    `windows` are the opening hours; several are several days. Nobody plays in the `breaks`. A method lets
    meetings begin every `step` minutes, counted anew from each opening and from the end of each break. A
    pinned or delayed one may stand anywhere. `rest`: minutes between two meetings of a person; `changeover`:
    between two meetings at a table.
    """

    tables: tuple[str, ...]
    windows: tuple[Window, ...]
    breaks: tuple[Window, ...] = ()
    step: int = 5
    rest: int = 0
    changeover: int = 0

    @cached_property
    def days(self) -> tuple[Window, ...]:
        """The opening hours in order, those that touch or overlap made one."""
        return merged(self.windows)

    @cached_property
    def stretches(self) -> tuple[Window, ...]:
        """The opening hours without the breaks, in order: each meeting lies within one of them."""
        found: list[Window] = []
        for window in self.days:
            at = window.start
            for pause in sorted(self.breaks):
                if pause.end <= at or pause.start >= window.end or pause.minutes <= 0:
                    continue
                if pause.start > at:
                    found.append(Window(at, pause.start))
                at = pause.end
            if at < window.end:
                found.append(Window(at, window.end))
        return tuple(found)


class RoundOrder(StrEnum):
    """How the rounds of a tournament follow each other."""

    FREE = "free"
    """They may mix: only `after`, people and tables decide."""
    IN_TURN = "in_turn"
    """No meeting begins before all of the earlier rounds have begun; a free table takes the next round's."""
    APART = "apart"
    """No meeting begins before all of the rounds before are over."""


@dataclass(frozen=True)
class SchedulingProblem:
    """All that a timetable has to keep. With `judged`, no meeting goes without a referee; otherwise as many
    get one as there are.

    With `together`, a method lets the meetings of a tournament begin at common starts only. From each opening
    and from the end of each break comes one wave after the other. Each takes as long as its longest meeting,
    and `gap` after it. What is pinned stays where it is. `pause`: minutes that a gap has at least. Of the
    tournaments with `fixed_rounds` no round can be left out.
    """

    meetings: tuple[ScheduledMatch, ...]
    hall: Hall
    judges: tuple[Judge, ...] = ()
    judged: bool = False
    rounds: RoundOrder = RoundOrder.IN_TURN
    together: bool = False
    pause: int = 0
    fixed_rounds: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Refuse with ValueError what makes no sense: keys twice, no minutes, a pin of another meeting."""
        for kind, keys in (
            ("meeting", [each.key for each in self.meetings]),
            ("table", list(self.hall.tables)),
            ("judge", [each.key for each in self.judges]),
        ):
            if len(set(keys)) != len(keys):
                raise ValueError(f"A {kind} is there twice.")
        if self.hall.step < 1 or self.hall.rest < 0 or self.hall.changeover < 0:
            raise ValueError("A step has at least a minute, rest and changeover at least none.")
        for each in self.meetings:
            if each.minutes < 1:
                raise ValueError(f"Meeting {each.key} takes no time.")
            if each.pinned is not None and each.pinned.key != each.key:
                raise ValueError(f"Meeting {each.key} is pinned as {each.pinned.key}.")

    @property
    def gap(self) -> int:
        """The minutes between two waves of common starts."""
        return max(self.hall.changeover, self.pause)

    @cached_property
    def by_key(self) -> Mapping[str, ScheduledMatch]:
        """The meetings by their keys."""
        return {each.key: each for each in self.meetings}

    @cached_property
    def judge_by_key(self) -> Mapping[str, Judge]:
        """The referees by their keys."""
        return {each.key: each for each in self.judges}

    def shared(self, placement: Placement) -> Iterator[tuple[tuple[str, str], int]]:
        """What a placement takes that can't be in two meetings at once, its kind first; and how many minutes
        are between two such meetings.
        """
        yield ("table", placement.table), self.hall.changeover
        for person in self.by_key[placement.key].people:
            yield ("person", person), self.hall.rest
        if placement.judge is not None:
            yield ("judge", placement.judge), 0

    def span(self, placement: Placement) -> Window:
        """The minutes that a placement takes."""
        return Window(placement.start, placement.start + self.by_key[placement.key].minutes)


class Flaw(StrEnum):
    """What can be wrong with a timetable. `Conflict` says of each what its fields hold."""

    NOT_PLACED = "not_placed"
    """A meeting has no placement."""
    PLACED_TWICE = "placed_twice"
    """A meeting has more than one; all others of its conflicts are those of the first."""
    UNKNOWN_MEETING = "unknown_meeting"
    """A placement of no meeting."""
    UNKNOWN_TABLE = "unknown_table"
    """`about`: a table that isn't there."""
    TABLE_TAKEN = "table_taken"
    """Two meetings at one table (`about`), for so many minutes."""
    CHANGEOVER = "changeover"
    """So many minutes too few between two meetings at a table (`about`)."""
    TWO_PLACES = "two_places"
    """People (`people`) in two meetings at once, for so many minutes."""
    REST = "rest"
    """So many minutes of rest too few for people (`people`) between two meetings."""
    CLOSED = "closed"
    """So many minutes outside of the opening hours."""
    BREAK = "break"
    """So many minutes within breaks."""
    TOO_EARLY = "too_early"
    """So many minutes before the meeting's `not_before`."""
    ORDER = "order"
    """The second meeting begins so many minutes before the first is over, which it comes after."""
    ROUNDS = "rounds"
    """The second meeting, of a later round, begins so many minutes too early for the first."""
    PINNED = "pinned"
    """The meeting isn't where it is pinned (the referee counts if the pin names one)."""
    NO_JUDGE = "no_judge"
    """A meeting without a referee, and it needs one."""
    UNKNOWN_JUDGE = "unknown_judge"
    """`about`: a referee who isn't there."""
    OWN_TEAM = "own_team"
    """The referee (`about`) is of a team that plays."""
    JUDGE_TWO_PLACES = "judge_two_places"
    """The referee (`about`) has two meetings at once, for so many minutes."""
    JUDGE_AWAY = "judge_away"
    """The referee (`about`) isn't there all the while."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """One violated condition: which, of which meetings (the earlier one first), by how many minutes.

    `about` is the table or the referee, `people` are those concerned, in order.
    """

    flaw: Flaw
    keys: tuple[str, ...]
    minutes: int = 0
    about: str | None = None
    people: tuple[str, ...] = ()

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes two conflicts the same one, however many minutes it is about."""
        return self.flaw, frozenset(self.keys), self.about, self.people


class Method(StrEnum):
    """How a timetable was found. A name stands for exactly one way: another way gets another name."""

    PLAIN = "tendone-timetable-2"
    EXACT = "tendone-timetable-cp-2"
    """The plain one's, made better by a constraint solver (the extra `solver`)."""


@dataclass(frozen=True, slots=True)
class SolvedTimetable:
    """A timetable without conflicts, in order of start and table.

    `end` is when the last meeting is over (None without meetings); no timetable ends before `bound`, so with
    `is_best` nothing ends earlier. `waiting` are the minutes that all people together spend without playing
    between their first and their last meeting of a day, breaks not counted.
    """

    placements: tuple[Placement, ...]
    method: Method
    seed: str
    end: int | None
    bound: int | None
    waiting: int
    seconds: float

    @property
    def is_best(self) -> bool:
        """Whether none ends earlier."""
        return self.end == self.bound


class Cause(StrEnum):
    """Why there is no timetable. `Impossible` says of each what its fields hold."""

    TOO_LONG = "too_long"
    """A meeting (`keys`) of `needed` minutes; the longest stretch has `there`."""
    TOO_LATE = "too_late"
    """A meeting (`keys`, of the tournament `about`) of `needed` minutes doesn't begin before `not_before`;
    the longest stretch after that has `there`."""
    NO_TABLE = "no_table"
    """There is no table, or there are no opening hours."""
    TABLES = "tables"
    """All meetings need `needed` minutes; tables have `there`, without those between two meetings or too few
    for one. `in_all` are all their minutes; 0 where not all tables can be used at once."""
    PERSON = "person"
    """The meetings of one person (`about`), with rest, need `needed` minutes; there are `there`."""
    ROUNDS = "rounds"
    """The rounds of a tournament (`about`), one after the other, need `needed` minutes; there are `there`."""
    ORDER = "order"
    """Meetings that come after each other (`keys`) need `needed` minutes; there are `there`."""
    CIRCLE = "circle"
    """Meetings (`keys`) that each come after the other."""
    JUDGES = "judges"
    """All meetings need `needed` minutes of referees; those have `there`."""
    NO_JUDGE = "no_judge"
    """No referee may judge these meetings (`keys`)."""
    PINNED = "pinned"
    """What is pinned is in conflict with itself (`conflicts`)."""
    TOGETHER = "together"
    """Each condition could be kept, all together can't. `keys` are meetings that found no place."""


class SettingsChange(StrEnum):
    """What can be changed to make it fit. `Remedy.amount` is of …"""

    TABLES = "tables"
    """… so many more tables."""
    END_LATER = "end_later"
    """… so many minutes later on the last day."""
    BEGIN_EARLIER = "begin_earlier"
    """… so many minutes earlier on the first day."""
    SHORTER = "shorter"
    """… so many minutes off each meeting that isn't pinned."""
    NO_BREAKS = "no_breaks"
    """… so many breaks, all of them."""
    LESS_REST = "less_rest"
    """… so many minutes less rest between two meetings of a person."""
    LESS_CHANGEOVER = "less_changeover"
    """… so many minutes less between two meetings at a table."""
    JUDGES = "judges"
    """… so many more referees who are of no team and there all the time."""
    WITHOUT_JUDGES = "without_judges"
    """… so many meetings without a referee."""
    FEWER_ROUNDS = "fewer_rounds"
    """… so many of the last rounds less, in each tournament that has them."""
    MIXED_ROUNDS = "mixed_rounds"
    """Rounds may mix; no amount (0)."""
    OWN_STARTS = "own_starts"
    """Each meeting begins when its table is free, not with the others of its wave; no amount (0)."""
    UNPINNED = "unpinned"
    """… so many pinned meetings, all of them but those that have begun, that may move."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that makes it fit, and the timetable that shows it.

    With `least`, it is proved that a smaller amount doesn't do; otherwise none was found that does.
    """

    change: SettingsChange
    amount: int
    timetable: SolvedTimetable
    least: bool = False


@dataclass(frozen=True, slots=True)
class Impossible:
    """That nothing fits, why, and what would make it fit.

    With `proved`, there is no timetable; otherwise none was found in the time there was.
    """

    cause: Cause
    keys: tuple[str, ...] = ()
    about: str | None = None
    needed: int = 0
    there: int = 0
    conflicts: tuple[Conflict, ...] = ()
    not_before: int | None = None
    in_all: int = 0
    proved: bool = True
    remedies: tuple[Remedy, ...] = ()
    seconds: float = 0.0


class Step(StrEnum):
    """What is being worked at."""

    PLACING = "placing"
    IMPROVING = "improving"
    PROVING = "proving"
    REMEDIES = "remedies"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work is: the earliest end found so far, and before which none is possible."""

    step: Step
    seconds: float
    placed: int = 0
    of: int = 0
    end: int | None = None
    bound: int | None = None


Report = Callable[[Progress], None]
"""Is told how far the work is, a few times a second at most."""

Cancelled = Callable[[], bool]
"""Says whether to stop. Asked many times a second, perhaps from another thread: it must be quick."""


class Stopped(Exception):  # noqa: N818 - reads as what happened: "raise Stopped"
    """The work was cancelled before there was any answer."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Another meeting that can change places with the moved one, and the timetable after it."""

    key: str
    placements: tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """A timetable after one meeting was moved: what is in conflict now, and with whom it could swap."""

    placements: tuple[Placement, ...]
    conflicts: tuple[Conflict, ...]
    swaps: tuple[Swap, ...]


@dataclass(frozen=True, slots=True)
class Delayed:
    """A timetable after a delay: which meetings moved (in order), and what is in conflict now that wasn't
    before.

    A day that is too short can't be helped by shifting.
    """

    placements: tuple[Placement, ...]
    shifted: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
