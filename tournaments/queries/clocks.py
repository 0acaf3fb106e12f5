"""A tournament's clock as of one moment, for pages and programs."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.utils import timezone

from tournaments.countdown import NOTHING, Countdown, Phase
from tournaments.models import Clock, Match, Place, Tournament
from tournaments.queries.match_views import MatchProgress, MatchView
from tournaments.queries.matches import has_open_games, load_matches
from tournaments.settings.tournament import TournamentSettings

STAYS_UP = timedelta(minutes=10)
"""So long after the bell everybody still sees that it has rung; then the clock has said all it had to say."""


@dataclass(frozen=True, slots=True)
class ClockView:
    """The clock at the moment `now`.

    `round` and `wave` are None as long as it was never started. `bell_at` is when it rings or rang, in the
    event's time, None where that isn't known. `planned_at`, in the same, is the planned start of what it was
    started for. It is None without a place in the timetable, or where it wasn't asked for. `is_shown`:
    whether those who didn't set it see it.
    """

    tournament_id: UUID
    version: int
    phase: Phase
    round: int | None
    wave: int | None
    length: int
    added: int
    started_at: datetime | None
    paused_at: datetime | None
    bell_at: datetime | None
    remaining: timedelta
    now: datetime
    is_shown: bool
    planned_at: datetime | None = None

    @property
    def state(self) -> str:
        """Changes whenever a page has to say something else than its count."""
        return f"{self.version} {self.phase} {str(self.is_shown).lower()}"

    @property
    def has_rung(self) -> bool:
        """Whether the bell has rung."""
        return self.phase is Phase.RUNG

    @property
    def left(self) -> str:
        """What is left as minutes and seconds: `7:05`."""
        seconds = -(-self.remaining // timedelta(seconds=1))
        return f"{seconds // 60}:{seconds % 60:02d}"

    @property
    def minutes(self) -> int:
        """The length in minutes, as a person sets it."""
        return max(1, round(self.length / 60))

    def concerns(self, round: int, wave: int, begins_at: datetime | None) -> bool:
        """Whether it is the bell of this wave: of one it was started for, or of one that is late.

        `begins_at` is the wave's planned start: matches that begin at once share a bell. Where the timetable
        has no place for one of the two, waves follow each other as drawn.
        """
        if self.round is None or self.wave is None:
            return False
        if begins_at is not None and self.planned_at is not None:
            return begins_at <= self.planned_at
        return (round, wave) <= (self.round, self.wave)


def clock_of(tournament: Tournament, now: datetime | None = None) -> ClockView:
    """A tournament's clock; no query where it was read with `select_related("clock", "event")`. It knows its
    `planned_at` of a tournament that was read with `clock_planned_at()` under that name.
    """
    now = now or timezone.now()
    row: Clock | None = getattr(tournament, "clock", None)
    countdown = row.countdown if row else Countdown(suggested_seconds(tournament))
    phase = countdown.phase(now)
    bell = countdown.bell_at(now)
    planned_at: datetime | None = getattr(tournament, "clock_planned_at", None)
    zone = ZoneInfo(tournament.event.time_zone)
    return ClockView(
        tournament_id=tournament.pk,
        version=row.version if row else 0,
        phase=phase,
        round=row.round if row else None,
        wave=row.wave if row else None,
        length=countdown.length,
        added=countdown.added,
        started_at=countdown.started_at,
        paused_at=countdown.paused_at if phase is Phase.PAUSED else None,
        bell_at=bell.astimezone(zone) if bell else None,
        remaining=countdown.remaining(now),
        now=now,
        is_shown=tournament.status == Tournament.Status.PUBLISHED and _says_something(phase, bell, now),
        planned_at=planned_at.astimezone(zone) if planned_at else None,
    )


def clock_planned_at() -> Subquery:
    """When the timetable has begin what a tournament's clock was started for, as an annotation."""
    at = {"match__round": OuterRef("clock__round"), "match__wave": OuterRef("clock__wave")}
    places = Place.objects.filter(tournament=OuterRef("pk"), **at)
    return Subquery(places.order_by("begins_at").values("begins_at")[:1])


def _says_something(phase: Phase, bell: datetime | None, now: datetime) -> bool:
    if phase is Phase.STOPPED:
        return False
    return phase is not Phase.RUNG or bell is None or NOTHING <= now - bell < STAYS_UP


def suggested_seconds(tournament: Tournament) -> int:
    """How long a game takes by the tournament's settings."""
    default = TournamentSettings().minutes_per_game
    return int(tournament.settings.get("minutes_per_game", default)) * 60


def seconds_in(tournament: Tournament, slots: Iterable[tuple[int, int]]) -> int:
    """How long a game can take: as the settings say, or less where a match has less time in the timetable.

    `slots` are the minutes of such matches, each with how many games it holds.
    """
    return min([suggested_seconds(tournament), *(minutes * 60 // games for minutes, games in slots)])


def planned_seconds(tournament: Tournament, round: int, wave: int) -> int:
    """How long a game of those that begin with this wave can take; one query."""
    placed = _begin_with(tournament.pk, round, wave).annotate(games=Count("match_games")).order_by()
    return seconds_in(tournament, placed.values_list("place__minutes", "games"))


def _begin_with(tournament_id: UUID, round: int, wave: int) -> QuerySet[Match]:
    """The matches that the timetable has begin at once with this wave; none where it has no place for it."""
    matches = Match.objects.filter(stage__tournament=tournament_id)
    own = matches.filter(round=round, wave=wave).values("place__begins_at")
    return matches.filter(place__begins_at__in=own)


def waves_open(tournament: Tournament) -> list[tuple[int, int]]:
    """The rounds and waves in which a match isn't over, in the order of play; four queries."""
    open_ = Match.objects.filter(has_open_games(), stage__tournament=tournament)
    matches = [match for match in load_matches(open_) if match.progress is not MatchProgress.DONE]
    matches.sort(key=lambda match: (match.stage, _planned(match), match.round, match.wave))
    return list(dict.fromkeys((match.round, match.wave) for match in matches))


def _planned(match: MatchView) -> float:
    """When the timetable has a match begin; what has no place comes last."""
    return match.place.begins_at.timestamp() if match.place is not None else inf
