"""Refusals of the ledger. Each leaves nothing behind once its transaction is rolled back."""

from uuid import UUID


class LedgerError(Exception):
    """The base of the ledger's refusals."""


class ConflictError(LedgerError):
    """Somebody else has written since the version that the writer started from.

    `current_version` is the sequence of the stream's last fact now, or the version of a row that has no
    stream. It is None where the database found the conflict in the middle of the caller's own transaction:
    nothing more can be read there.
    """

    def __init__(self, stream: UUID, current_version: int | None) -> None:
        self.stream = stream
        self.current_version = current_version
        super().__init__(f"Stream {stream} is at version {current_version} now.")


class ClientIdReusedError(LedgerError):
    """A client's id is known with another body or in another stream; `client_id` is None where it can't be
    told which.
    """

    def __init__(self, client_id: UUID | None) -> None:
        self.client_id = client_id
        super().__init__(f"The id {client_id} was used before for another entry.")


class OtherStreamError(LedgerError):
    """The stream is here with another kind or scope than the writer thinks."""

    def __init__(self, stream: UUID, kind: str, scope: UUID | None) -> None:
        self.stream, self.kind, self.scope = stream, kind, scope
        super().__init__(f"Stream {stream} is of kind {kind!r} in scope {scope}.")


class ScopeDeletedError(LedgerError):
    """The scope was deleted whole, and nothing is written to it again."""

    def __init__(self, scope: UUID) -> None:
        self.scope = scope
        super().__init__(f"Scope {scope} was deleted.")


class ImportRefusedError(LedgerError):
    """An archived stream isn't imported; `reasons` are sentences that say why."""

    def __init__(self, stream: UUID, reasons: list[str]) -> None:
        self.stream, self.reasons = stream, reasons
        super().__init__(f"Stream {stream} is not imported. {' '.join(reasons)}")
