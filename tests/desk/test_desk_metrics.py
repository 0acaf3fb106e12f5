"""What decides the order, as the desk asks it."""

import pytest
from django.test import Client

from tests.desk.palio import Palio
from tests.support.forms import address, fields_of, fill, form_to, open_page, send
from tournaments.models import Tournament
from tournaments.settings.tournament import default_metrics, every_metric

pytestmark = pytest.mark.django_db


def test_tournament_form_offers_every_metric(palio: Palio, desk: Client) -> None:
    page = open_page(desk, address("tournament-new", palio.event.slug))
    for select in page.all("select"):
        if select.attributes["name"].startswith("metrics_"):
            assert [option.attributes["value"] for option in select.all("option")] == ["", *every_metric()]


def test_new_tournament_has_the_default_metrics_unless_others_are_chosen(palio: Palio, desk: Client) -> None:
    path = address("tournament-new", palio.event.slug)
    asked = fields_of(form_to(open_page(desk, path)))
    fill(desk, path, name="Svizzera", format="swiss")
    fill(desk, path, name="Vittorie", format="swiss", metrics_0="wins")

    assert {value for name, value in asked.items() if name.startswith("metrics_")} == {""}
    stored = {each.name: each.settings["metrics"] for each in Tournament.objects.all()}
    assert stored["Svizzera"] == list(default_metrics("swiss"))
    assert stored["Vittorie"] == ["wins"]


def test_metrics_set_by_a_program_are_kept_by_the_settings_form(palio: Palio, desk: Client) -> None:
    metrics = ["points", "direct_match", "mini_tournaments", "wins", "lots"]
    fill(desk, address("tournament-new", palio.event.slug), name="Carte")
    made = Tournament.objects.get(name="Carte")
    made.settings["metrics"] = metrics
    made.save()
    path = address("tournament-settings", palio.event.slug, made.slug)
    fields = fields_of(form_to(open_page(desk, path)))
    assert [fields[f"metrics_{place}"] for place in range(5)] == metrics
    send(desk, path, fields | {"name": "Carte"})
    made.refresh_from_db()
    assert made.settings["metrics"] == metrics
