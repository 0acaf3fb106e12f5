"""Families, classes and strong players through the API: entered, corrected, and kept apart by the draw.

That nobody else reads them is in `test_privacy.py`.
"""

import pytest
from rest_framework.test import APIClient

from people.models import Person
from tests.support import factories
from tests.support.festival import Festival

pytestmark = pytest.mark.django_db
FAMILY, CLASS = "Mulinacci", "Quartaelle"


def test_family_and_class_are_entered_and_corrected_by_the_organizer(
    festival: Festival, organizer: APIClient
) -> None:
    given = {
        "team": str(festival.teams[0].pk), "last_name": "Abate", "first_name": "Ivo",
        "birth_date": "2016-01-01", "family": FAMILY, "school_class": CLASS, "is_strong": True,
    }  # fmt: skip
    made = organizer.post(f"/api/v1/events/{festival.event.pk}/entries/", given).json()
    marks = {name: made["person"][name] for name in ("family", "school_class", "is_strong")}
    assert marks == {"family": FAMILY, "school_class": CLASS, "is_strong": True}
    path = f"/api/v1/entries/{made['id']}/person/"
    corrected = organizer.patch(path, {"family": "", "is_strong": False}).json()
    marks = {name: corrected["person"][name] for name in ("family", "school_class", "is_strong")}
    assert marks == {"family": "", "school_class": CLASS, "is_strong": False}
    refused = organizer.patch(path, {"family": "sì"})
    assert refused.status_code == 422


def test_draw_preview_names_entries_kept_apart_and_together(festival: Festival, organizer: APIClient) -> None:
    event = factories.make_event(festival.organizer)
    first, second = factories.make_field(event, teams=2, entries=2)
    one, other = first.entries.get(number=1), second.entries.get(number=2)
    Person.objects.filter(entry__in=(one, other)).update(family=FAMILY)
    tournament = factories.make_tournament(event, format="duel", rounds=2)
    shown = organizer.get(f"/api/v1/tournaments/{tournament.pk}/draw/preview/?seed=a").json()
    kept = shown["kept_apart"]
    assert (shown["method"], kept["groups"], kept["strong"]) == (
        "tendone-sha256-2",
        [[str(one.pk), str(other.pk)]],
        [],
    )
    (together,) = kept["together"]
    assert (together["group"], together["entries"]) == (0, [str(one.pk), str(other.pk)])
    assert [kept[name] for name in kept if name.endswith("_pairs")] == [1, 1, 0, 0]
