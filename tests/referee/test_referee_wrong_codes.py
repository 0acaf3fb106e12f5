"""Guessing the codes on the tables: so many wrong ones from one address, then a pause."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from django.test import Client

from people import rate_limits
from people.models import Event, Try
from people.pairings import COOKIE
from referee import access
from tests.support import factories
from tournaments.models import Table
from tournaments.models.tables import CODE_ALPHABET

pytestmark = pytest.mark.django_db

MOST = 5
"""As many here as a hundred in the service: each is a page."""


@pytest.fixture(autouse=True)
def _few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the pause come after so few wrong codes."""
    monkeypatch.setattr(access, "WRONG_CODES", replace(access.WRONG_CODES, tries=MOST))


@pytest.fixture
def event() -> Event:
    """A festival with tables."""
    event = factories.make_event(factories.make_account())
    factories.drawn_tournament(event, teams=4, entries=2)
    return event


@pytest.fixture
def table(event: Event) -> Table:
    """One of them."""
    found: Table = event.tables.get(number=1)
    return found


def guesses() -> Iterator[str]:
    """Codes that no table has."""
    return ("".join(letters) for letters in product(CODE_ALPHABET[:3], repeat=6))


def guess(browser: Client, address: str) -> list[int]:
    """The statuses of so many wrong codes as may be tried, typed at the door, and of one more."""
    codes = guesses()
    return [browser.get(address.format(code=next(codes))).status_code for _ in range(MOST + 1)]


@pytest.mark.parametrize("address", ["/en/t/{code}/", "/en/t/?code={code}", "/en/t/{code}/kit/"])
def test_wrong_table_codes_are_rate_limited_and_the_right_one_then_too(table: Table, address: str) -> None:
    browser = Client()
    assert guess(browser, address) == [404] * MOST + [429]
    answer = browser.get(address.format(code=table.code))
    assert (answer.status_code, 0 < int(answer["Retry-After"]) <= 601) == (429, True)
    assert "Too many wrong tries. Try again in 10 minutes" in answer.content.decode()


def test_practice_table_is_rate_limited_by_wrong_codes_too(table: Table) -> None:
    browser = Client()
    guess(browser, "/en/t/{code}/")
    assert browser.get(f"/en/t/practice/?table={table.code}").status_code == 429


def test_guesser_of_table_codes_goes_on_without_the_rate_limit(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "check", lambda limit, key: None)
    browser = Client()
    assert guess(browser, "/en/t/{code}/") == [404] * (MOST + 1)
    assert browser.get(f"/en/t/{table.code}/").status_code == 200


def test_wrong_table_code_that_a_page_repeats_is_not_rate_limited(table: Table) -> None:
    browser = Client()
    answers = {browser.get("/en/t/BCDFGH/").status_code for _ in range(MOST + 1)}
    assert (answers, browser.get(f"/en/t/{table.code}/").status_code) == ({404}, 200)
    assert Try.objects.count() == 2


def test_rate_limit_of_wrong_codes_holds_for_one_address_alone(table: Table) -> None:
    guess(Client(REMOTE_ADDR="192.0.2.1"), "/en/t/{code}/")
    assert Client(REMOTE_ADDR="192.0.2.2").get(f"/en/t/{table.code}/").status_code == 200
    assert Client(REMOTE_ADDR="192.0.2.1").get(f"/en/t/{table.code}/").status_code == 429


def test_admitted_phones_and_organizers_go_on_where_codes_are_guessed(event: Event, table: Table) -> None:
    _pairing, secret = factories.make_pairing(event, factories.make_referee(event))
    phone, organizer, waiting = Client(), Client(), Client()
    phone.cookies[COOKIE] = secret
    organizer.force_login(event.organizers.get().account)
    guess(waiting, "/en/t/{code}/")
    address = f"/en/t/{table.code}/"
    found = [each.get(address).status_code for each in (phone, organizer, waiting)]

    assert found == [200, 200, 429]


def test_rate_limit_of_wrong_codes_answers_scripts_with_a_code(table: Table) -> None:
    browser = Client()
    guess(browser, "/en/t/{code}/")
    answer = browser.get(f"/en/t/{table.code}/", HTTP_ACCEPT="application/json")
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-codes")
