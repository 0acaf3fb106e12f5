"""The plain values that go into the ledger and come out of it."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from ledger.canonical import JSON
from ledger.hashing import client_digest

_TYPE = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact to be appended.

    `type` is a lower-case word (letters, digits, underscores; at most 64), `body` any JSON without fractions.
    `client_id` is the client's own id of the entry, unique for ever; `client_body` is what the client sent,
    where that isn't `body` (names mapped to ids): it alone decides whether a second sending is the same.
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

    Where one entry is stored as several facts, the first takes the client's id and the others these, all with
    the same `client_body`; so the entry is recognised as a whole when it is sent again.
    """
    return uuid5(client_id, str(place))
