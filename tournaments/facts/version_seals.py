"""Seals of versions: what of a version of the standings can't be computed again from facts.

Which moments there were, what had been read by then and which receipt was made is only known from the
version's own row. Its seal is a hash over that and over the seal of the version before. So a row that was
altered, removed or put in shows.

Versions had no seal while facts had the first encoding. A version that was computed from such facts alone
may lack it, as long as no version before it has one.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from ledger.entries import StoredFact, encoding_of
from ledger.hashing import GENESIS, JSON, Encoding, canonical, microseconds

FIRST = GENESIS
"""The seal before the first version's."""


def seal(
    before: str, of: UUID, number: int, computed_at: datetime, read: Mapping[str, int], receipt: str
) -> str:
    """The seal (64 hex digits) of the version `number` of a tournament or palio `of`.

    `read` says how far what was read had come: numbers by ids. `receipt` is empty where none was made.
    """
    said: JSON = ["tendone.version.1", before, str(of), number, microseconds(computed_at), {**read}, receipt]
    return hashlib.sha256(canonical(said).encode()).hexdigest()


def may_lack_seal(read: Iterable[StoredFact]) -> bool:
    """Whether a version may be without a seal that was computed from streams up to these facts, given that
    none before it has one. Encodings never fall in a stream, so the last fact tells of those before.
    """
    return all(encoding_of(fact) is Encoding.WITHOUT_CLIENT for fact in read)
