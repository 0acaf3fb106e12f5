"""A referee's phone where rounds are drawn from results: two squads of one team, a best of three, a table of
several whose points add up, the round that isn't drawn yet.
"""

import json
from uuid import uuid4

import pytest
from django.test import Client

from games.outcome import Outcome
from people.actors import Actor
from tests.support.factories import games_of, matches_of
from tests.support.phones import Page, address, phone, read, send, table_of
from tests.support.rounds_play import published, turn_around
from tests.support.stored_games import outcome
from tournaments.commands import results
from tournaments.models import MatchGame, Tournament
from tournaments.tasks import compute_standings

pytestmark = pytest.mark.django_db


def names_of(game: MatchGame) -> list[str]:
    """The players by seat, as a referee reads them."""
    from people.display_names import NameBook, Reader, Viewer

    event = game.match.stage.tournament.event
    seats = list(game.game.seats.order_by("number"))
    names = NameBook(Viewer(Reader.REFEREE, event), [seat.entry for seat in seats])
    return [names[seat.entry] for seat in seats]


def of_one_team() -> tuple[Tournament, MatchGame, Client]:
    """A match of two squads of one team."""
    tournament = published(1, 2, format="round_robin")
    game = games_of(tournament)[0]
    assert game.game.seats.values("team").distinct().count() == 1
    return tournament, game, phone(tournament.event)


# Two squads of one team


@pytest.mark.parametrize("seat", [0, 1])
def test_squads_of_one_team_are_tapped_by_player_and_entered_by_seat(seat: int) -> None:
    _tournament, game, client = of_one_team()
    names = names_of(game)
    asked = read(client, address(game, "", "/en"))
    links = [link for link in asked.links if "/confirm/?" in link]
    assert [link.rsplit("&", 1)[1] for link in links] == ["seat=0", "seat=1"]
    assert all(name in asked.text for name in names)
    about = read(client, links[seat])
    assert f"{names[seat]} wins the game." in about.text
    response = send(client, about.form_to("/enter/"))
    assert (outcome(game).seat, outcome(game).closed_by) == (seat, "result")
    after = read(client, response["Location"])
    assert after.text.count(names[seat]) > after.text.count(names[1 - seat])


def test_squads_of_one_team_need_a_winner_by_seat() -> None:
    _tournament, game, client = of_one_team()
    team = game.game.seats.get(number=0).team
    answer = client.get(address(game, f"confirm/?team={team}"))
    assert (answer.status_code, answer["Location"]) == (302, address(game))
    event = json.dumps({"type": "game_closed", "reason": "result", "winner": None, "team": str(team)})
    sent = {"version": 0, "id": str(uuid4()), "event": event}
    refused = client.post(address(game, "enter/", "/en"), sent)
    assert (refused.status_code, outcome(game)) == (422, Outcome())
    assert "say who has won by the seat" in Page(refused).text


@pytest.mark.parametrize("reason", ["time", "forfeit"])
def test_squads_of_one_team_are_told_apart_at_bell_and_forfeit_too(reason: str) -> None:
    _tournament, game, client = of_one_team()
    end = read(client, address(game, "end/"))
    link = next(link for link in end.links if f"reason={reason}" in link and "seat=1" in link)
    send(client, read(client, link).form_to("/enter/"))

    assert (outcome(game).seat, outcome(game).closed_by) == (1, reason)


def test_bell_tells_two_squads_of_one_team_apart() -> None:
    _tournament, game, client = of_one_team()
    answer = client.get(address(game, "bell/?cards-0=5&cards-1=2"))
    assert answer.status_code == 302
    assert answer["Location"].endswith("seat=1")


@pytest.mark.parametrize(("seat", "same"), [(0, True), (1, False)])
def test_second_phone_may_name_the_other_squad_of_one_team(seat: int, same: bool) -> None:
    _tournament, game, client = of_one_team()
    team = game.game.seats.get(number=0).team
    late = read(client, address(game, f"confirm/?team={team}&seat={seat}", "/en")).form_to("/enter/")
    results.enter_result(game, Actor.command(), seat=0)
    response = send(client, late)

    assert (response.status_code, response.context["is_same"]) == (409, same)


# A best of three


def test_best_of_three_shows_its_score_and_when_it_is_decided() -> None:
    tournament = published(
        2, 1, format="single_elimination", match={"length": "best_of", "games": 3}, tables=1
    )
    client, (match,) = phone(tournament.event), matches_of(tournament)
    at_table = f"/en/t/{match.table.code}/"
    page = read(client, at_table)
    assert "Table 1 · Final" in page.text
    assert "Best of 3 · 0 – 0" in page.text
    first, second, _third = games_of(tournament)
    results.enter_result(first, Actor.command(), seat=0)
    page = read(client, at_table)
    assert "Best of 3 · 1 – 0" in page.text
    assert "Enter game 2" in page.text
    # The sides change seats from game to game.
    results.enter_result(second, Actor.command(), seat=1)
    page = read(client, f"{at_table}matches/{match.pk}/")
    assert "This match is decided: 2 – 0" in page.text
    assert "waiting" not in page.text
    assert address(games_of(tournament)[2], "", "/en") not in page.links


def test_table_page_of_a_knockout_names_no_mini_tournament() -> None:
    tournament = published(2, 1, format="single_elimination", tables=1)
    (match,) = matches_of(tournament)
    for language, word in (("", "mini-torneo"), ("/en", "mini-tournament")):
        client = phone(tournament.event)
        assert word not in read(client, f"{language}/t/{match.table.code}/").text.lower()


# A match that is decided


def decided() -> tuple[Tournament, MatchGame, Client]:
    """A best of three that is two games to none; its third game, and a phone at its table."""
    tournament = published(
        2, 1, format="single_elimination", match={"length": "best_of", "games": 3}, tables=1
    )
    first, second, third = games_of(tournament)
    for game in (first, second):
        results.enter_result(game, Actor.command(), seat=game.sides.index(0))
    return tournament, third, phone(tournament.event)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("/en", "This match is decided already, so game 3 doesn’t count."),
        ("", "L’incontro è già deciso: la partita 3 non conta."),
    ],
)
def test_game_of_a_decided_match_is_refused_with_a_sentence(language: str, told: str) -> None:
    _tournament, game, client = decided()
    event = json.dumps({"type": "game_closed", "reason": "result", "winner": 0})
    sent = {"version": 0, "id": str(uuid4()), "event": event}

    refused = client.post(address(game, "enter/", language), sent)
    asked = client.post(address(game, "enter/", language), sent, headers={"Accept": "application/json"})

    assert (refused.status_code, told in Page(refused).text) == (409, True)
    assert (asked.status_code, asked.json()) == (
        409,
        {"accepted": [], "code": "match-decided", "sentence": told},
    )
    assert outcome(game) == Outcome()


def test_page_of_a_game_that_is_not_needed_offers_no_winner() -> None:
    _tournament, game, client = decided()

    page = read(client, address(game, "", "/en"))

    assert "The match is decided without this game." in page.text
    assert [link for link in page.links if "/confirm/" in link] == []


def test_match_is_not_called_decided_before_its_results_are_confirmed() -> None:
    best_of_three = {"length": "best_of", "games": 3}
    tournament = published(
        2, 1, format="single_elimination", match=best_of_three, tables=1, confirmation="organizer"
    )
    first, second, third = games_of(tournament)
    for game in (first, second):
        results.enter_result(game, Actor.command(), seat=game.sides.index(0))
    client = phone(tournament.event)
    told = "The results entered decide this match once they are confirmed"

    of_match = read(client, f"/en/t/{table_of(third).code}/matches/{third.match_id}/").text
    of_game = read(client, address(third, "", "/en")).text

    assert told in of_match
    assert "This match is decided" not in of_match
    assert f"{told}: then this game isn’t needed." in of_game
    assert "The match is decided without this game." not in of_game


def test_surplus_game_is_listed_and_said_not_to_count() -> None:
    tournament, third, client = decided()
    second = games_of(tournament)[1]
    turn_around(second)
    results.enter_result(third, Actor.command(), seat=third.sides.index(0))
    turn_around(second)

    page = read(client, f"/en/t/{table_of(third).code}/matches/{third.match_id}/")

    assert "This match is decided: 2 – 0" in page.text
    assert page.text.count("doesn’t count") == 1


# The next round


def test_table_page_shows_the_match_of_a_newly_drawn_round() -> None:
    tournament = published(4, 1, format="single_elimination", tables=1)
    client, first = phone(tournament.event), games_of(tournament)[0]
    at_table = f"/en/t/{table_of(first).code}/"
    assert "Semi-finals" in read(client, at_table).text
    for game in games_of(tournament):
        results.enter_result(game, Actor.command(), seat=0)
    waiting = read(client, at_table)
    assert "The next round isn’t drawn yet" in waiting.text
    assert "All done" not in waiting.text
    compute_standings(str(tournament.pk))
    assert "Table 1 · Third place" in read(client, at_table).text
    for game in games_of(tournament):
        if not game.game.is_over:
            results.enter_result(game, Actor.command(), seat=0)
    compute_standings(str(tournament.pk))
    assert "All done" in read(client, at_table).text


# A table whose points add up


def table_of_four() -> tuple[MatchGame, Client]:
    tournament = published(
        4,
        1,
        format="table_elimination",
        ruleset="house",
        options={"seats": 4, "target": 100},
    )
    return games_of(tournament)[0], phone(tournament.event)


def test_points_of_every_seat_are_required_where_they_add_up() -> None:
    game, client = table_of_four()
    seats = game.game.seats.count()
    asked = read(client, address(game, "", "/en"))
    links = [link for link in asked.links if "/confirm/?" in link]
    assert len(links) == seats
    about = read(client, links[2])
    assert "The points of each" in about.text
    assert "wins the game" not in about.text
    assert about.html.count("required") == seats
    form = about.form_to("/enter/")
    without = send(client, form)
    assert (without.status_code, outcome(game)) == (422, Outcome())
    points = {f"points-{seat}": str(10 * abs(seat - 2)) for seat in range(seats)}
    assert send(client, read(client, links[2]).form_to("/enter/"), **points).status_code == 302
    assert outcome(game).points == tuple(10 * abs(seat - 2) for seat in range(seats))
