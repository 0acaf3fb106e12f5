"""A palio with its organizer, and the organizer's browser."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.utils import translation
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.desk.palio import Palio, make_palio
from tests.support.clients import browser_of, sign_in
from tests.support.worlds import remembered


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """Pages are read in English: their addresses too."""
    with translation.override("en"):
        yield


@pytest.fixture
def palio(db: None) -> Palio:
    """A palio that can be played."""
    return remembered(make_palio)


@pytest.fixture
def desk(palio: Palio) -> Client:
    """The browser of the palio's organizer."""
    return browser_of(palio.organizer)


@pytest.fixture
def at_desk(palio: Palio, live_server: LiveServer, open_page: Callable[..., Page]) -> Page:
    """A page in which the palio's organizer has signed in."""
    page = open_page(locale="en-GB")
    sign_in(page, live_server.url, palio.organizer)
    return page
