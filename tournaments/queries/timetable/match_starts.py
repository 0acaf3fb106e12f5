"""Start of each match: the one answer for every page, file and program.

A match that the event's timetable has a place for is played then. For any other its hour is worked out from
the draw. The waves of a tournament follow each other, as long as its settings say a game takes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Count

from people.models import Event
from tournaments.models import Match, Tournament
from tournaments.settings.tournament import TournamentSettings

_DEFAULT = TournamentSettings()


@dataclass(frozen=True, slots=True)
class Hour:
    """From when to when a match is played, in UTC; whether the timetable says so, or it was worked out."""

    begins_at: datetime
    ends_at: datetime
    is_stored: bool


Hours = Mapping[UUID, Hour]
"""The hours by the matches' ids."""


def first_hour(tournament: Tournament) -> datetime:
    """When a tournament begins by its settings, on the event's first day; in UTC, so that minutes add up when
    clocks change.
    """
    starts_at = tournament.settings.get("starts_at", _DEFAULT.starts_at)
    return local(tournament.event, tournament.event.starts_on, starts_at)


def local(event: Event, day: date, clock: str) -> datetime:
    """A day and `HH:MM` where the event is held, in UTC."""
    there = datetime.combine(day, time.fromisoformat(clock))
    return there.replace(tzinfo=ZoneInfo(event.time_zone)).astimezone(UTC)


def match_minutes(tournament: Tournament, games: int) -> int:
    """How long a match of so many games takes by the tournament's settings."""
    return int(tournament.settings.get("minutes_per_game", _DEFAULT.minutes_per_game)) * games


def hours(tournament: Tournament) -> dict[UUID, Hour]:
    """The hours of a tournament's matches, its event read with it; one query."""
    return _hours(Match.objects.filter(stage__tournament=tournament), {tournament.pk: tournament})


def hours_of_event(event: Event, tournaments: Iterable[Tournament] | None = None) -> dict[UUID, Hour]:
    """The hours of all matches of an event; two queries, one where its tournaments are given."""
    given = event.tournaments.all() if tournaments is None else tournaments
    by_id = {each.pk: each for each in given}
    for each in by_id.values():
        each.event = event
    return _hours(Match.objects.filter(stage__tournament__in=list(by_id)), by_id)


_COLUMNS = ("stage__tournament", "round", "wave", "pk", "games", "place__begins_at", "place__minutes")


def _hours(matches: object, tournaments: Mapping[UUID, Tournament]) -> dict[UUID, Hour]:
    rows = (
        matches.annotate(games=Count("match_games"))  # type: ignore[attr-defined]  # a query set
        .order_by("stage__tournament", "stage__number", "round", "wave")
        .values_list(*_COLUMNS)
    )
    found: dict[UUID, Hour] = {}
    for tournament_id, of_one in groupby(rows, key=lambda row: row[0]):
        tournament = tournaments[tournament_id]
        clock = first_hour(tournament)
        between = timedelta(minutes=tournament.settings.get("minutes_between", _DEFAULT.minutes_between))
        for _wave, together in groupby(of_one, key=lambda row: row[1:3]):
            listed = list(together)
            ends = [clock]
            for *_where, match, games, begins_at, minutes in listed:
                begins = begins_at or clock
                lasts = minutes if begins_at else match_minutes(tournament, games)
                found[match] = Hour(begins, begins + timedelta(minutes=lasts), begins_at is not None)
                ends.append(found[match].ends_at)
            clock = max(ends) + between
    return found
