"""A draw that is changed by hand over HTTP: previewed, sent twice, told, put back."""

from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from people.actors import Actor
from tests.support import factories
from tests.support.clients import client_of_token
from tournaments.commands.draw import publish_draw
from tournaments.models import Squad, Tournament

pytestmark = pytest.mark.django_db
WHY = "organizer-decision"


@pytest.fixture
def tournament(db: None) -> Tournament:
    """A draw of mini-tournaments that is kept and not published."""
    event = factories.make_event(factories.make_account())
    return factories.drawn_tournament(event, 3, 3, published=False, rounds=2)


def test_draw_edit_is_previewed_made_once_and_listed(tournament: Tournament) -> None:
    organizer = client_of_token(tournament.event.organizers.get().account)
    path = f"/api/v1/tournaments/{tournament.pk}/"
    one, other = Squad.objects.filter(team__number=1).order_by("number")[:2]
    asked: dict[str, Any] = {"one": str(one.pk), "other": str(other.pk), "round": 2}
    seen = organizer.get(f"{path}draw/edits/preview/", asked, headers={"Accept-Language": "en"}).json()
    assert seen["rounds"] == [2]
    assert [match["before"].count(asked["one"]) for match in seen["matches"]].count(1) == 1
    swap = {asked["one"]: asked["other"], asked["other"]: asked["one"]}
    for match in seen["matches"]:
        assert match["after"] == [swap.get(squad, squad) for squad in match["before"]]
    assert {trouble["code"] for trouble in seen["broken"]} == {"rematch"}
    assert {tuple(trouble["rounds"]) for trouble in seen["broken"]} == {(1, 2)}
    assert not seen["is_clean"]

    key = {"Idempotency-Key": str(uuid4())}
    body = asked | {"reason": WHY, "expected_version": tournament.version}
    answers = [organizer.post(f"{path}draw/edits/", body, format="json", headers=key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    (stage,) = answers[1].json()["stages"]
    team = str(one.team_id)
    assert stage["edits"] == [
        {
            "rounds": [2],
            "one": {"team": team, "squad": one.number},
            "other": {"team": team, "squad": other.number},
            "reason": WHY,
        }
    ]
    stale = organizer.post(f"{path}draw/edits/", body, format="json")
    assert (stale.status_code, stale.json()["code"]) == (409, "version-conflict")
    wrong = organizer.post(f"{path}draw/edits/", asked | {"reason": "because"}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (422, "unknown-reason")
    # Nobody else knows of it before it is public; then everybody does.
    assert APIClient().get(path).json()["stages"] == []
    publish_draw(tournament, Actor.command())
    assert APIClient().get(path).json()["stages"] == [stage]
    late = organizer.post(f"{path}draw/edits/", asked | {"reason": WHY}, format="json")
    assert (late.status_code, late.json()["code"]) == (409, "wrong-status")
