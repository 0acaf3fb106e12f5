"""Pages whose pauses are shorter, so that a test waits less for what they follow or send again."""

from typing import TypeVar

from playwright.sync_api import BrowserContext, Page

FOLLOWED = "pause >= 500 && pause < 15_000"
"""Milliseconds between what a page asks: shorter ones stay, and so does the time that a request may take."""
SENT_AGAIN = 'work.name === "send"'
"""Before a phone's queue tries again; what it waits for, and how often, stays."""

_SCRIPT = """{
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (work, pause = 0, ...more) => wait(work, %s ? pause / %d : pause, ...more);
}"""

Pages = TypeVar("Pages", Page, BrowserContext)


def hurried(pages: Pages, times: int = 5, pauses: str = FOLLOWED) -> Pages:
    """A page, or all of a context, whose `pauses` are so many times shorter from the next load on."""
    pages.add_init_script(_SCRIPT % (pauses, times))
    return pages
