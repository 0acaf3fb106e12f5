"""A browser for tests: an installed Chromium, driven by Playwright, that keeps quiet on the network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""The first that is installed is taken; one without windows does the same with a third of the work."""

PATIENCE = 600_000
"""Milliseconds for what is expected of a page to come; far above what it takes on a busy machine."""

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# What the content security policy stopped becomes an error in the console, with the rule that stopped it.
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => console.error(
    `content security policy: ${event.effectiveDirective} stopped ${event.blockedURI} ${event.sample}`));
"""


def executable() -> str | None:
    """The path of an installed Chromium, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@contextmanager
def started(path: str) -> Iterator[Browser]:
    """A running browser without pages."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


class Problems(list[str]):
    """What went wrong in the pages of a test: errors in the console, uncaught exceptions, stopped content.

    A test that provokes an error on purpose (an answer of 409 is an error in the console) takes it out with
    `expect`, and one whose network fails by design lets such problems pass with `allow`; whatever is left
    when the test ends fails it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._allowed: list[str] = []

    def watch(self, page: Page) -> None:
        """Collect the problems of a page from now on."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._add(f"uncaught: {error.message}"))

    def allow(self, part: str) -> None:
        """Let problems that contain `part` pass, however late they come (when a page is closed, say)."""
        self._allowed.append(part)
        self[:] = [problem for problem in self if part not in problem]

    def expect(self, part: str) -> None:
        """Take out the problems that contain `part`; there has to be one."""
        found = [problem for problem in self if part in problem]
        assert found, f"nothing about {part!r} in {list(self)}"
        for problem in found:
            self.remove(problem)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._add(f"{message.text} ({message.location.get('url', '')})")

    def _add(self, problem: str) -> None:
        if not any(part in problem for part in self._allowed):
            self.append(problem)


def watched_context(context: BrowserContext, problems: Problems) -> BrowserContext:
    """Have every page of a context report its problems."""
    context.add_init_script(REPORT_VIOLATIONS)
    context.on("page", problems.watch)
    return context
