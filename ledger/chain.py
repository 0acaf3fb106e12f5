"""The chain of one stream: building it and checking it, without a database."""

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from ledger.canonical import canonical
from ledger.entries import NewFact, StoredFact
from ledger.findings import Finding, FindingCode
from ledger.hashing import CURRENT, GENESIS, Encoding, fact_hash, fact_id, microseconds

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
