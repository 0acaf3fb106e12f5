"""The guided path: on each of its pages the step, and how to go on."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people.actors import Actor
from people.models import Event
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, open_page
from tests.support.page_reading import Element
from tournaments.commands.draw import publish_draw
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def bar(page: Element) -> tuple[str, str]:
    """What the bar says: which step, and what is next."""
    guided = page.one("nav.guided")
    return guided.one("p").text, guided.all("a")[-1].text


def test_guided_path_leads_from_page_to_page_until_the_event_is_public() -> None:
    account = factories.make_account()
    event = factories.make_event(account, is_published=False)
    desk = browser_of(account)

    def told(name: str, *args: object) -> tuple[str, str]:
        return bar(open_page(desk, address(name, event.slug, *args)))

    assert told("event-edit") == ("Step 1 of 7 Event done", "Next: Teams")
    step, following = told("teams")
    assert (step.startswith("Step 2 of 7 Teams 0 teams"), following) == (True, "Next: Entries")
    factories.make_field(event)
    assert told("teams") == ("Step 2 of 7 Teams done", "Next: Tournament")
    # Whoever skips a step finds it again at the end.
    assert told("import")[0] == "Step 3 of 7 Entries done"
    tournament = factories.drawn_tournament(event, published=False)
    assert told("tournament-settings", tournament.slug)[1] == "Next: Draw"
    assert told("draw", tournament.slug) == ("Step 5 of 7 Draw", "Next: Public page")
    publish_draw(tournament, Actor.command())
    assert told("tables") == ("Step 6 of 7 Tables and times done", "Next: Public page")
    Event.objects.update(is_published=True)
    assert not open_page(desk, address("tables", event.slug)).has("nav.guided")


def test_guided_path_shows_no_bar_beside_it_nor_while_it_is_played() -> None:
    account = factories.make_account()
    event = factories.make_event(account)
    factories.drawn_tournament(event)
    desk = browser_of(account)
    for name in ("event", "referees", "board", "teams"):
        assert not open_page(desk, address(name, event.slug)).has("nav.guided")
    counts = []
    for status in (Tournament.Status.PUBLISHED, Tournament.Status.SET_UP):
        Tournament.objects.update(status=status)
        with CaptureQueriesContext(connection) as captured:
            open_page(desk, address("tables", event.slug))
        counts.append(len(captured))

    assert counts[1] - counts[0] == 2
