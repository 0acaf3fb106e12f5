"""A receipt that somebody kept is typed in, or its code is followed: does it hold, and what came since?"""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from ledger.models import Receipt
from ledger.receipts import make_receipt, roots_in
from people.actors import Actor
from tests.support import factories
from tournaments.commands import results
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
ROOT = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (ROOT, [ROOT]),
        (f"  {ROOT.upper()}\n", [ROOT]),
        (f"Ricevuta {ROOT[:32]} {ROOT[32:]}.", [ROOT]),
        (f"https://palio.example/it/festa/receipts/{ROOT}/", [ROOT]),
        (f"1: {ROOT}, 2: {ROOT[::-1]}", [ROOT, ROOT[::-1]]),
        (ROOT[:-1], []),
        (ROOT + "0", []),
        ("", []),
    ],
)
def test_receipt_is_read_as_people_type_it(text: str, found: list[str]) -> None:
    assert roots_in(text) == found


@pytest.fixture
def tournament() -> Tournament:
    """One game is played, and a receipt is made."""
    tournament = factories.drawn_tournament(factories.make_event())
    results.enter_result(factories.games_of(tournament)[0], Actor.command(), seat=0)
    make_receipt(tournament.event_id)
    return tournament


def test_receipt_that_is_typed_leads_to_its_page(tournament: Tournament, client: Client) -> None:
    root = Receipt.objects.get(scope=tournament.event_id).root
    with translation.override("en"):
        path = reverse("publishing:receipts", args=[tournament.event.slug])
    assert root in client.get(path).content.decode()
    typed = " ".join(root[start : start + 8] for start in range(0, 64, 8)).upper()
    answer = client.get(path, {"root": typed}, follow=True)
    assert answer.redirect_chain == [(f"{path}{root}/", 302)]
    assert "Nothing was recorded since." in answer.content.decode()
    results.enter_result(factories.games_of(tournament)[1], Actor.command(), seat=0)
    assert "Since then 2 more facts were recorded." in client.get(f"{path}{root}/").content.decode()
    assert client.get(f"{path}{ROOT}/").status_code == 404
    assert "64 digits" in client.get(path, {"root": "nothing"}).content.decode()


def test_receipt_is_checked_by_the_api(tournament: Tournament, client: Client) -> None:
    receipt = Receipt.objects.get(scope=tournament.event_id)
    path = f"/api/v1/events/{tournament.event_id}/receipts/"
    answer = client.get(f"{path}{receipt.root}/").json()
    assert (answer["number"], answer["holds"], answer["facts_since"]) == (1, True, 0)
    Receipt.objects.update(heads=receipt.heads.replace(",2,", ",9,"))
    assert client.get(f"{path}{receipt.root}/").json()["holds"] is False
    assert client.get(f"{path}{ROOT}/").json()["code"] == "no-such-receipt"
