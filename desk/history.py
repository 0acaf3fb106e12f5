"""Who did what when: the audit trail of rows, decisions, and results at the tables, newest first."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F, Q

from desk.telling import AT_TABLES, DECISIONS, Happening, Teller, kind_of, minute_of
from games.models import Game
from ledger.models import Fact
from ledger.read import stored_facts
from people.models import AuditEntry, Event
from tournaments.models import Tournament

# Where a page of the history ends: the moment and the id of its last line.
Mark = tuple[datetime, UUID]
# The same with the row or the fact.
Found = tuple[datetime, UUID, Any]


def happenings(
    event: Event, *, limit: int, before: Mark | None = None
) -> tuple[list[Happening], Mark | None]:
    """So many rows and facts up to a mark as lines, and the mark from which the next page goes on (None at
    the beginning).

    Where that would cut lines of a kind in two that are told as one, the rest of their minute comes along.
    The number of queries doesn't depend on how much has happened.
    """
    found = _found(event, before, most=limit + 1)
    shown, rest = found[:limit], found[limit:]
    if rest and kind_of(shown[-1][2]) == kind_of(rest[0][2]):
        shown += _found(event, _mark(shown[-1]), since=minute_of(rest[0][2]))
        rest = _found(event, _mark(shown[-1]), most=1)
    mark = _mark(shown[-1]) if rest else None
    return Teller(event, [source for *_, source in shown]).lines(), mark


def _mark(found: Found) -> Mark:
    return found[0], found[1]


def _found(
    event: Event, before: Mark | None, *, most: int | None = None, since: datetime | None = None
) -> list[Found]:
    """Rows and facts, newest first."""
    # A new person's line tells the entry, too.
    entries = AuditEntry.objects.filter(event=event).exclude(model="entry", action=AuditEntry.Action.CREATED)
    # What was played to its end has no fact that says so: it is the last one of its game.
    played = Game.objects.filter(scope=event.pk, closed_by="played").values("pk")
    facts = Fact.objects.filter(
        Q(type__in=(*DECISIONS, *AT_TABLES)) | Q(stream__in=played, sequence=F("stream__head_sequence")),
        stream__scope=event.pk,
    )
    if before is not None:
        moment, row = before
        entries = entries.filter(Q(at__lt=moment) | Q(at=moment, pk__lt=row))
        facts = facts.filter(Q(recorded_at__lt=moment) | Q(recorded_at=moment, pk__lt=row))
    if since is not None:
        entries, facts = entries.filter(at__gte=since), facts.filter(recorded_at__gte=since)
    found: list[Found] = [
        *((entry.at, entry.pk, entry) for entry in entries.order_by("-at", "-pk")[:most]),
        *(
            (fact.recorded_at, fact.id, fact)
            for fact in stored_facts(facts.order_by("-recorded_at", "-pk")[:most])
        ),
    ]
    found.sort(key=lambda each: (each[0], each[1].hex), reverse=True)
    return found[:most]


def last_decision(tournament: Tournament) -> Happening | None:
    """What was decided of a tournament last."""
    facts = stored_facts(Fact.objects.filter(stream=tournament.pk).order_by("-sequence")[:1])
    return Teller(tournament.event, facts).lines()[0] if facts else None
