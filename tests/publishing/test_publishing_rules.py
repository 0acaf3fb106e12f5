"""Rules sheets on the web and on paper: a tournament's, and those of the presets."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.engine import PRESETS
from people.actors import Actor
from publishing.rules import paper_of
from tests.support.computed_tournaments import address, palio
from tests.support.factories import make_account, make_event, make_tournament
from tests.support.forms import open_page
from tests.support.page_reading import Element
from tournaments.commands.set_up import change_settings
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

LANGUAGES = {"": "it", "/en": "en"}


def section(shown: Element, key: str) -> Element:
    """The section of the sheet with this key."""
    return next(
        each for each in shown.all(".rules-section") if each.attributes["aria-labelledby"] == f"rules-{key}"
    )


def open_paper(client: Client, path: str) -> Any:
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")
    assert response.content.startswith(b"%PDF-")
    return response


def set_rules(tournament: Tournament, ruleset: Any) -> None:
    change_settings(tournament, Actor.command(), {**tournament.settings, "ruleset": ruleset})


# A tournament's


def test_rules_sheet_shows_the_tournament_s_rule_set_and_changes(client: Client) -> None:
    tournament = make_tournament(make_event(slug="palio"))
    shown = open_page(client, address(tournament, "rules/"))
    assert shown.one("h1").text == "The rules of the palio"
    assert section(shown, "end").all("p")[-1].text == (
        "Who has no cards left wins the game, and the game is over."
    )
    set_rules(tournament, {"preset": "house", "zero_gift": True})
    shown = open_page(client, address(tournament, "rules/", language=""))
    assert shown.one("h1").text == "Le regole di casa, con modifiche"
    assert [name.text for name in section(shown, "special").all("strong")] == ["Il regalo dello zero."]
    rows = section(shown, "points").all("tr")
    assert [(row.one("th").text, row.all("td")[-1].text) for row in rows] == [
        ("Numeri", "il loro numero"),
        ("Salta, Inverti, Pesca due", "20 punti"),
        ("Jolly, Jolly Pesca quattro", "50 punti"),
    ]
    assert [[card.one("title").text for card in row.all("svg")] for row in rows] == [
        ["7 rosso"],
        ["Salta verde", "Inverti blu", "Pesca due giallo"],
        ["Jolly", "Jolly Pesca quattro"],
    ]


def test_rules_sheet_says_who_wins_when_the_bell_rings(client: Client) -> None:
    tournament = make_tournament(make_event(slug="palio"), bell="point_each")
    shown = open_page(client, address(tournament, "rules/"))
    assert section(shown, "bell").all("p")[-1].text == "Still level? Then each of them has a point."
    assert "bell" not in [each.attributes["id"] for each in open_page(client, "/rules/palio/").all("h2")]


def rows_of(shown: Element, key: str) -> list[str]:
    return [row.text for row in section(shown, key).all("li")]


def test_rules_sheet_says_how_the_tournament_is_played(client: Client) -> None:
    shown = open_page(client, address(make_tournament(make_event(slug="palio")), "rules/"))
    assert rows_of(shown, "tournament") == [
        "How they meet. Triangle. Squads of three teams sit down at a table and play three games, "
        "each against each.",
        "Players of a team at a table. 1.",
        "What places in the standings are worth. 30, 20, 10.",
        "What decides the order. Points, Direct match, Mini-tournaments won.",
        "Who is still level. Same points.",
    ]
    assert "tournament" not in [
        each.attributes["id"] for each in open_page(client, "/rules/palio/").all("h2")
    ]


def test_rules_sheet_says_length_points_and_byes_of_matches(client: Client) -> None:
    tournament = make_tournament(
        make_event(slug="palio"),
        format="swiss",
        options={"win": "3", "draw": "1", "bye": "1"},
        match={"length": "best_of", "games": 3},
        metrics=["points", "buchholz"],
        scale=[5, 3],
    )
    meet, *others = rows_of(open_page(client, address(tournament, "rules/")), "tournament")
    assert meet == (
        "How they meet. Swiss; Best of 3; two of one team meet only where it can't be avoided; nobody meets "
        "anybody twice; "
        "Points for a win: 3; Points for a draw: 1; Points for a loss: 0; Points for a bye: 1; "
        "A bye that was asked for: As many as a draw; A round before one came: Nothing."
    )
    assert others == [
        "Squads of each team. All.",
        "Players of a team at a table. 1.",
        "What places in the standings are worth. 5, 3.",
        "What decides the order. Points, Buchholz.",
        "Who is still level. Same points.",
    ]


def test_rules_sheet_explains_points_by_place_at_tables_of_many(client: Client) -> None:
    tournament = make_tournament(make_event(slug="palio"), format="tables", options={"rounds": 3})

    shown = open_page(client, address(tournament, "rules/"))

    assert [each.text for each in section(shown, "end").all("p")][-3:] == [
        "Who has no cards left comes first, and the game is over.",
        "The others come in by the cards they hold, the fewest first.",
        "Who holds as many shares the place.",
    ]
    assert [each.text for each in section(shown, "bell").all("p")][1:3] == [
        "Who holds the fewest cards comes first. If level, who has the fewest points in hand.",
        "Still level? Then they share the place.",
    ]
    assert rows_of(shown, "tournament")[:7] == [
        "How they meet. Tables. Everybody plays every round at a table, and meets as many others as "
        "possible; all rounds are planned in advance. A table has 4 seats; where numbers don’t divide, some "
        "have 3. Two of one team meet only where it can't be avoided.",
        "Rounds. 3.",
        "Points at a table of 4. 1st 4 points, 2nd 2 points, 3rd 1 point, 4th 0 points.",
        "Points at a table of 3. 1st 3½ points, 2nd 1½ points, 3rd ¼ point.",
        "Who shares a place. Has the mean of those points: two who are second at a table of 4 have 1½ each.",
        "Who sits out. Where not all can sit, some do in turn, and have 1¾ points, the mean.",
        "A table that is broken off. Gives each 1¾ points, the mean.",
    ]


def test_rules_sheet_has_the_scale_of_tables_of_three(client: Client) -> None:
    options = {"seats": 3, "scale": "6-3-0", "sits_out": False, "teams_apart": False}
    tournament = make_tournament(make_event(slug="palio"), format="tables", options=options)

    meet, *others = rows_of(open_page(client, address(tournament, "rules/")), "tournament")

    assert meet.endswith("all rounds are planned in advance. A table has 3 seats.")
    assert others[:5] == [
        "Rounds. 3.",
        "Points at a table of 3. 1st 6 points, 2nd 3 points, 3rd 0 points.",
        "Who shares a place. Has the mean of those points: two who are second at a table of 3 have 1½ each.",
        "Who sits out. Nobody by the draw; who asks for it has 3 points, the mean.",
        "A table that is broken off. Gives each 3 points, the mean.",
    ]


def test_rules_sheet_explains_points_of_cards_at_tables_of_many(client: Client) -> None:
    tournament = make_tournament(
        make_event(slug="palio"),
        format="tables_by_standing",
        options={"by_places": False},
        ruleset={"preset": "house", "after_out": "game_ends"},
    )

    shown = open_page(client, address(tournament, "rules/"))

    assert [each.text for each in section(shown, "bell").all("p")] == [
        "If the bell rings before anybody has won, the game stops.",
        "Everybody writes down the points of the cards they hold then.",
    ]
    assert [each.text for each in section(shown, "points").all("p")] == [
        "Everybody writes down the points of the cards they hold. Few points are good."
    ]
    assert rows_of(shown, "tournament")[1:5] == [
        "Rounds. 4.",
        "Points at a table. Those of the cards left in hand; the fewest is best.",
        "Who sits out. Where not all can sit, some do in turn, and have as many points as the others had in "
        "that round on average.",
        "A table that is broken off. Gives each as many points as the others had in that round on average.",
    ]


def test_rules_sheet_is_linked_from_the_tournament_s_pages(client: Client) -> None:
    tournament = palio()
    for path in ("", "matches/"):
        nav = open_page(client, address(tournament, path)).one("nav.site-nav")
        assert "/en/palio/torneo/rules/" in [link.attributes["href"] for link in nav.all("a")]
    shown = open_page(client, address(tournament, "rules/"))
    assert shown.one("p.actions").one("a").attributes["href"] == "/en/palio/torneo/rules.pdf"
    here = [link for link in shown.one("nav.site-nav").all("a") if "aria-current" in link.attributes]
    assert [link.text for link in here] == ["Rules"]


def test_rules_sheet_costs_one_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = palio()
    paths = [address(tournament, path, prefix) for path in ("rules/", "rules.pdf") for prefix in LANGUAGES]
    for path in paths:
        with django_assert_num_queries(1):
            assert client.get(path).status_code == 200


def test_rules_sheet_of_an_unpublished_event_is_its_organizers_alone(client: Client) -> None:
    organizer = make_account()
    tournament = make_tournament(make_event(organizer, slug="palio", is_published=False))
    for path in ("rules/", "rules.pdf"):
        assert client.get(address(tournament, path)).status_code == 404
    client.force_login(organizer)
    for path in ("rules/", "rules.pdf"):
        response = client.get(address(tournament, path))
        assert (response.status_code, response["Cache-Control"]) == (200, "private, no-store")


def test_rules_sheet_answers_304_until_the_rules_change(client: Client) -> None:
    tournament = make_tournament(make_event(slug="palio"))
    for path in ("rules/", "rules.pdf"):
        first = client.get(address(tournament, path))
        assert client.get(address(tournament, path), HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 304
        set_rules(tournament, {"preset": "palio", "hand_size": 5 if path == "rules/" else 6})
        assert client.get(address(tournament, path), HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 200


# On paper


def test_rules_sheet_pdf_is_one_a4_leaf_with_file_name_and_language(client: Client) -> None:
    tournament = make_tournament(make_event(slug="palio", name="Palio di Ceppo"), name="Torneo")
    for prefix, language in LANGUAGES.items():
        response = open_paper(client, address(tournament, "rules.pdf", prefix))
        word = {"it": "regole", "en": "rules"}[language]
        assert response["Content-Disposition"] == f'inline; filename="torneo-{word}.pdf"'
        made = response.content
        assert f"/Lang ({language})".encode() in made
        assert len(re.findall(rb"/Type /Page\b", made)) == 2
        assert b"/MediaBox [ 0 0 595.2756 841.8898 ]" in made


def test_rules_sheet_pdf_of_the_same_rules_has_the_same_bytes(client: Client) -> None:
    first = open_paper(client, "/rules/palio.pdf").content
    paper_of.cache_clear()
    assert open_paper(client, "/rules/palio.pdf").content == first
    assert open_paper(client, "/rules/house.pdf").content != first


# The presets


@pytest.mark.parametrize("prefix", LANGUAGES)
def test_rules_page_lists_presets_each_with_its_sheet(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, prefix: str
) -> None:
    with django_assert_num_queries(0):
        listed = open_page(client, f"{prefix}/rules/").all("article.event-line")
    links = {each.one("a").attributes["href"]: each.one("h2").text for each in listed}
    assert list(links) == [f"{prefix}/rules/{preset}/" for preset in PRESETS]
    for path, title in links.items():
        with django_assert_num_queries(0):
            shown = open_page(client, path)
        assert shown.one("h1").text == title
        assert shown.one("p.actions").all("a")[0].attributes["href"] == path.rstrip("/") + ".pdf"
        with django_assert_num_queries(0):
            open_paper(client, path.rstrip("/") + ".pdf")


def test_front_page_links_to_the_rules_of_the_presets(client: Client) -> None:
    footer = open_page(client, "/en/?all").one("footer")
    assert footer.all("a")[0].attributes["href"] == "/en/rules/"


@pytest.mark.parametrize("path", ["/rules/poker/", "/rules/poker.pdf", "/rules/palio.txt"])
def test_unknown_preset_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_event_slug_is_never_the_address_of_the_rules() -> None:
    assert make_event(name="Rules").slug != "rules"
