"""The people of an event at the desk: who is known, until when, and erasing everybody."""

import pytest
from django.test import Client

from people.models import Person
from tests.desk.palio import Palio
from tests.support.forms import address, fields_of, form_to, open_page, send

pytestmark = pytest.mark.django_db


def test_people_page_erases_everybody_once_the_event_s_name_is_typed(palio: Palio, desk: Client) -> None:
    slug, name = palio.event.slug, palio.event.name
    shown = open_page(desk, address("people", slug))
    assert len(shown.one(".people-list").all("li")) == 6
    assert "Names are kept until" in open_page(desk, address("event", slug)).one(".names-until").text
    wrong = send(desk, address("people-purge", slug), {"name": "Palio"}, status=422)
    assert f"Expected: {name}." in wrong.content.decode()
    assert Person.objects.count() == 6
    send(desk, address("people-purge", slug), {"name": name})
    assert Person.objects.count() == 0
    after = open_page(desk, address("people", slug))
    assert "Names were erased on" in after.one("div.notice-info").text
    assert after.all(".people-list") == []
    assert open_page(desk, address("event", slug)).all(".names-until") == []


def test_days_until_names_are_erased_are_a_setting(palio: Palio, desk: Client) -> None:
    path = address("event-edit", palio.event.slug)
    fields = fields_of(form_to(open_page(desk, path).one("main")))
    assert fields["purge_after_days"] == "30"
    send(desk, path, fields | {"purge_after_days": "7"})
    palio.event.refresh_from_db()
    assert palio.event.purge_after_days == 7


def test_public_page_shows_no_names_once_everybody_is_erased(palio: Palio, desk: Client) -> None:
    palio.event.names_shown = "initial"
    palio.event.save()
    Person.objects.update(shows_name=True)
    path = f"/en/{palio.event.slug}/{palio.tournament.slug}/matches/"
    assert "Ortensia" in Client().get(path).content.decode()
    send(desk, address("people-purge", palio.event.slug), {"name": palio.event.name})
    assert "Ortensia" not in Client().get(path).content.decode()


def test_people_page_counts_what_is_known_of_people(palio: Palio, desk: Client) -> None:
    one, other, third, *_ = Person.objects.order_by("pk")
    for person, fields in (
        (one, {"family": "Mulinacci"}),
        (other, {"school_class": "3 B", "note": "noci"}),
        (third, {"is_strong": True}),
    ):
        Person.objects.filter(pk=person.pk).update(**fields)

    shown = open_page(desk, address("people", palio.event.slug)).one("table")

    told = [(row.one("th").text, row.all("td")[0].text) for row in shown.one("tbody").all("tr")]
    assert told == [
        ("Name and date of birth", "6"),
        ("First name and initial", "6"),
        ("Consent to first name and initial in public", "0"),
        ("Family, class, who is strong", "3"),
        ("Note", "1"),
        ("Referees", "0"),
    ]
