"""Seals of versions: what of a version of the standings can't be computed again from facts.

Which moments there were, what had been read by then and which receipt was made is only known from the
version's own row. Its seal is a hash over that and over the seal of the version before, so that a row that
was altered, removed or put in shows.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from ledger.canonical import JSON, canonical
from ledger.hashing import GENESIS, microseconds

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
