"""The rules sheet at the desk: a look at it before anything is stored, and the way to what is published."""

import re
from typing import Any

import pytest
from django.test import Client

from games.engine import PRESETS
from people.actors import Actor
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.forms import address, fields_of, form_to, open_page, send
from tests.support.page_reading import Element, read
from tournaments.commands.draw import make_draw, publish_draw
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def preview(desk: Client, palio: Palio, status: int = 200, **filled: Any) -> Element:
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


def test_rules_preview_says_how_the_tournament_is_played(palio: Palio, desk: Client) -> None:
    filled: dict[str, Any] = {
        "format": "tables",
        "tables_seats": "5",
        "tables_rounds": "3",
        "preset": "palio",
        "tables": "6",
    }

    shown = preview(desk, palio, **filled)

    rows = [each.text for each in section(shown, "tournament").all("li")]
    assert "Rounds. 3." in rows
    assert (
        "Points at a table of 5. 1st 5 points, 2nd 3 points, 3rd 2 points, 4th 1 point, 5th 0 points." in rows
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_preview_shows_the_rules_that_are_filled_in(palio: Palio, desk: Client, preset: str) -> None:
    plain = preview(desk, palio, preset=preset)
    changed = preview(desk, palio, preset=preset, rule_burn="true", bell="one_more_card")

    assert changed.one("h1").text == f"{plain.one('h1').text}, with changes"
    assert set(titles(changed)) - set(titles(plain)) == {"Special rules"}
    assert section(changed, "bell").all("p")[-1].text == (
        "Still level? Then they play on, one card each, until somebody is ahead."
    )
    assert Tournament.objects.count() == 1


TABLES = {
    **{"format": "tables", "tables_rounds": "3"},
    **{"preset": "house", "bell": "no_point", "rule_burn": "true"},
}


def sections(shown: Element) -> list[str]:
    """The text of each section of a rules sheet."""
    return [each.text for each in shown.all(".rules-section")]


@pytest.mark.parametrize("filled", [TABLES, {"format": "swiss"}, {"format": "triangle"}])
def test_rules_preview_is_the_sheet_that_is_published_afterwards(
    palio: Palio, desk: Client, filled: dict[str, Any]
) -> None:
    new = address("tournament-new", palio.event.slug)
    fields = fields_of(form_to(open_page(desk, new))) | filled
    before = sections(preview(desk, palio, **filled))

    send(desk, new, fields | {"name": "Tavoli"})

    made = Tournament.objects.get(name="Tavoli")
    make_draw(made, Actor.command(), factories.SEED)
    publish_draw(made, Actor.command())

    assert "How the tournament is played" in before[-1]
    assert before == sections(open_page(desk, f"/en/{palio.event.slug}/{made.slug}/rules/"))


def test_rules_preview_of_a_tournament_has_what_its_settings_form_says(palio: Palio, desk: Client) -> None:
    metrics = ["points", "wins", "table_places", "direct_match", "lots"]
    tournament = factories.make_tournament(
        palio.event, "Tavoli", format="tables", options={"rounds": 3}, metrics=metrics
    )
    path = address("tournament-settings", palio.event.slug, tournament.slug)
    fields = fields_of(form_to(open_page(desk, path)))

    shown = read(send(desk, address("rules-preview", palio.event.slug), fields | {"tables_rounds": "4"}, 200))

    assert "Then they share the place." in shown.text
    assert "Points, Wins, Places at the tables, Direct match, Lots." in sections(shown)[-1]
    assert re.search(r"Rounds\W+4\.", sections(shown)[-1])


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"format": "tables"}, "They share the place"),
        ({"format": "tables", "bell": "one_more_card"}, "They play on, one card each"),
        (
            {"format": "tables", "options": {"by_places": False}, "ruleset": "house"},
            "Everybody has the points",
        ),
        ({"format": "swiss"}, "Nobody has the point"),
    ],
)
def test_tournament_s_page_says_what_its_format_does_when_the_bell_rings(
    palio: Palio, desk: Client, settings: dict[str, Any], told: str
) -> None:
    tournament = factories.make_tournament(palio.event, "Tavoli", **settings)

    shown = open_page(desk, address("tournament", palio.event.slug, tournament.slug)).one("dl.facts")

    names, values = ([each.text for each in shown.all(tag)] for tag in ("dt", "dd"))
    assert values[names.index("Still level when the bell rings")].startswith(told)


def test_rules_preview_is_offered_as_long_as_rules_can_change(palio: Palio, desk: Client) -> None:
    form = form_to(open_page(desk, address("tournament-new", palio.event.slug)))
    targets = [each.attributes.get("formaction") for each in form.all("button")]
    # The first button is the one that the return key presses: it has to be the form's own.
    assert targets == [None, address("rules-preview", palio.event.slug)]
    settings = address("tournament-settings", palio.event.slug, palio.tournament.slug)
    assert len(form_to(open_page(desk, settings)).all("button")) == 1


def test_rules_that_can_t_be_played_have_no_sheet_and_say_why(palio: Palio, desk: Client) -> None:
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


def test_tournament_s_page_leads_to_its_rules_sheet_and_its_pdf(palio: Palio, desk: Client) -> None:
    shown = open_page(desk, address("tournament", palio.event.slug, palio.tournament.slug))
    links = [link.attributes["href"] for link in shown.all("a")]
    sheet = f"/en/{palio.event.slug}/{palio.tournament.slug}/rules"

    assert [link for link in links if link.startswith(sheet)] == [f"{sheet}/", f"{sheet}.pdf"]
    assert open_page(desk, f"{sheet}/").one("h1").text == "The rules of the palio"
