"""The hashes of the ledger; pure. Encoding and a published test vector: `docs/reference/ledger.md`.

What is hashed is a row of fields, each written as its length in bytes (four bytes, big-endian) and then its
bytes, so no two different rows give the same bytes. Numbers are decimal ASCII, text is UTF-8, a UUID is its
16 bytes, a hash its 32. The first field names the form, so a fact's hash is never a receipt's.
"""

import hashlib
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from uuid import UUID

from ledger.canonical import JSON, canonical


class Encoding(IntEnum):
    """What of a fact is hashed, and how: all encodings that there have been, a later one above an earlier.

    From 3 on the first field that is hashed says the number. The two before are a closed list: they begin
    alike, and which one it is only their hash tells. No stored hash ever changes, so none of them goes.
    """

    WITHOUT_CLIENT = 1
    """Neither the client's id nor its digest is hashed."""
    WITHOUT_NUMBER = 2
    """All fields are hashed."""
    NUMBERED = 3
    """All fields are hashed, and the number."""

    @property
    def first_field(self) -> bytes:
        """The form and, from 3 on, the encoding's own number."""
        is_numbered = self not in (Encoding.WITHOUT_CLIENT, Encoding.WITHOUT_NUMBER)
        return b"tendone.fact.%d" % (self if is_numbered else 1)


CURRENT = Encoding.NUMBERED
"""The encoding of new facts, where the database lets it (`ledger.compatibility`)."""

GENESIS = "0" * 64
"""The previous hash of a stream's first fact, and the previous root of a scope's first receipt."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_VARIANT_AND_VERSION = ~((0b11 << 62) | (0xF << 76)) & (2**128 - 1), (0b10 << 62) | (8 << 76)


def fact_hash(
    previous: str,
    stream: UUID,
    sequence: int,
    type: str,
    text: str,
    recorded: int,
    client_id: UUID | None = None,
    client_digest: str = "",
    encoding: Encoding = CURRENT,
) -> str:
    """Return the SHA-256 (64 hex digits) of a fact.

    `previous` is the hash of the fact before it (GENESIS for the first), `sequence` counts from 1 in its
    stream, `text` is canonical JSON and `recorded` the time of recording in UTC microseconds since 1970.
    `client_id` is the client's own id of the entry and `client_digest` the digest of what it sent, empty
    where it gave none.
    """
    fields = (
        encoding.first_field,
        bytes.fromhex(previous),
        stream.bytes,
        b"%d" % sequence,
        type.encode(),
        text.encode(),
        b"%d" % recorded,
        b"" if client_id is None else client_id.bytes,
        client_digest.encode(),
    )
    return _digest(*(fields[:-2] if encoding is Encoding.WITHOUT_CLIENT else fields))


def receipt_root(previous: str, scope: UUID, number: int, heads: str, made: int) -> str:
    """Return the SHA-256 (64 hex digits) over all heads of a scope.

    `previous` is the root of the receipt before it (GENESIS for the first), `number` counts from 1 in the
    scope, `heads` is the text from `heads_text` and `made` its time in UTC microseconds since 1970.
    """
    return _digest(
        b"tendone.receipt.1",
        bytes.fromhex(previous),
        scope.bytes,
        b"%d" % number,
        heads.encode(),
        b"%d" % made,
    )


def fact_id(hash: str) -> UUID:
    """Return the id of the fact with this hash: its first 16 bytes as a UUID of version 8 (RFC 9562)."""
    kept, set_bits = _VARIANT_AND_VERSION
    return UUID(int=int(hash[:32], 16) & kept | set_bits)


def client_digest(body: JSON) -> str:
    """Return the SHA-256 (64 hex digits) of what a client sent, to tell a repetition from another body."""
    return hashlib.sha256(canonical(body).encode()).hexdigest()


def microseconds(moment: datetime) -> int:
    """Return an aware time as whole microseconds since 1970 UTC."""
    return (moment - _EPOCH) // _MICROSECOND


def _digest(*fields: bytes) -> str:
    return hashlib.sha256(b"".join([len(field).to_bytes(4) + field for field in fields])).hexdigest()
