"""A program that is told: a small HTTP server on a thread, which answers as a test says."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Received:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """What came, and how it is answered: a status, headers, a body. `hangs` until it is told to go on."""

    url: str = ""
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    hangs: threading.Event | None = None
    received: list[Received] = field(default_factory=list)
    then: Callable[[], Any] = lambda: None


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A receiver that listens on this machine until the block ends."""
    told = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told.received.append(Received(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            if told.hangs is not None:
                told.hangs.wait(60)
                return
            self.send_response(told.status)
            for name, value in told.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(told.body)))
            self.end_headers()
            self.wfile.write(told.body)
            told.then()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    told.url = f"http://127.0.0.1:{server.server_address[1]}/news"
    try:
        yield told
    finally:
        if told.hangs is not None:
            told.hangs.set()
        server.shutdown()
        server.server_close()
        thread.join()
