"""Hash chains of a copied SQLite database, checked without Django's tables, a part of them each time."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.utils.translation import override

from ledger.entries import ChainCheck, StoredFact
from ledger.findings import Finding
from ledger.read import COLUMNS

SPARE_FACTS = 5_000
"""So many facts of streams that held before are checked again each time, in less than 0.1 s."""

_HEADS = "SELECT id, head_sequence, head_hash FROM ledger_stream ORDER BY id"
_FACTS = f"SELECT {', '.join(COLUMNS)} FROM ledger_fact WHERE stream_id = ? ORDER BY sequence"  # noqa: S608  # our own names


class ChainMemory:
    """Checks chains: all streams that are new or longer than at the last time, and some others in turn."""

    def __init__(self) -> None:
        # The heads that held, those that were checked the longest ago first.
        self._held: dict[str, str] = {}

    def find_fault(self, copy: sqlite3.Connection) -> str | None:
        """The first thing that is wrong with the ledger in a copy, or None."""
        if not copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'ledger_stream'").fetchone():
            return None
        heads = {stream: (sequence, hash) for stream, sequence, hash in copy.execute(_HEADS).fetchall()}
        for stream in self._due(heads):
            sequence, hash = heads[stream]
            try:
                found = next(check_stream(copy, stream, sequence, hash), None)
            except (ValueError, TypeError, sqlite3.OperationalError):
                return f"facts of the stream {stream} can't be read"
            if found is not None:
                # The sentence as it is in the code: this is for the operator's log.
                with override(None):
                    return f"stream {stream}, fact {found.sequence}: {found}"
            self._held.pop(stream, None)
            self._held[stream] = hash
        return None

    def _due(self, heads: dict[str, tuple[int, str]]) -> list[str]:
        held = {stream: hash for stream, hash in self._held.items() if stream in heads}
        due = [stream for stream, (_, hash) in heads.items() if held.get(stream) != hash]
        spare = SPARE_FACTS
        for stream in held:
            if spare <= 0:
                break
            spare -= heads[stream][0]
            due.append(stream)
        return list(dict.fromkeys(due))


def check_stream(copy: sqlite3.Connection, stream: str, sequence: int, hash: str) -> Iterator[Finding]:
    """Yield what is wrong with the chain of one stream and its head."""
    check = ChainCheck(UUID(stream))
    for row in copy.execute(_FACTS, [stream]):
        yield from check.step(StoredFact(**_converted(row)))
    yield from check.head(sequence, hash)


def _converted(row: tuple[Any, ...]) -> dict[str, Any]:
    """A row as Django would give it: SQLite stores ids and times as texts."""
    values = dict(zip(COLUMNS, row, strict=True))
    values["id"], values["stream"] = UUID(values["id"]), UUID(values.pop("stream_id"))
    values["client_id"] = UUID(values["client_id"]) if values["client_id"] else None
    values["recorded_at"] = datetime.fromisoformat(values["recorded_at"]).replace(tzinfo=UTC)
    return values
