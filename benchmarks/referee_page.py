"""A referee's pages on weak wifi: what they weigh, and after how long they can be used on a first visit.

A Chromium with an empty cache, at 400 kbit/s and 400 ms there and back, on an embedded service with the
sample palio.
"""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.tables import Cell, show
from tests.screenshots.journeys import referee
from tests.screenshots.service import running
from tests.screenshots.visitor import Visitor
from tests.support.services import chromium

STOPS = ("door", "match", "game", "confirm", "cards", "log", "instead", "wrong")
ROUNDS = 3
WEAK = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""400 kbit/s in bytes a second."""
MOST_BYTES = 100_000
MOST_SECONDS = 3.0
COUNTED = ("Document", "Stylesheet", "Script")
USABLE = """() => {
  const paints = performance.getEntriesByType("paint").map((each) => each.startTime);
  const [way] = performance.getEntriesByType("navigation");
  return Math.max(...paints, way.domInteractive, way.domContentLoadedEventEnd) / 1000;
}"""
"""Seconds until the page is drawn, and its scripts have run that were to run before it is used."""


@dataclass(slots=True)
class Load:
    """What one visit took."""

    seconds: list[float] = field(default_factory=list)
    weights: dict[str, int] = field(default_factory=dict)

    @property
    def counted(self) -> int:
        """Bytes of HTML, style sheets and scripts as they came over the network."""
        return sum(size for kind, size in self.weights.items() if kind in COUNTED)


def visit(browser: Browser, cookies: Any, address: str) -> Load:
    """First visits, each by a browser that has kept nothing but its pairing."""
    load = Load()
    for _ in range(ROUNDS):
        context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
        context.add_cookies(cookies)
        page = context.new_page()
        load.weights = _watched(page)
        page.goto(address, wait_until="load")
        page.wait_for_timeout(200)
        load.seconds.append(page.evaluate(USABLE))
        context.close()
    return load


def _watched(page: Page) -> dict[str, int]:
    """Slow a page down; bytes of what it loads come in by kind."""
    weights: dict[str, int] = {}
    kinds: dict[str, str] = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", WEAK)

    def finished(event: dict[str, Any]) -> None:
        kind = kinds.get(event["requestId"], "Other")
        weights[kind] = weights.get(kind, 0) + int(event["encodedDataLength"])

    session.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
    session.on("Network.loadingFinished", finished)
    return weights


def stops(browser: Browser, folder: Path) -> Iterator[tuple[str, Load]]:
    """Each page with what its first visit takes."""
    with running(folder) as service:
        context = browser.new_context(locale="it")
        visitor = Visitor(service, "it", context, context.new_page())
        for name in referee(visitor):
            if name in STOPS:
                yield name, visit(browser, context.cookies(), visitor.page.url)


def main() -> int:
    """The exit status: 1 if a page is too heavy or too slow."""
    if len(sys.argv) > 1:
        print(__doc__)
        return 0
    path = chromium.executable()
    if path is None:
        print("There is no Chromium here: install it (apt install chromium).")
        return 1
    with chromium.started(path) as browser, tempfile.TemporaryDirectory() as folder:
        loads = dict(stops(browser, Path(folder)))
    rows: list[list[Cell]] = [
        [
            name,
            load.weights.get("Document", 0) / 1000,
            load.weights.get("Stylesheet", 0) / 1000,
            load.weights.get("Script", 0) / 1000,
            load.counted / 1000,
            load.weights.get("Font", 0) / 1000,
            median(load.seconds),
        ]
        for name, load in loads.items()
    ]
    header = ["page", "HTML, kB", "CSS", "JavaScript", "together", "font", "usable after, s"]
    show("First visits at 400 kbit/s and 400 ms", header, rows)
    heavy = [name for name, load in loads.items() if load.counted > MOST_BYTES]
    slow = [name for name, load in loads.items() if median(load.seconds) > MOST_SECONDS]
    for name in heavy:
        print(f"{name}: more than {MOST_BYTES // 1000} kB")
    for name in slow:
        print(f"{name}: more than {MOST_SECONDS} s")
    return 1 if heavy or slow else 0


if __name__ == "__main__":
    sys.exit(main())
