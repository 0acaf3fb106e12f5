"""Somebody who finds the way through the pages by what is on them, not by words."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from playwright.sync_api import BrowserContext, Page

from tests.screenshots.service import Service

# A referee's pages give way to each other in place, and say so.
UNTURNED = """() => {
  window.isUnturned = true;
  document.addEventListener("tendone:page", () => { window.isUnturned = false; }, { once: true });
}"""
TURNED = "() => !window.isUnturned && document.readyState === 'complete'"


@dataclass(slots=True)
class Visitor:
    """Somebody at a browser, in one language."""

    service: Service
    language: str
    context: BrowserContext
    page: Page

    def go(self, path: str) -> None:
        """Open an address of the Italian pages in this visitor's language."""
        prefix = "" if self.language == "it" else f"/{self.language}"
        self.page.goto(f"{self.service.base}{prefix}{path}")

    def press(self, selector: str) -> None:
        """Click the first that fits, and wait for what it opens: another page, or one in its place."""
        self.page.evaluate(UNTURNED)
        self.page.locator(selector).first.click()
        self.page.wait_for_function(TURNED)

    def press_in(self, form: str, path: str) -> None:
        """Send a form that is at an address."""
        self.go(path)
        self.press(f"{form} button.button")

    def addresses(self, pattern: str) -> list[str]:
        """The addresses on this page that fit, without the language."""
        found = self.page.locator("a[href]").evaluate_all(
            "links => links.map(link => link.getAttribute('href'))"
        )
        bare = [re.sub(r"^/en(?=/)", "", address) for address in found]
        return list(dict.fromkeys(address for address in bare if re.search(pattern, address)))

    def unchecked(self) -> None:
        """Let forms be sent as they are filled in, so that it is the service that says what is wrong."""
        self.page.evaluate("document.querySelectorAll('form').forEach(form => form.noValidate = true)")

    def sign_in(self) -> None:
        """As the organizer."""
        self.go("/desk/sign-in/")
        self.page.locator("#id_username").fill(self.service.account)
        self.page.locator("#id_password").fill(self.service.password)
        self.press("main form button")


Journey = Callable[[Visitor], Iterator[str]]
"""Leads past pages, and yields the name of each once it is there."""
