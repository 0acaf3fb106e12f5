"""The practice table: every page of a referee, for anyone, and without a trace."""

from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games.engine import PRESETS, Ruleset
from games.engine.bots import play_random_game
from games.engine.jsonl import event_to_json
from people.models import Event
from referee.practice.made_up import fitting_size, id_of
from referee.practice.memory import COOKIE, MOST_CHARACTERS, Memory
from referee.sending import Batch
from tests import factories
from tests.referee.phones import Page, phone, read, send

HOME = "/en/t/practice/"


@pytest.fixture
def client() -> Client:
    return Client()


@pytest.fixture(autouse=True)
def untouched(request: Any) -> Any:
    """No practice asks the database for anything, so none can leave a trace there."""
    if "django_db" in request.keywords:
        yield
        return
    yield


def game(number: int = 1, rest: str = "") -> str:
    return f"{HOME}games/{id_of('game', number)}/{rest}"


def post(client: Client, number: int, *events: dict[str, Any], version: int = 0, end: str = "enter/") -> Any:
    batch = Batch(version, tuple((uuid4(), event) for event in events))
    data: dict[str, list[str]] = {}
    for name, value in batch.fields():
        data.setdefault(name, []).append(value)
    return client.post(game(number, end), data)


def tap(client: Client, page: Page, type_: str) -> Page:
    """Tap the first event of this type that a page offers."""
    form, event = next((form, event) for form, event in page.events() if event["type"] == type_)
    value = next(value for _, value in form.buttons if f'"{type_}"' in value)
    assert event
    response = send(client, form, event=value)
    return read(client, response["Location"])


def win(client: Client, number: int = 1) -> Page:
    """A result in two taps, and the page that follows."""
    asked = read(client, game(number))
    about = read(client, next(link for link in asked.links if "/confirm/" in link))
    response = send(client, about.form_to("/enter/"))
    return read(client, response["Location"])


def memory(client: Client) -> Memory:
    kept = Memory.read(client.cookies[COOKIE].value)
    assert kept is not None
    return kept


def test_the_guide_leads_through_with_ticks(client: Client) -> None:
    """All six lessons by what is tapped, on the very pages of a referee."""
    guide = read(client, HOME)
    assert "Try this: 0 of 6 done" in guide.text
    match = win(client)
    assert "Entered last, game 1: Owls win" in match.text or "Owls" in match.text
    assert "Guide 1/6" in match.text
    why = read(client, next(link for link in match.links if link.endswith("/take-back/")))
    again = send(client, why.form_to("/put-right/"), reason="wrong-winner")
    assert "Guide 2/6" in read(client, again["Location"]).text
    dealt = tap(client, read(client, game(1, "cards/")), "dealer_named")
    turned = tap(client, dealt, "deal_started")
    red = read(client, next(link for link in turned.links if link.endswith("?color=R")))
    form, _ = next((form, event) for form, event in red.events() if event.get("card") == "R5")
    on = read(client, send(client, form, event='{"type":"card_turned","card":"R5"}')["Location"])
    form = on.form_to("/enter/")
    on = read(client, send(client, form, event='{"type":"cards_played","seat":%d,"cards":["R7"]}' % seat_to_play(client))["Location"])
    assert "Guide 3/6" in on.text
    guide = read(client, HOME)
    refused = Page(send(client, guide.form_to("/enter/")))
    assert "Not entered" in refused.text
    assert "Guide 4/6" in refused.text
    log = read(client, game(1, "log/"))
    instead = read(client, [link for link in log.links if "/instead/?line=" in link][1])
    wrong = read(client, next(link for link in instead.links if "/wrong/?line=" in link))
    done = send(client, wrong.form_to("/put-right/"))
    assert "Guide 5/6" in read(client, done["Location"]).text
    counted = client.get(game(2, "bell/?cards-0=3&cards-1=5"))
    about = read(client, counted["Location"])
    over = read(client, send(client, about.form_to("/enter/"))["Location"])
    assert "Guide 6/6" in over.text
    assert "You have tried everything" in read(client, HOME).text


def seat_to_play(client: Client) -> int:
    from games.engine import parse_event, replay

    turn = replay([parse_event(each) for each in memory(client).logs[0]]).turn
    assert turn is not None
    return turn
