"""The rules sheet at the desk: a look at it before anything is stored, and the way to what is published."""

import pytest
from django.test import Client

from games.engine import PRESETS
from tests.desk.conftest import Palio
from tests.desk.forms import address, fields_of, form_to, open_page, send
from tests.publishing.reading import Element, read
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def preview(desk: Client, palio: Palio, status: int = 200, **filled: str) -> Element:
    """What a new tournament's form shows as its rules sheet."""
    fields = fields_of(form_to(open_page(desk, address("tournament-new", palio.event.slug)))) | filled
    return read(send(desk, address("rules-preview", palio.event.slug), fields, status))


def titles(shown: Element) -> list[str]:
    return [each.text for each in shown.all("h2")]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_form_shows_the_sheet_of_what_is_filled_in(palio: Palio, desk: Client, preset: str) -> None:
    plain = preview(desk, palio, preset=preset)
    changed = preview(desk, palio, preset=preset, rule_burn="true", bell="one_more_card")
    assert changed.one("h1").text == f"{plain.one('h1').text}, with changes"
    assert set(titles(changed)) - set(titles(plain)) == {"Special rules"}
    assert changed.all(".rules-section")[-1].all("p")[-1].text == (
        "Still level? Then they play on, one card each, until somebody is ahead."
    )
    assert Tournament.objects.count() == 1


def test_the_button_is_on_the_form_as_long_as_rules_can_change(palio: Palio, desk: Client) -> None:
    form = form_to(open_page(desk, address("tournament-new", palio.event.slug)))
    targets = [each.attributes.get("formaction") for each in form.all("button")]
    # The first button is the one that the return key presses: it has to be the form's own.
    assert targets == [None, address("rules-preview", palio.event.slug)]
    settings = address("tournament-settings", palio.event.slug, palio.tournament.slug)
    assert len(form_to(open_page(desk, settings)).all("button")) == 1


def test_what_can_t_be_played_has_no_sheet_and_says_why(palio: Palio, desk: Client) -> None:
    shown = preview(desk, palio, 422, rule_hand_size="0")
    assert [line.text for line in shown.one(".notice-error").all("li")] == [
        "Cards dealt to each player. Ensure this value is greater than or equal to 1."
    ]
    shown = preview(desk, palio, 422, rule_uno_penalty="1000000000")
    assert [line.text for line in shown.one(".notice-error").all("li")] == [
        "Cards drawn for a forgotten UNO. Ensure this value is less than or equal to 10000."
    ]
    shown = preview(desk, palio, 422, rule_scoring="elimination")
    assert not shown.has(".rules-sheet")
    assert "new_deal" not in shown.text


def test_a_tournament_s_page_leads_to_its_sheet_and_its_paper(palio: Palio, desk: Client) -> None:
    shown = open_page(desk, address("tournament", palio.event.slug, palio.tournament.slug))
    links = [link.attributes["href"] for link in shown.all("a")]
    sheet = f"/en/{palio.event.slug}/{palio.tournament.slug}/rules"
    assert [link for link in links if link.startswith(sheet)] == [f"{sheet}/", f"{sheet}.pdf"]
    assert open_page(desk, f"{sheet}/").one("h1").text == "The rules of the palio"
