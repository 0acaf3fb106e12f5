"""The id of the request that is being answered: in every line of the log, in the answer and on error pages.

By it an operator finds what happened to a request.
"""

from structlog.contextvars import get_contextvars

HEADER = "X-Request-ID"
FIELD = "request_id"


def current() -> str | None:
    """The id of the request that this thread answers, or of the one that its task came from."""
    found: str | None = get_contextvars().get(FIELD)
    return found
