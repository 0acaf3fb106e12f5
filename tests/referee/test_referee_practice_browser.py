"""The practice table and the counter on a phone of 360 by 640, by its taps: at once with scripts, a page each
without.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from referee.practice.made_up import id_of
from referee.practice.memory import COOKIE, Memory
from tests.support.accessibility import violations_by_scheme
from tests.support.phones import OVERFLOWS, PHONE, TARGETS, WCAG

pytestmark = pytest.mark.django_db(transaction=True)


def sound(page: Page) -> None:
    """Nothing too small for a thumb, nothing beyond the edge, nothing that axe finds by day or by night."""
    assert page.evaluate(TARGETS) == []
    assert not page.evaluate(OVERFLOWS)
    assert violations_by_scheme(page, (*WCAG, "best-practice")) == []


@pytest.mark.parametrize(
    ("scripts", "scheme"), [(True, "light"), pytest.param(False, "dark", marks=pytest.mark.long)]
)
def test_hand_is_counted_by_its_cards(
    open_page: Callable[..., Page], live_server: LiveServer, scripts: bool, scheme: Any
) -> None:
    page = open_page(viewport=PHONE, has_touch=True, java_script_enabled=scripts, color_scheme=scheme)
    kept = Memory(ruleset={"preset": "classic", "scoring": "lowest_wins"}).written()
    page.context.add_cookies([{"name": COOKIE, "value": kept, "url": live_server.url}])
    page.goto(f"{live_server.url}/en/t/practice/")
    expect(page.locator(".practice-strip")).to_contain_text("nothing counts")
    if scripts:
        sound(page)
    page.goto(f"{live_server.url}/en/t/practice/games/{id_of('game', 1)}/")
    page.locator(".winner").first.click()
    page.locator("a[href*='/count/']").click()
    pages: list[str] = []
    page.on("framenavigated", lambda frame: pages.append(frame.url))
    for card in ("R7", "W+4", "R7", "G5"):
        page.locator(f"[data-card='{card}']").click()
    page.locator("[data-chosen='W+4']").click()
    expect(page.locator(".counted-sum")).to_have_text("Cards: 3 Points: 19")
    expect(page.locator("[data-card='R7']")).to_have_attribute("aria-disabled", "true")
    if scripts:
        # Counted on the spot, and still there when the page is loaded again.
        assert len({url.split("?")[0] for url in pages}) <= 1
        page.reload()
        expect(page.locator(".counted-sum")).to_have_text("Cards: 3 Points: 19")
        sound(page)
    page.get_by_role("button", name="That is all").click()
    expect(page.locator("#points-1")).to_have_value("19")
    expect(page.locator("#points-0")).to_have_value("0")
    if scripts:
        sound(page)
    page.get_by_role("button", name="Yes, enter it").click()
    expect(page.locator(".game-list")).to_contain_text("0 – 19")
