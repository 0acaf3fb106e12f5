"""What axe finds wrong with a page for people who see, hear or tap otherwise than others."""

import json
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Page

from tests.support.run import long

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
COLOURS = {
    "color-contrast": "wcag2aa",
    "color-contrast-enhanced": "wcag2aaa",
    "link-in-text-block": "wcag2a",
}
"""The rules that look at colours, each with its tag."""


def violations(page: Page, only: tuple[str, ...] = (), *, of_colours: bool = False) -> list[tuple[str, str]]:
    """The rules that a page breaks as it is, each with the first element that does.

    `only` takes tags; `of_colours` asks only those rules among them that look at colours.
    """
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if of_colours:
        # What is AAA is asked only by its tag.
        asked = only or ("wcag2a", "wcag2aa")
        rules = [rule for rule, tag in COLOURS.items() if tag in asked]
        options["runOnly"] = {"type": "rule", "values": rules}
    elif only:
        options["runOnly"] = list(only)
    # Once into each document: it is half a megabyte.
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    found: list[list[str]] = page.evaluate(
        f"axe.run({json.dumps(options)})"
        ".then((results) => results.violations.map((each) => [each.id, each.nodes[0].html]))"
    )
    return [(rule, html) for rule, html in found]


def violations_in(
    page: Page, scheme: Literal["light", "dark"], only: tuple[str, ...] = ()
) -> list[tuple[str, str, str]]:
    """Paint the page in light or in dark, and tell the same, each named.

    Painted in other colours it is the same document: in dark only the rules about colours are asked again,
    with `--long` all of them.
    """
    page.emulate_media(color_scheme=scheme)
    again = scheme != SCHEMES[0] and not long.asked
    return [(scheme, rule, html) for rule, html in violations(page, only, of_colours=again)]


def violations_by_scheme(page: Page, only: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    """What is found in light and in dark: the document is loaded once, and painted twice."""
    return [each for scheme in SCHEMES for each in violations_in(page, scheme, only)]
