"""The palio at the desk: its rules, jokers, places of other games and the table, as a browser sends them."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support import factories
from tests.support.clients import browser_of
from tests.support.computed_tournaments import enter, sides_of, win
from tests.support.forms import (
    address,
    changes,
    confirm,
    confirming,
    errors,
    fields_of,
    fill,
    form_to,
    open_page,
    send,
)
from tests.support.page_reading import Element, read
from tests.support.palio_days import ACTOR, Day, make_day
from tournaments.commands.close import reopen_tournament
from tournaments.models import OtherGame, Palio
from tournaments.tasks import compute_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def day() -> Day:
    return make_day(factories.make_account())


@pytest.fixture
def desk(day: Day) -> Client:
    return browser_of(day.event.organizers.get().account)


def table(page: Element) -> list[list[str]]:
    return [[cell.text for cell in row.all("td")] for row in page.one("tbody").all("tr")]


def test_palio_is_set_up_from_its_empty_page() -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer, slug="festa")
    factories.make_field(event)
    cards = factories.make_tournament(event, "Carte")
    desk = browser_of(organizer)
    empty = open_page(desk, address("palio", "festa"))
    assert empty.one(".empty").one("a").attributes["href"] == address("palio-set-up", "festa")
    new = {"new1_name": "Sacchi", "new1_weight": "1,5", "new1_scale": "5, 3", "new1_order": "1"}
    path = address("palio-set-up", "festa")
    fill(desk, path, 302, "", **new, **{f"d{cards.pk.hex}_order": "2"})
    rules = Palio.objects.get().rules
    game = OtherGame.objects.get()
    assert [(each["id"], each["weight"], each["scale"]) for each in rules["disciplines"]] == [
        (str(game.pk), "3/2", [5, 3]),
        (str(cards.pk), "1", []),
    ]
    assert rules["metrics"] == ["total", "places:1", "places:2", "places:3"]
    fill(desk, path, 302, "", **{f"d{game.pk.hex}_name": "Corsa nei sacchi"})
    assert OtherGame.objects.get().name == "Corsa nei sacchi"


def test_palio_rules_that_are_wrong_are_refused(day: Day, desk: Client) -> None:
    path = address("palio-set-up", "festa")
    wrong = fill(desk, path, 422, new1_name="Fune", new1_weight="-1")

    assert "disciplines.3.weight" not in errors(read(wrong))[0]
    assert "a number above 0" in errors(read(wrong))[0]
    assert day.palio.other_games.count() == 1


def test_discipline_name_with_a_tab_is_refused(day: Day, desk: Client) -> None:
    path = address("palio-set-up", "festa")

    wrong = read(fill(desk, path, 422, new1_name="Tiro alla\tfune"))

    assert "a name without tabs, line breaks and control characters" in errors(wrong)[0]
    assert "1 to 120" not in errors(wrong)[0]
    assert day.palio.other_games.count() == 1


def test_palio_rules_change_only_with_a_reason_after_the_first_game(day: Day, desk: Client) -> None:
    path = address("palio-set-up", "festa")
    game = factories.games_of(day.cards)[0]
    enter(game, sides_of(game)[0])
    fill(desk, path, 422, jokers_each="2")
    fill(desk, path, jokers_each="2", reason="organizer-decision")

    assert Palio.objects.get().rules["jokers_each"] == 2


def test_places_of_another_game_are_entered_and_corrected(day: Day, desk: Client) -> None:
    path = address("palio-placements", "festa", day.race)
    one, two, three = (f"place_{team.pk}" for team in day.teams)
    wrong = fill(desk, path, 422, "", **{one: "1", two: "3", three: "-"})
    assert "Place 3 was entered where place 2 comes" in errors(read(wrong))[0]
    seen = confirm(desk, path, **{one: "1", two: "2", three: "-"})
    assert changes(seen) == [("Superiore", "1", "0 60"), ("Centro", "1 2", "0 40"), ("Inferiore", "1 3", "0")]
    assert day.table == [(1, "Superiore", "60"), (2, "Centro", "40"), (3, "Inferiore", "0")]
    fill(desk, path, 422, "", **{one: "2", two: "1"})
    other = {one: "2", two: "1", "reason": "typing-error"}
    asked = read(fill(desk, path, 200, "", **other))
    assert day.table[0] == (1, "Superiore", "60")
    again = read(send(desk, path, fields_of(confirming(asked)) | {"again": "yes"}, 200))
    assert fields_of(form_to(again))[one] == "2"
    confirm(desk, path, **other)
    assert day.table[0] == (1, "Centro", "60")
    lines = [row.text for row in open_page(desk, address("audit", "festa")).one("tbody").all("tr")]
    assert "Places entered · Corsa nei sacchi" in lines[0]
    assert "1. Centro, 2. Superiore" in lines[0]


def test_palio_fractions_are_the_same_at_the_desk_and_in_public(day: Day, desk: Client) -> None:
    """The race counts a quarter, so its first place gives 7½ of 30."""
    fill(desk, address("palio-set-up", "festa"), 302, "", **{f"d{day.race.hex}_weight": "1/4"})
    day.run("Superiore", "Centro", "Inferiore")

    shown = open_page(desk, address("palio", "festa"))
    public = read(desk.get("/en/festa/palio/"))

    assert [row[3:5] for row in table(shown)] == [["7½", "7½"], ["5", "5"], ["2½", "2½"]]
    assert [total.text for total in public.all("span.standing-points")] == [
        "7½ points",
        "5 points",
        "2½ points",
    ]
    for page in (shown, public):
        assert [small.text for small in page.all("small") if "×" in small.text] == ["× ¼"]


def test_joker_is_played_shown_and_taken_back(day: Day, desk: Client) -> None:
    path = address("palio", "festa")
    fill(
        desk,
        path,
        action=address("palio-joker", "festa"),
        team=str(day.teams[1].pk),
        discipline=str(day.race),
    )
    assert table(open_page(desk, path))[1][1:4] == ["–", "–", "joker –"]
    twice = fill(
        desk,
        path,
        409,
        address("palio-joker", "festa"),
        team=str(day.teams[1].pk),
        discipline=str(day.cards.pk),
    )
    assert "Centro has played more jokers than it may" in " ".join(errors(read(twice)))
    fill(desk, path, action=address("palio-joker-withdraw", "festa"))
    assert not day.palio.jokers.exists()


def test_begun_discipline_takes_no_joker(day: Day, desk: Client) -> None:
    game = factories.games_of(day.cards)[0]
    enter(game, sides_of(game)[0])
    form = form_to(open_page(desk, address("palio", "festa")), address("palio-joker", "festa"))
    offered = [option.text for select in form.all("select")[1:] for option in select.all("option")]

    assert offered == ["Dadi", "Corsa nei sacchi"]


def test_tournament_that_is_open_again_is_over_on_every_page(day: Day, desk: Client) -> None:
    pages = ["/en/festa/palio/", "/en/desk/events/festa/palio/"]

    def told() -> list[list[str]]:
        standings = open_page(desk, f"/en/festa/{day.cards.slug}/").one(".progress").one(".chip").text
        parts = [open_page(desk, path).all("li") for path in pages]
        cards = [next(each for each in part if "Carte" in each.text and each.all(".chip")) for part in parts]
        return [[standings], *([chip.text for chip in each.all(".chip")] for each in cards)]

    first = factories.games_of(day.cards)[0]
    win(first, sides_of(first)[0])
    playing = told()
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    closed = told()
    reopen_tournament(day.cards, ACTOR, "typing-error")
    compute_standings(str(day.cards.pk))
    reopened = told()

    assert playing == [["playing"]] * 3
    assert closed == [["closed"], ["done"], ["done"]]
    assert reopened == [["over"]] * 3


def test_palio_lots_are_drawn_where_teams_are_level(desk: Client, day: Day) -> None:
    fill(desk, address("palio-set-up", "festa"), tie_policy="lots")
    day.finish(day.cards, "Superiore", "Centro", "Inferiore")
    day.finish(day.dice, "Centro", "Superiore", "Inferiore")
    one, two, three = (f"place_{team.pk}" for team in day.teams)
    places = {one: "1", two: "1", three: "3"}
    confirm(desk, address("palio-placements", "festa", day.race), **places)
    path = address("palio", "festa")
    fill(desk, path, action=address("palio-lots", "festa"))

    assert [place for place, *_ in day.table] == [1, 2, 3]
    assert "All is decided." in open_page(desk, path).text


def test_palio_page_tells_of_a_team_that_was_added_later(day: Day, desk: Client) -> None:
    factories.make_team(day.event)
    path = address("palio", "festa")
    assert "1 team was added after the palio was set up" in open_page(desk, path).text
    fill(desk, address("palio-set-up", "festa"))
    assert len(table(open_page(desk, path))) == 4


def test_palio_page_costs_as_many_queries_with_more_teams(day: Day, desk: Client) -> None:
    def cost() -> int:
        open_page(desk, address("palio", "festa"))
        with CaptureQueriesContext(connection) as captured:
            open_page(desk, address("palio", "festa"))
        return len(captured)

    few = cost()
    for _ in range(5):
        factories.make_team(day.event)
    fill(desk, address("palio-set-up", "festa"))

    assert cost() == few
