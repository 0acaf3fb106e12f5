"""Pages of the desk, and a browser for each role."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from people.models import Event, Pairing
from people.pairings import COOKIE
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.named_addresses import pages

PAGES = pages()


@dataclass
class World:
    """An event with a value for every address, another organizer's, and one that isn't published."""

    here: dict[str, Any]
    there: dict[str, Any]
    hidden: dict[str, Any]


def browser_as(role: str, values: dict[str, Any], there: dict[str, Any]) -> Client:
    """A browser of this role at the event of `values`."""
    event: Event = values["event"]
    match role:
        case "public":
            return Client()
        case "token":
            return Client(HTTP_AUTHORIZATION=f"Bearer {factories.make_token(values['organizer'])[1]}")
        case "stranger":
            return browser_of(there["organizer"])
        case "operator":
            return browser_of(factories.make_account(is_staff=True, is_superuser=True))
        case "organizer":
            return browser_of(values["organizer"])
    client = Client()
    whose = there["event"] if role == "foreign phone" else event
    pairing, client.cookies[COOKIE] = factories.make_pairing(whose, admitted=role != "waiting phone")
    changes: dict[str, Any] = {"last_seen_at": timezone.now()}
    if role == "revoked phone":
        changes["revoked_at"] = timezone.now()
    if role == "phone of the past":
        changes["admitted_at"] = timezone.now() - timedelta(days=3)
    Pairing.objects.filter(pk=pairing.pk).update(**changes)
    return client
