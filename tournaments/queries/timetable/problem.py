"""The event's matches, tables and referees as the plain data that a timetable is searched and checked by.

Minutes count from the midnight, where the event is held, before its first day.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from people.models import Event
from tournaments.models import Match, Timetable, Tournament
from tournaments.queries.match_views import MatchProgress, MatchView
from tournaments.queries.matches import load_matches
from tournaments.queries.timetable.match_starts import Hours, first_hour, hours_of_event, local, match_minutes
from tournaments.scheduling.model import (
    Hall,
    Judge,
    Placement,
    RoundOrder,
    ScheduledMatch,
    SchedulingProblem,
    Window,
)
from tournaments.settings.timetable import TOGETHER, Span, TimetableSettings
from tournaments.settings.tournament import TournamentSettings

_A_DAY = 24 * 60
_MINUTE = timedelta(minutes=1)
_HALL_IS_OPEN = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Ruler:
    """Moments as minutes from the event's first midnight, and back."""

    zero: datetime

    @classmethod
    def of(cls, event: Event) -> "Ruler":
        """The ruler of an event."""
        return cls(local(event, event.starts_on, "00:00"))

    def minute(self, moment: datetime) -> int:
        """How many whole minutes a moment is after it."""
        return (moment - self.zero) // _MINUTE

    def moment(self, minute: int) -> datetime:
        """The moment so many minutes after it."""
        return self.zero + minute * _MINUTE


@dataclass(frozen=True)
class Given:
    """What a timetable is worked out from, and what there is of one: `placements` are the stored places.

    `problem` has the matches that aren't over. `begun` are the keys of those that are being played.
    """

    event: Event
    settings: TimetableSettings
    ruler: Ruler
    problem: SchedulingProblem
    placements: tuple[Placement, ...]
    matches: Mapping[str, MatchView]
    begun: frozenset[str]
    version: int


def settings_of(event: Event) -> TimetableSettings:
    """The timetable's settings; before anybody set them, those that fit the tournaments. Two queries."""
    row = Timetable.objects.filter(pk=event.pk).first()
    return TimetableSettings.from_json(row.settings if row else {}, default_settings(event))


def default_settings(event: Event) -> TimetableSettings:
    """The settings that fit the tournaments of an event; one query."""
    tournaments = list(event.tournaments.all())
    for each in tournaments:
        each.event = event
    if not tournaments:
        return TimetableSettings()
    usual = TournamentSettings()
    ruler = Ruler.of(event)
    begins = min(ruler.minute(first_hour(each)) for each in tournaments)
    ends = min(begins + _HALL_IS_OPEN // _MINUTE, _A_DAY)
    days = (event.ends_on - event.starts_on).days + 1
    return TimetableSettings(
        days=tuple(Span(day, clock(begins), clock(ends)) for day in range(1, days + 1)),
        tables=max(each.settings.get("tables", usual.tables) for each in tournaments),
        changeover=max(each.settings.get("minutes_between", usual.minutes_between) for each in tournaments),
    )


def clock(minute: int) -> str:
    """A minute of the day as `HH:MM`; the last one is `24:00`."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def read(
    event: Event,
    settings: TimetableSettings | None = None,
    *,
    anew: bool = False,
    now: datetime | None = None,
) -> Given:
    """What there is of a timetable, and what it is worked out from; ten queries.

    `anew`: as it is to be worked out anew. Then lengths are those of the settings, nothing begins before
    `now`, and what is fixed or being played is pinned; twelve queries. At a rehearsal `now` can be before the
    event's hours or after them. Then the hour that play has come to takes its place.
    """
    row = Timetable.objects.filter(pk=event.pk).first()
    default = default_settings(event)
    chosen = settings or TimetableSettings.from_json(row.settings if row else {}, default)
    ruler = Ruler.of(event)
    windows = [window(event, each, ruler) for each in chosen.days]
    rows = Match.objects.filter(
        stage__tournament__event=event, stage__tournament__status__in=Tournament.DRAWN_NOT_CLOSED
    )
    drawn = load_matches(rows)
    hours = hours_of_event(event) if anew else {}
    if now is not None and not windows[0].start <= ruler.minute(now) < windows[-1].end:
        now = _reached(drawn, hours)
    loaded = [each for each in drawn if each.progress is not MatchProgress.DONE]
    loaded.sort(key=lambda each: (each.tournament.created_at, each.round, each.wave, each.table.number))
    stored = {str(each.id): _placement(each, ruler) for each in loaded if each.place is not None}
    there = stored | (_going_on(loaded, hours, ruler) if anew else {})
    several = len({each.tournament.pk for each in loaded}) > 1
    judges = event.referees.values_list("pk", "team")
    meetings = tuple(
        _meeting(each, chosen, ruler, there, several=several, anew=anew, now=now) for each in loaded
    )
    staying = [each.pinned for each in meetings if each.pinned] if anew else stored.values()
    problem = SchedulingProblem(
        meetings,
        _hall(event, chosen, ruler, {int(each.table) for each in staying}),
        tuple(Judge(str(pk), str(team) if team else None) for pk, team in judges),
        chosen.is_judged,
        RoundOrder(chosen.rounds),
        together=anew and chosen.starts == TOGETHER,
        fixed_rounds=frozenset(
            str(each.tournament.pk) for each in loaded if not _can_have_fewer_rounds(each.tournament)
        ),
    )
    begun = frozenset(str(each.id) for each in loaded if each.progress is MatchProgress.PLAYING)
    version = row.version if row else 0
    return Given(
        event,
        chosen,
        ruler,
        problem,
        tuple(stored.values()),
        {str(each.id): each for each in loaded},
        begun,
        version,
    )


def _can_have_fewer_rounds(tournament: Tournament) -> bool:
    """Whether a setting says how many rounds are drawn together, and can still change."""
    return "rounds" in tournament.choice.asks and tournament.status == Tournament.Status.DRAWN


def _reached(matches: Iterable[MatchView], hours: Hours) -> datetime | None:
    """The hour that play has come to: the last one of what is over, or on; None before anything is."""
    return max(
        (
            hours[each.id].ends_at if each.progress is MatchProgress.DONE else hours[each.id].begins_at
            for each in matches
            if each.progress is not MatchProgress.WAITING and each.id in hours
        ),
        default=None,
    )


def _going_on(matches: Sequence[MatchView], hours: Hours, ruler: Ruler) -> dict[str, Placement]:
    """Where the draw has the matches that are being played without a place in the timetable.

    One at a table at a time: draws of several tournaments don't know of each other.
    """
    # One that was drawn since the hours were read is placed with the rest.
    going = [each for each in matches if each.progress is MatchProgress.PLAYING and each.id in hours]
    taken = [(each.table.pk, hours[each.id]) for each in going if each.place is not None]
    found = {}
    for each in going:
        hour = hours[each.id]
        if each.place is not None or any(
            table == each.table.pk and hour.begins_at < other.ends_at and other.begins_at < hour.ends_at
            for table, other in taken
        ):
            continue
        taken.append((each.table.pk, hour))
        found[str(each.id)] = Placement(str(each.id), str(each.table.number), ruler.minute(hour.begins_at))
    return found


def _hall(event: Event, settings: TimetableSettings, ruler: Ruler, used: set[int]) -> Hall:
    tables = sorted({*range(1, settings.tables + 1), *used})
    return Hall(
        tuple(map(str, tables)),
        tuple(window(event, each, ruler) for each in settings.days),
        tuple(window(event, each, ruler) for each in settings.breaks),
        settings.step,
        settings.rest,
        settings.changeover,
    )


def window(event: Event, span: Span, ruler: Ruler) -> Window:
    """Hours of a day of the event in minutes; clocks may change between two days."""
    day = event.starts_on + timedelta(days=span.day - 1)
    midnight = ruler.minute(local(event, day, "00:00"))

    def minute(text: str) -> int:
        return midnight + _A_DAY if text == "24:00" else ruler.minute(local(event, day, text))

    return Window(minute(span.begins), max(minute(span.ends), minute(span.begins)))


def _placement(match: MatchView, ruler: Ruler) -> Placement:
    place = match.place
    assert place is not None  # noqa: S101  # asked by who calls
    judge = str(place.referee_id) if place.referee_id else None
    return Placement(str(match.id), str(match.table.number), ruler.minute(place.begins_at), judge)


def _meeting(
    match: MatchView,
    settings: TimetableSettings,
    ruler: Ruler,
    there: Mapping[str, Placement],
    *,
    several: bool,
    anew: bool,
    now: datetime | None,
) -> ScheduledMatch:
    key = str(match.id)
    is_begun = match.progress is MatchProgress.PLAYING
    by_settings = max(1, match_minutes(match.tournament, len(match.games)) - settings.shorter)
    is_fixed = key in there and (match.place is None or match.place.is_locked or is_begun)
    starts = [ruler.minute(first_hour(match.tournament))] if several else []
    if anew and now is not None:
        starts.append(ruler.minute(now) + 1)
    pinned = there.get(key) if anew and is_fixed else None
    return ScheduledMatch(
        key,
        match.place.minutes if match.place is not None and (is_fixed or not anew) else by_settings,
        people=frozenset(str(entry.pk) for side in match.sides for entry in side.entries),
        teams=frozenset(str(side.team.pk) for side in match.sides),
        tournament=str(match.tournament.pk),
        round=match.round,
        # What is on began before this moment.
        not_before=max(starts) if anew and starts and pinned is None else None,
        pinned=pinned,
        is_begun=is_begun,
    )


def placed(given: Given, hours: Hours) -> tuple[Placement, ...]:
    """All matches that aren't over, where the timetable or the draw has them."""
    stored = {each.key: each for each in given.placements}
    return tuple(
        stored.get(key)
        or Placement(key, str(match.table.number), given.ruler.minute(hours[match.id].begins_at))
        for key, match in given.matches.items()
        if match.id in hours
    )
