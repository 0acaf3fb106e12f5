"""The day as plain rows: where and when each match is played, and how far it is.

What a page shows of matches takes four queries and a good many objects; whether it has changed is told by
these rows.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from itertools import compress
from typing import Any
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, Subquery, Sum

from people.models import Event
from tournaments.models import Call, Match, MatchSide, Tournament
from tournaments.queries.match_state import DayMatch, DayState, day_states, state_of
from tournaments.queries.match_views import MatchProgress
from tournaments.queries.matches import (
    BEGUN,
    UNPLAYED,
    annulled_squads,
    is_outdated,
    outdated_matches,
    progress_of,
)
from tournaments.queries.timetable.match_starts import Hour, Hours
from tournaments.settings.confirmation import Check


@dataclass(frozen=True, slots=True)
class Planned:
    """A match of a tournament with its hour and the number of its table.

    `state` is as in an agenda, without whether results are confirmed or disputed. `written` changes with its
    hour and table, as calendars have to know. `seen` changes with all that has happened at it but cards of
    games that are still played.
    """

    match: UUID
    tournament: UUID
    hour: Hour
    table: int
    state: DayState
    written: tuple[object, ...]
    seen: tuple[object, ...]


def planned(tournaments: Iterable[Tournament], hours: Hours, now: datetime) -> list[Planned]:
    """The matches of those of an event's tournaments whose draw is public, in the order of these hours and of
    tables. Two queries, four more while a match that may be decided before all its games are played is on.
    """
    public = {each.pk: each for each in tournaments if each.status in Tournament.PUBLIC}
    # Drawn between two looks, it has no hour yet.
    found = [row for row in _rows(list(public)) if row["pk"] in hours]
    found.sort(
        key=lambda row: (hours[row["pk"]].begins_at, row["table__number"], row["round"], str(row["pk"]))
    )
    states = _states(found, public, hours, now)
    return [
        Planned(
            row["pk"],
            row["stage__tournament"],
            hours[row["pk"]],
            row["table__number"],
            state,
            (public[row["stage__tournament"]].version, row["place__sequence"], row["place__changed_at"]),
            (
                *(row["version"], row["begun"], row["over"], row["entries"], row["called"]),
                is_outdated(row["pk"], row["outdated"]),
                row["annulled"],
            ),
        )
        for row, state in zip(found, states, strict=True)
    ]


def _states(
    rows: Sequence[Any], tournaments: Mapping[UUID, Tournament], hours: Hours, now: datetime
) -> list[DayState]:
    if not rows:
        return []
    half_played = [
        row["pk"]
        for row in rows
        if 0 < row["over"] < row["games"] and not tournaments[row["stage__tournament"]].plays_all_games
    ]
    decided = {pk for pk, progress in progress_of(half_played).items() if progress is MatchProgress.DONE}
    alone = [
        state_of(
            Check.NOTHING,
            is_begun=row["begun"] > row["unplayed"],
            is_over=row["over"] == row["games"] or row["pk"] in decided,
            is_called=row["called_at"] is not None,
        )
        for row in rows
    ]
    # Only who plays, is called, or could come next is asked for by name.
    asked = [row["pk"] for row, state in zip(rows, alone, strict=True) if state is not DayState.DONE]
    players = _players(asked)
    day = [
        DayMatch(
            row["table"],
            state,
            state in (DayState.PLAYING, DayState.CALLED),
            players.get(row["pk"], frozenset()),
            hours[row["pk"]].begins_at,
        )
        for row, state in zip(rows, alone, strict=True)
    ]
    event = tournaments[rows[0]["stage__tournament"]].event
    played = [tournaments[row["stage__tournament"]].status == Tournament.Status.PUBLISHED for row in rows]
    of_day = iter(day_states(list(compress(day, played)), event, now))
    return [next(of_day) if is_played else state for is_played, state in zip(played, alone, strict=True)]


def _players(matches: Sequence[UUID]) -> dict[UUID, frozenset[UUID]]:
    """Who sits down at each of these matches, as persons; one query."""
    found: dict[UUID, set[UUID]] = defaultdict(set)
    rows = MatchSide.objects.filter(match__in=matches).order_by()
    for match, entry, person in rows.values_list(
        "match", "squad__members__entry", "squad__members__entry__person"
    ):
        found[match].add(person or entry)
    return {match: frozenset(who) for match, who in found.items()}


def _rows(tournaments: Sequence[UUID]) -> Any:
    calls = Call.objects.filter(pk=OuterRef("pk"))
    is_over = Q(match_games__game__is_over=True)
    return (
        Match.objects.filter(stage__tournament__in=tournaments)
        .annotate(
            begun=Count("match_games", filter=BEGUN),
            unplayed=Count("match_games", filter=UNPLAYED),
            over=Count("match_games", filter=is_over),
            games=Count("match_games"),
            entries=Sum("match_games__game__version", filter=is_over),
            called=Subquery(calls.values("version")),
            called_at=Subquery(calls.values("called_at")),
            outdated=outdated_matches(),
            annulled=annulled_squads(),
        )
        # As matches with all that is shown of them are read: for two at one table at the same time.
        .order_by(
            F("place__begins_at").asc(nulls_last=True), "stage__number", "round", "wave", "table__number"
        )
        .values(
            "pk",
            "stage__tournament",
            "round",
            "version",
            "table",
            "table__number",
            "place__sequence",
            "place__changed_at",
            "begun",
            "unplayed",
            "over",
            "games",
            "entries",
            "called",
            "called_at",
            "outdated",
            "annulled",
        )
    )


def matches_by_team(event: Event) -> Mapping[UUID, Set[UUID]]:
    """The ids of the matches of each team by its id; one query."""
    sides = MatchSide.objects.filter(match__stage__tournament__event=event).order_by()
    found: dict[UUID, set[UUID]] = defaultdict(set)
    for team, match in sides.values_list("squad__team", "match"):
        found[team].add(match)
    return found
