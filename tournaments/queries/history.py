"""History of an event: audit trail, decisions, and results at the tables, newest first."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Game
from ledger.models import Fact
from ledger.read import stored_facts
from people.models import Account, ApiToken, AuditEntry, Event, Pairing
from tournaments.facts import matches as match_facts
from tournaments.facts.earlier import stored_types
from tournaments.models import Match, MatchGame, Table, Tournament
from tournaments.queries.history_text import Happening, HistoryTeller, kind_of, minute_of
from tournaments.queries.history_words import AT_TABLES, DECISIONS

# Where a page of the history ends, by its last line: the moment, the id of the row with 0, or of the fact's
# stream with its place there.
Mark = tuple[datetime, UUID, int]
# The same with the row or the fact.
Found = tuple[datetime, UUID, int, Any]


class HappeningKind(StrEnum):
    """What is looked for."""

    DECISIONS = "decisions"
    RESULTS = "results"
    CORRECTIONS = "corrections"
    ROWS = "rows"


KINDS = {
    HappeningKind.DECISIONS: gettext_lazy("decisions"),
    HappeningKind.RESULTS: gettext_lazy("results"),
    HappeningKind.CORRECTIONS: gettext_lazy("corrections"),
    HappeningKind.ROWS: gettext_lazy("changes of people, teams, tables and settings"),
}
CORRECTIONS = (
    *("event_voided", "points_adjusted", "rounds_redrawn", "tournament_reopened"),
    match_facts.SETTLED,
)
"""Facts that put something right, at a table or by decision."""
NOBODY = "nobody"
"""Who did it where nobody was signed in: the command line, or the service by itself."""


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """The part of the history that is asked for; an empty field asks for all.

    `who` is an actor's id, or `NOBODY`.
    """

    who: str = ""
    kind: HappeningKind | None = None
    table: int | None = None
    since: datetime | None = None
    until: datetime | None = None


EVERYTHING = HistoryFilter()


def actors(event: Event) -> list[tuple[str, str]]:
    """Who can have done something: ids and names of organizers, their programs and all phones; three
    queries.
    """
    accounts = Account.objects.filter(organizes__event=event).order_by("username")
    named = [(str(each.pk), each.get_full_name() or each.username) for each in accounts]
    for token in ApiToken.objects.filter(account__organizes__event=event).order_by("name"):
        named.append((str(token.pk), _("program “%(name)s”") % {"name": token.name}))
    for phone in Pairing.objects.filter(event=event).select_related("referee").order_by("asked_at"):
        words = {"name": str(phone.referee), "word": phone.check_word}
        named.append((str(phone.pk), _("%(name)s’s phone “%(word)s”") % words))
    return [*named, (NOBODY, _("the service, or the command line"))]


def happenings(
    event: Event, *, limit: int, before: Mark | None = None, asked: HistoryFilter = EVERYTHING
) -> tuple[list[Happening], Mark | None]:
    """So many rows and facts before a mark, in words, and the mark with which the next page goes on.

    That mark is None where nothing came earlier. Where the page would end among rows that are told as one,
    the rest of their minute comes along. The number of queries doesn't depend on how much has happened.
    """
    found = _found(event, before, asked, most=limit + 1)
    shown, rest = found[:limit], found[limit:]
    if rest and kind_of(shown[-1][-1]) == kind_of(rest[0][-1]):
        shown += _found(event, _mark(shown[-1]), asked, since=minute_of(rest[0][-1]))
        rest = _found(event, _mark(shown[-1]), asked, most=1)
    mark = _mark(shown[-1]) if rest else None
    return HistoryTeller(event, [source for *_, source in shown]).lines(), mark


def _mark(found: Found) -> Mark:
    return found[:3]


def _found(
    event: Event,
    before: Mark | None,
    asked: HistoryFilter,
    *,
    most: int | None = None,
    since: datetime | None = None,
) -> list[Found]:
    """Rows and facts, newest first; facts of one moment and stream by their place there."""
    # A new person's line tells the entry, too.
    entries = AuditEntry.objects.filter(event=event).exclude(model="entry", action=AuditEntry.Action.CREATED)
    # What was played to its end has no fact that says so: it is the last one of its game.
    played = Game.objects.filter(pk=OuterRef("stream"), scope=OuterRef("stream__scope"), closed_by="played")
    ended = Q(Q(sequence=F("stream__head_sequence")), Exists(played))
    facts = Fact.objects.filter(_of_kind(asked.kind, ended), stream__scope=event.pk)
    entries, facts = _narrowed(event, asked, entries, facts)
    if before is not None:
        moment, one, sequence = before
        entries = entries.filter(Q(at__lt=moment) | Q(at=moment, pk__lt=one))
        same_moment = Q(stream__lt=one) | Q(stream=one, sequence__lt=sequence)
        facts = facts.filter(Q(recorded_at__lt=moment) | Q(same_moment, recorded_at=moment))
    if since is not None:
        entries, facts = entries.filter(at__gte=since), facts.filter(recorded_at__gte=since)
    found: list[Found] = [
        *((entry.at, entry.pk, 0, entry) for entry in entries.order_by("-at", "-pk")[:most]),
        *(
            (fact.recorded_at, fact.stream, fact.sequence, fact)
            for fact in stored_facts(facts.order_by("-recorded_at", "-stream_id", "-sequence")[:most])
        ),
    ]
    found.sort(key=lambda each: each[:3], reverse=True)
    return found[:most]


def _of_kind(kind: HappeningKind | None, ended: Q) -> Q:
    """The facts of a kind; `ended` finds the last ones of games that were played to their end."""
    match kind:
        case HappeningKind.DECISIONS:
            return Q(type__in=stored_types(DECISIONS))
        case HappeningKind.RESULTS:
            return Q(type__in=AT_TABLES) | ended
        case HappeningKind.CORRECTIONS:
            return Q(type__in=CORRECTIONS)
        case HappeningKind.ROWS:
            return Q(pk__in=())
    return Q(type__in=stored_types((*DECISIONS, *AT_TABLES))) | ended


def _narrowed(
    event: Event, asked: HistoryFilter, entries: QuerySet[AuditEntry], facts: QuerySet[Fact]
) -> tuple[QuerySet[AuditEntry], QuerySet[Fact]]:
    """Rows and facts of whom, of which table and of which hours is asked."""
    if asked.kind not in (None, HappeningKind.ROWS):
        entries = entries.none()
    if asked.who == NOBODY:
        entries, facts = entries.filter(actor_id=None), facts.filter(text__contains='"by":null')
    elif asked.who:
        # Canonical JSON has one spelling.
        entries = entries.filter(actor_id=asked.who)
        facts = facts.filter(text__contains=f'"by":"{asked.who}"')
    if asked.table is not None:
        matches = Match.objects.filter(table__event=event, table__number=asked.table).values("pk")
        games = MatchGame.objects.filter(match__in=matches).values("game")
        tables = Table.objects.filter(event=event, number=asked.table).values("pk")
        entries = entries.filter(
            Q(model="table", row_id__in=tables) | Q(model__in=("call", "place"), row_id__in=matches)
        )
        facts = facts.filter(Q(stream__in=games) | Q(stream__in=matches))
    if asked.since is not None:
        entries, facts = entries.filter(at__gte=asked.since), facts.filter(recorded_at__gte=asked.since)
    if asked.until is not None:
        entries, facts = entries.filter(at__lte=asked.until), facts.filter(recorded_at__lte=asked.until)
    return entries, facts


def last_decision(tournament: Tournament) -> Happening | None:
    """What was decided of a tournament last."""
    facts = stored_facts(Fact.objects.filter(stream=tournament.pk).order_by("-sequence")[:1])
    return HistoryTeller(tournament.event, facts).lines()[0] if facts else None
