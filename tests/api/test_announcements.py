"""Announcements and calls through the API."""

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone
from rest_framework.test import APIClient

from people.actors import Actor
from tests.support.festival import Festival
from tournaments.commands import results
from tournaments.models import Call


def test_announcement_by_the_organizer_is_read_by_the_public(
    organizer: APIClient, public: APIClient, festival: Festival
) -> None:
    path, key = f"/api/v1/events/{festival.event.pk}/announcements/", str(uuid4())
    until = (timezone.now() + timedelta(minutes=20)).isoformat()
    body = {"texts": {"en": "Tea is ready"}, "shown_until": until}
    made = [organizer.post(path, body, format="json", HTTP_IDEMPOTENCY_KEY=key) for _ in range(2)]
    assert [answer.status_code for answer in made] == [201, 201]
    assert made[0].json() == made[1].json()
    assert [each["texts"] for each in public.get(path).json()["results"]] == [
        {"en": "Tea is ready"},
        {"it": "Ciao"},
    ]
    end = f"/api/v1/announcements/{made[0].json()['id']}/take-back/"
    assert [organizer.post(end, {}, format="json").status_code for _ in range(2)] == [200, 200]
    assert [each["texts"] for each in public.get(path).json()["results"]] == [{"it": "Ciao"}]


def test_announcement_that_is_wrong_names_each_field(organizer: APIClient, festival: Festival) -> None:
    path = f"/api/v1/events/{festival.event.pk}/announcements/"
    answer = organizer.post(path, {"shown_until": "2026-09-05T15:40:00+02:00"}, format="json")
    assert answer.status_code == 422
    assert [(each["field"], each["code"]) for each in answer.json()["problems"]] == [
        ("texts", "missing"),
        ("shown_until", "time-not-ahead"),
    ]


def test_announcement_in_an_unknown_language_is_refused(organizer: APIClient, festival: Festival) -> None:
    path = f"/api/v1/events/{festival.event.pk}/announcements/"
    until = (timezone.now() + timedelta(minutes=20)).isoformat()

    answer = organizer.post(path, {"texts": {"tlh": "Qapla’"}, "shown_until": until}, format="json")

    assert answer.status_code == 422
    assert [(each["field"], each["code"]) for each in answer.json()["problems"]] == [
        ("texts", "not-a-choice")
    ]


def test_match_is_called_once_for_one_version(
    organizer: APIClient, public: APIClient, festival: Festival
) -> None:
    path = f"/api/v1/matches/{festival.match.pk}/"
    called = organizer.post(f"{path}call/", {"expected_version": 0}, format="json")
    assert called.json()["called_at"] is not None
    assert public.get(path).json()["called_at"] == called.json()["called_at"]
    again = organizer.post(f"{path}call/", {"expected_version": 0}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "version-conflict")
    back = organizer.post(f"{path}take-call-back/", {"expected_version": 1}, format="json")
    assert (back.json()["called_at"], back.json()["call_version"]) == (None, 2)
    assert organizer.post(f"{path}take-call-back/", {}, format="json").json()["code"] == "not-called"
    results.enter_result(festival.game, Actor.command(), seat=0)
    assert organizer.post(f"{path}call/", {}, format="json").json()["code"] == "match-begun"
    assert Call.objects.get().called_at is None
