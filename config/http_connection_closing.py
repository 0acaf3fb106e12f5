"""Connections of refused requests: closed, and announced so, where a body is left that nobody has read."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from people.number_parsing import whole_number

MOST_UNREAD: Final = 64 * 1024
"""So many bytes of a body gunicorn throws away to read the next request behind them. With more left it hangs
up, whatever the answer has said."""

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def announce_closing(application: Application) -> Application:
    """An application whose refusals of large requests say `Connection: close`.

    gunicorn writes that header by itself and drops the application's, so its response is told.
    """

    def announced(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        def start(status: str, *rest: Any) -> Any:
            if status[:1] in "45" and has_large_body(environ):
                # Other servers have no such method, and look after their connections.
                getattr(getattr(start_response, "__self__", None), "force_close", _nothing)()
            return start_response(status, *rest)

        return application(environ, start)

    return announced


def has_large_body(environ: dict[str, Any]) -> bool:
    """Whether more of a request's body can be left than gunicorn throws away; its length may be unknown."""
    length = environ.get("CONTENT_LENGTH") or "0"
    return "HTTP_TRANSFER_ENCODING" in environ or whole_number(length, MOST_UNREAD - 1) is None


def _nothing() -> None:
    pass
