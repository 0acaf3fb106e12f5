"""Forecast of a draw's day: hours, games of each entry, who waits, who meets whom twice."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from .errors import CannotDraw, gettext_noop
from .fairness import table_changes
from .match_sequence import Course
from .meetings import Rematch, TeamMeetings, rematches, team_meetings
from .model import DrawnRounds, Player


@dataclass(frozen=True, slots=True)
class WaveTime:
    """When a wave is played and how many tables it takes."""

    round: int
    wave: int
    start: datetime
    end: datetime
    tables: int


@dataclass(frozen=True, slots=True)
class RoundTime:
    """When a round begins and ends, and who has no match in it."""

    round: int
    start: datetime
    end: datetime
    waves: tuple[WaveTime, ...]
    waiting: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class EntryLoad:
    """What one entry has before it. `longest_wait`: between the end of one of its waves and the start of
    its next.
    """

    player: Player
    matches: int
    games: int
    table_changes: int
    longest_wait: timedelta


@dataclass(frozen=True, slots=True)
class DrawForecast:
    """The day as the draw makes it.

    `team_meetings` has every two teams, so that one sees how even the draw is; `rematches` come with the most
    frequent first.
    """

    start: datetime
    end: datetime
    rounds: tuple[RoundTime, ...]
    matches: int
    games: int
    entries: tuple[EntryLoad, ...]
    fewest_games: int
    most_games: int
    team_meetings: tuple[TeamMeetings, ...]
    rematches: tuple[Rematch, ...]


def preview(
    draw: DrawnRounds,
    *,
    minutes_per_game: int,
    start: datetime,
    minutes_between: int = 0,
) -> DrawForecast:
    """Work out the day from `start`, with so many minutes a game and between two waves.

    Times are added as they are given, so give them in UTC. The games of a match follow each other at its
    table. Raises CannotDraw for minutes that make no sense.
    """
    if minutes_per_game < 1 or minutes_between < 0:
        raise CannotDraw(
            "minutes",
            gettext_noop(
                "A game takes at least a minute and a break at least none, not %(game)d and %(between)d."
            ),
            game=minutes_per_game,
            between=minutes_between,
        )
    rounds = _timetable(draw, timedelta(minutes=minutes_per_game), timedelta(minutes=minutes_between), start)
    course = Course.of_draw(draw)
    entries = _loads(course, rounds)
    return DrawForecast(
        start=start,
        end=rounds[-1].end,
        rounds=rounds,
        matches=len(course.sittings),
        games=sum(len(sitting.games) for sitting in course.sittings),
        entries=entries,
        fewest_games=min(load.games for load in entries),
        most_games=max(load.games for load in entries),
        team_meetings=team_meetings(course),
        rematches=rematches(course),
    )


def _timetable(
    draw: DrawnRounds, game: timedelta, between: timedelta, start: datetime
) -> tuple[RoundTime, ...]:
    rounds = []
    for each in draw.rounds:
        waves = []
        for wave in each.waves:
            end = start + game * max(len(match.games) for match in wave.matches)
            waves.append(WaveTime(each.number, wave.number, start, end, len(wave.matches)))
            start = end + between
        waiting = tuple(player for squad in each.byes for player in squad.players())
        rounds.append(
            RoundTime(each.number, waves[0].start, waves[-1].end, tuple(waves), tuple(sorted(waiting)))
        )
    return tuple(rounds)


def _loads(course: Course, rounds: tuple[RoundTime, ...]) -> tuple[EntryLoad, ...]:
    """Squads stay together for the whole draw, so it counts by squad and tells by entry."""
    waves = [wave for each in rounds for wave in each.waves]
    loads = []
    for squad, sittings in course.by_side().items():
        waits = [
            waves[after.wave - 1].start - waves[before.wave - 1].end for before, after in pairwise(sittings)
        ]
        games = sum(sitting.games_of(squad) for sitting in sittings)
        wait = max(waits, default=timedelta(0))
        loads += [
            EntryLoad(player, len(sittings), games, table_changes(sittings), wait)
            for player in squad.players()
        ]
    return tuple(sorted(loads, key=lambda load: load.player))
