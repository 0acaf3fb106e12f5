"""Recording of facts: how they are written, and recognized when they are sent twice."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from ledger import append
from ledger.entries import NewFact
from people.actors import Actor


def new_decision(
    type: str,
    body: Mapping[str, Any],
    actor: Actor,
    client_id: UUID | None,
    client_body: Mapping[str, Any] | None,
) -> NewFact:
    """A decision with who makes it; `client_body` is what a client sent for it, where that isn't the body."""
    return NewFact(
        type,
        {**body, "by": str(actor.id) if actor.id else None, "by_kind": str(actor.kind)},
        client_id,
        {"type": type, **(body if client_body is None else client_body)} if client_id else None,
    )


def was_decided(
    stream: UUID, kind: str, event: UUID, type: str, client_id: UUID | None, client_body: Mapping[str, Any]
) -> bool:
    """Whether this very decision stands in the stream already."""
    if client_id is None:
        return False
    opened = append.open_stream(stream, kind, event)
    return bool(opened.recognise([NewFact(type, None, client_id, {"type": type, **client_body})]))
