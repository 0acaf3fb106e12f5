"""The shared clock through the API."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils.dateparse import parse_datetime
from rest_framework.test import APIClient

from people.actors import Actor
from tests.support.festival import Festival
from tournaments.commands import clock as actions
from tournaments.models import Clock


def path(festival: Festival, action: str = "") -> str:
    return f"/api/v1/tournaments/{festival.tournament.pk}/clock/{action}"


def read(client: APIClient, festival: Festival) -> dict[str, Any]:
    answer = client.get(path(festival))
    assert answer.status_code == 200, answer.json()
    told: dict[str, Any] = answer.json()
    return told


def test_clock_never_started_is_read_by_the_public(public: APIClient, festival: Festival) -> None:
    told = read(public, festival)
    assert told.pop("now")
    assert told == {
        "tournament": str(festival.tournament.pk),
        "version": 0,
        "phase": "stopped",
        "round": None,
        "wave": None,
        "seconds": 600,
        "added_seconds": 0,
        "started_at": None,
        "paused_at": None,
        "bell_at": None,
        "remaining_ms": 600_000,
        "is_shown": False,
    }


def test_clock_is_run_by_the_organizer(organizer: APIClient, public: APIClient, festival: Festival) -> None:
    steps: list[tuple[str, str, dict[str, Any], str]] = [
        ("post", "start/", {"seconds": 300, "round": 1, "wave": 1}, "running"),
        ("post", "pause/", {"expected_version": 1}, "paused"),
        ("post", "resume/", {}, "running"),
        ("post", "add/", {"seconds": 60}, "running"),
        ("put", "length/", {"seconds": 500}, "running"),
        ("post", "ring/", {}, "rung"),
        ("post", "add/", {"seconds": 30}, "running"),
        ("post", "put-away/", {}, "stopped"),
    ]
    for version, (method, action, body, phase) in enumerate(steps, start=1):
        answer = getattr(organizer, method)(path(festival, action), body, format="json")
        assert (answer.status_code, answer.json()["phase"], answer.json()["version"]) == (200, phase, version)
        assert read(public, festival)["phase"] == phase


def test_clock_s_remaining_time_is_counted_from_the_answer(public: APIClient, festival: Festival) -> None:
    actions.start_clock(festival.tournament, Actor.command(), seconds=300)
    told = read(public, festival)
    now, bell = parse_datetime(told["now"]), parse_datetime(told["bell_at"])

    assert now is not None
    assert bell is not None
    assert -(-(bell - now) // timedelta(milliseconds=1)) == told["remaining_ms"]
    assert told["is_shown"] is True


def test_clock_that_counts_down_answers_304(public: APIClient, festival: Festival) -> None:
    actions.start_clock(festival.tournament, Actor.command(), seconds=300)
    tag = public.get(path(festival))["ETag"]
    again = public.get(path(festival), headers={"If-None-Match": tag})
    assert (again.status_code, again["ETag"]) == (304, tag)
    Clock.objects.update(length=0)
    assert public.get(path(festival), headers={"If-None-Match": tag}).status_code == 200


def test_clock_costs_one_query(public: APIClient, festival: Festival, django_assert_num_queries: Any) -> None:
    actions.start_clock(festival.tournament, Actor.command())
    with django_assert_num_queries(1):
        read(public, festival)


@pytest.mark.parametrize(
    ("action", "body", "status", "code"),
    [
        ("pause/", {}, 409, "wrong-phase"),
        ("start/", {"expected_version": 3}, 409, "version-conflict"),
        ("start/", {"round": 9, "wave": 1}, 422, "unknown-wave"),
        ("start/", {"round": 1}, 422, "invalid-input"),
        ("start/", {"seconds": 0}, 422, "invalid-input"),
        ("start/", {"seconds": 14_401}, 422, "invalid-input"),
        ("start/", {"seconds": "300"}, 422, "invalid-input"),
        ("add/", {}, 422, "invalid-input"),
    ],
)
def test_clock_refuses_a_wrong_action(
    organizer: APIClient, festival: Festival, action: str, body: dict[str, Any], status: int, code: str
) -> None:
    answer = organizer.post(path(festival, action), body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Clock.objects.exists()


def test_clock_refuses_too_much_added_time(organizer: APIClient, festival: Festival) -> None:
    actions.start_clock(festival.tournament, Actor.command(), seconds=14_400)
    answer = organizer.post(path(festival, "add/"), {"seconds": 3600}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "wrong-length")
    assert Clock.objects.get().added == 0
