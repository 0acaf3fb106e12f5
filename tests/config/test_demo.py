"""The sample palio: half played, its addresses open, everything in order."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tournaments.models import StandingsVersion
from tournaments.verification import verify

pytestmark = pytest.mark.django_db


def demo(**options: bool) -> str:
    output = StringIO()
    call_command("demo", stdout=output, **options)
    return output.getvalue()


def test_demo_makes_a_half_played_palio_once() -> None:
    demo()
    version = StandingsVersion.objects.order_by("-number")[0]
    assert (version.games_played, version.games_total, version.rounds_played) == (57, 108, 2)
    assert [str(wrong) for wrong in verify.verify()] == []
    with pytest.raises(CommandError):
        demo()


@pytest.mark.sqlite
def test_demo_prints_addresses_that_open_and_a_password_that_fits() -> None:
    made = json.loads(demo(json=True))
    client = Client()

    assert client.get(made["public"]).status_code == 200
    assert client.get(made["referee"]).status_code == 200
    assert client.get(made["desk"]).status_code == 302
    assert client.login(username=made["account"], password=made["password"])
    assert client.get(made["desk"]).status_code == 200
