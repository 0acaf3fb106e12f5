"""The front page, an event, its mini-tournaments, the projector, and what is said when something is wrong."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.test import Client, RequestFactory
from django.utils import timezone, translation
from pytest_django import DjangoAssertNumQueries

from people.actors import Actor
from people.models import Event
from publishing import errors
from publishing.views.projector import evenly
from tests.support.computed_tournaments import address, enter, palio, play, sides_of, win
from tests.support.factories import (
    drawn_tournament,
    games_of,
    make_account,
    make_entry,
    make_event,
    make_field,
    make_team,
    make_tournament,
    matches_of,
)
from tests.support.forms import open_page
from tests.support.page_reading import Element, read, rows
from tournaments.commands.close import close_tournament
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings as stored_standings

pytestmark = pytest.mark.django_db

ORDER = ("Superiore", "Centro", "Inferiore")


# The front page


def test_front_page_lists_published_events(client: Client) -> None:
    make_event(slug="a", name="Palio A")
    make_event(slug="b", name="Palio B")
    make_event(slug="c", name="Palio C", is_published=False)
    make_event(slug="d", name="Prova", is_practice=True)
    shown = open_page(client, "/en/")
    links = [line.one("a") for line in shown.all(".event-line")]

    assert [(link.text, link.attributes["href"]) for link in links] == [
        ("Palio A", "/en/a/"),
        ("Palio B", "/en/b/"),
    ]


def test_practice_event_is_listed_while_it_is_the_only_event(client: Client) -> None:
    make_event(slug="prova", name="Prova", is_practice=True)
    assert [line.one("a").text for line in open_page(client, "/en/").all(".event-line")] == ["Prova"]


def test_front_page_without_events_says_so(client: Client) -> None:
    assert open_page(client, "/en/").one(".empty").one("h2").text == "No event is published yet"


def test_front_page_redirects_to_the_event_of_today(client: Client) -> None:
    today = timezone.localdate()
    make_event(slug="oggi", starts_on=today, ends_on=today + timedelta(days=1))
    make_event(slug="ieri", starts_on=today - timedelta(days=9), ends_on=today - timedelta(days=9))
    response = client.get("/en/")

    assert (response.status_code, response["Location"]) == (302, "/en/oggi/")
    assert len(open_page(client, "/en/?all").all(".event-line")) == 2


# An event


def test_event_page_shows_teams_progress_and_standings(client: Client) -> None:
    tournament = palio(entries=4, rounds=2)
    for game in games_of(tournament)[:13]:
        win(game, sides_of(game)[0])
    shown = open_page(client, "/en/palio/")

    assert shown.one("h1").text == "Palio"
    assert [team.text for team in shown.one(".teams").all("li")] == list(ORDER)
    assert shown.one(".progress").text == "playing Round 2 of 2. 13 of 24 games played."
    assert [row[:3] for row in rows(shown)] == [
        row[:3] for row in rows(open_page(client, address(tournament)))
    ]
    assert not shown.has(".podium")


def test_event_page_shows_the_podium_of_a_closed_tournament(client: Client) -> None:
    tournament = palio()
    play(tournament, ORDER)
    close_tournament(tournament, Actor.command())
    shown = open_page(client, "/en/palio/")

    assert [step.text for step in shown.all(".step-name")] == list(ORDER)
    assert shown.one(".progress").text == "closed All 3 games are played."


def test_event_page_without_tournaments_or_draw_says_so(client: Client) -> None:
    event = make_event(slug="palio")
    assert open_page(client, "/en/palio/").one(".empty").one("h2").text == "No tournament yet"
    make_field(event)
    make_tournament(event)
    shown = open_page(client, "/en/palio/")
    assert shown.one(".progress").text == "draft The draw isn’t published yet."
    links = [link.attributes["href"] for link in shown.all("a")]
    assert [link for link in links if "/torneo/" in link] == ["/en/palio/torneo/rules/"]


def test_event_page_costs_the_same_with_more_teams_and_tournaments(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """During the day, and once everything is played."""
    tournament = palio()
    game = games_of(tournament)[0]
    win(game, sides_of(game)[0])
    with django_assert_num_queries(16):
        client.get("/en/palio/")
    others = [drawn_tournament(tournament.event, name=name) for name in ("Sacchi", "Fune")]
    for _ in range(9):
        make_team(tournament.event)
    with django_assert_num_queries(16):
        client.get("/en/palio/")
    for each in (tournament, *others):
        play(each, ORDER)
    with django_assert_num_queries(11):
        client.get("/en/palio/")


def test_unpublished_event_is_its_organizers_alone(client: Client) -> None:
    organizer = make_account()
    make_event(organizer, slug="palio", is_published=False)
    assert client.get("/en/palio/").status_code == 404
    client.force_login(organizer)
    response = client.get("/en/palio/")
    assert (response.status_code, response["Cache-Control"]) == (200, "private, no-store")


def test_event_page_round_page_and_front_page_answer_304_unchanged(client: Client) -> None:
    tournament = palio()
    for path in ("/en/palio/", address(tournament, "matches/"), "/en/?all"):
        first = client.get(path)
        assert client.get(path, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 304


# Mini-tournaments


def tables(shown: Element) -> list[tuple[str, list[str]]]:
    """Each table with its sides and their points."""
    return [(mini.one("h3").text, [side.seen for side in mini.all("li")]) for mini in shown.all(".mini")]


def test_round_page_lists_matches_by_wave_and_table(client: Client) -> None:
    tournament = palio(entries=3, tables=2, rounds=1)
    first = games_of(tournament)[:3]
    for game in first:
        win(game, min(sides_of(game), key=lambda team: team.number))
    match = first[0].match
    shown = open_page(client, address(tournament, "matches/"))
    numbers = {
        side.squad.team.short_name: side.squad.members.get().entry.number for side in match.sides.all()
    }

    assert tables(shown)[0] == (
        "Table 1 14:00 done",
        [
            f"Superiore {numbers['Superiore']} 2",
            f"Centro {numbers['Centro']} 1",
            f"Inferiore {numbers['Inferiore']} 0",
        ],
    )
    assert [name for name, _ in tables(shown)] == [
        "Table 1 14:00 done",
        "Table 2 14:00 waiting",
        "Table 1 14:35 waiting",
    ]
    assert [wave.text for wave in shown.all(".wave")] == ["Wave 1", "Wave 2"]


def test_round_page_opens_at_the_current_round_and_others_by_number(client: Client) -> None:
    tournament = palio(entries=3, rounds=3)
    matches = address(tournament, "matches/")

    def here(path: str) -> str:
        return next(
            a.text for a in open_page(client, path).one(".rounds").all("a") if "aria-current" in a.attributes
        )

    assert here(matches) == "Round 1"
    for game in games_of(tournament)[:9]:
        enter(game, None, "time")
    assert here(matches) == "Round 2"
    assert here(f"{matches}round/3/") == "Round 3"
    for game in games_of(tournament)[9:]:
        enter(game, None, "time")
    assert here(matches) == "Round 3"
    for wrong in ("4", "0", "x", "-1", "1.5", "9" * 30):
        assert client.get(f"{matches}round/{wrong}/").status_code == 404


def test_round_page_costs_the_same_with_one_table_and_with_twelve(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    few, many = palio(), palio(12, make_event(slug="grande"), tables=12)
    for tournament in (few, many):
        matches = address(tournament, "matches/")
        with django_assert_num_queries(8):
            client.get(matches)


def test_round_page_shows_names_where_event_and_parents_allow_it(client: Client) -> None:
    event = make_event(slug="palio", names_shown=Event.NamesShown.INITIAL)
    for consents in (True, False, False):
        make_entry(make_team(event), shows_name=consents)
    tournament = palio(event=event)
    shown = open_page(client, address(tournament, "matches/"))

    assert tables(shown) == [("Table 1 14:00 waiting", ["Superiore: Ortensia Z.", "Centro 1", "Inferiore 1"])]


def test_mini_tournament_page_has_its_sides_and_games(client: Client) -> None:
    tournament = palio()
    first, second, _third = games_of(tournament)
    win(first, sides_of(first)[0])
    win(second, None, "time")
    match = matches_of(tournament)[0]
    shown = open_page(client, address(tournament, f"matches/{match.pk}/"))

    assert shown.one("h1").text == "Round 1, table 1"
    assert [side.text for side in shown.one(".three").all("li")] == [
        "Superiore 1 1 point",
        "Centro 1 0 points",
        "Inferiore 1 0 points",
    ]
    assert [game.text for game in shown.one(".mini").all("li")] == [
        "Superiore 1 Centro 1 Superiore Game 1",
        "Centro 1 Inferiore 1 no point by the bell Game 2",
        "Inferiore 1 Superiore 1 waiting",
    ]


def test_game_level_at_the_bell_is_shown_with_a_point_each(client: Client) -> None:
    tournament = palio(bell="point_each")
    first = games_of(tournament)[0]
    win(first, None, "time")
    match = matches_of(tournament)[0]
    shown = open_page(client, address(tournament, f"matches/{match.pk}/"))
    assert [side.text for side in shown.one(".three").all("li")] == [
        "Superiore 1 1 point",
        "Centro 1 1 point",
        "Inferiore 1 0 points",
    ]
    assert shown.one(".mini").all("li")[0].text == "Superiore 1 Centro 1 a point each by the bell Game 1"
    game = open_page(client, address(tournament, f"games/{first.game_id}/"))
    assert game.one(".result-only").all("p")[0].text == "A point each"
    italian = open_page(client, address(tournament, f"games/{first.game_id}/", language=""))
    assert italian.one(".result-only").all("p")[0].text == "Un punto a testa"


def test_match_of_another_tournament_is_not_found(client: Client) -> None:
    here, elsewhere = palio(), palio(event=make_event(slug="altro"))
    game = games_of(elsewhere)[0]

    assert client.get(address(here, f"matches/{game.match_id}/")).status_code == 404
    assert client.get(address(here, f"games/{game.game_id}/")).status_code == 404
    assert client.get(address(elsewhere, f"games/{game.game_id}/")).status_code == 200


# The projector


def screens(client: Client, tournament: Tournament) -> list[Element]:
    """All screens, each reached from the one before."""
    path = address(tournament, "projector/")
    shown: list[Element] = []
    seen: set[str] = set()
    while path not in seen:
        seen.add(path)
        shown.append(open_page(client, path))
        path = shown[-1].one(".screen").attributes["data-next"]
    return shown


def test_projector_splits_the_standings_into_screens(client: Client) -> None:
    tournament = drawn_tournament(make_event(slug="sedici"), teams=16, entries=3, tables=16)
    win(games_of(tournament)[0], None, "time")
    shown = screens(client, tournament)[:2]
    assert [len(rows(screen)) for screen in shown] == [8, 8]
    standings = rows(open_page(client, address(tournament)))
    assert [row[:3] for screen in shown for row in rows(screen)] == [row[:3] for row in standings]
    assert {screen.one("html").attributes["data-view"] for screen in shown} == {"projector"}


def test_projector_turns_without_scripts_too(client: Client) -> None:
    tournament = palio()
    play(tournament, ORDER)
    refresh = open_page(client, address(tournament, "projector/")).one("noscript").one("meta")
    assert refresh.attributes["content"] == f"12; url={address(tournament, 'projector/1/')}"


def test_projector_begins_with_the_podium_of_a_closed_tournament(client: Client) -> None:
    tournament = palio()
    play(tournament, ORDER)
    close_tournament(tournament, Actor.command())
    first, second, *_ = screens(client, tournament)

    assert [step.text for step in first.all(".step-name")] == list(ORDER)
    assert [row[1] for row in rows(second)] == list(ORDER)


@pytest.mark.parametrize("rest", ["", "1/", "9/", "0/", f"{10**30}/", "?screen=x"])
def test_projector_shows_a_screen_for_any_screen_number(client: Client, rest: str) -> None:
    tournament = palio()
    assert open_page(client, address(tournament, f"projector/{rest}")).has(".screen")


def test_projector_of_an_unpublished_draw_shows_no_standings(client: Client) -> None:
    tournament = palio(published=False)
    assert open_page(client, address(tournament, "projector/")).one(".screen-say").text == (
        "The standings begin with the first game"
    )


def test_projector_that_did_not_change_answers_304_with_one_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = palio()
    play(tournament, ORDER)
    projector = address(tournament, "projector/")
    first = client.get(projector)
    with django_assert_num_queries(1):
        assert client.get(projector, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 304


@pytest.mark.parametrize(("total", "size"), [(1, 1), (3, 3), (8, 8), (9, 5), (16, 8), (17, 6)])
def test_projector_rows_are_divided_evenly_among_screens(total: int, size: int) -> None:
    assert evenly(total, 8) == size


# Search engines


def test_robots_txt_allows_events_that_let_search_engines_in(client: Client) -> None:
    make_event(slug="palio")
    make_event(slug="aperto", allow_search_engines=True)
    make_event(slug="bozza", allow_search_engines=True, is_published=False)
    response = client.get("/robots.txt")

    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode().splitlines() == [
        "User-agent: *",
        "Allow: /aperto/",
        "Allow: /en/aperto/",
        "Allow: /static/",
        "Disallow: /",
    ]


# Languages


def test_tournament_pages_exist_in_both_languages(client: Client) -> None:
    tournament = palio()
    game: MatchGame = games_of(tournament)[0]
    for rest in ("", "matches/", f"matches/{game.match_id}/", f"games/{game.game_id}/", "projector/"):
        for prefix, language in (("", "it"), ("/en", "en")):
            shown = open_page(client, address(tournament, rest, prefix))
            assert shown.one("html").attributes["lang"] == language
            links = [a.attributes["href"] for a in shown.one(".switches").all("a")]
            assert links == [address(tournament, rest, ""), address(tournament, rest, "/en")]


# Errors


@pytest.mark.parametrize(
    ("view", "status", "title"),
    [
        (
            lambda request: errors.bad_request(request, SuspiciousOperation()),
            400,
            "This address can’t be read",
        ),
        (lambda request: errors.forbidden(request, PermissionDenied()), 403, "This page isn’t open to you"),
        (lambda request: errors.csrf_failure(request, "missing"), 403, "This form was open for too long"),
        (errors.not_found, 404, "There is nothing at this address"),
        (errors.server_error, 500, "Something broke on our side"),
    ],
)
def test_error_page_says_what_happened_and_what_to_do(
    view: Any, status: int, title: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    request = RequestFactory().get("/en/palio/?at=x")
    with translation.override("en"), django_assert_num_queries(0):
        response = view(request)
    shown = read(response)

    assert (response.status_code, shown.one("h1").text) == (status, title)
    assert len(shown.one("main").all("p")) == 4
    assert [a.attributes["href"] for a in shown.one(".switches").all("a")] == [
        "/palio/?at=x",
        "/en/palio/?at=x",
    ]


def test_unknown_address_is_answered_with_the_404_page(client: Client) -> None:
    for path in ("/en/nessuno/", "/en/nessuno/torneo/", "/en/a/b/c/d/"):
        response = client.get(path)
        assert response.status_code == 404
        assert read(response).one("h1").text == "There is nothing at this address"


def test_event_page_lists_matches_playing_now_and_next(client: Client) -> None:
    tournament = palio(entries=3, rounds=3, tables=2)
    before = open_page(client, "/en/palio/")
    headings = ["The contrade", "It begins with", "Torneo"]
    assert [heading.text for heading in before.all("h2")] == headings
    assert len(before.one(".meetings").all("p")) == 2
    first, *_ = games_of(tournament)
    win(first, sides_of(first)[0])
    during = open_page(client, "/en/palio/")
    headings = ["Playing now", "Next", "Torneo", "The contrade"]
    assert [heading.text for heading in during.all("h2")] == headings
    assert [len(part.all("p")) for part in during.all(".meetings")] == [1, 2]
    play(tournament, ORDER)
    close_tournament(tournament, Actor.command())
    stored_standings.compute(tournament.pk)
    after = open_page(client, "/en/palio/")
    assert [heading.text for heading in after.all("h2")] == ["Torneo", "The contrade"]
    assert after.has(".podium")
