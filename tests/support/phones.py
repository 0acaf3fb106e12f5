"""Phones at a table, for tests: what they send and what stands on their pages."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.test import Client
from playwright.sync_api import BrowserContext

from people.models import Event, Referee
from people.pairings import COOKIE
from tests.support import factories, page_reading
from tests.support.forms import by_name, sent_by
from tests.support.page_reading import Element
from tournaments.models import MatchGame, Table

PHONE = {"width": 360, "height": 640}
WCAG = ("wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa")
TARGETS = """() => [...document.querySelectorAll(
    "main a, main button, main select, main input, main label.tap, header a")]
  .filter((each) => each.type !== "hidden" && each.offsetParent && !each.matches("label.tap input"))
  .map((each) => [each.getBoundingClientRect(), each.textContent.trim() || each.name])
  .filter(([box]) => box.width < 44 || box.height < 44).map(([box, name]) => name)"""
OVERFLOWS = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


def phone(event: Event | None = None, referee: Referee | None = None, *, admitted: bool = True) -> Client:
    """A phone, paired with this event; without one it is anybody's."""
    client = Client()
    if event is not None:
        client.cookies[COOKIE] = factories.make_pairing(event, referee, admitted=admitted)[1]
    return client


def pair(context: BrowserContext, game: MatchGame, address: str) -> None:
    """Give the phone a pairing that is in."""
    event = game.match.stage.tournament.event
    context.add_cookies([{"name": COOKIE, "value": factories.make_pairing(event)[1], "url": address}])


def table_of(game: MatchGame) -> Table:
    """The table at which a game is played."""
    return game.match.table


def address(game: MatchGame, rest: str = "", language: str = "") -> str:
    """A page of a game."""
    return f"{language}/t/{table_of(game).code}/games/{game.game_id}/{rest}"


class Form:
    """Where a form goes, what it sends if nothing is filled in, and its buttons as (name, value)."""

    def __init__(self, form: Element, address: str) -> None:
        self.action: str = urljoin(address, form.attributes.get("action", ""))
        self.fields = sent_by(form)
        named = [each.attributes for each in form.all("button") if "name" in each.attributes]
        self.buttons = [(each["name"], each.get("value", "")) for each in named]

    def data(self, **chosen: str) -> dict[str, Any]:
        """What is sent when a button with this name and value is tapped."""
        return by_name(self.fields) | chosen


class Page:
    """An answer's forms, links and text."""

    def __init__(self, response: Any) -> None:
        self.address = response.wsgi_request.get_full_path()
        self.html = response.content.decode()
        self.document = page_reading.read(response)
        self.text = self.document.text
        self.forms = [Form(each, self.address) for each in self.document.all("form")]
        links = [each.attributes.get("href", "") for each in self.document.all("a")]
        self.links: list[str] = [urljoin(self.address, link) for link in links]

    def form_to(self, end: str) -> Form:
        """The only form whose address ends so."""
        found = [form for form in self.forms if urlsplit(form.action).path.endswith(end)]
        assert len(found) == 1, [form.action for form in self.forms]
        return found[0]

    def events(self) -> Iterator[tuple[Form, dict[str, Any]]]:
        """The log events that can be entered with one tap."""
        for form in self.forms:
            for name, value in form.buttons:
                if name == "event":
                    yield form, json.loads(value)


def read(client: Client, address: str, status: int = 200) -> Page:
    """A page that is answered with this status."""
    response = client.get(address)
    assert response.status_code == status, response.content.decode()[:500]
    return Page(response)


def send(client: Client, form: Form, **chosen: str) -> Any:
    """Tap a button of a form."""
    return client.post(form.action, form.data(**chosen))
