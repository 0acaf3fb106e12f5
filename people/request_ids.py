"""The id of the request that is being answered: in every line of the log, in the answer and on error pages.

Who reads one out leads the operator to what happened.
"""

import re
import secrets

from structlog.contextvars import bind_contextvars, get_contextvars

HEADER = "X-Request-ID"
FIELD = "request_id"
_GIVEN = re.compile(r"[A-Za-z0-9-]{8,64}")


def new() -> str:
    """A fresh id, short enough to be read out."""
    return secrets.token_hex(6)


def accepted(given: str) -> str | None:
    """An id that a proxy gave, if it is one; it says nothing but itself."""
    return given if _GIVEN.fullmatch(given) else None


def begin(request_id: str) -> None:
    """Have everything that this thread logs and starts from now on bear the id."""
    bind_contextvars(**{FIELD: request_id})


def current() -> str | None:
    """The id of the request that this thread answers, or of the one that its task came from."""
    found: str | None = get_contextvars().get(FIELD)
    return found
