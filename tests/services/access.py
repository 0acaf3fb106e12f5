"""What axe finds wrong with a page for people who see, hear or tap otherwise than others."""

import json
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Page

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def violations(page: Page, only: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """The rules that a page breaks as it is, each with the first element that does; `only` takes tags."""
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if only:
        options["runOnly"] = list(only)
    # Once into each document: it is half a megabyte.
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    found: list[list[str]] = page.evaluate(
        f"axe.run({json.dumps(options)})"
        ".then((results) => results.violations.map((each) => [each.id, each.nodes[0].html]))"
    )
    return [(rule, html) for rule, html in found]


def violations_by_scheme(page: Page, only: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    """The same in light and in dark, each named: the document is loaded once, and painted twice."""
    found: list[tuple[str, str, str]] = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found += [(scheme, rule, html) for rule, html in violations(page, only)]
    return found
