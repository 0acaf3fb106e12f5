"""Forged archives: true to every check of hashes, and with ids that are somebody else's."""

import io
import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from ledger.hashing import GENESIS, fact_hash, fact_id, microseconds
from people.models import Event
from tests.support.archives import files_of
from tournaments.transfer.archive import container
from tournaments.transfer.archive.export import export_event

_ID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
Edit = Callable[[dict[str, Any]], object]


def forged(event: Event, ids: dict[UUID, UUID] | None = None, edit: Edit | None = None) -> bytes:
    """An event's archive as another event's: each id a fresh one, but for those that `ids` gives; all hashes
    are worked out anew. `edit` changes a fact's body first, given as `{"type", "stream", "body"}`.
    """
    target = io.BytesIO()
    export_event(event, target, with_people=True)
    with container.opened(target) as packed:
        about = {key: value for key, value in packed.about.items() if key not in ("format", "version")}
    files = files_of(target.getvalue())
    # Receipts and versions of standings seal hashes of before; an archive needs none.
    for name in ("receipts", "rows/tournaments.standingsversion", "rows/tournaments.overallversion"):
        files.pop(f"{name}.jsonl", None)
    instead = {each: str(uuid4()).encode() for each in _ID.findall(b"".join(files.values()))}
    instead |= {str(old).encode(): str(new).encode() for old, new in (ids or {}).items()}
    files = {name: _ID.sub(lambda found: instead[found[0]], content) for name, content in files.items()}
    about["event"] = instead[str(event.pk).encode()].decode()
    files["facts.jsonl"], heads = _chained(files["facts.jsonl"], edit)
    streams = [json.loads(each) for each in files["streams.jsonl"].splitlines()]
    files["streams.jsonl"] = _lines([each | {"hash": heads[each["id"]]} for each in streams])
    made = io.BytesIO()
    container.write(made, about, files)
    return made.getvalue()


def _chained(content: bytes, edit: Edit | None) -> tuple[bytes, dict[str, str]]:
    heads: dict[str, str] = {}
    facts = []
    for each in map(json.loads, content.splitlines()):
        stream = each["stream"]
        if edit is not None:
            told = {"type": each["type"], "stream": stream, "body": json.loads(each["text"])}
            edit(told)
            each["text"] = json.dumps(told["body"], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        each["previous_hash"] = heads.get(stream, GENESIS)
        each["hash"] = heads[stream] = fact_hash(
            each["previous_hash"],
            UUID(stream),
            each["sequence"],
            each["type"],
            each["text"],
            microseconds(datetime.fromisoformat(each["recorded_at"])),
            UUID(each["client_id"]) if each["client_id"] else None,
            each["client_digest"],
        )
        each["id"] = str(fact_id(each["hash"]))
        facts.append(each)
    return _lines(facts), heads


def _lines(rows: list[Any]) -> bytes:
    return b"".join(json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in rows)
