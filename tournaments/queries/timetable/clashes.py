"""Clashes of a timetable: a table, a player or a referee with two matches at once."""

from collections.abc import Iterable

from people.models import Event
from tournaments.models import Match, Tournament
from tournaments.queries.match_views import MatchProgress, MatchView
from tournaments.queries.matches import load_matches
from tournaments.queries.timetable.match_starts import Hours, hours_of_event
from tournaments.queries.timetable.problem import Ruler
from tournaments.scheduling.check import clashes
from tournaments.scheduling.model import (
    Conflict,
    Hall,
    Judge,
    Placement,
    RoundOrder,
    ScheduledMatch,
    SchedulingProblem,
)


def open_matches(event: Event) -> list[MatchView]:
    """The drawn matches of an event that aren't over, of tournaments that aren't closed; four queries."""
    rows = Match.objects.filter(
        stage__tournament__event=event, stage__tournament__status__in=Tournament.DRAWN_NOT_CLOSED
    )
    return [each for each in load_matches(rows) if each.progress is not MatchProgress.DONE]


def clashes_of(
    event: Event, matches: Iterable[MatchView], hours: Hours | None = None
) -> tuple[Conflict, ...]:
    """The clashes between those of an event's matches that aren't over; two queries where no hours are
    given.
    """
    ruler, known = Ruler.of(event), hours_of_event(event) if hours is None else hours
    meetings, placements, judges = [], [], set()
    for match in matches:
        if match.id not in known or match.progress is MatchProgress.DONE:
            continue
        hour, key = known[match.id], str(match.id)
        begins, ends = ruler.minute(hour.begins_at), ruler.minute(hour.ends_at)
        people = frozenset(str(entry.pk) for side in match.sides for entry in side.entries)
        judge = str(match.place.referee_id) if match.place and match.place.referee_id else None
        meetings.append(ScheduledMatch(key, max(1, ends - begins), people))
        placements.append(Placement(key, str(match.table.number), begins, judge))
        judges |= {judge} if judge else set()
    tables = sorted({each.table for each in placements})
    problem = SchedulingProblem(
        tuple(meetings), Hall(tuple(tables), ()), tuple(map(Judge, sorted(judges))), rounds=RoundOrder.FREE
    )
    return clashes(problem, placements)
