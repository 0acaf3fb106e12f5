"""The day as plain rows: where and when each match is played, and how far it is.

What a page shows of matches takes four queries and a good many objects; whether it has changed is told by
these rows.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, Subquery, Sum

from people.models import Event
from tournaments.models import Call, Match, MatchSide, Tournament
from tournaments.timetable.agenda import Stand, next_at_tables, stand_before
from tournaments.timetable.hours import Hour, Hours


@dataclass(frozen=True, slots=True)
class Planned:
    """A match of a tournament with its hour and the number of its table.

    `stand` is as in an agenda, but a match that is decided counts as being played until all its games are
    over. `written` changes with its hour and table, as calendars have to know; `seen` with all that has
    happened at it but cards of games that are still played.
    """

    match: UUID
    tournament: UUID
    hour: Hour
    table: int
    stand: Stand
    written: tuple[object, ...]
    seen: tuple[object, ...]


def planned(tournaments: Iterable[Tournament], hours: Hours, now: datetime) -> list[Planned]:
    """The matches of those of an event's tournaments whose draw is public, in the order of these hours and of
    tables; one query.
    """
    versions = {each.pk: each.version for each in tournaments if each.status in Tournament.PUBLIC}
    # Drawn between two looks, it has no hour yet.
    found = [row for row in _rows(list(versions)) if row["pk"] in hours]
    found.sort(key=lambda row: (hours[row["pk"]].begins_at, row["table__number"], row["round"]))
    stands = next_at_tables((row["table"], _stand(row, hours[row["pk"]], now)) for row in found)
    return [
        Planned(
            row["pk"],
            row["stage__tournament"],
            hours[row["pk"]],
            row["table__number"],
            stand,
            (versions[row["stage__tournament"]], row["place__sequence"], row["place__changed_at"]),
            (row["version"], row["begun"], row["over"], row["entries"], row["called"]),
        )
        for row, stand in zip(found, stands, strict=True)
    ]


def _stand(row: Any, hour: Hour, now: datetime) -> Stand:
    if row["begun"]:
        return Stand.DONE if row["over"] == row["games"] else Stand.PLAYING
    return stand_before(hour, now, is_called=row["called_at"] is not None)


def _rows(tournaments: Sequence[UUID]) -> Any:
    calls = Call.objects.filter(pk=OuterRef("pk"))
    is_over = Q(match_games__game__is_over=True)
    return (
        Match.objects.filter(stage__tournament__in=tournaments)
        .annotate(
            begun=Count("match_games", filter=Q(match_games__game__version__gt=0)),
            over=Count("match_games", filter=is_over),
            games=Count("match_games"),
            entries=Sum("match_games__game__version", filter=is_over),
            called=Subquery(calls.values("version")),
            called_at=Subquery(calls.values("called_at")),
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
            "over",
            "games",
            "entries",
            "called",
            "called_at",
        )
    )


def matches_by_team(event: Event) -> Mapping[UUID, Set[UUID]]:
    """The ids of the matches of each team by its id; one query."""
    sides = MatchSide.objects.filter(match__stage__tournament__event=event).order_by()
    found: dict[UUID, set[UUID]] = defaultdict(set)
    for team, match in sides.values_list("squad__team", "match"):
        found[team].add(match)
    return found
