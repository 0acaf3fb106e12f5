"""The board of the day, a row for each wave and a column for each table; and the call list."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language, gettext_lazy, npgettext_lazy

from desk.address_lookup import find_match_row
from desk.call_board import CallBoard
from desk.page import expected_version, names, organizer, organizer_post, page
from desk.rounds import RoundsState, rounds_state
from desk.timetable import clashes_told
from people.access import EventRequest
from tournaments.commands.calls import call_match, take_call_back
from tournaments.countdown import Phase
from tournaments.models import Tournament
from tournaments.queries.change_marks import event_mark
from tournaments.queries.clocks import ClockView, seconds_in, suggested_seconds
from tournaments.queries.games_over_count import games_over
from tournaments.queries.history import happenings
from tournaments.queries.match_state import DayState
from tournaments.queries.match_views import GameView, MatchProgress, MatchView, in_rounds
from tournaments.queries.timetable.clashes import clashes_of
from tournaments.settings.confirmation import Check

RECENT = 12
CheckedGame = tuple[MatchView, GameView]


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A match on the board with how it stands, or an empty table."""

    match: MatchView | None
    over: int = 0
    state: DayState = DayState.WAITING
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class BoardRow:
    """What is played at the same time, in a round of this number and name. `is_now` marks the first row that
    isn't over. `planned_at` is when the timetable has it begin, None without a place in it. `has_its_bell`:
    the clock was started for it, or for a later one.
    """

    round: int
    name: str
    wave: int
    waves: int
    start: datetime | None
    cells: tuple[BoardCell, ...]
    is_now: bool
    planned_at: datetime | None = None
    has_its_bell: bool = False


@dataclass(frozen=True, slots=True)
class BoardPart:
    """The board of one tournament: what is on or to come, and what is over.

    Results that are disputed, and those that wait for confirmation, each come with the match.
    """

    tournament: Tournament
    clock: ClockView
    tables: tuple[int, ...]
    rows: tuple[BoardRow, ...]
    over: tuple[BoardRow, ...]
    state: RoundsState | None = None
    disputed: tuple[CheckedGame, ...] = ()
    submitted: tuple[CheckedGame, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether anything can be entered and confirmed."""
        return self.tournament.status == Tournament.Status.PUBLISHED

    @property
    def has_clock(self) -> bool:
        """Whether there is something to set: what is to be played, or a clock that was started."""
        return self.is_open and (bool(self.rows) or self.clock.phase is not Phase.STOPPED)

    @property
    def next_row(self) -> BoardRow | None:
        """What a clock is most likely started for: the first row that isn't over.

        After the bell it is the one after the clock's, since a result that is late doesn't hold up the day.
        """
        rows = [bell[0] for bell in self.bells]
        later = [row for row in rows if not (self.clock.has_rung and row.has_its_bell)]
        return next(iter([*later, *rows]), None)

    @property
    def bells(self) -> list[list[BoardRow]]:
        """The rows that aren't over in the order of play: those that begin at once have one bell."""
        found: dict[object, list[BoardRow]] = {}
        for row in sorted(self.rows, key=lambda row: row.start.timestamp() if row.start else 0):
            found.setdefault(row.planned_at or (row.round, row.wave), []).append(row)
        return list(found.values())

    @property
    def minutes(self) -> int:
        """The proposed length in minutes: as it was set last, or less where a kept timetable has less."""
        rows = next((bell for bell in self.bells if bell[0] is self.next_row), [])
        matches = [cell.match for row in rows for cell in row.cells if cell.match is not None]
        slots = [(each.place.minutes, len(each.games)) for each in matches if each.place is not None]
        planned = seconds_in(self.tournament, slots)
        if planned == suggested_seconds(self.tournament):
            return self.clock.minutes
        return max(1, min(self.clock.length, planned) // 60)


COUNTED = (
    DayState.NEXT,
    DayState.CALLED,
    DayState.PLAYING,
    DayState.LATE,
    DayState.SUBMITTED,
    DayState.DISPUTED,
    DayState.WAITING,
    DayState.DONE,
)
CALLS: Mapping[str, tuple[Callable[..., object], Any]] = {
    "call": (call_match, gettext_lazy("Table %(number)d is called.")),
    "back": (take_call_back, gettext_lazy("The call for table %(number)d is taken back.")),
}
ALWAYS = (DayState.NEXT, DayState.PLAYING, DayState.DONE)
"""Counted even where there are none."""


@organizer
def board(request: EventRequest) -> HttpResponseBase:
    """All tables of all published tournaments; a reader who has this board already gets a 304."""
    event = request.event
    mark = event_mark(event.pk)
    # Changes with the event's mark, and is another one for each reader and language.
    seen = (get_language(), request.actor.id, request.GET.get("show"), mark)
    etag = f'W/"{hashlib.sha256(repr(seen).encode()).hexdigest()[:32]}"'
    unchanged = get_conditional_response(request, etag=etag, response=None)
    if unchanged is not None:
        return unchanged
    call_board = CallBoard(event)
    matches = call_board.matches
    # By tournament, within which the order of play stays.
    listed = sorted(matches, key=lambda match: (match.tournament.created_at, str(match.tournament.pk)))
    by_tournament = groupby(listed, key=lambda match: match.tournament)
    parts = [_part(tournament, list(of_one), call_board) for tournament, of_one in by_tournament]
    played = [match for match in matches if match.tournament.status == Tournament.Status.PUBLISHED]
    cells = [_cell(match, call_board) for match in matches]
    clashes = len(clashes_of(event, played, call_board.hours))
    shown = next((state for state in DayState if state == request.GET.get("show")), None)
    recent, _more = happenings(event, limit=RECENT)
    context = {
        "parts": parts,
        "book": names(event),
        "games": games_over(
            [part.tournament for part in parts],
            {each.tournament.pk: each.state.inputs for each in parts if each.state},
        ),
        "clashes": clashes_told(clashes) if clashes else "",
        "counts": list(_counts(cells, shown)),
        "shown": shown,
        "shown_words": state_words(shown, 2) if shown else "",
        "picked": [cell for cell in cells if _is_counted(cell, shown)] if shown else [],
        "tables": [
            (table, _cell(call_board.current(table), call_board)) for table in sorted(call_board.at_tables)
        ],
        "recent": recent,
        "drawn": event.tournaments.filter(status=Tournament.Status.DRAWN).first(),
        "mark": mark,
        "here": "board",
    }
    response: HttpResponse = page(request, "desk/board.html", context)
    response["ETag"] = etag
    # The one page of the desk that a browser keeps: it asks each time, and mostly hears that nothing changed.
    response["Cache-Control"] = "private, no-cache"
    return response


def _part(tournament: Tournament, matches: list[MatchView], call_board: CallBoard) -> BoardPart:
    tables = sorted({match.table.number for match in matches})
    rounds = in_rounds(matches)
    rows: list[BoardRow] = []
    over: list[BoardRow] = []
    for each in rounds:
        for wave in each.waves:
            at = {match.table.number: match for match in wave.matches}
            is_open = any(match.progress is not MatchProgress.DONE for match in wave.matches)
            (rows if is_open else over).append(
                BoardRow(
                    each.number,
                    each.name,
                    wave.number,
                    len(each.waves),
                    call_board.start(wave.matches[0]),
                    tuple(_cell(at.get(table), call_board) for table in tables),
                    is_now=is_open and not rows,
                    planned_at=place.begins_at if (place := wave.matches[0].place) else None,
                    has_its_bell=call_board.has_its_bell(wave.matches[0]),
                )
            )
    return BoardPart(
        tournament,
        call_board.clocks[tournament.pk],
        tuple(tables),
        tuple(rows),
        tuple(over),
        rounds_state(tournament),
        _to_check(matches, Check.DISPUTED),
        _to_check(matches, Check.WAITING),
    )


def _to_check(matches: list[MatchView], check: Check) -> tuple[CheckedGame, ...]:
    return tuple((match, game) for match in matches for game in match.games if game.check is check)


def _cell(match: MatchView | None, call_board: CallBoard) -> BoardCell:
    if match is None:
        return BoardCell(None)
    over = sum(game.progress is MatchProgress.DONE for game in match.games)
    return BoardCell(match, over, call_board.states[match.id], call_board.is_late(match))


def _is_counted(cell: BoardCell, state: DayState) -> bool:
    """Late is what is late, whatever else it is."""
    return cell.is_late if state is DayState.LATE else cell.state is state


def state_words(state: DayState, count: int) -> str:
    """How so many matches stand; empty where the state's own word goes with any number."""
    return _WORDS[state] % {"count": count} if state in _WORDS else ""


_WORDS = {
    DayState.NEXT: npgettext_lazy("matches", "next", "next", "count"),
    DayState.CALLED: npgettext_lazy("matches", "called", "called", "count"),
    DayState.DISPUTED: npgettext_lazy("matches", "disputed", "disputed", "count"),
    DayState.DONE: npgettext_lazy("matches", "done", "done", "count"),
}


def _counts(cells: Sequence[BoardCell], shown: DayState | None) -> Iterator[tuple[DayState, int, str]]:
    """How many matches stand how, each with words that go with the number."""
    for state in COUNTED:
        count = sum(_is_counted(cell, state) for cell in cells)
        if count or state in ALWAYS or state is shown:
            yield state, count, state_words(state, count)


@organizer
def calls(request: EventRequest) -> HttpResponseBase:
    """One row for each table, in the order in which tables become free."""
    event = request.event
    mark = event_mark(event.pk)
    call_board = CallBoard(event)
    lines = call_board.call_list(names(event))
    context = {"lines": lines, "is_drawn": bool(call_board.matches), "mark": mark, "here": "board"}
    return page(request, "desk/calls.html", context)


@organizer_post
def call(request: EventRequest, match_id: UUID) -> HttpResponse:
    """Note that a match was called, or that it wasn't after all."""
    match = find_match_row(request.event, match_id)
    do = request.POST.get("do", "")
    if do not in CALLS:
        raise BadRequest("a form without a known button")
    change, sentence = CALLS[do]
    change(match, request.actor, expected_version=expected_version(request))
    messages.success(request, sentence % {"number": match.table.number})
    to = "desk:board" if request.POST.get("to") == "board" else "desk:calls"
    return HttpResponseRedirect(f"{reverse(to, args=[request.event.slug])}#table-{match.table.number}")
