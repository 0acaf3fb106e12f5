"""The change feed as programs read it."""

import pytest
from rest_framework.test import APIClient

from people.actors import Actor
from tests.support import factories
from tests.support.clients import client_of_token
from tests.support.festival import Festival
from tournaments.commands import results
from tournaments.projections import standings

pytestmark = pytest.mark.django_db


def address(festival: Festival, query: str = "") -> str:
    return f"/api/v1/events/{festival.event.pk}/changes/{query}"


def test_feed_goes_on_after_a_cursor(festival: Festival) -> None:
    program = client_of_token(festival.organizer, "read")
    first = program.get(address(festival)).json()
    assert [change["kind"] for change in first["changes"]] == ["decision.made", "draw.made", "draw.published"]
    assert first["next"] == first["changes"][-1]["cursor"]
    assert first["next"] == program.get(address(festival, "?after=end")).json()["next"]
    results.enter_result(festival.game, Actor.command(), seat=0)
    standings.compute(festival.tournament.pk)
    rest = program.get(address(festival, f"?after={first['next']}&kind=result.entered,standings.computed"))
    entered, computed = rest.json()["changes"]
    game, tournament = str(festival.game.game_id), str(festival.tournament.pk)
    assert entered == {
        "cursor": entered["cursor"],
        "id": entered["id"],
        "kind": "result.entered",
        "type": "result",
        "at": entered["at"],
        "tournament": tournament,
        "subject": {"kind": "game", "id": game},
        "version": 2,
        "path": f"/api/v1/games/{game}/",
    }
    assert computed["subject"] == {"kind": "tournament", "id": tournament}
    assert all(program.get(change["path"]).status_code == 200 for change in first["changes"])
    assert all(program.get(change["path"]).status_code == 200 for change in (entered, computed))


def test_feed_answers_304_until_something_happens(festival: Festival, public: APIClient) -> None:
    tag = public.get(address(festival)).headers["ETag"]
    again = {"If-None-Match": tag}
    assert public.get(address(festival), headers=again).status_code == 304
    results.enter_result(festival.game, Actor.command(), seat=0)
    assert public.get(address(festival), headers=again).status_code == 200


def test_feed_pages_go_on_as_long_as_there_is_more(festival: Festival, public: APIClient) -> None:
    kinds, query = [], "?limit=1"
    while query:
        page = public.get(address(festival, query)).json()
        kinds += [change["kind"] for change in page["changes"]]
        query = f"?limit=1&after={page['next']}" if page["has_more"] else ""
    assert kinds == ["decision.made", "draw.made", "draw.published"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        *(("?after=x", "after"), ("?after=1", "after"), ("?after=-1", "after"), ("?limit=0", "limit")),
        *(("?limit=1001", "limit"), ("?kind=anything", "kind"), ("?kind=,", "kind"), ("?before=1", "before")),
    ],
)
def test_feed_refuses_a_wrong_query(festival: Festival, public: APIClient, query: str, field: str) -> None:
    answer = public.get(address(festival, query))
    assert answer.status_code == 422
    assert [problem["field"] for problem in answer.json()["problems"]] == [field]


def test_feed_answers_410_to_a_cursor_of_another_feed(festival: Festival, public: APIClient) -> None:
    answer = public.get(address(festival, "?after=2-00000000"))
    assert (answer.status_code, answer.json()["code"]) == (410, "cursor-gone")


def test_feed_shows_a_draft_to_the_organizer_alone(festival: Festival, public: APIClient) -> None:
    draft = factories.drawn_tournament(festival.event, name="Bozza", published=False)
    program = client_of_token(festival.organizer, "read")
    seen = [
        {change["tournament"] for change in client.get(address(festival)).json()["changes"]}
        for client in (public, program)
    ]
    ids = {str(festival.tournament.pk), str(draft.pk)}

    assert seen == [{str(festival.tournament.pk)}, ids]
