"""Several callers at the same moment, on a database that lets them run at once."""

from collections import Counter
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest

from api.endpoint import Endpoint
from ledger.models import Fact
from tests.api.at_once import CALLERS, at_once
from tests.support import factories
from tests.support.clients import client_of_phone, client_of_token
from tests.support.festival import make_festival
from tournaments.commands import table_cards

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


def change_known_team() -> Counter[int]:
    """All callers know the same state of a team, and each changes it."""
    account = factories.make_account()
    team = factories.make_team(factories.make_event(account))
    path = f"/api/v1/teams/{team.pk}/"
    clients = [client_of_token(account) for _ in range(CALLERS)]
    known = clients[0].get(path)["ETag"]
    emblems = iter("ABCDEFGHIJ")
    return at_once(
        lambda client: client.patch(path, {"emblem": next(emblems)}, headers={"If-Match": known}), clients
    )


def test_if_match_lets_one_of_many_at_once_change_a_row() -> None:
    assert change_known_team() == {200: 1, 412: CALLERS - 1}


def test_twin_if_match_lets_all_change_a_row_without_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    # All have compared before anybody changes: what the lock forbids.
    compared = Barrier(CALLERS)
    expect_unchanged = Endpoint.expect_unchanged

    def then_wait(endpoint: Endpoint, current: Any) -> None:
        expect_unchanged(endpoint, current)
        compared.wait(timeout=60)

    monkeypatch.setattr("api.endpoint.lock_event", lambda event: None)
    monkeypatch.setattr(Endpoint, "expect_unchanged", then_wait)

    assert change_known_team() == {200: CALLERS}


def test_result_with_one_key_sent_by_many_at_once_is_one_fact() -> None:
    festival = make_festival()
    path, key = f"/api/v1/games/{festival.game.game_id}/result/", str(uuid4())
    clients = [client_of_phone(festival.event)] * CALLERS

    answers = at_once(
        lambda client: client.post(path, {"winner_seat": 0}, headers={"Idempotency-Key": key}), clients
    )

    assert answers == {200: CALLERS}
    assert Fact.objects.filter(stream_id=festival.game.game_id).count() == 2


def test_result_entered_by_many_at_once_is_stored_once() -> None:
    festival = make_festival()
    path = f"/api/v1/games/{festival.game.game_id}/result/"
    clients = [client_of_phone(festival.event) for _ in range(CALLERS)]

    answers = at_once(
        lambda client: client.post(
            path, {"winner_seat": 0, "expected_version": 0}, headers={"Idempotency-Key": str(uuid4())}
        ),
        clients,
    )

    assert answers == {200: 1, 409: CALLERS - 1}
    assert Fact.objects.filter(stream_id=festival.game.game_id).count() == 2


def test_table_of_one_number_made_by_many_at_once_is_one() -> None:
    account = factories.make_account()
    event = factories.make_event(account)
    clients = [client_of_token(account) for _ in range(CALLERS)]

    answers = at_once(
        lambda client: client.post(f"/api/v1/events/{event.pk}/tables/", {"number": 3}), clients
    )

    assert answers == {201: 1, 409: CALLERS - 1}


def test_table_of_a_taken_number_without_the_lock_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a draw does, which may put up the same one at this moment."""
    account = factories.make_account()
    event = factories.make_event(account)
    clients = [client_of_token(account) for _ in range(CALLERS)]
    meeting = Barrier(CALLERS)
    monkeypatch.setattr(table_cards, "lock_event", lambda event: meeting.wait(60))

    answers = at_once(
        lambda client: client.post(f"/api/v1/events/{event.pk}/tables/", {"number": 3}), clients
    )

    assert answers == {201: 1, 409: CALLERS - 1}
