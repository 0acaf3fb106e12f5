"""The timetable through the API: read by everybody, changed, worked out and kept by the organizer."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.support import factories
from tests.support.festival import Festival
from tournaments.commands import timetable_work
from tournaments.models import Match, Place, TimetableWork


@pytest.fixture
def match(festival: Festival) -> Match:
    """A match of the festival that isn't over."""
    open_ = Match.objects.filter(stage__tournament=festival.tournament, match_games__game__is_over=False)
    return open_.order_by("-round", "-wave").distinct()[0]


def here(festival: Festival, rest: str = "") -> str:
    return f"/api/v1/events/{festival.event.pk}/timetable/{rest}"


def read(client: APIClient, address: str) -> Any:
    answer = client.get(address)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def test_timetable_slot_of_a_match_is_changed_and_undone(
    organizer: APIClient, public: APIClient, festival: Festival, match: Match
) -> None:
    before = read(public, here(festival))
    assert {place["is_stored"] for place in before["places"]} == {False}
    referee = factories.make_referee(festival.event)
    factories.make_table(festival.event, 66)
    place = f"/api/v1/matches/{match.pk}/place/"
    body = {"begins_at": "2026-09-05T18:30:00+02:00", "table": 66, "referee": str(referee.pk)}
    told = organizer.patch(place, {**body, "is_locked": True, "expected_version": 0}, format="json")
    assert told.status_code == 200, told.json()
    now = read(public, place)
    assert (now["begins_at"], now["table"], now["is_locked"]) == ("2026-09-05T18:30:00+02:00", 66, True)
    assert (read(organizer, place)["referee"], now["referee"]) == (str(referee.pk), None)
    late = organizer.patch(place, {"table": 1, "expected_version": 0}, format="json")
    assert (late.status_code, late.json()["code"]) == (409, "version-conflict")
    unknown = organizer.patch(place, {"table": 99}, format="json")
    assert (unknown.status_code, unknown.json()["code"]) == (422, "unknown-table")
    assert organizer.post(here(festival, "undo/"), {}, format="json").json()["places"] == before["places"]


def test_timetable_proposal_is_computed_and_kept(
    organizer: APIClient, public: APIClient, festival: Festival
) -> None:
    assert organizer.get(here(festival, "proposal/")).status_code == 404
    wrong = organizer.patch(here(festival), {"days": [{"day": 1, "begins": "x", "ends": "y"}]}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid-settings")
    assert organizer.patch(here(festival), {"rest": 5}, format="json").json()["settings"]["rest"] == 5
    started = organizer.post(here(festival, "proposal/"), {}, format="json")
    assert (started.status_code, started.json()["status"], started.json()["is_on"]) == (202, "waiting", True)
    timetable_work.run(TimetableWork.objects.get().pk, seconds=1, is_watched=False)
    found = read(organizer, here(festival, "proposal/"))
    assert found["status"] == "found"
    proposed = {each["match"]: each["begins_at"] for each in found["places"]}
    now = [each for each in read(organizer, here(festival))["places"] if each["match"] in proposed]
    assert found["before"]["starts"] == len({each["begins_at"] for each in now})
    assert found["before"]["end"] == max(each["ends_at"] for each in now)
    assert found["after"]["starts"] == len(set(proposed.values()))
    figures = {"longest_wait", "starts"}
    assert {each["figure"]: each["by"] for each in found["worse"] if each["figure"] in figures} == {
        name: by for name in figures if (by := found["after"][name] - found["before"][name]) > 0
    }
    is_later = found["after"]["end"] > found["before"]["end"]
    assert ("end" in {each["figure"] for each in found["worse"]}) == is_later
    kept = organizer.post(here(festival, "proposal/keep/"), {}, format="json")
    assert kept.json()["status"] == "kept"
    places = {each["match"]: each["begins_at"] for each in read(public, here(festival))["places"]}
    assert {each["match"]: each["begins_at"] for each in found["places"]}.items() <= places.items()
    assert Place.objects.count() >= len(found["places"])
    assert read(organizer, here(festival, "conflicts/")) == []
