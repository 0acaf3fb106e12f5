"""People who look: they open a page, keep it open for a while, and leaf on.

An open page asks as `static/js/live.js` does: every second and a half, of its mark's address or of itself,
less often where answers take long, and loads the page anew when the answer says that it is old.
"""

import asyncio
import re
from collections.abc import Sequence
from random import Random
from time import perf_counter

from benchmarks.festival.http import Answer, Connection, NoAnswerError
from benchmarks.festival.phones import Hall
from benchmarks.festival.told import Told

EVERY = 1.5
RARELY = 15.0
STAYS = (15.0, 60.0)
"""Seconds that somebody looks at one page, at least and at most."""
_ASKS = re.compile(rb' data-asks="([^"]+)"')
_MARK = re.compile(rb' data-mark="([^"]+)"')
_EVERY = re.compile(rb'<main[^>]* data-every="(\d+)"')


class Viewer:
    """Somebody with a browser, who keeps what was loaded."""

    def __init__(self, number: int, port: int, pages: Sequence[str], told: Told, seed: str) -> None:
        self._random = Random(f"{seed} viewer {number}")
        self._line = Connection(port)
        self._pages = pages
        self._told = told
        self._tags: dict[str, str] = {}

    async def look(self, hall: Hall) -> None:
        """Look at one page after the other as long as the festival is on."""
        await asyncio.sleep(self._random.random() * EVERY * 2)
        while hall.is_on:
            path = self._random.choice(self._pages)
            page = await self._get(path, self._tags.get(path, ""))
            if page is not None and page.status == 200:
                self._tags[path] = page.headers.get("etag", "")
            await self._keep_open(path, page, hall)

    async def _keep_open(self, path: str, page: Answer | None, hall: Hall) -> None:
        asks, mark, every = _live(page)
        failed, took = 0, 0.0
        until = perf_counter() + self._random.uniform(*STAYS)
        while hall.is_on and perf_counter() < until:
            await hall.pause(min(RARELY, max(every, 4 * took, every * 2**failed if failed else 0)))
            begun = perf_counter()
            answer = await self._get(asks or path, mark or self._tags.get(path, ""))
            if answer is None or answer.status >= 500:
                failed = min(failed + 1, 5)
            else:
                failed = 0
                if answer.status == 200:
                    mark = answer.headers.get("etag", "")
                    if asks:
                        page = await self._get(path, "")
                        if page is not None and page.status == 200:
                            self._tags[path] = page.headers.get("etag", "")
            took = perf_counter() - begun

    async def _get(self, path: str, tag: str) -> Answer | None:
        try:
            answer = await self._line.ask(path, {"If-None-Match": tag} if tag else {})
        except NoAnswerError:
            self._told.unanswered += 1
            return None
        self._told.status("mark" if path.startswith("/live/") else "page", answer.status)
        self._told.reads.append(answer.seconds)
        if answer.status not in (200, 304) and answer.status < 500:
            self._told.strange.append(f"{path} {answer.status}")
        return answer


def _live(page: Answer | None) -> tuple[str, str, float]:
    """What an open page asks: the address (empty: its own), the mark it was made with, and how often."""
    body = b"" if page is None else page.body
    asks, mark, every = _ASKS.search(body), _MARK.search(body), _EVERY.search(body)
    return (
        asks[1].decode() if asks else "",
        mark[1].decode().replace("&quot;", '"') if mark else "",
        float(every[1]) if every else EVERY,
    )


class Watcher:
    """Somebody who looks at nothing but the standings, and notes which of them were shown since when."""

    def __init__(self, port: int, path: str) -> None:
        self._line = Connection(port)
        self._path = path
        self.seen: list[tuple[float, str]] = []

    async def watch(self) -> None:
        """Look ten times a second, until cancelled; each (time, mark) once."""
        tag = ""
        while True:
            try:
                answer = await self._line.ask(self._path, {"If-None-Match": tag} if tag else {})
            except NoAnswerError:
                answer = None
            if answer is not None and answer.status == 200:
                tag = answer.headers.get("etag", "")
                mark = _live(answer)[1]
                if mark and (not self.seen or self.seen[-1][1] != mark):
                    self.seen.append((perf_counter(), mark))
            await asyncio.sleep(0.1)
