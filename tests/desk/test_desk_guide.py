"""Each page of the desk leads to the part of the guide that tells about it."""

import pytest
from django.test import Client

from desk import guide_parts
from desk.urls import urlpatterns
from publishing.user_guides import guide
from tests.support.factories import make_account, make_event
from tests.support.page_addresses import pages
from tests.support.page_reading import read

# What a page asks for while it is open, what only leads on, and the way out.
NO_PAGES = {"paper-now", "rules-preview", "sign-out"}


def named() -> set[str]:
    """The names of the desk's addresses that show a page."""
    return set(pages(urlpatterns)) - NO_PAGES


def test_every_desk_page_has_its_part_of_the_guide() -> None:
    assert sorted(named() - set(guide_parts.PARTS)) == []
    assert sorted(set(guide_parts.PARTS) - named()) == []


def test_every_part_that_desk_pages_lead_to_is_in_the_guide() -> None:
    there = {part.anchor for part in guide(guide_parts.GUIDE, "it").parts}
    assert sorted(set(guide_parts.PARTS.values()) - there) == []


@pytest.mark.django_db
def test_desk_page_leads_to_its_part_of_the_guide(client: Client) -> None:
    organizer = make_account()
    event = make_event(organizer)
    client.force_login(organizer)
    shown = read(client.get(f"/desk/events/{event.slug}/referees/"))

    assert "/guide/organizers/#referees" in [each.attributes.get("href") for each in shown.all("a")]
