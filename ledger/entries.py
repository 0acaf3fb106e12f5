"""Facts as they go into the ledger and come out of it, and the chain of one stream; without a database."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from ledger.findings import Finding, FindingCode
from ledger.hashing import (
    CURRENT,
    GENESIS,
    JSON,
    Encoding,
    canonical,
    client_digest,
    fact_hash,
    fact_id,
    microseconds,
)

_TYPE = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact to be appended.

    `type` is a lower-case word (letters, digits, underscores; at most 64), `body` any JSON without fractions.
    `client_id` is the client's own id of the entry, unique for ever. `client_body` is what the client sent,
    where that isn't `body` (names mapped to ids). It alone decides whether a second sending is the same.
    """

    type: str
    body: JSON
    client_id: UUID | None = None
    client_body: JSON = None

    def __post_init__(self) -> None:
        if not _TYPE.fullmatch(self.type):
            raise ValueError(
                f"A fact's type is a lower-case word of at most 64 characters, not {self.type!r}."
            )

    def digest(self) -> str:
        """Return the digest of what the client sent; empty without a client's id."""
        if self.client_id is None:
            return ""
        return client_digest([self.type, self.body] if self.client_body is None else self.client_body)


class StoredFact(NamedTuple):
    """A fact as it is stored; `text` is its canonical JSON, `recorded_at` an aware time with microseconds."""

    id: UUID
    stream: UUID
    sequence: int
    type: str
    text: str
    previous_hash: str
    hash: str
    recorded_at: datetime
    client_id: UUID | None
    client_digest: str

    @property
    def body(self) -> Any:
        """The value of `text`."""
        return json.loads(self.text)


class Head(NamedTuple):
    """The end of a stream: the sequence of its last fact (0 if there is none) and that fact's hash."""

    stream: UUID
    sequence: int
    hash: str


def follow_up_id(client_id: UUID, place: int) -> UUID:
    """Return the id for the `place`-th further fact that one entry of a client became.

    Where one entry is stored as several facts, the first takes the client's id and the others these. All have
    the same `client_body`, so the entry is recognised as a whole when it is sent again.
    """
    return uuid5(client_id, str(place))


ENCODINGS = tuple(sorted(Encoding, reverse=True))
"""In the order in which they are tried."""


class Chain:
    """New facts of one stream, each chained to the one before it; all recorded at one moment."""

    def __init__(
        self, stream: UUID, sequence: int, hash: str, recorded_at: datetime, encoding: Encoding = CURRENT
    ) -> None:
        self.stream, self.sequence, self.hash, self.recorded_at = stream, sequence, hash, recorded_at
        self.encoding = encoding
        self.facts: list[StoredFact] = []
        self._recorded = microseconds(recorded_at)

    def add(self, entry: NewFact) -> StoredFact:
        """Return the fact that `entry` becomes at the end of the chain; raises NotCanonicalError."""
        text = canonical(entry.body)
        sequence = self.sequence + 1
        digest = entry.digest()
        content = (self.stream, sequence, entry.type, text)
        client = (entry.client_id, digest)
        hash = fact_hash(self.hash, *content, self._recorded, *client, self.encoding)
        fact = StoredFact(fact_id(hash), *content, self.hash, hash, self.recorded_at, *client)
        self.sequence, self.hash = sequence, hash
        self.facts.append(fact)
        return fact


class ChainCheck:
    """Walks the facts of one stream in order of their sequences.

    It goes on from what is stored, so that one alteration gives one finding, at its place.
    """

    def __init__(self, stream: UUID) -> None:
        self.stream, self.sequence, self.hash = stream, 0, GENESIS
        self._encoding = min(Encoding)

    def step(self, fact: StoredFact) -> Iterator[Finding]:
        """Yield what is wrong with the next fact."""
        if fact.stream != self.stream:
            yield Finding(FindingCode.OTHER_STREAM, self.stream, fact.sequence)
        if fact.sequence <= self.sequence:
            yield Finding(FindingCode.REPEATED, self.stream, fact.sequence)
        elif fact.sequence > self.sequence + 1:
            yield Finding(FindingCode.GAP, self.stream, self.sequence + 1, {"until": fact.sequence - 1})
        elif fact.previous_hash != self.hash:
            yield Finding(FindingCode.PREVIOUS_HASH, self.stream, fact.sequence)
        encoding = encoding_of(fact)
        if encoding is None:
            yield Finding(FindingCode.ALTERED, self.stream, fact.sequence)
        elif encoding < self._encoding:
            yield Finding(FindingCode.DOWNGRADED, self.stream, fact.sequence)
        elif fact.id != fact_id(fact.hash):
            yield Finding(FindingCode.ID, self.stream, fact.sequence)
        self.sequence, self.hash = fact.sequence, fact.hash
        self._encoding = max(self._encoding, encoding or self._encoding)

    def head(self, sequence: int, hash: str) -> Iterator[Finding]:
        """Yield what is wrong with the stream's head, after its last fact."""
        if sequence != self.sequence:
            ends = {"head": sequence, "last": self.sequence}
            yield Finding(FindingCode.HEAD_SEQUENCE, self.stream, self.sequence, ends)
        elif hash != self.hash:
            yield Finding(FindingCode.HEAD_HASH, self.stream, self.sequence)


def encoding_of(fact: StoredFact) -> Encoding | None:
    """Return the encoding by which a fact has its hash; the latest is tried first.

    None if no encoding gives this hash, or if a column holds what it can't, such as bytes instead of text.
    """
    recorded = microseconds(fact.recorded_at)
    fields = (fact.previous_hash, fact.stream, fact.sequence, fact.type, fact.text, recorded)
    try:
        for encoding in ENCODINGS:
            if fact.hash == fact_hash(*fields, fact.client_id, fact.client_digest, encoding):
                return encoding
    except (ValueError, TypeError, AttributeError):
        pass
    return None
