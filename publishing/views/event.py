"""The page of an event: its teams with their banners, and how far its tournaments are."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Max
from django.http import HttpResponse

from people.access import EventRequest, event_by_slug, reads_event, requires
from people.models import Event
from publishing.live_marks import live
from publishing.overall import overall_rows
from publishing.overall import steps as steps_of_overall
from publishing.responses import page
from publishing.standings_rows import OrderStep, PublicStandingsRow, RowNames, rows, squads_in, steps
from publishing.subjects import of_last_stage
from publishing.teams import tables_of
from publishing.timetable import TimetableRow, items_of, planned_of
from publishing.timetable import lines as lines_of
from tournaments.models import StandingsVersion, Tournament
from tournaments.projections.round_end_places import RoundEnds, has_chart
from tournaments.queries.clocks import ClockView, clock_of, clock_planned_at
from tournaments.queries.match_state import NOT_BEGUN, DayState
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.palio import overall_table
from tournaments.queries.standings import StandingsTable
from tournaments.queries.timetable.planned import Planned
from tournaments.settings.stage import may_need_fewer

TOP = 3
MOST_LINES = 6
"""So many matches that are on, and that come next, stand on the event's page."""


@dataclass(frozen=True, slots=True)
class EventProgress:
    """A tournament on the event's page: the first rows of its standings, or its steps once it is closed.

    `round` is the one that is on, None where all are played or nothing is drawn. `may_need_fewer`: matches
    can end before all their games are played. `has_day`: the page of the day has something to draw.
    """

    tournament: Tournament
    clock: ClockView
    version: StandingsVersion | None
    rounds: int
    may_need_fewer: bool
    has_day: bool
    top: list[PublicStandingsRow]
    steps: list[OrderStep]

    @property
    def is_drawn(self) -> bool:
        """Whether the draw is published."""
        return self.tournament.status in Tournament.PUBLIC

    @property
    def is_closed(self) -> bool:
        """Whether its standings are final."""
        return self.version is not None and self.version.is_final

    @property
    def round(self) -> int | None:
        """The round that is on."""
        version = self.version
        if not self.is_drawn or (version is not None and version.rounds_played >= self.rounds):
            return None
        return RoundEnds.from_json(version.round_ends if version else None).complete + 1


@requires(reads_event, event_by_slug)
def event(request: EventRequest, event_slug: str) -> HttpResponse:
    """The event's page; a fixed number of queries, however many teams and tournaments there are: at most
    sixteen, a palio six more.

    Before the first game it says when and where, and what comes first. During the day it says what is on, how
    it stands and what is next; at the end who has won.
    """
    event = request.event
    fresh = live("outcomes", event.pk)
    tournaments = progress(event)
    on, coming, begun = now_and_next(event, [each.tournament for each in tournaments])
    overall = overall_table(event)
    context = {
        **fresh,
        "teams": list(event.teams.all()),
        "tournaments": tournaments,
        "on": on[:MOST_LINES],
        "more_on": max(0, len(on) - MOST_LINES),
        "coming": coming[:MOST_LINES],
        "several": len(tournaments) > 1,
        "phase": phase(tournaments, is_on=begun or bool(overall and overall.version.decided)),
        "is_drawn": any(each.is_drawn for each in tournaments),
        "overall": overall,
        "overall_lines": overall_rows(overall)[:TOP] if overall else [],
        "overall_steps": steps_of_overall(overall) if overall else [],
    }
    return page(request, event, "publishing/event.html", context)


class EventPhase(StrEnum):
    """How far the day is."""

    BEFORE = "before"
    DURING = "during"
    AFTER = "after"


def phase(tournaments: Sequence[EventProgress], *, is_on: bool) -> EventPhase:
    """Before the first game, after everything is closed, or between the two."""
    if tournaments and all(each.is_closed for each in tournaments):
        return EventPhase.AFTER
    played = any(each.version is not None and each.version.games_played for each in tournaments)
    return EventPhase.DURING if is_on or played else EventPhase.BEFORE


def now_and_next(
    event: Event, tournaments: Sequence[Tournament]
) -> tuple[list[TimetableRow], list[TimetableRow], bool]:
    """The matches that are on, and the next one of each table, by their hours, and whether any was begun; ten
    queries at most.
    """
    rows = planned_of(event, tournaments)
    playing = [row for row in rows if row.state is DayState.PLAYING]
    first: dict[int, Planned] = {}
    for row in rows:
        if row.state in NOT_BEGUN:
            first.setdefault(row.table, row)
    # Some may have gone on since the rows were read.
    found = items_of(event, [*playing, *first.values()])
    on = [item for item in found if item.match.progress is MatchProgress.PLAYING]
    coming = [item for item in found if item.match.progress is MatchProgress.WAITING]
    listed = lines_of(event, [*on, *coming])
    return listed[: len(on)], listed[len(on) :], any(row.state not in NOT_BEGUN for row in rows)


def progress(event: Event) -> list[EventProgress]:
    """The event's tournaments with their newest standings; three queries, where squads are ranked four."""
    drawn: Any = event.tournaments.select_related("clock").annotate(
        rounds=Max("stages__matches__round"),
        stage_format=of_last_stage("format"),
        stage_number=of_last_stage("number"),
        clock_planned_at=clock_planned_at(),
    )
    tables = tables_of(event)
    squads = squads_in(event, tables.values())
    return [_progress(tournament, tables.get(tournament.pk), squads) for tournament in drawn.order_by("name")]


def _progress(tournament: Any, table: StandingsTable | None, squads: dict[UUID, str]) -> EventProgress:
    top: list[PublicStandingsRow] = []
    first: list[OrderStep] = []
    version = table.version if table is not None else None
    if table is not None and tournament.status in Tournament.PUBLIC:
        names = RowNames.of(table.rows, squads)
        # While groups are played, or more are still in the knockout, nobody is among the first of all.
        ranked = rows(table, names, tournament.stage_format or "") if not table.version.groups else []
        top = ranked[:TOP] if sum(row.is_in for row in ranked) <= TOP else []
        first = steps(table, names)
    has_day = version is not None and has_chart(version, tournament.stage_format or "")
    still_open = version.games_total - version.games_played if version is not None else 0
    return EventProgress(
        tournament,
        clock_of(tournament),
        version,
        tournament.rounds or 0,
        may_need_fewer(tournament.settings, tournament.stage_number or 0, still_open),
        has_day,
        top,
        first,
    )
