"""Canonical text and hashes of the ledger; pure. A published test vector: `docs/reference/ledger.md`.

One value has one text: JSON with keys sorted by code point, without blanks and fractions, UTF-8 as it is.

What is hashed is a row of fields. Each is written as its length in bytes (four bytes, big-endian) and then
its bytes. So no two different rows give the same bytes. Numbers are decimal ASCII, text is UTF-8, a UUID is
its 16 bytes, a hash its 32. The first field names the form, so a fact's hash is never a receipt's.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Any, TypeAlias
from uuid import UUID

JSON: TypeAlias = "bool | int | str | Sequence[JSON] | Mapping[str, JSON] | None"
"""Values that may have a canonical text; of sequences and mappings only lists, tuples and dicts."""

MAX_DEPTH = 64
MAX_INT = 2**53 - 1

_encode = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode


class NotCanonicalError(ValueError):
    """A value that has no canonical text; the message says where in the value and why."""


def canonical(value: JSON) -> str:
    """Return the canonical text of `value`; lists and tuples both become arrays.

    Every reader in every language gets the same numbers back. A fraction has more than one spelling, so there
    are none: write tenths as a whole number, or the fraction as a string.

    Raises NotCanonicalError for fractions, NaN, whole numbers beyond ±(2^53 - 1) and keys that are no
    strings. Raises it, too, for text that UTF-8 can't hold, nesting deeper than 64 and any other type.
    """
    _check(value, "$", MAX_DEPTH)
    return _encode(value)


def parse(text: str) -> JSON:
    """Return the value of a canonical text; raises NotCanonicalError if `text` isn't exactly the canonical
    one.
    """
    try:
        value: JSON = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotCanonicalError(f"The text is no JSON: {error}.") from error
    # Repeated keys, blanks, other orders and other spellings all come out different.
    if canonical(value) != text:
        raise NotCanonicalError("The text is JSON, but not in its canonical form.")
    return value


def _check(value: Any, where: str, depth: int) -> None:
    """Refuse what has no canonical text. `where` is the path so far, `depth` the levels that are left."""
    if value is None or value is True or value is False:
        return
    if isinstance(value, str):
        _check_text(value, where)
    elif isinstance(value, int):
        if not -MAX_INT <= value <= MAX_INT:
            raise NotCanonicalError(f"{where}: whole numbers go from -(2^53 - 1) to 2^53 - 1.")
    elif depth == 0:
        raise NotCanonicalError(f"{where}: nested deeper than {MAX_DEPTH}.")
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise NotCanonicalError(f"{where}: keys are strings, not {type(key).__name__}.")
            _check_text(key, where)
            _check(item, f"{where}.{key}", depth - 1)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            _check(item, f"{where}[{index}]", depth - 1)
    elif isinstance(value, float):
        raise NotCanonicalError(
            f"{where}: numbers are whole; write a fraction as a string or in smaller units."
        )
    else:
        raise NotCanonicalError(f"{where}: {type(value).__name__} is no JSON.")


def _check_text(text: str, where: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotCanonicalError(f"{where}: half of a surrogate pair can't be written in UTF-8.") from error


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
"""The encoding of new facts, where the database lets it (`ledger.needed_code_version`)."""

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

    `previous` is the hash of the fact before it (GENESIS for the first). `sequence` counts from 1 in its
    stream. `text` is canonical JSON, `recorded` the time of recording in UTC microseconds since 1970.
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

    `previous` is the root of the receipt before it (GENESIS for the first). `number` counts from 1 in the
    scope. `heads` is the text from `heads_text`, `made` the receipt's time in UTC microseconds since 1970.
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
