"""The desk of a tournament that is drawn round by round."""

from typing import Any

from django.test import Client

from people.models import Account, Organizer
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address
from tournaments.models import Tournament


def desk_of(tournament: Tournament) -> Client:
    """The browser of somebody who organizes its event."""
    account: Account = factories.make_account()
    Organizer.objects.create(event=tournament.event, account=account)
    return browser_of(account)


def path(tournament: Tournament, name: str, *args: Any) -> str:
    """An address of a tournament’s desk."""
    return address(name, tournament.event.slug, tournament.slug, *args)
