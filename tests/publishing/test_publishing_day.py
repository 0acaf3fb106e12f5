"""How the day went: each team's way from round to round, drawn and as a table."""

import random
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils.timezone import localtime
from pytest_django import DjangoAssertNumQueries

from people.actors import Actor
from tests.publishing.store import publish, there
from tests.support.computed_tournaments import address, enter, palio, sides_of
from tests.support.factories import drawn_tournament, games_of, make_entry, make_event
from tests.support.forms import open_page
from tests.support.page_reading import Element, read
from tests.support.rounds_play import open_games, play_tables, published, turn_around
from tournaments.commands.adjust import adjust_points
from tournaments.commands.round_draws import draw_next_round
from tournaments.commands.set_up import change_settings
from tournaments.commands.squad_changes import add_squad, remove_team
from tournaments.models import MatchGame, StandingsVersion, Tournament
from tournaments.projections import standings
from tournaments.projections.round_end_places import RoundEnds
from tournaments.verification import verify

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()


def page(client: Client, tournament: Tournament) -> Element:
    return open_page(client, address(tournament, "day/"))


def play_rounds(tournament: Tournament, *strengths: tuple[int, ...]) -> None:
    """A round for each of `strengths`: whoever comes first there (by number) wins; the standings follow."""
    games = games_of(tournament)
    for number, strength in enumerate(strengths, start=1):
        for game in games:
            if game.match.round == number:
                enter(game, min(sides_of(game), key=lambda team, by=strength: by.index(team.number)))  # type: ignore[misc]
        standings.compute(tournament.pk)


def cells(shown: Element) -> list[list[str]]:
    """The rows of the table behind the chart: team, then a place for each moment."""
    return [
        [row.one("th").text, *(cell.seen for cell in row.all("td"))]
        for row in shown.one(".day-table").one("tbody").all("tr")
    ]


def test_day_chart_is_empty_until_the_second_round(client: Client) -> None:
    tournament = palio(entries=2, rounds=2)
    assert page(client, tournament).one(".empty").one("h2").text == "There is no way to draw yet"
    play_rounds(tournament, (1, 2, 3))
    assert page(client, tournament).has(".empty")


def test_day_chart_has_a_place_for_each_round_and_for_now(client: Client) -> None:
    tournament = palio(entries=3, rounds=3)
    play_rounds(tournament, (1, 2, 3), (3, 2, 1))
    shown = page(client, tournament)
    assert sorted(row[:2] for row in cells(shown)) == [
        ["Centro", "2"],
        ["Inferiore", "3"],
        ["Superiore", "1"],
    ]
    enter(games_of(tournament)[-1], None, "time")
    standings.compute(tournament.pk)
    shown = page(client, tournament)
    assert cells(shown) == [
        ["Superiore", "1", "1=", "1="],
        ["Inferiore", "3", "1=", "1="],
        ["Centro", "2", "3", "3"],
    ]
    heads = [head.text.rsplit(" ", 1)[0] for head in shown.one("thead").all("th")]
    assert heads == ["Team", "Round 1", "Round 2", "now"]
    drawn = shown.one(".chart")
    assert {"Superiore", "Centro", "Inferiore", "now"} <= {each.text for each in drawn.all("text")}


def winner_of(game: MatchGame, strengths: Sequence[tuple[int, ...]]) -> Any:
    """Who wins a game: whoever comes first in its round's order of strength."""
    order = strengths[game.match.round - 1]
    return min(sides_of(game), key=lambda team: order.index(team.number))


def test_day_chart_of_results_computed_at_once_is_that_of_one_by_one(client: Client) -> None:
    strengths = [(1, 2, 3), (3, 2, 1), (2, 3, 1)]
    one_by_one, at_once = palio(entries=3, rounds=3), drawn_tournament(make_event(slug="raffica"), entries=3)
    play_rounds(one_by_one, *strengths)

    # The last table's phone comes back first, and nothing is computed before all are in.
    for game in reversed([each for each in games_of(at_once) if each.match.round <= 3]):
        enter(game, winner_of(game, strengths))
    standings.compute(at_once.pk)

    assert StandingsVersion.objects.filter(tournament=at_once, games_played__gt=0).count() == 1
    shown = page(client, at_once)
    heads = [head.text.rsplit(" ", 1)[0] for head in shown.one("thead").all("th")]
    assert heads == ["Team", "Round 1", "Round 2", "Round 3"]
    assert cells(shown) == cells(page(client, one_by_one))
    assert len(cells(shown)[0]) == 4


def test_day_chart_links_each_round_to_the_standings_at_its_end(client: Client) -> None:
    tournament = palio(entries=3, rounds=3)
    play_rounds(tournament, (1, 2, 3), (3, 2, 1))

    links = [head.one("a").attributes["href"] for head in page(client, tournament).one("thead").all("th")[1:]]

    versions = StandingsVersion.objects.filter(tournament=tournament).exclude(receipt="").order_by("number")
    assert [link.partition("?at=")[2] for link in links] == [
        quote(localtime(each.computed_at).isoformat()) for each in versions
    ]
    ended = MatchGame.objects.filter(match__stage__tournament=tournament, match__round=1)
    last = max(filter(None, ended.values_list("game__changed_at", flat=True)))
    assert last <= versions[0].computed_at


def test_day_chart_links_a_corrected_round_to_the_corrected_standings(client: Client) -> None:
    tournament = palio(entries=3, rounds=3)
    play_rounds(tournament, (1, 2, 3), (1, 2, 3))
    game = next(each for each in games_of(tournament) if each.match.round == 2)
    turn_around(game)
    corrected = standings.current(tournament)

    shown = page(client, tournament)

    heads = shown.one("thead").all("th")
    assert [head.text.rsplit(" ", 1)[0] for head in heads] == ["Team", "Round 1", "Round 2"]
    leads_to = heads[2].one("a").attributes["href"].partition("?at=")[2]
    assert leads_to == quote(localtime(corrected.computed_at).isoformat())
    places = {
        row.team.short_name: f"{row.place}{'=' if row.is_tied else ''}"
        for row in corrected.rows.select_related("team")
    }
    assert {row[0]: row[2] for row in cells(shown)} == places


def test_day_chart_of_a_round_leaves_out_games_of_later_rounds(client: Client) -> None:
    strengths = [(1, 2, 3), (1, 2, 3), (3, 2, 1)]
    tournament = palio(entries=3, rounds=3)
    games = games_of(tournament)
    early = next(game for game in games if game.match.round == 3)

    enter(early, winner_of(early, strengths))
    play_rounds(tournament, *strengths[:2])

    shown = page(client, tournament)
    assert [row[:3] for row in sorted(cells(shown))] == [
        ["Centro", "2", "2"],
        ["Inferiore", "3", "3"],
        ["Superiore", "1", "1"],
    ]
    assert shown.one("thead").all("th")[3].text.startswith("now")


def misconduct(tournament: Tournament) -> None:
    adjust_points(tournament, ACTOR, tournament.event.teams.get(number=3), 20, "misconduct")


def disqualification(tournament: Tournament) -> None:
    remove_team(tournament, ACTOR, tournament.event.teams.get(number=1), "disqualified", place="last")


def another_order(tournament: Tournament) -> None:
    change_settings(
        tournament, ACTOR, {**tournament.settings, "metrics": ["wins"]}, reason="organizer-decision"
    )


@pytest.mark.parametrize("decide", [misconduct, disqualification, another_order])
def test_day_chart_of_a_round_leaves_out_later_decisions(
    client: Client, decide: Callable[[Tournament], None]
) -> None:
    tournament = palio(entries=3, rounds=3)
    play_rounds(tournament, (1, 2, 3), (1, 2, 3))
    before = page(client, tournament)
    early, later = games_of(tournament)[0], open_games(tournament)[0]
    enter(later, sides_of(later)[0])

    decide(tournament)
    version = standings.current(tournament)
    # What is corrected, and corrected back, leaves the hours, and what was decided by then, as they were.
    turn_around(early)
    turn_around(early)

    after = page(client, tournament)
    assert [head.text for head in after.one("thead").all("th")[:3]] == [
        head.text for head in before.one("thead").all("th")
    ]
    assert sorted(row[:3] for row in cells(after)) == sorted(cells(before))
    moved = dict(version.rows.values_list("team", "movement"))
    now = standings.current(tournament)
    assert now.number == version.number + 2
    assert dict(now.rows.values_list("team", "movement")) == moved
    assert [str(wrong) for wrong in verify.verify(tournament.event)] == []


def test_day_chart_has_a_decision_made_after_a_round_corrected_later(client: Client) -> None:
    tournament = palio(entries=3, rounds=3)
    play_rounds(tournament, (1, 2, 3), (1, 2, 3))
    misconduct(tournament)
    turn_around(next(game for game in games_of(tournament) if game.match.round == 2))
    now = standings.current(tournament)

    shown = page(client, tournament)

    assert now.receipt
    assert shown.one("thead").all("th")[3].text.startswith("now")
    last = {row[0]: int(row[3].strip("=")) for row in cells(shown)}
    assert last == {row.team.short_name: row.place for row in now.rows.select_related("team")}
    assert last["Inferiore"] == 1


def test_movement_of_a_squad_that_came_late_is_empty(client: Client) -> None:
    tournament = published(5, 1, format="swiss", draws_itself=False)
    team = tournament.event.teams.get(number=1)
    for game in open_games(tournament):
        enter(game, sides_of(game)[0])
    version = standings.current(tournament)
    before = {row.squad_id: row.place for row in version.rows.all()}
    add_squad(tournament, ACTOR, [make_entry(team)])
    draw_next_round(tournament, ACTOR)
    game = open_games(tournament)[0]
    enter(game, sides_of(game)[0])

    rows = standings.current(tournament).rows.all()

    assert {row.squad_id: row.movement for row in rows} == {
        row.squad_id: before[row.squad_id] - row.place if row.squad_id in before else None for row in rows
    }
    assert len(before) + 1 == len(rows)


@pytest.mark.parametrize("seed", range(3))
def test_movement_of_standings_equals_that_of_the_day_chart(client: Client, seed: int) -> None:
    chance = random.Random(seed)
    tournament = published(4, 1, format="round_robin") if seed else palio(entries=2, rounds=3)
    compared = 0
    while found := open_games(tournament):
        over = [game for game in games_of(tournament) if game.game.is_over]
        if over and chance.random() < 0.4:
            turn_around(chance.choice(over))
        elif over and not seed and chance.random() < 0.3:
            adjust_points(
                tournament, ACTOR, chance.choice(list(tournament.event.teams.all())), 1, "misconduct"
            )
        else:
            game = chance.choice(found[:2])
            enter(game, chance.choice(sides_of(game)))
        version = standings.current(tournament)
        shown = page(client, tournament)
        if shown.has(".day-table"):
            compared_round = RoundEnds.from_json(version.round_ends).compared_round
            drawn = {
                row[0].removesuffix(" 1"): [int(row[each].strip("=")) for each in (compared_round, -1)]
                for row in cells(shown)
            }
            rows = version.rows.select_related("team").exclude(movement=None)
            assert {
                row.team.short_name: [row.place + row.movement, row.place]  # type: ignore[operator]
                for row in rows
            } == (drawn if compared_round > 0 else {})
            compared += compared_round > 0

    assert compared > 3


def test_day_chart_does_not_wait_for_games_that_a_match_does_not_need(client: Client) -> None:
    best_of = {"length": "best_of", "games": 3}
    tournament = published(4, 1, format="round_robin", match=best_of)
    while found := open_games(tournament):
        for game in found:
            enter(game, min(sides_of(game), key=lambda team: team.number))

    standings.compute(tournament.pk)

    shown = page(client, tournament)
    heads = [head.text for head in shown.one("thead").all("th")]
    assert [head.rpartition(" ")[0] for head in heads] == ["", "Round 1", "Round 2", "Round 3"]
    assert all(len(row) == 4 for row in cells(shown))


def test_day_chart_of_a_knockout_is_empty(client: Client) -> None:
    assert page(client, published(4, 1, format="single_elimination")).has(".empty")


def test_day_chart_is_not_published_anew_by_a_result_within_a_round() -> None:
    tournament = palio(entries=3, rounds=3)
    play_rounds(tournament, (1, 2, 3), (1, 2, 3))
    third = [game for game in games_of(tournament) if game.match.round == 3]
    enter(third[0], None, "time")
    standings.compute(tournament.pk)
    publish(tournament.event)
    path = f"/palio/{tournament.slug}/day/"
    stamps = dict(tournament.event.publication.pages.values_list("path", "stamp"))
    assert path in there(tournament.event)
    enter(third[1], None, "time")
    standings.compute(tournament.pk)
    publish(tournament.event)
    now = dict(tournament.event.publication.pages.values_list("path", "stamp"))
    changed = {path for path in now if now[path] != stamps.get(path)}
    assert f"/palio/{tournament.slug}/matches/round/3/" in changed
    same = {f"/palio/{tournament.slug}/{rest}" for rest in ("rules/", "matches/round/1/", "matches/round/2/")}
    assert changed & same == set()


@pytest.mark.parametrize(("teams", "told"), [(17, "Torneo · the first 16 of 17"), (16, "Torneo")])
def test_projector_says_how_many_teams_the_day_chart_draws(client: Client, teams: int, told: str) -> None:
    tournament = published(teams, 1, format="tables", options={"rounds": 2})
    play_tables(tournament, random.Random(17))
    base = f"/en/{tournament.event.slug}/{tournament.slug}/projector"

    pages = [read(client.get(f"{base}/{screen}/")) for screen in range(1, 6)]

    charts = [
        page.one("h1") for page in pages if page.has("h1") and "How the day went" in page.one("h1").text
    ]
    assert charts[0].one("small").text == told


def test_day_chart_costs_the_same_for_few_and_many_teams(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    few = palio(entries=3, rounds=2)
    many = drawn_tournament(make_event(slug="grande"), teams=12, entries=2, tables=8, rounds=2)
    for tournament in (few, many):
        play_rounds(tournament, tuple(range(1, 13)), tuple(range(1, 13)))
        # What the ends of rounds are worked out from is read once; then nothing but whether it is the same.
        with django_assert_num_queries(8):
            answer = client.get(address(tournament, "day/"))
        with django_assert_num_queries(4):
            again = client.get(address(tournament, "day/"), HTTP_IF_NONE_MATCH=answer["ETag"])
        assert again.status_code == 304
