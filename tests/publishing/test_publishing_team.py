"""A team's page: its places, its players, and its matches, over all tournaments of the event."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from people.actors import Actor
from people.models import Event
from publishing.models import Publication
from publishing.page_list import list_pages
from publishing.teams import stamp_of_team
from tests.support.computed_tournaments import enter, palio, sides_of, win
from tests.support.factories import drawn_tournament, games_of, make_entry, make_event, make_team, matches_of
from tests.support.forms import open_page
from tests.support.page_reading import Element, read
from tests.support.stored_games import BEGIN
from tournaments.commands import results
from tournaments.models import Place, StandingsVersion
from tournaments.projections import standings

pytestmark = pytest.mark.django_db


def page(client: Client, event: Event, number: int, language: str = "/en") -> Element:
    return open_page(client, f"{language}/{event.slug}/teams/{number}/")


def parts(shown: Element) -> dict[str, list[str]]:
    """The lines below each heading; of matches each with its round."""
    found = {}
    for part in shown.all("section"):
        lines = [line.text for line in part.all("li") if line.all("p") or not part.has(".meetings")]
        found[part.one("h2").text] = lines
    return found


def rounds(shown: Element) -> list[str]:
    """The headings of rounds."""
    return [each.text for each in (*shown.all("h3"), *shown.all("summary"))]


def test_team_page_has_places_and_all_matches(client: Client) -> None:
    tournament = palio(entries=3, rounds=3)
    first, *rest = games_of(tournament)
    enter(first, next(side for side in sides_of(first) if side.number == 1))
    results.write_log(rest[2], Actor.command(), [(None, event) for event in BEGIN])
    standings.compute(tournament.pk)
    shown = page(client, tournament.event, 1)
    assert shown.one("h1").text == "Superiore"
    found = parts(shown)
    assert list(found) == ["Places", "Playing now", "Still to come"]
    assert found["Places"] == ["1 Torneo 1 point"]
    assert [len(lines) for lines in found.values()] == [1, 2, 7]
    assert found["Playing now"][0] == (
        "Table 1 Superiore 2 1 point Centro 3 0 points Inferiore 1 0 points playing"
    )
    assert rounds(shown) == ["Round 1", "Round 1", "Round 2", "Round 3"]


def test_team_page_changes_with_the_timetable(client: Client) -> None:
    """The hours come from the timetable; a new one is another page, asked for or published."""
    tournament = palio(entries=1, rounds=2, starts_at="09:15", minutes_per_game=20, minutes_between=10)
    path = f"/en/{tournament.event.slug}/teams/1/"
    first = client.get(path)
    assert [each.text for each in read(first).all("time")] == ["09:15", "10:25"]
    match = matches_of(tournament)[0]
    event = tournament.event
    begins_at = datetime.combine(event.starts_on, time(15), ZoneInfo(event.time_zone))
    later = f"/{event.slug}/{tournament.slug}/matches/{matches_of(tournament)[-1].pk}/"
    publishing = Publication.objects.create(event=event)
    before = {each.path: each.stamp for each in list_pages(event, publishing)}
    Place.objects.create(
        match=match,
        tournament=tournament,
        begins_at=begins_at,
        minutes=60,
        table=match.table,
        changed_at=begins_at,
    )
    after = {each.path: each.stamp for each in list_pages(event, publishing)}
    assert before[later] != after[later]
    second = client.get(path, HTTP_IF_NONE_MATCH=first["ETag"])
    assert [each.text for each in read(second).all("time")] == ["15:00", "16:10"]


def test_team_page_lists_played_rounds_newest_first(client: Client) -> None:
    tournament = palio(entries=2, rounds=2)
    for game in games_of(tournament):
        enter(game, None, "time")
    standings.compute(tournament.pk)
    shown = page(client, tournament.event, 2)

    assert rounds(shown) == ["Round 2", "Round 1"]
    assert len(parts(shown)["Played"]) == 4


def test_team_page_changes_when_standings_become_final_or_have_groups(client: Client) -> None:
    """Closing is decided before the standings say so: who reads the page in between gets another later."""
    tournament = palio(entries=1, rounds=1)
    for game in games_of(tournament):
        enter(game, None, "time")
    standings.compute(tournament.pk)
    team = tournament.event.teams.get(number=1)
    before = stamp_of_team(team)
    for values in ({"is_final": True}, {"groups": [{"name": "A", "rows": []}]}):
        StandingsVersion.objects.filter(tournament=tournament).update(**values)
        after = stamp_of_team(team)
        assert after != before
        before = after


def test_team_page_before_the_draw_has_only_its_players(client: Client) -> None:
    event = make_event(slug="palio", names_shown=Event.NamesShown.INITIAL)
    team = make_team(event)
    make_entry(team, shows_name=True)
    make_entry(team)
    shown = page(client, event, 1)

    assert shown.one(".empty").one("h2").text == "No match yet"
    assert parts(shown) == {"Players": ["Ortensia Z.", "Superiore 2"]}
    assert shown.one(".page-header").one("p").text == "2 players"


def test_team_page_does_not_list_players_whose_names_are_not_shown(client: Client) -> None:
    tournament = palio(entries=2)
    assert "Players" not in parts(page(client, tournament.event, 1))


def test_team_page_of_an_unknown_number_is_not_found(client: Client) -> None:
    event = palio().event
    for wrong in ("9", "x", "0", "9" * 30, "²"):
        assert client.get(f"/{event.slug}/teams/{wrong}/").status_code == 404


def test_team_page_of_an_unpublished_draw_has_no_matches(client: Client) -> None:
    tournament = drawn_tournament(make_event(slug="palio"), published=False)
    shown = page(client, tournament.event, 1)
    assert shown.has(".empty")
    assert not shown.has(".meetings")


def test_team_page_lists_matches_of_all_tournaments(client: Client) -> None:
    tournament = palio()
    drawn_tournament(tournament.event, name="Briscola")
    shown = page(client, tournament.event, 1)
    assert rounds(shown) == ["Round 1 · Briscola", "Round 1 · Torneo"]


def test_team_page_costs_the_same_for_few_and_many(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    few, many = palio(), drawn_tournament(make_event(slug="grande"), teams=12, entries=3, tables=8)
    for tournament in (few, many):
        win(games_of(tournament)[0], None, "time")
        path = f"/{tournament.event.slug}/teams/1/"
        with django_assert_num_queries(29):
            answer = client.get(path)
        with django_assert_num_queries(11):
            assert client.get(path, HTTP_IF_NONE_MATCH=answer["ETag"]).status_code == 304
