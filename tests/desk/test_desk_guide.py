"""Each page of the desk leads to the part of the guide that tells about it."""

from inspect import getclosurevars
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern

from desk import guide_parts
from desk.urls import urlpatterns
from publishing.guides import guide
from tests.factories import make_account, make_event
from tests.publishing.reading import read

# What a page asks for while it is open, what only leads on, and the way out.
NO_PAGES = {"paper-now", "rules-preview", "sign-out"}


def takes_forms_alone(view: Any) -> bool:
    """Whether a view is one of those behind a button, by `require_POST` somewhere around it."""
    while view is not None:
        if getclosurevars(view).nonlocals.get("request_method_list") == ["POST"]:
            return True
        view = getattr(view, "__wrapped__", None)
    return False


def pages() -> set[str]:
    """The names of the desk's addresses that show a page."""
    return {
        str(each.name)
        for each in urlpatterns
        if isinstance(each, URLPattern)
        and str(each.pattern).endswith("/") | (str(each.pattern) == "")
        and not takes_forms_alone(each.callback)
    } - NO_PAGES


def test_every_page_has_its_part() -> None:
    assert sorted(pages() - set(guide_parts.PARTS)) == []
    assert sorted(set(guide_parts.PARTS) - pages()) == []


def test_every_part_is_in_the_guide() -> None:
    there = {part.anchor for part in guide(guide_parts.GUIDE, "it").parts}
    assert sorted(set(guide_parts.PARTS.values()) - there) == []


@pytest.mark.django_db
def test_a_page_of_the_desk_leads_to_its_part(client: Client) -> None:
    organizer = make_account()
    event = make_event(organizer)
    client.force_login(organizer)
    shown = read(client.get(f"/desk/events/{event.slug}/referees/"))
    assert "/guide/organizers/#referees" in [each.attributes.get("href") for each in shown.all("a")]
