"""The rules sheet at the desk: a look at it before anything is stored, and the way to what is published."""

from typing import Any

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


def section(shown: Element, key: str) -> Element:
    """A section of the sheet."""
    (found,) = (
        each for each in shown.all(".rules-section") if each.attributes["aria-labelledby"] == f"rules-{key}"
    )
    return found


def test_the_preview_says_how_the_tournament_is_played_as_its_sheet_will(palio: Palio, desk: Client) -> None:
    filled: dict[str, Any] = {
        "format": "tables",
        "tables_seats": "5",
        "tables_rounds": "3",
        "preset": "palio",
        "tables": "6",
    }

    shown = preview(desk, palio, **filled)
    new = address("tournament-new", palio.event.slug)
    send(desk, new, fields_of(form_to(open_page(desk, new))) | filled | {"name": "Ai tavoli"})

    rows = [each.text for each in section(shown, "tournament").all("li")]
    assert "Rounds. 3." in rows
    assert (
        "Points at a table of 5. 1st 5 points, 2nd 3 points, 3rd 2 points, 4th 1 point, 5th 0 points." in rows
    )
    made = Tournament.objects.get(name="Ai tavoli")
    published = open_page(desk, f"/en/{palio.event.slug}/{made.slug}/rules/")
    assert [each.text for each in section(published, "tournament").all("li")] == rows
    assert titles(published) == titles(shown)


def test_a_form_that_does_not_hold_yet_shows_the_rules_of_the_game_alone(palio: Palio, desk: Client) -> None:
    shown = preview(desk, palio, format="tables", tables_seats="99")

    assert "rules-tournament" not in [each.attributes["id"] for each in shown.all("h2")]
    assert "once the other fields of the form hold" in shown.one(".notice-info").text


@pytest.mark.parametrize("preset", PRESETS)
def test_the_form_shows_the_sheet_of_what_is_filled_in(palio: Palio, desk: Client, preset: str) -> None:
    plain = preview(desk, palio, preset=preset)
    changed = preview(desk, palio, preset=preset, rule_burn="true", bell="one_more_card")
    assert changed.one("h1").text == f"{plain.one('h1').text}, with changes"
    assert set(titles(changed)) - set(titles(plain)) == {"Special rules"}
    assert section(changed, "bell").all("p")[-1].text == (
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
