"""Pages that ask the service more often, so that a test waits less for what they follow."""

from playwright.sync_api import Page

SHORT, LONG = 500, 15_000
"""Milliseconds: shorter pauses stay, and so does the time after which a page gives a request up."""

_SCRIPT = """{
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (work, pause = 0, ...more) =>
    wait(work, pause >= %d && pause < %d ? pause / %d : pause, ...more);
}"""


def hurried(page: Page, times: int = 5) -> Page:
    """The page, whose pauses between what it asks are so many times shorter from its next load on."""
    page.add_init_script(_SCRIPT % (SHORT, LONG, times))
    return page
