"""Marks: one short text each for how things stand, so that a page asks "has anything changed?" before it is
made anew.

A mark costs one query whatever the size of the event, the desk's two. It changes with everything that the
pages about its subject show but the count of a clock, and may change without. It tells nothing but that:
anybody may have it. Read it before what it stands for, so that a page is never older than its mark.
"""

import hashlib
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.models import WAITING, Game
from people import announcements
from people.event_days import is_on
from people.models import AuditEntry, Event, Pairing
from people.public_changes import FOR_THE_MOMENT
from tournaments.formats.catalogue import FORMATS
from tournaments.models import (
    Call,
    Match,
    MatchGame,
    OverallVersion,
    StandingsVersion,
    Table,
    Tournament,
)
from tournaments.queries.clocks import clock_of
from tournaments.queries.matches import annulled_squads, outdated_matches


def table_mark(table: UUID, pairing: Pairing | None) -> str:
    """The mark of the pages at a table, on this phone.

    It follows from every entry and word at the table, and from every decision and row of the event. How far
    the phone itself is let in counts too.
    """
    at_table = Match.objects.filter(table=OuterRef("pk"))
    row = _values(
        Table.objects.filter(pk=table),
        number=F("number"),
        code=F("code"),
        played=_total(at_table, "table", Sum("match_games__game__version")),
        games=_total(at_table, "table", Count("match_games")),
        said=_total(at_table, "table", Sum("version")),
        **_of_event(OuterRef("event")),
    )
    phone: tuple[object, ...] = ()
    if pairing is not None:
        phone = (pairing.pk, pairing.admitted_at is None, pairing.revoked_at, pairing.clock_off)
    return _mark("table", table, row, phone)


def event_mark(event: UUID) -> str:
    """The mark of the desk's board.

    It follows from every entry and word at every table, every decision, rows, standings, and how many phones
    ask to be let in. The bells, which ring by themselves, count too, and on the day the minute. Two queries.
    """
    clocks = list(Tournament.objects.filter(event=event).select_related("clock", "event").order_by("pk"))
    bells = [clock_of(each).state for each in clocks]
    games = Game.objects.filter(scope=OuterRef("pk"))
    matches = Match.objects.filter(stage__tournament__event=OuterRef("pk"))
    versions = StandingsVersion.objects.filter(tournament__event=OuterRef("pk"))
    asking = Pairing.objects.filter(event=OuterRef("pk"), admitted_at=None, revoked_at=None)
    row = _values(
        Event.objects.filter(pk=event),
        asking=_total(asking, "event", Count("pk")),
        played=_total(games, "scope", Sum("version")),
        games=_total(games, "scope", Count("pk")),
        said=_total(matches, "stage__tournament__event", Sum("version")),
        standings=_total(versions, "tournament__event", Count("pk")),
        **_of_event(OuterRef("pk")),
    )
    # What is late depends on the minute.
    minute = int(timezone.now().timestamp()) // 60 if clocks and is_on(clocks[0].event) else 0
    return _mark("event", event, row, bells, minute)


def outcomes_mark(event: UUID) -> str:
    """For an event's public page: as `event_mark`, but of games only how many were begun and are over.

    A result that is put right is in the standings as soon as they are computed.
    """
    games = Game.objects.filter(scope=OuterRef("pk"))
    versions = StandingsVersion.objects.filter(tournament__event=OuterRef("pk"))
    overall = OverallVersion.objects.filter(palio__event=OuterRef("pk"))
    row = _values(
        Event.objects.filter(pk=event),
        begun=_total(games, "scope", Count("pk", filter=~Q(phase=WAITING))),
        over=_total(games, "scope", Count("pk", filter=Q(is_over=True))),
        standings=_total(versions, "tournament__event", Count("pk")),
        overall=_total(overall, "palio__event", Count("pk")),
        **_of_event(OuterRef("pk"), AuditEntry.objects.filter(is_seen=True)),
    )
    return _mark("outcomes", event, row)


def tournament_mark(tournament: UUID) -> str:
    """For a tournament's public pages: its decisions, outcomes and standings."""
    games = Game.objects.filter(group=OuterRef("pk"))
    newest = StandingsVersion.objects.filter(tournament=OuterRef("pk")).order_by("-number")
    row = _values(
        Tournament.objects.filter(pk=tournament),
        decided=F("version"),
        begun=_total(games, "group", Count("pk", filter=~Q(phase=WAITING))),
        over=_total(games, "group", Count("pk", filter=Q(is_over=True))),
        standings=Subquery(newest.values("number")[:1]),
        announced=announcements.how_many(OuterRef("event")),
        **_last_change(OuterRef("event"), AuditEntry.objects.filter(is_seen=True)),
    )
    return _mark("tournament", tournament, row)


def match_mark(match: UUID) -> str:
    """For the pages of one match and its games: every entry in any of them, and what was said of a result.

    Also whether it was called, a correction has overtaken it, or it is annulled.
    """
    row = _values(
        Match.objects.filter(pk=match),
        hour=F("place__begins_at"),
        **match_parts(),
        **_last_change(
            OuterRef("stage__tournament__event"),
            AuditEntry.objects.filter(is_seen=True).exclude(model__in=FOR_THE_MOMENT),
        ),
    )
    return _mark("match", match, row)


def match_parts() -> dict[str, Any]:
    """Annotations of matches for what changes a match's pages, but for its hour and the event's rows.

    `outdated` and `annulled` name all of the tournament's.
    """
    games = MatchGame.objects.filter(match=OuterRef("pk"))
    return {
        "at": F("table"),
        "called": Subquery(Call.objects.filter(pk=OuterRef("pk")).values("version")),
        "said": F("version"),
        "played": _total(games, "match", Sum("game__version")),
        "games": _total(games, "match", Count("pk")),
        "of_round": _round_of_cards(games),
        "decided": F("stage__tournament__version"),
        "outdated": outdated_matches(),
        "annulled": annulled_squads(),
    }


def _round_of_cards(games: QuerySet[MatchGame]) -> Case:
    """Every entry of the round of a table of many that wasn't played out: the others' cards give its mean."""
    at_tables = [key for key, choice in FORMATS.items() if choice.adds_points]
    unplayed = games.filter(match__stage__format__in=at_tables, game__closed_by__in=("abandoned", "forfeit"))
    of_round = Match.objects.filter(stage=OuterRef("stage"), round=OuterRef("round"))
    return Case(
        When(Exists(unplayed), then=_total(of_round, "stage", Sum("match_games__game__version"))), default=0
    )


def _of_event(event: OuterRef, changes: QuerySet[AuditEntry] | None = None) -> dict[str, Any]:
    """What is decided and what the rows are, in the whole event."""
    tournaments = Tournament.objects.filter(event=event)
    return {
        "decided": _total(tournaments, "event", Sum("version")),
        "tournaments": _total(tournaments, "event", Count("pk")),
        # They go by themselves.
        "announced": announcements.how_many(event),
        **_last_change(event, changes),
    }


def _last_change(event: OuterRef, changes: QuerySet[AuditEntry] | None = None) -> dict[str, Any]:
    """The last change of a row, or of those that pages show: names, banners, settings, pairings, and clocks
    that somebody touched.
    """
    found = AuditEntry.objects.all() if changes is None else changes
    return {"last_change": Subquery(found.filter(event=event).order_by("-at").values("pk")[:1])}


def _total(rows: QuerySet[Any], by: str, total: Any) -> Coalesce:
    """A number over rows that are all of one subject, in a query within the query."""
    counted = rows.order_by().values(by).annotate(total=total).values("total")
    return Coalesce(Subquery(counted[:1]), 0)


def _values(subject: QuerySet[Any], **parts: Any) -> object:
    """The parts of the one row; None where there is no such subject. One query."""
    named = {f"mark_{name}": part for name, part in parts.items()}
    return subject.annotate(**named).order_by().values_list(*named).first()


def _mark(kind: str, subject: UUID, *parts: object) -> str:
    seen = repr((kind, str(subject), parts))
    return f'W/"{hashlib.sha256(seen.encode()).hexdigest()[:32]}"'
