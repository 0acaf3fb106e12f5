"""The reader of the description, in a browser under the content security policy."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.services.chromium import Problems


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_description_viewer_shows_operations_under_its_policy(
    page: Page, page_problems: Problems, live_server: object
) -> None:
    page.goto(f"{live_server}/api/v1/docs/")
    expect(page.get_by_role("heading", name="Tendone")).to_be_visible()
    page.get_by_text("Append log events").first.click()
    expect(page.get_by_text("Stores the accepted prefix").first).to_be_visible()

    assert page_problems == []
