"""The morning in a browser: found by typing, checked in by Enter on a phone; and the parent's page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from people.actors import Actor
from people.models import Entry, Person
from tests.desk.palio import Palio
from tests.support.forms import address
from tournaments.commands import results

pytestmark = pytest.mark.django_db(transaction=True)


def test_check_in_on_a_phone_gives_a_slip_that_opens_the_parents_page(
    at_desk: Page,
    palio: Palio,
    live_server: LiveServer,
    open_page: Callable[..., Page],
) -> None:
    entry = palio.teams[1].entries.get(number=2)
    Person.objects.filter(entry=entry).update(first_name="Zoè", last_name="Àlbani")
    at_desk.set_viewport_size({"width": 360, "height": 740})
    at_desk.goto(live_server.url + address("check-in", palio.event.slug))
    rows = at_desk.locator(".arrivals > li:visible")
    expect(rows).to_have_count(6)
    find = at_desk.get_by_label("Find by name, team or number")
    find.fill("nobody")
    expect(at_desk.get_by_text("Nobody here is called so.")).to_be_visible()
    find.fill("alb zoe")
    expect(rows).to_have_count(1)
    find.press("Enter")
    expect(at_desk.get_by_text("5 are still missing.")).to_be_visible()
    assert Entry.objects.get(pk=entry.pk).checked_in_at is not None
    assert "alb" not in at_desk.url
    at_desk.get_by_label("only who is missing").check()
    expect(rows).to_have_count(5)
    at_desk.get_by_role("button", name=palio.teams[1].short_name, exact=True).click()
    expect(rows).to_have_count(1)
    width = at_desk.evaluate("document.documentElement.scrollWidth")
    assert width <= 360

    at_desk.get_by_role("button", name="Print 1 slip").click()
    code = at_desk.locator("p.slip-code").inner_text()
    expect(at_desk.locator(".slip svg.qr")).to_be_visible()

    phone = open_page(locale="en-GB", viewport={"width": 360, "height": 740})
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.headers.get("referer", "")))
    phone.goto(live_server.url + "/en/s/")
    phone.get_by_label("Code").fill(code.lower())
    phone.get_by_role("button", name="Open").click()
    expect(phone.get_by_role("heading", name="Zoè")).to_be_visible()
    expect(phone.get_by_role("heading", name="Plays next")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    game = next(each for each in palio.games if each.game.seats.filter(entry=entry.pk).exists())
    results.enter_result(game, Actor.command(), seat=0)
    expect(phone.get_by_role("heading", name="Playing now")).to_be_visible()
    assert not [referer for referer in asked if code in referer]


def test_check_in_goes_on_name_after_name_by_keyboard(
    at_desk: Page,
    palio: Palio,
    live_server: LiveServer,
) -> None:
    names = ["Gregorio", "Rachele", "Bruna"]
    people = Person.objects.filter(entry__team__event=palio.event).order_by("pk")
    for person, name in zip(people, names, strict=False):
        Person.objects.filter(pk=person.pk).update(first_name=name)
    at_desk.goto(live_server.url + address("check-in", palio.event.slug))
    find = at_desk.locator("#find")
    expect(find).to_be_focused()

    for missing, name in zip((5, 4, 3), names, strict=True):
        at_desk.keyboard.type(name)
        at_desk.keyboard.press("Enter")
        at_desk.get_by_text(f"{missing} are still missing.").wait_for()

        assert at_desk.evaluate("document.activeElement.id") == "find"
        expect(find).to_have_value("")

    here = Person.objects.filter(entry__team__event=palio.event, entry__checked_in_at__isnull=False)
    assert set(here.values_list("first_name", flat=True)) == set(names)
