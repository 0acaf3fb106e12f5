"""A round of paper slips: typed by letters, stored row by row, told at the row where it can't be."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.outcome import Outcome
from ledger.models import Fact
from people.actors import Actor
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.clients import browser_of
from tests.support.forms import address, fields_of, form_to, open_page, send
from tests.support.page_reading import Element, read
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.models import MatchGame, Tournament

pytestmark = pytest.mark.django_db


def path_of(tournament: Tournament, number: int = 1) -> str:
    """The address of a round's slips."""
    return address("paper", tournament.event.slug, tournament.slug, number)


def sheet(desk: Client, palio: Palio) -> tuple[str, dict[str, str], list[MatchGame]]:
    """The slips of the first round: address, fields, games."""
    path = path_of(palio.tournament)
    games = [game for game in palio.games if game.match.round == 1]
    return path, fields_of(form_to(open_page(desk, path), path)), games


def row_of(page: Element, game: MatchGame) -> Element:
    """The row of a game."""
    return at(page, f"g{game.game_id}")


def at(page: Element, id: str) -> Element:
    """The element of this id."""
    (found,) = (each for each in page.walk() if each.attributes.get("id") == id)
    return found


def state(game: MatchGame) -> tuple[bool, str, int | None]:
    """How a game stands: over, how, and which side won."""
    row = Game.objects.get(pk=game.game_id)
    winners = [seat.number for seat in row.seats.all() if seat.team == row.winner_team]
    return row.is_over, row.closed_by, next(iter(winners), None)


def test_paper_slip_is_typed_in_one_or_two_keys(desk: Client, palio: Palio) -> None:
    path, fields, games = sheet(desk, palio)
    typed = {
        "A": (True, "result", 0),
        "2 f": (True, "forfeit", 1),
        "1T": (True, "time", 0),
        "t": (True, "time", None),
        "X": (True, "abandoned", None),
        "": (False, "", None),
    }
    filled = {f"winner-{game.game_id}": text for game, text in zip(games, typed, strict=True)}
    send(desk, path, fields | filled)

    assert [state(game) for game in games] == list(typed.values())


def test_paper_slip_letters_are_those_of_the_match(desk: Client, palio: Palio) -> None:
    """The second game of a mini-tournament is played by B and C: A isn't one of them, 1 is B."""
    path, fields, games = sheet(desk, palio)
    second = games[1]
    answer = send(desk, path, fields | {f"winner-{second.game_id}": "A"}, 422)
    assert (
        "expected one of B, C, alone or with F or T behind it, or T, or X"
        in row_of(read(answer), second).text
    )
    send(desk, path, fields | {f"winner-{second.game_id}": "C"})
    assert state(second) == (True, "result", 1)


def test_paper_slips_store_right_rows_and_mark_wrong_ones(desk: Client, palio: Palio) -> None:
    path, fields, games = sheet(desk, palio)
    right, wrong = games[0], games[2]
    typed = {f"winner-{right.game_id}": "A", f"winner-{wrong.game_id}": "Q7"}
    page = read(send(desk, path, fields | typed, 422))

    assert (state(right)[0], state(wrong)[0]) == (True, False)
    assert [row.attributes["id"] for row in page.all("tr.is-wrong")] == [f"g{wrong.game_id}"]
    assert at(page, f"w{wrong.game_id}").attributes["value"] == "Q7"
    assert "1 result is entered. 1 row isn’t stored" in page.one(".messages").text
    assert [each.attributes["name"] for each in row_of(page, right).all("input")] == []


def test_paper_slips_sent_twice_are_stored_once(desk: Client, palio: Palio) -> None:
    path, fields, games = sheet(desk, palio)
    typed = fields | {f"winner-{game.game_id}": "1" for game in games}
    send(desk, path, typed)

    facts = Fact.objects.count()
    send(desk, path, typed)

    assert Fact.objects.count() == facts


def test_paper_slip_with_the_result_that_is_there_already_is_accepted(desk: Client, palio: Palio) -> None:
    path, fields, games = sheet(desk, palio)
    results.enter_result(games[0], Actor.command(), seat=0)
    facts = Fact.objects.count()

    send(desk, path, fields | {f"winner-{games[0].game_id}": "A"})

    assert "0 results are entered." in open_page(desk, path).one(".messages").text
    assert Fact.objects.count() == facts
    assert state(games[0]) == (True, "result", 0)


def test_paper_slip_with_another_result_than_is_there_is_refused(desk: Client, palio: Palio) -> None:
    path, fields, games = sheet(desk, palio)
    results.enter_result(games[0], Actor.command(), seat=0)
    page = read(send(desk, path, fields | {f"winner-{games[0].game_id}": "B"}, 422))
    row = row_of(page, games[0])
    assert "Something else is there already." in row.text
    winner = palio.event.teams.get(pk=games[0].game.seats.get(number=0).team)
    assert f"{winner.name} wins (result)" in row.text
    assert [link.attributes["href"] for link in row.all("a")] == [
        address("correct", palio.event.slug, games[0].game_id, 2)
    ]


def test_paper_slip_row_with_a_result_is_locked_and_leads_to_correcting(desk: Client, palio: Palio) -> None:
    game = palio.games[0]
    results.enter_result(game, Actor.command(), seat=1)
    row = row_of(open_page(desk, path_of(palio.tournament)), game)

    assert not row.all("input")
    assert row.one("a").attributes["href"] == address("correct", palio.event.slug, game.game_id, 2)


def test_paper_slip_takes_points_where_the_rules_count_them(db: None) -> None:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    tournament = factories.drawn_tournament(event, ruleset="classic")
    desk, game = browser_of(organizer), factories.games_of(tournament)[0]
    path = path_of(tournament)
    fields = fields_of(form_to(open_page(desk, path), path))
    name = f"points-{game.game_id}"
    half = fields | {f"winner-{game.game_id}": "A", f"{name}-0": "500"}
    page = read(send(desk, path, half, 422))
    assert "Write the points of everybody at the table" in row_of(page, game).text
    assert at(page, f"p{game.game_id}-0").attributes["value"] == "500"
    send(desk, path, half | {f"{name}-1": "120"})
    assert Outcome.of_row(Game.objects.get(pk=game.game_id)).points == (500, 120)


def test_paper_slips_of_a_closed_tournament_are_refused(desk: Client, palio: Palio) -> None:
    path, fields, games = sheet(desk, palio)
    for game in palio.games:
        results.enter_result(game, Actor.command(), seat=0)
    close_tournament(palio.tournament, Actor.command())
    page = read(send(desk, path, fields | {f"winner-{games[0].game_id}": "B"}, 422))

    assert "The tournament is closed; the organizer can reopen it." in row_of(page, games[0]).text
    assert not open_page(desk, path).has("p.slips-store")


@pytest.mark.parametrize("field", ["id", "version"])
def test_paper_slip_without_its_id_or_version_is_a_bad_request(
    desk: Client, palio: Palio, field: str
) -> None:
    path, fields, games = sheet(desk, palio)
    name = f"{field}-{games[0].game_id}"
    send(desk, path, fields | {f"winner-{games[0].game_id}": "A", name: "x"}, 400)
    assert not state(games[0])[0]


def test_paper_slips_begin_with_the_round_that_is_on(db: None) -> None:
    organizer = factories.make_account()
    tournament = factories.drawn_tournament(factories.make_event(organizer), entries=4, rounds=2)
    desk, now = browser_of(organizer), address("paper-now", tournament.event.slug, tournament.slug)
    assert form_to(open_page(desk, now), path_of(tournament))
    for game in factories.games_of(tournament):
        if game.match.round == 1:
            results.enter_result(game, Actor.command(), seat=0)
    assert form_to(open_page(desk, now), path_of(tournament, 2))
    open_page(desk, path_of(tournament, 99), 404)


def test_paper_slip_for_a_game_of_another_event_is_refused(desk: Client, palio: Palio) -> None:
    other = factories.games_of(factories.drawn_tournament(factories.make_event()))[0]
    path, fields, _games = sheet(desk, palio)
    extra = {
        f"winner-{other.game_id}": "A",
        f"id-{other.game_id}": str(uuid4()),
        f"version-{other.game_id}": "0",
    }
    send(desk, path, fields | extra, 422)

    assert not Game.objects.get(pk=other.game_id).is_over


@pytest.mark.sqlite
def test_paper_slips_cost_as_many_queries_for_many_games_as_for_few() -> None:
    counts = []
    for entries in (1, 6):
        organizer = factories.make_account()
        event = factories.make_event(organizer)
        tournament = factories.drawn_tournament(event, entries=entries)
        desk = browser_of(organizer)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            open_page(desk, path_of(tournament))
        counts.append(len(queries))
    assert counts[0] == counts[1]
