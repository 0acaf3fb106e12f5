"""Rounds at tables that are planned in advance, by the API: planned anew where a call says so."""

import random
from itertools import combinations
from math import comb
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.support import factories
from tests.support.clients import client_of_token
from tests.support.desk_client import Desk
from tests.support.rounds_play import play_tables

pytestmark = pytest.mark.django_db


def tables(entries: int, rounds: int = 3) -> Desk:
    """A tournament at tables of four, of so many teams of one, whose first round has begun."""
    desk = Desk(entries, format="tables", options={"rounds": rounds})
    play_tables(desk.row, random.Random(1), most=1)
    desk.compute()
    return desk


def sides(desk: Desk) -> list[list[list[int]]]:
    """Who sits at each table, round after round."""
    rounds = desk.get("stages/1/")["rounds"]
    return [[pairing["sides"] for pairing in each["pairings"]] for each in rounds]


def players(desk: Desk) -> list[int]:
    """How many sit at tables, round after round."""
    return [sum(map(len, tables_)) for tables_ in sides(desk)]


def late(desk: Desk) -> dict[str, Any]:
    """The body for somebody of the third team who comes late."""
    return {"entries": [str(factories.make_entry(desk.event.teams.get(number=3), 2).pk)]}


def leave(desk: Desk, name: str, status: int = 200, **more: Any) -> Any:
    """A squad withdraws."""
    return desk.post(
        f"/api/v1/squads/{desk.squads()[name]['id']}/remove/", status, reason="withdrawn", **more
    )


def test_stage_lists_the_plans_of_its_rounds() -> None:
    desk = tables(12)
    before = desk.get("stages/1/")
    leave(desk, "5/1")

    desk.post("new-plan/")

    stage = desk.get("stages/1/")
    first = {"number": 1, "rounds": [1, 2, 3], "at": None, "reason": None, "squad": None}
    assert (before["all_at_once"], before["plans"]) == (True, [first])
    second = {"number": 2, "rounds": [2, 3], "reason": "planned-anew", "squad": None}
    assert stage["plans"][0] == {**first, "rounds": [1]}
    assert {key: stage["plans"][1][key] for key in second} == second
    assert stage["plans"][1]["at"] is not None


def test_stage_drawn_by_results_has_no_plans() -> None:
    desk = Desk(format="swiss")

    stage = desk.get("stages/1/")

    assert (stage["all_at_once"], stage["plans"]) == (False, [])
    assert desk.get("new-plan/preview/", 409)["code"] == "not-planned"
    assert desk.post("new-plan/", 409)["code"] == "not-planned"


def test_new_plan_is_drawn_as_previewed() -> None:
    desk = tables(12)
    leave(desk, "5/1")
    before = sides(desk)

    preview = desk.get("new-plan/preview/")
    assert sides(desk) == before
    version = desk.get("")["version"]
    assert desk.post("new-plan/", 409, expected_version=version - 1)["code"] == "version-conflict"
    desk.post("new-plan/", expected_version=version)

    after = sides(desk)
    planned = [[pairing["sides"] for pairing in each["pairings"]] for each in preview["rounds"]]
    assert after == [before[0], *planned]
    moved = set()
    for was, becomes in zip(before[1:], after[1:], strict=True):
        at = {one: table for table, there in enumerate(was) for one in there}
        moved |= {one for table, there in enumerate(becomes) for one in there if at[one] != table}
    assert preview["moved"] == len(moved) > 0
    stayed = {one for there in after[1] for one in there}
    met_again = [second_meetings(rounds, stayed) for rounds in (before, after)]
    assert [preview["met_again_before"], preview["met_again_after"]] == met_again
    assert min(met_again) > 0
    assert len(preview["contestants"]) == 12


def second_meetings(rounds: list[list[list[int]]], stayed: set[int]) -> int:
    """How often two of those who stayed meet again: 1 for who meet twice, 3 for who meet three times."""
    pairs = [
        pair
        for tables_ in rounds
        for there in tables_
        for pair in combinations(sorted(stayed.intersection(there)), 2)
    ]
    return sum(comb(pairs.count(pair), 2) for pair in set(pairs))


def test_new_plan_that_moves_nothing_is_refused() -> None:
    desk = tables(12)

    preview = desk.get("new-plan/preview/")

    assert (preview["rounds"], preview["moved"]) == ([], 0)
    assert desk.post("new-plan/", 409)["code"] == "nothing-moves"


def test_new_plan_sent_twice_is_made_once() -> None:
    desk = tables(12)
    leave(desk, "5/1")
    key = "4b2f1f1e-8a55-4b0e-9a53-0a2a1d0a7b11"

    first = desk.post("new-plan/", key=key)

    assert desk.post("new-plan/", key=key) == first
    assert len(desk.get("stages/1/")["plans"]) == 2


def test_late_squad_moves_others_only_with_plan_anew() -> None:
    desk = tables(12)
    body = late(desk)
    before = sides(desk)

    refused = desk.post("squads/", 409, **body)
    assert (refused["code"], refused["rounds"], sides(desk)) == ("would-plan-anew", [2, 3], before)
    desk.post("squads/", plan_anew=True, **body)

    stage = desk.get("stages/1/")
    assert (stage["plans"][-1]["rounds"], stage["plans"][-1]["reason"]) == ([2, 3], "somebody-came")
    assert stage["plans"][-1]["squad"] == desk.squads()["3/2"]["id"]
    assert players(desk) == [12, 13, 13]


def test_late_squad_takes_a_free_seat_without_plan_anew() -> None:
    desk = tables(11)

    desk.post("squads/", **late(desk))

    assert len(desk.get("stages/1/")["plans"]) == 1
    assert players(desk) == [11, 12, 12]


def test_removed_squad_moves_others_only_with_plan_anew() -> None:
    desk = tables(8)
    ids = {each["id"]: name for name, each in desk.squads().items()}
    names = {each["number"]: ids[each["squad"]["id"]] for each in desk.get("stages/1/")["contestants"]}
    # Whoever sit together in the second round: two of them are too many.
    one, other = (names[number] for number in sides(desk)[1][0][:2])
    leave(desk, one)
    before = sides(desk)

    refused = leave(desk, other, 409)
    unchanged = (desk.squads()[other]["is_gone"], sides(desk))
    leave(desk, other, plan_anew=True)

    assert (refused["code"], unchanged) == ("would-plan-anew", (False, before))
    assert [plan["reason"] for plan in desk.get("stages/1/")["plans"]] == [None, "somebody-left"]


def test_reinstated_squad_moves_others_only_with_plan_anew() -> None:
    desk = tables(12)
    leave(desk, "5/1")
    desk.post("new-plan/")
    desk.post("squads/", **late(desk))
    before = sides(desk)
    back = f"/api/v1/squads/{desk.squads()['5/1']['id']}/bring-back/"

    refused = desk.post(back, 409)
    unchanged = (desk.squads()["5/1"]["is_gone"], sides(desk))
    desk.post(back, plan_anew=True)

    assert (refused["code"], unchanged) == ("would-plan-anew", (True, before))
    assert players(desk) == [12, 13, 13]


def test_new_plan_is_refused_to_others() -> None:
    desk = tables(12)
    leave(desk, "5/1")
    before = sides(desk)
    stranger = factories.make_account()
    factories.make_event(stranger)
    clients = [client_of_token(stranger), client_of_token(desk.organizer, "results"), APIClient()]

    seen = [client.get(f"{desk.path}new-plan/preview/").status_code for client in clients]
    done = [client.post(f"{desk.path}new-plan/").status_code for client in clients]

    assert (seen, done) == ([403, 200, 401], [403, 403, 401])
    assert sides(desk) == before
