"""Writing an event down as an archive."""

from typing import IO
from uuid import UUID

from django.db import transaction

from games.logbook import counted_columns
from games.models import Game
from ledger import needed_code_version
from ledger.models import Fact, Receipt, Stream
from ledger.read import stored_facts
from people.models import Event
from tournaments.facts.locks import lock, lock_games
from tournaments.projections import overall, standings
from tournaments.projections.rebuild import palios
from tournaments.transfer.archive import container
from tournaments.transfer.archive.rows import KEPT, line, plain, written

STREAMS, FACTS, RECEIPTS = "streams.jsonl", "facts.jsonl", "receipts.jsonl"
SET_ASIDE = "set-aside.jsonl"
"""What the games count that the engine can't follow; an archive without such games has no such file."""


def export_event(event: Event, target: IO[bytes], *, with_people: bool) -> None:
    """Write the event's archive to `target`; with the names of its people only if they are asked for.

    The same event gives the same bytes. Standings that are due are computed before; whoever is entering
    something waits until all is read.
    """
    about, files = snapshot(event, with_people=with_people)
    container.write(target, about, files)


@transaction.atomic
def snapshot(event: Event, *, with_people: bool) -> tuple[dict[str, object], dict[str, bytes]]:
    """What the manifest says of the event, and the files, all of one moment."""
    for tournament in event.tournaments.order_by("pk"):
        lock_games(lock(tournament).pk)
        standings.compute(tournament.pk)
    for palio in palios(event):
        lock(palio)
        overall.compute(palio.pk)
    event = Event.objects.get(pk=event.pk)
    about = {"event": str(event.pk), "slug": event.slug, "name": event.name, "with_people": with_people}
    about["needs"] = needed_code_version.needed()
    files = {
        kept.file: b"".join(line(written(kept, row, with_people=with_people)) for row in kept.rows(event))
        for kept in KEPT
        if with_people or not kept.is_personal
    }
    streams = Stream.objects.filter(scope=event.pk, head_sequence__gt=0).order_by("pk")
    files[STREAMS] = b"".join(
        line({"id": str(pk), "kind": kind, "sequence": sequence, "hash": hash})
        for pk, kind, sequence, hash in streams.values_list("pk", "kind", "head_sequence", "head_hash")
    )
    files[FACTS] = _facts(event.pk)
    receipts = Receipt.objects.filter(scope=event.pk).order_by("number")
    names = ("number", "previous_root", "root", "heads", "made_at")
    files[RECEIPTS] = b"".join(
        line({name: plain(getattr(receipt, name)) for name in names}) for receipt in receipts
    )
    set_aside = Game.objects.filter(scope=event.pk, fault__isnull=False).order_by("pk")
    if lines := [
        line({"game": str(row.pk), **{name: plain(each) for name, each in counted_columns(row).items()}})
        for row in set_aside
    ]:
        files[SET_ASIDE] = b"".join(lines)
    return about, files


def _facts(event_id: UUID) -> bytes:
    facts = stored_facts(Fact.objects.filter(stream__scope=event_id).order_by("stream", "sequence"))
    return b"".join(line({name: plain(value) for name, value in fact._asdict().items()}) for fact in facts)
