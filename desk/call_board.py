"""The call board at a moment: how each match stands, and what is to be called at each table."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from people.display_names import NameBook
from people.models import Entry, Event, Team
from tournaments.models import Tournament
from tournaments.projections.removed_squads import why_left
from tournaments.queries.clocks import clock_of
from tournaments.queries.match_state import DayState, is_late
from tournaments.queries.match_views import MatchProgress, MatchView, SideView
from tournaments.queries.matches import board
from tournaments.queries.timetable.agenda import match_states, order_of_play
from tournaments.queries.timetable.match_starts import hours_of_event


@dataclass(frozen=True, slots=True)
class CallSide:
    """A side that is called: its team and players.

    It also has who hasn't come yet, where people check in, and who isn't coming: absent or withdrawn, though
    drawn. Of a squad that has left, `left` says why; nobody of it is called or missed.
    """

    team: Team
    players: list[str]
    missing: list[str]
    not_coming: list[str]
    left: str = ""


@dataclass(frozen=True, slots=True)
class CallRow:
    """What is to be called at a table: its next match, and how many games are left of what is on there."""

    table: int
    match: MatchView
    starts_at: datetime | None
    left: int
    is_late: bool
    state: DayState
    sides: list[CallSide]


class CallBoard:
    """All matches of an event's published tournaments now: when they are played (`hours`), and how each
    stands among the others of the day (`states`).
    """

    def __init__(self, event: Event) -> None:
        self.event = event
        self.matches = board(event)
        tournaments = {match.tournament for match in self.matches}
        self.hours = hours_of_event(event, tournaments)
        self.now = timezone.now()
        self.clocks = {tournament.pk: clock_of(tournament, self.now) for tournament in tournaments}
        self.at_tables: dict[int, list[MatchView]] = {}
        for match in sorted(self.matches, key=lambda match: order_of_play(match, self.hours)):
            if match.tournament.status == Tournament.Status.PUBLISHED:
                self.at_tables.setdefault(match.table.number, []).append(match)
        for match in self.matches:
            clock = self.clocks[match.tournament.pk]
            if match.place is not None and (match.round, match.wave) == (clock.round, clock.wave):
                self.clocks[match.tournament.pk] = replace(clock, planned_at=self.start(match))
        self.states = match_states(event, self.matches, self.hours, self.now)

    def start(self, match: MatchView) -> datetime | None:
        """When a match is to begin, where the event is."""
        hour = self.hours.get(match.id)
        return hour.begins_at.astimezone(ZoneInfo(self.event.time_zone)) if hour else None

    def is_late(self, match: MatchView) -> bool:
        """Whether it should have begun, or be over: by its hour, or since the bell has rung for it."""
        if match.progress is MatchProgress.DONE or match.tournament.status != Tournament.Status.PUBLISHED:
            return False
        if self.clocks[match.tournament.pk].has_rung and self.has_its_bell(match):
            return True
        return match.progress is MatchProgress.WAITING and is_late(self.event, self.start(match), self.now)

    def has_its_bell(self, match: MatchView) -> bool:
        """Whether the clock was started for this match, or for later ones."""
        begins_at = match.place.begins_at if match.place is not None else None
        return self.clocks[match.tournament.pk].concerns(match.round, match.wave, begins_at)

    def current(self, table: int) -> MatchView | None:
        """What is on at a table, else what comes next, else what is disputed or waits to be confirmed.

        None if all is over there and counts.
        """
        matches = self.at_tables.get(table, [])
        on = (match for match in matches if match.progress is MatchProgress.PLAYING)
        unsettled = (match for match in matches if not match.check.counts)
        return next(on, None) or _next_of(matches) or next(unsettled, None)

    def call_list(self, book: NameBook) -> list[CallRow]:
        """The next match of each table, in the order in which tables become free."""
        rows = []
        entries = _entries(match for matches in self.at_tables.values() for match in matches)
        checks_in = any(entry.checked_in_at for entry in entries)
        for table, matches in self.at_tables.items():
            found = _next_of(matches)
            if found is None:
                continue
            on = next((match for match in matches if match.progress is MatchProgress.PLAYING), None)
            games = on.games if on else ()
            left = sum(game.is_needed and game.progress is not MatchProgress.DONE for game in games)
            sides = [_called(side, book, checks_in=checks_in) for side in found.sides]
            late, state = self.is_late(found), self.states[found.id]
            rows.append(CallRow(table, found, self.start(found), left, late, state, sides))
        return sorted(rows, key=lambda row: (row.left, order_of_play(row.match, self.hours)))


def _next_of(matches: Iterable[MatchView]) -> MatchView | None:
    """The first of a table's matches that waits."""
    return next((match for match in matches if match.progress is MatchProgress.WAITING), None)


def _entries(matches: Iterable[MatchView]) -> list[Entry]:
    return [entry for match in matches for side in match.sides for entry in side.entries]


def _called(side: SideView, book: NameBook, *, checks_in: bool) -> CallSide:
    if side.left:
        return CallSide(side.team, [book[entry.pk] for entry in side.entries], [], [], why_left(side.left))
    coming = [entry for entry in side.entries if entry.status == Entry.Status.ENTERED]
    missing = [entry for entry in coming if not entry.checked_in_at and entry.person_id] if checks_in else []
    return CallSide(
        side.team,
        [book[entry.pk] for entry in side.entries],
        [book[entry.pk] for entry in missing],
        [book[entry.pk] for entry in side.entries if entry not in coming],
    )
