"""Who asks: the browser of an account, a program with its token, a referee's phone."""

from typing import Any

from django.test import Client
from playwright.sync_api import Page
from rest_framework.test import APIClient

from people.models import Account, Event
from tests.support import factories


def browser_of(account: Account) -> Client:
    """A browser in which this account is signed in."""
    client = Client()
    client.force_login(account)
    return client


def client_of_token(account: Account, scope: str = "manage", **fields: Any) -> APIClient:
    """A program that acts for an account."""
    client = APIClient()
    _token, secret = factories.make_token(account, scope, **fields)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def client_of_phone(event: Event, *, admitted: bool = True) -> APIClient:
    """A referee's phone, as it talks to the API."""
    client = APIClient()
    _pairing, secret = factories.make_pairing(event, admitted=admitted)
    client.credentials(HTTP_AUTHORIZATION=f"Pairing {secret}")
    return client


def sign_in(page: Page, site: str, account: Account, then: str = "") -> None:
    """Sign in on the form of the desk, which shows `then` (the list of events unless named)."""
    page.goto(f"{site}/en/desk/sign-in/" + (then and f"?next={then}"))
    page.get_by_label("Name of the account").fill(account.username)
    page.get_by_label("Password").fill(factories.PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(site + (then or "/en/desk/"))
