"""The overall table as the public sees it: places, points by discipline, jokers, and why."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from ledger.receipts import make_receipt
from people import audit
from people.actors import Actor
from tests.support import factories
from tests.support.computed_tournaments import enter, sides_of
from tests.support.forms import open_page
from tests.support.page_reading import Element, rows
from tests.support.palio_days import ACTOR, Day, make_day
from tournaments.commands.palio_jokers import play_joker
from tournaments.commands.palio_other_games import enter_placements
from tournaments.commands.palio_set_up import set_up_palio
from tournaments.projections import overall as standing

pytestmark = pytest.mark.django_db


@pytest.fixture
def day() -> Day:
    return make_day()


def cells(shown: Element) -> list[list[str]]:
    return [[cell.text for cell in row.all("td")] for row in shown.one("tbody").all("tr")]


def test_overall_table_of_no_decided_discipline_gives_no_reasons(client: Client, day: Day) -> None:
    shown = open_page(client, "/en/festa/palio/")
    assert rows(shown) == [("1=", name, "0", "") for name in ("Superiore", "Centro", "Inferiore")]
    assert "0 of 3 disciplines are decided." in shown.one(".page-header").text


def test_overall_table_says_why_each_place_is_above_the_next(client: Client, day: Day) -> None:
    play_joker(day.palio, ACTOR, day.teams[2], day.race)
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    standing.compute(day.palio.pk)
    day.run("Centro", "Superiore", "Inferiore")
    shown = open_page(client, "/en/festa/palio/")
    assert rows(shown) == [
        ("1", "Centro", "80", "Ahead on the total: 80 to 70"),
        ("2", "Superiore", "70", "Ahead on the total: 70 to 50"),
        ("3", "Inferiore", "50", ""),
    ]
    assert cells(shown)[2] == ["10 place 3", "– open", "40 place 3 joker", "50"]
    told = [row[3] for row in rows(open_page(client, "/festa/palio/"))]
    assert [line.replace("\xa0", " ") for line in told] == [
        "Avanti per totale: 80 a 70",
        "Avanti per totale: 70 a 50",
        "",
    ]


def test_overall_table_writes_a_total_of_one_in_the_singular(client: Client) -> None:
    day = make_day()
    light = [{**each, "weight": "1/20"} for each in day.palio.rules["disciplines"]]
    names = [{**each, "name": "Corsa"} if each["kind"] == "other" else each for each in light]
    set_up_palio(day.event, ACTOR, {**day.palio.rules, "disciplines": names})

    day.run("Superiore", "Centro", "Inferiore")

    for path, told in (
        ("/en/festa/palio/", "1½ points 1 point ½ point"),
        ("/festa/palio/", "1½ punti 1 punto ½ punto"),
    ):
        shown = open_page(client, path)
        assert " ".join(each.text for each in shown.all(".standing-points")) == told
    team = open_page(client, f"/en/festa/teams/{day.teams[1].number}/")

    assert "1 point" in [each.text for each in team.one(".team-places").all("span")]


def test_overall_table_names_the_discipline_whose_place_decides(client: Client) -> None:
    day = make_day()
    rules = {**day.palio.rules, "metrics": ["total", f"place_in:{day.race}"]}
    set_up_palio(day.event, ACTOR, rules)
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    day.finish(day.dice, "Superiore", "Centro", "Inferiore")
    day.run("Inferiore", "Centro", "Superiore")

    assert rows(open_page(client, "/en/festa/palio/"))[0] == (
        "1",
        "Inferiore",
        "80",
        "Ahead by the place in Corsa nei sacchi: 1 before 2",
    )


def test_overall_table_names_who_is_level_and_announces_lots(client: Client) -> None:
    day = make_day(metrics=["total"], tie_policy="lots")
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    day.finish(day.dice, "Centro", "Superiore", "Inferiore")
    one, two, three = (team.pk for team in day.teams)
    enter_placements(day.palio, ACTOR, day.race, [(one, 1), (two, 1), (three, 3)])

    assert rows(open_page(client, "/en/festa/palio/"))[:2] == [
        ("1=", "Superiore", "110", "Level with Centro: lots will be drawn; ahead on the total: 110 to 40"),
        ("1=", "Centro", "110", "Level with Superiore: lots will be drawn; ahead on the total: 110 to 40"),
    ]


def test_podium_of_the_palio_stands_once_all_disciplines_are_decided(client: Client, day: Day) -> None:
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    day.finish(day.dice, "Superiore", "Centro", "Inferiore")
    assert not open_page(client, "/en/festa/palio/").has(".podium")
    day.run("Superiore", "Centro", "Inferiore")
    for path in ("/en/festa/palio/", "/en/festa/palio/projector/"):
        shown = open_page(client, path)
        assert [step.text for step in shown.all(".step-name")] == ["Superiore", "Centro", "Inferiore"]


def test_podium_of_the_palio_has_points_that_are_not_whole(client: Client) -> None:
    day = make_day()
    halves = [{**each, "weight": "1/4"} for each in day.palio.rules["disciplines"]]
    names = [{**each, "name": "Corsa"} if each["kind"] == "other" else each for each in halves]
    set_up_palio(day.event, ACTOR, {**day.palio.rules, "disciplines": names})
    for tournament in (day.cards, day.dice):
        day.finish(tournament, "Superiore", "Centro", "Inferiore")
    day.run("Superiore", "Centro", "Inferiore")

    shown = open_page(client, "/en/festa/palio/")

    told = [line.text for line in shown.all(".standing-points")]
    assert (
        [step.text for step in shown.all(".step-points")] == told == ["22½ points", "15 points", "7½ points"]
    )


def test_overall_table_that_is_final_keeps_its_receipt(client: Client, day: Day) -> None:
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    day.finish(day.dice, "Superiore", "Centro", "Inferiore")
    day.run("Superiore", "Centro", "Inferiore")
    sealed = open_page(client, "/en/festa/palio/").one(".receipt").one("code").text

    later = make_receipt(day.event.pk)

    shown = open_page(client, "/en/festa/palio/").one(".receipt").one("code").text
    assert (shown, shown == later.root) == (sealed, False)


def test_event_page_shows_the_overall_table(client: Client, day: Day) -> None:
    day.run("Centro", "Superiore", "Inferiore")
    shown = open_page(client, "/en/festa/")
    overall = shown.all("section.tournament")[0]

    assert overall.one("h2").text == "Overall table"
    assert [row[1:3] for row in rows(overall)] == [("Centro", "60"), ("Superiore", "40"), ("Inferiore", "20")]
    assert overall.one("a.button").attributes["href"] == "/en/festa/palio/"


def test_projector_of_a_tournament_goes_on_with_the_overall_table(client: Client, day: Day) -> None:
    day.run("Centro", "Superiore", "Inferiore")
    first = open_page(client, "/en/festa/carte/projector/")
    assert len(first.one(".screen-dots").all("i")) == 2
    second = open_page(client, "/en/festa/carte/projector/2/")
    assert second.one("h1").text == "Overall table 1 of 3 disciplines"
    assert [row[1:3] for row in rows(second)] == [("Centro", "60"), ("Superiore", "40"), ("Inferiore", "20")]


def test_overall_table_of_an_event_without_a_palio_is_not_found(client: Client) -> None:
    factories.drawn_tournament(factories.make_event(slug="festa"))
    assert [client.get(f"/en/festa/palio/{rest}").status_code for rest in ("", "projector/")] == [404, 404]


def test_overall_table_of_a_private_event_is_its_organizers_alone(client: Client) -> None:
    organizer = factories.make_account()
    day = make_day(organizer)
    day.event.is_published = False
    day.event.save()
    assert client.get("/en/festa/palio/").status_code == 404
    client.force_login(organizer)
    response = client.get("/en/festa/palio/")
    assert (response.status_code, response["Cache-Control"]) == (200, "private, no-store")


def test_overall_table_answers_304_until_a_result_or_name_changes(
    client: Client, day: Day, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(8):
        first = client.get("/en/festa/palio/")
    with django_assert_num_queries(1):
        again = client.get("/en/festa/palio/", HTTP_IF_NONE_MATCH=first["ETag"])
    assert again.status_code == 304
    game = factories.games_of(day.cards)[0]
    enter(game, sides_of(game)[0])
    day.run("Centro", "Superiore", "Inferiore")
    changed = client.get("/en/festa/palio/", HTTP_IF_NONE_MATCH=first["ETag"])
    assert changed.status_code == 200
    audit.change(day.teams[0], Actor.command(), day.event.pk, {"name": "Cima"})
    renamed = client.get("/en/festa/palio/", HTTP_IF_NONE_MATCH=changed["ETag"])
    assert renamed.status_code == 200


def test_overall_table_costs_seven_queries_for_nine_teams(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event = factories.make_event(slug="tanti")
    factories.make_field(event, 9, 1)
    set_up_palio(event, ACTOR, {"disciplines": [{"kind": "other", "name": name} for name in "ABCDE"]})
    with django_assert_num_queries(7):
        client.get("/en/tanti/palio/")


@pytest.mark.parametrize("computes", [True, False])
def test_day_chart_has_each_discipline_whenever_the_table_is_computed(
    client: Client, day: Day, computes: bool
) -> None:
    day.finish(day.dice, "Superiore", "Centro", "Inferiore")
    if computes:
        standing.compute(day.palio.pk)
    day.run("Inferiore", "Centro", "Superiore")
    standing.compute(day.palio.pk)
    day.run("Inferiore", "Superiore", "Centro", reason="typing-error")
    if computes:
        standing.compute(day.palio.pk)
    day.finish(day.cards, "Centro", "Inferiore", "Superiore")
    standing.compute(day.palio.pk)

    shown = open_page(client, "/en/festa/palio/day/")

    heads = [head.text for head in shown.one("thead").all("th")]
    assert [head.rpartition(" ")[0] for head in heads] == ["", "1. Dadi", "2. Corsa nei sacchi", "3. Carte"]
    table = shown.one(".day-table").one("tbody").all("tr")
    assert [[row.one("th").text, *(cell.seen for cell in row.all("td"))] for row in table] == [
        ["Inferiore", "3", "2", "1"],
        ["Superiore", "1", "1", "2"],
        ["Centro", "2", "3", "3"],
    ]
