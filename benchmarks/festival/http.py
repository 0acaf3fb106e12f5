"""A connection to the service as a browser keeps it, small enough for hundreds of them in one process."""

import asyncio
import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import SimpleCookie
from time import perf_counter

IDLE = 20.0
"""Seconds after which a connection is taken to be closed: the server keeps it a little longer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, headers by their lower-case names, the body as it was before it was compressed, seconds."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float


class NoAnswerError(Exception):
    """Nobody answered: refused, cut off, or longer silent than the patience."""


class Connection:
    """One connection with its cookies. Requests are one after the other."""

    def __init__(self, port: int, cookies: Mapping[str, str] | None = None) -> None:
        self._port = port
        self.cookies = dict(cookies or {})
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used = 0.0

    async def ask(
        self,
        path: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        *,
        patience: float = 20.0,
        is_dropped: bool = False,
    ) -> Answer:
        """The answer to a GET, or with a body to a POST. Raises NoAnswerError.

        `is_dropped`: the connection is cut once the request is sent, as where the network goes.
        """
        begun = perf_counter()
        try:
            async with asyncio.timeout(patience):
                reader, writer = await self._open()
                writer.write(self._request(path, headers or {}, body))
                await writer.drain()
                if is_dropped:
                    # Long enough for the service to have it.
                    await asyncio.sleep(0.3)
                    raise NoAnswerError("dropped")
                status, found, content = await _read(reader)
        except (OSError, EOFError, ValueError, IndexError, TimeoutError, NoAnswerError) as error:
            self.close()
            raise NoAnswerError(repr(error)) from error
        except asyncio.CancelledError:
            self.close()
            raise
        self._used = perf_counter()
        if found.get("connection", "").lower() == "close":
            self.close()
        return Answer(status, found, content, perf_counter() - begun)

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is not None and perf_counter() - self._used > IDLE:
            self.close()
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
        return self._streams

    def _request(self, path: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
        sent = {"Host": "127.0.0.1", "Accept-Encoding": "gzip", **headers}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            sent |= {"Content-Length": str(len(body)), "Content-Type": "application/x-www-form-urlencoded"}
        lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", *map(": ".join, sent.items())]
        return "\r\n".join([*lines, "", ""]).encode() + (body or b"")

    def keep_cookies(self, answer: Answer) -> None:
        """Keep what an answer has set."""
        for line in answer.headers.get("set-cookie", "").split("\n"):
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value


async def _read(reader: asyncio.StreamReader) -> tuple[int, dict[str, str], bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    status = int(head[0].split(" ", 2)[1])
    headers: dict[str, str] = {}
    for line in head[1:]:
        name, _, value = line.partition(":")
        name, value = name.strip().lower(), value.strip()
        # Cookies alone come in several lines.
        headers[name] = f"{headers[name]}\n{value}" if name in headers else value
    body = b""
    if status not in (204, 304):
        body = await _body(reader, headers)
    if headers.get("content-encoding") == "gzip" and body:
        body = gzip.decompress(body)
    return status, headers, body


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return await reader.readexactly(int(headers.get("content-length", "0")))
    parts = []
    while size := int(await reader.readuntil(b"\r\n"), 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readuntil(b"\r\n")
    return b"".join(parts)
