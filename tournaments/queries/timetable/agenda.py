"""The day as a list: every match with its hour, and how it stands at a moment."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from people.models import Event
from tournaments.models import Match, Tournament
from tournaments.queries.match_state import DayState, day_states
from tournaments.queries.match_views import MatchView
from tournaments.queries.matches import load_matches
from tournaments.queries.timetable.match_starts import Hour, Hours, hours_of_event


@dataclass(frozen=True, slots=True)
class Item:
    """A match with its hour."""

    match: MatchView
    hour: Hour
    state: DayState


def agenda(event: Event, now: datetime | None = None) -> list[Item]:
    """All matches of an event's published draws, in the order of their hours and tables; seven queries."""
    public = [each for each in event.tournaments.all() if each.status in Tournament.PUBLIC]
    matches = load_matches(Match.objects.filter(stage__tournament__in=[each.pk for each in public]))
    return items(event, matches, hours_of_event(event, public), now or timezone.now())


def items(event: Event, matches: Sequence[MatchView], hours: Hours, now: datetime) -> list[Item]:
    """An event's matches with their hours, in the order of these and of the tables."""
    states = match_states(event, matches, hours, now)
    # One that was drawn between two looks has no hour yet.
    found = [Item(match, hours[match.id], states[match.id]) for match in matches if match.id in hours]
    return sorted(found, key=lambda each: order_of_play(each.match, hours))


def match_states(
    event: Event, matches: Iterable[MatchView], hours: Hours, now: datetime
) -> dict[UUID, DayState]:
    """How each of an event's matches stands, by its id: among the others of the published tournaments where
    its own is one, else by itself.
    """
    states = {match.id: match.state for match in matches}
    day = sorted(
        (match for match in matches if match.tournament.status == Tournament.Status.PUBLISHED),
        key=lambda match: order_of_play(match, hours),
    )
    of_day = day_states([match.in_day(_begins(match, hours)) for match in day], event, now)
    return states | {match.id: state for match, state in zip(day, of_day, strict=True)}


def order_of_play(match: MatchView, hours: Hours) -> tuple[float, int, int, str]:
    """What an event's matches are sorted by: their hours and tables; what has no hour comes first."""
    begins_at = _begins(match, hours)
    return begins_at.timestamp() if begins_at else 0, match.table.number, match.round, str(match.id)


def _begins(match: MatchView, hours: Hours) -> datetime | None:
    hour = hours.get(match.id)
    return hour.begins_at if hour else None
