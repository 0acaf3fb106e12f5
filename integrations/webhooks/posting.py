"""Sending one message once, by the standard library, to exactly the IP address that was checked.

No redirect is followed, no proxy of the environment is asked, and little of the answer is read. All of it
ends by a deadline, however slowly a receiver answers.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from time import monotonic

from integrations.webhooks.addresses import AddressError, Target, judge, parse

DEADLINE = 10.0
"""Seconds that looking up a name may take, and then a try, from connecting to the last byte that is read."""
READ = 4096
"""Bytes of an answer that are read at most."""
EXCERPT = 200
"""Characters of it that are kept."""
GONE = 410

_ERRORS: Sequence[tuple[type[Exception], str]] = (
    (socket.gaierror, "unknown-host"),
    (ssl.SSLError, "certificate"),
    (TimeoutError, "timeout"),
    # Some of these are errors of HTTP, too.
    (ConnectionError, "no-connection"),
    (http.client.HTTPException, "broken"),
)
"""The code of an error, by the first kind that it is of; for any other it is `no-connection`."""

Lookup = Callable[[str, int], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a try: a `status`, or none and an `error`.

    Errors without a status: those of `AddressError`, `unknown-host`, `no-connection`, `certificate`,
    `timeout`, `broken`. With a status: `redirect` for 3xx, `refused` for any other than 2xx, and nothing for
    a success.
    """

    status: int | None = None
    error: str = ""
    milliseconds: int = 0
    excerpt: str = ""
    retry_after: timedelta | None = None

    @property
    def is_success(self) -> bool:
        """Whether the receiver has taken the message."""
        return self.status is not None and not self.error


def look_up(host: str, port: int) -> list[str]:
    """The IP addresses of a host now."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[4][0]) for address in found))


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    to_private: bool,
    deadline: float = DEADLINE,
    lookup: Lookup = look_up,
) -> Answer:
    """Send one message; never raises for what a receiver does."""
    begun = monotonic()
    try:
        target = parse(url, to_private=to_private)
        numbers = _in_time(deadline, lambda: lookup(target.host, target.port))
        number = _judged(numbers, target, to_private=to_private)
        status, excerpt, retry_after = _exchange(target, number, body, headers, deadline)
        answer = Answer(status, _error_of(status), 0, excerpt, retry_after)
    except AddressError as error:
        answer = Answer(error=error.code)
    except (OSError, ValueError, http.client.HTTPException) as error:
        codes = (code for kind, code in _ERRORS if isinstance(error, kind))
        answer = Answer(error=next(codes, "no-connection"))
    took = monotonic() - begun
    if answer.status is None and took >= deadline:
        answer = Answer(error="timeout")
    return replace(answer, milliseconds=round(took * 1000))


def _in_time(deadline: float, look: Callable[[], Sequence[str]]) -> Sequence[str]:
    """What a look-up finds, or TimeoutError. The system's own look-up can't be stopped, so a thread waits."""
    found: Future[Sequence[str]] = Future()

    def work() -> None:
        try:
            found.set_result(look())
        except Exception as error:
            found.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return found.result(deadline)


def _judged(numbers: Sequence[str], target: Target, *, to_private: bool) -> str:
    """The IP address to connect to. Raises AddressError if any of them may not be reached: a name that has
    allowed and forbidden addresses is a trick.
    """
    if not numbers:
        raise AddressError("unknown-host")
    for number in numbers:
        judge(
            ipaddress.ip_address(number.partition("%")[0]), is_secure=target.is_secure, to_private=to_private
        )
    return numbers[0]


def _exchange(
    target: Target, number: str, body: bytes, headers: Mapping[str, str], deadline: float
) -> tuple[int, str, timedelta | None]:
    # Wrapped for TLS, a socket hands its connection on: the last one has it.
    opened: list[socket.socket] = [socket.create_connection((number, target.port), timeout=deadline)]
    # A timeout of the socket begins anew with each byte; this one doesn't.
    watch = threading.Timer(deadline, _shut, [opened])
    watch.daemon = True
    watch.start()
    try:
        if target.is_secure:
            context = ssl.create_default_context()
            wrapped = context.wrap_socket(
                opened[-1], server_hostname=target.host, do_handshake_on_connect=False
            )
            opened.append(wrapped)
            wrapped.do_handshake()
        connection = http.client.HTTPConnection(target.host, target.port, timeout=deadline)
        connection.sock = opened[-1]
        connection.request("POST", target.path, body, {**headers, "Host": target.host_header})
        answer = connection.getresponse()
        text = answer.read(READ)
        return answer.status, _excerpt_of(text), _retry_after(answer.headers.get("Retry-After", ""))
    finally:
        watch.cancel()
        with suppress(OSError):
            opened[-1].close()


def _shut(opened: list[socket.socket]) -> None:
    # The plain method: that of a TLS socket says goodbye to somebody who doesn't answer.
    with suppress(OSError):
        socket.socket.shutdown(opened[-1], socket.SHUT_RDWR)


def _error_of(status: int) -> str:
    if 200 <= status < 300:
        return ""
    return "redirect" if 300 <= status < 400 else "refused"


def _excerpt_of(body: bytes) -> str:
    text = body.decode("utf-8", "replace")[: EXCERPT * 2]
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:EXCERPT]


def _retry_after(text: str) -> timedelta | None:
    """Seconds, as a receiver asks for; a date isn't looked at."""
    return timedelta(seconds=int(text)) if text.isascii() and text.isdecimal() and len(text) < 7 else None
