"""The floor at a moment: how each match stands, and what is to be called at each table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from people.display_names import NameBook
from people.models import Entry, Event, Team
from tournaments.models import Tournament
from tournaments.queries.clocks import clock_of
from tournaments.queries.match_state import DayState, is_late
from tournaments.queries.matches import MatchProgress, MatchView
from tournaments.queries.timetable.agenda import match_states, order_of_play
from tournaments.queries.timetable.hours import Hours


@dataclass(frozen=True, slots=True)
class CallSide:
    """A side that is called: its team, each player with whether the child is here (None where nobody checks
    in, or a name was erased), and who isn't coming: absent or withdrawn, though drawn.
    """

    team: Team
    players: tuple[tuple[str, bool | None], ...]
    not_coming: tuple[str, ...] = ()

    @property
    def missing(self) -> list[str]:
        """Who hasn't come yet."""
        return [name for name, is_here in self.players if is_here is False]


@dataclass(frozen=True, slots=True)
class CallLine:
    """What is to be called at a table: its next match, what is still on there, and how many games of that
    are left.
    """

    table: int
    match: MatchView
    starts_at: datetime | None
    on: MatchView | None
    left: int
    is_late: bool
    state: DayState
    sides: tuple[CallSide, ...]


class Floor:
    """All matches of an event's published tournaments; `hours` are when they are played."""

    def __init__(self, event: Event, matches: Sequence[MatchView], hours: Hours, now: datetime) -> None:
        self.event = event
        self.hours = hours
        self.now = now
        self.clocks = {tournament.pk: clock_of(tournament, now) for tournament in _tournaments(matches)}
        self.at_tables: dict[int, list[MatchView]] = {}
        for match in sorted(matches, key=lambda match: order_of_play(match, hours)):
            if match.tournament.status == Tournament.Status.PUBLISHED:
                self.at_tables.setdefault(match.table.number, []).append(match)
        self._states = match_states(event, matches, hours, now)

    def start(self, match: MatchView) -> datetime | None:
        """When a match is to begin, where the event is."""
        hour = self.hours.get(match.id)
        return hour.begins_at.astimezone(ZoneInfo(self.event.time_zone)) if hour else None

    def is_late(self, match: MatchView) -> bool:
        """Whether it should have begun, or be over: by its hour, or since the bell has rung for it."""
        if match.progress is MatchProgress.DONE or match.tournament.status != Tournament.Status.PUBLISHED:
            return False
        clock = self.clocks[match.tournament.pk]
        if clock.has_rung and clock.concerns(match.round, match.wave):
            return True
        return match.progress is MatchProgress.WAITING and is_late(self.event, self.start(match), self.now)

    def state(self, match: MatchView) -> DayState:
        """How a match stands among the others of the day."""
        return self._states[match.id]

    def current(self, table: int) -> MatchView | None:
        """What is on at a table, else what comes next, else what is disputed or waits to be confirmed; None
        if all is over there and counts.
        """
        matches = self.at_tables.get(table, [])
        on = (match for match in matches if match.progress is MatchProgress.PLAYING)
        unsettled = (match for match in matches if not match.check.counts)
        return next(on, None) or _next_of(matches) or next(unsettled, None)

    def call_list(self, book: NameBook) -> list[CallLine]:
        """The next match of each table, in the order in which tables become free."""
        lines = []
        checks_in = any(
            entry.checked_in_at
            for at_table in self.at_tables.values()
            for match in at_table
            for side in match.sides
            for entry in side.entries
        )
        for table, matches in self.at_tables.items():
            found = _next_of(matches)
            if found is None:
                continue
            on = next((match for match in matches if match.progress is MatchProgress.PLAYING), None)
            left = (
                sum(game.is_needed and game.progress is not MatchProgress.DONE for game in on.games)
                if on
                else 0
            )
            sides = tuple(
                CallSide(
                    side.team,
                    tuple((book[entry.pk], _is_here(entry, checks_in)) for entry in side.entries),
                    tuple(book[entry.pk] for entry in side.entries if entry.status != Entry.Status.ENTERED),
                )
                for side in found.sides
            )
            lines.append(
                CallLine(
                    table, found, self.start(found), on, left, self.is_late(found), self.state(found), sides
                )
            )
        return sorted(lines, key=lambda line: (line.left, order_of_play(line.match, self.hours)))


def _tournaments(matches: Iterable[MatchView]) -> Iterable[Tournament]:
    return {match.tournament.pk: match.tournament for match in matches}.values()


def _next_of(matches: Iterable[MatchView]) -> MatchView | None:
    """The first of a table's matches that waits."""
    return next((match for match in matches if match.progress is MatchProgress.WAITING), None)


def _is_here(entry: Entry, checks_in: bool) -> bool | None:
    if not checks_in or entry.person_id is None or entry.status != Entry.Status.ENTERED:
        return None
    return entry.checked_in_at is not None
