"""A result in two taps, what was entered last, and taking it back."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.outcome import Outcome
from ledger import read as facts
from ledger.models import Stream
from people.actors import Actor
from people.models import Team
from tests.support import factories
from tests.support.phones import Page, address, phone, read, send, table_of
from tests.support.stored_games import types_of
from tests.support.worlds import remembered
from tournaments.commands import results, timetable
from tournaments.models import MatchGame, Tournament
from tournaments.queries.timetable.match_starts import local

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    return remembered(factories.small_tournament)


@pytest.fixture
def game(tournament: Tournament) -> MatchGame:
    return factories.games_of(tournament)[0]


@pytest.fixture
def client(tournament: Tournament) -> Client:
    return phone(tournament.event)


def team_of(game: MatchGame, seat: int) -> str:
    return str(game.game.seats.get(number=seat).team)


def log_of(game: MatchGame) -> list[dict[str, Any]]:
    return [fact.body for fact in facts.facts(game.game_id)]


def winner(game: MatchGame) -> Outcome:
    return Outcome.of_row(Game.objects.get(pk=game.game_id))


def confirmation(client: Client, game: MatchGame, seat: int = 0, rest: str = "") -> Page:
    """The page on which a seat's team is about to have won."""
    return read(client, address(game, f"confirm/?team={team_of(game, seat)}{rest}", "/en"))


def win(client: Client, game: MatchGame, seat: int = 0) -> Any:
    return send(client, confirmation(client, game, seat).form_to("/enter/"))


def test_result_takes_two_taps(client: Client, game: MatchGame) -> None:
    table = read(client, f"/en/t/{table_of(game).code}/")
    assert address(game, "", "/en") in table.links
    asked = read(client, address(game, "", "/en"))
    first = next(link for link in asked.links if f"team={team_of(game, 1)}" in link)
    about = read(client, first)
    assert "Centro wins the game." in about.text
    response = send(client, about.form_to("/enter/"))
    assert response["Location"] == f"/en/t/{table_of(game).code}/matches/{game.match_id}/"
    assert (winner(game).seat, winner(game).closed_by) == (1, "result")


def test_result_is_followed_by_the_last_entry_and_undo(client: Client, game: MatchGame) -> None:
    response = win(client, game)
    after = read(client, response["Location"])

    assert "Entered last, game 1:" in after.text
    assert f"{factories.FIRST_NAME} Z. (Superiore 1) wins" in after.text
    assert address(game, "take-back/", "/en") in after.links
    assert "Enter game 2" in after.text


@pytest.mark.parametrize("reason", ["wrong-winner", "typing-error"])
def test_undo_is_a_correction_that_stays_in_the_log(client: Client, game: MatchGame, reason: str) -> None:
    win(client, game)
    response = send(client, read(client, address(game, "take-back/")).form_to("/put-right/"), reason=reason)
    assert response["Location"] == address(game)
    assert types_of(game) == ["game_opened", "game_closed", "event_voided"]
    assert log_of(game)[-1]["reason"] == reason
    assert winner(game) == Outcome()
    win(client, game, seat=1)
    assert winner(game).seat == 1


def test_undo_of_a_game_without_entries_leads_back_to_it(client: Client, game: MatchGame) -> None:
    assert client.get(address(game, "take-back/"))["Location"] == address(game)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("reason=time", Outcome(True, "time", None, None)),
        ("reason=abandoned", Outcome(True, "abandoned", None, None)),
        ("reason=forfeit&team={team}", "forfeit"),
        ("reason=time&team={team}", "time"),
    ],
)
def test_game_ends_by_bell_forfeit_or_abandonment(
    client: Client, game: MatchGame, query: str, expected: object
) -> None:
    chosen = f"{address(game, 'confirm/')}?{query.format(team=team_of(game, 0))}"
    assert chosen in read(client, address(game, "end/")).links
    send(client, read(client, chosen).form_to("/enter/"))
    found = winner(game)
    if isinstance(expected, str):
        assert (found.closed_by, found.seat) == (expected, 0)
    else:
        assert found == expected


@pytest.mark.parametrize(
    "query", ["", "reason=result", "reason=no", "team=no", "team=00000000-0000-0000-0000-000000000000"]
)
def test_game_end_that_cannot_be_is_asked_for_again(client: Client, game: MatchGame, query: str) -> None:
    assert client.get(address(game, f"confirm/?{query}"))["Location"] == address(game)


def test_winner_of_a_squad_may_be_named_by_player() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), entries=4, squad_size=2, tables=1)
    game, client = factories.games_of(tournament)[0], phone(tournament.event)
    send(client, confirmation(client, game).form_to("/enter/"))
    assert (winner(game).seat, winner(game).team) == (None, game.game.seats.get(number=0).team)
    other = factories.games_of(tournament)[1]
    seats = list(other.game.seats.filter(team=team_of(other, 0)).values_list("number", flat=True))
    named = next(link for link in confirmation(client, other).links if f"seat={seats[1]}" in link)
    send(client, read(client, named).form_to("/enter/"))
    assert winner(other).seat == seats[1]


def test_points_go_with_a_result_where_the_rules_count_them(game: MatchGame, client: Client) -> None:
    assert "points-0" not in confirmation(client, game).html
    tournament = factories.drawn_tournament(factories.make_event(), entries=1, ruleset="classic")
    counted, phone_there = factories.games_of(tournament)[0], phone(tournament.event)
    form = confirmation(phone_there, counted).form_to("/enter/")
    response = send(phone_there, form, **{"points-0": "512", "points-1": " 0 "})
    assert (response.status_code, log_of(counted)[-1]["scores"]) == (302, {"0": 512, "1": 0})
    assert Outcome.of_row(Game.objects.get(pk=counted.game_id)).points == (512, 0)


def test_points_can_be_left_out_and_go_with_the_bell() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), entries=1, ruleset="classic")
    (first, second, *_), phone_there = factories.games_of(tournament), phone(tournament.event)
    form = confirmation(phone_there, first).form_to("/enter/")
    assert send(phone_there, form, **{"points-0": "", "points-1": ""}).status_code == 302
    assert Outcome.of_row(Game.objects.get(pk=first.game_id)).points is None
    rung = read(phone_there, address(second, "confirm/?reason=time")).form_to("/enter/")
    assert send(phone_there, rung, **{"points-0": "20", "points-1": "50"}).status_code == 302
    assert Outcome.of_row(Game.objects.get(pk=second.game_id)).points == (20, 50)


def test_points_of_one_seat_alone_are_refused() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), entries=1, ruleset="classic")
    counted, phone_there = factories.games_of(tournament)[0], phone(tournament.event)
    form = confirmation(phone_there, counted).form_to("/enter/")
    response = send(phone_there, form, **{"points-0": "512", "points-1": " "})

    assert (response.status_code, types_of(counted)) == (422, [])
    assert "Write the points of everybody at the table" in Page(response).text


def test_points_that_are_no_number_are_refused() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), entries=1, ruleset="classic")
    counted, phone_there = factories.games_of(tournament)[0], phone(tournament.event)
    form = confirmation(phone_there, counted).form_to("/enter/")

    assert send(phone_there, form, **{"points-0": "many"}).status_code == 400
    assert types_of(counted) == []


# Twice, late, or by two phones


def test_double_tap_of_a_result_is_one_fact(client: Client, game: MatchGame) -> None:
    form = confirmation(client, game).form_to("/enter/")
    answers = [send(client, form) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302] * 3
    assert types_of(game) == ["game_opened", "game_closed"]


def test_undo_tapped_twice_is_one_correction(client: Client, game: MatchGame) -> None:
    win(client, game)
    form = read(client, address(game, "take-back/")).form_to("/put-right/")
    answers = [send(client, form, reason="typing-error") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302] * 2
    assert types_of(game) == ["game_opened", "game_closed", "event_voided"]


def test_two_phones_with_different_winners_are_a_conflict_to_decide(client: Client, game: MatchGame) -> None:
    late = confirmation(client, game, seat=1).form_to("/enter/")
    win(phone(table_of(game).event), game, seat=0)
    response = send(client, late)
    told = Page(response)
    assert response.status_code == 409
    assert "Superiore" not in told.text.split("Yours was")[1].split("Leave")[0]
    assert winner(game).seat == 0
    send(client, told.form_to("/put-right/"))
    assert winner(game).seat == 1
    assert types_of(game) == ["game_opened", "game_closed", "event_voided", "game_closed"]
    assert log_of(game)[2]["reason"] == "wrong-winner"


def test_two_phones_with_the_same_winner_leave_nothing_to_do(client: Client, game: MatchGame) -> None:
    late = confirmation(client, game).form_to("/enter/")
    win(phone(table_of(game).event), game)
    response = send(client, late)
    told = Page(response)

    assert (response.status_code, "there is nothing left to do" in told.text, told.forms) == (409, True, [])


def test_second_phone_may_name_the_team_of_the_winner(client: Client, game: MatchGame) -> None:
    results.enter_result(game, Actor.command(), seat=0)
    for seat, same in ((0, True), (1, False)):
        name = Team.objects.get(pk=team_of(game, seat)).name
        event = json.dumps({"type": "game_closed", "reason": "result", "winner": None, "team": name})
        response = client.post(address(game, "enter/", "/en"), batch(game, event=event))
        assert (response.status_code, response.context["is_same"]) == (409, same)


@pytest.mark.parametrize(
    "event",
    ['{"type": "turn_passed", "seat": 99}', '{"type": "game_closed", "reason": "result", "winner": 99}'],
)
def test_seat_that_is_not_there_is_unreadable_in_a_conflict_too(
    client: Client, game: MatchGame, event: str
) -> None:
    results.enter_result(game, Actor.command(), seat=0)
    response = client.post(address(game, "enter/", "/en"), batch(game, event=event))
    assert (response.status_code, "This can’t be read" in Page(response).text) == (400, True)


def test_result_for_a_game_with_cards_is_a_conflict_and_may_be_entered(
    client: Client, game: MatchGame
) -> None:
    late = confirmation(client, game).form_to("/enter/")
    results.write_log(game, Actor.command(), [(None, {"type": "dealer_named", "seat": 1})])
    told = Page(send(client, late))

    assert "is the dealer" in told.text
    assert send(client, told.form_to("/enter/")).status_code == 302
    assert winner(game).closed_by == "result"


def test_entry_id_that_was_used_for_another_entry_is_a_conflict(client: Client, game: MatchGame) -> None:
    form = confirmation(client, game).form_to("/enter/")
    other = confirmation(client, game, seat=1).form_to("/enter/")
    send(client, form)
    other.fields = [pair for pair in other.fields if pair[0] != "id"]
    other.fields += [pair for pair in form.fields if pair[0] == "id"]

    assert send(client, other).status_code == 409
    assert winner(game).seat == 0


# What stands in the way


def test_match_that_is_done_says_so_and_the_table_is_all_done(
    game: MatchGame, tournament: Tournament
) -> None:
    client = phone(tournament.event)
    table, games = table_of(game), factories.games_of(tournament)
    for each in games:
        response = win(client, each)
    after = read(client, response["Location"])

    assert "This match is done" in after.text
    assert "All done" in read(client, f"/en/t/{table.code}/").text


def test_done_match_leads_to_the_next_match_at_the_table() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), entries=2, tables=1)
    client, games = phone(tournament.event), factories.games_of(tournament)
    first = [each for each in games if each.match_id == games[0].match_id]
    for each in first:
        response = win(client, each)
    done = read(client, response["Location"])
    assert "Next match at this table" in done.text
    following = next(each for each in games if each.match_id != games[0].match_id)
    following_page = read(client, f"/en/t/{table_of(following).code}/")
    assert address(following, "", "/en") in following_page.links


def test_timetable_says_when_a_match_begins_until_it_has() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), entries=2, tables=1)
    client, games = phone(tournament.event), factories.games_of(tournament)
    first = [each for each in games if each.match_id == games[0].match_id]
    table = f"/en/t/{table_of(games[0]).code}/"
    assert "begins at" not in read(client, table).text
    begins_at = local(tournament.event, factories.DAY, "13:40")
    timetable.change_place(games[0].match, Actor.command(), begins_at=begins_at)
    assert "begins at 13:40" in read(client, table).text
    after_first, *_, after_all = [read(client, win(client, each)["Location"]).text for each in first]
    assert "begins at" not in after_first
    assert "begins at 14:35" in after_all


def test_game_that_another_phone_entered_shows_its_result(client: Client, game: MatchGame) -> None:
    win(phone(table_of(game).event), game)
    seen = read(client, address(game, "", "/en"))
    assert "wins" in seen.text
    assert "Who has won?" not in seen.text


def test_draw_that_is_not_published_takes_no_result() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), published=False)
    game, client = factories.games_of(tournament)[0], phone(tournament.event)
    code = table_of(game).code
    for page in ("", f"matches/{game.match_id}/"):
        assert "The draw isn’t published yet" in read(client, f"/en/t/{code}/{page}").text
    response = client.post(address(game, "enter/"), batch(game))
    assert (response.status_code, types_of(game)) == (409, [])


def batch(game: MatchGame, **changed: str) -> dict[str, str]:
    return {
        "version": "0",
        "id": str(uuid4()),
        "event": '{"type": "game_closed", "reason": "result", "winner": 0}',
        **changed,
    }


@pytest.mark.parametrize(
    "changed",
    [
        {"version": "x"},
        {"version": "-1"},
        {"version": ""},
        {"id": "x"},
        {"event": "{"},
        {"event": "[]"},
        {"event": "[" * 100_000},
        {"id": ""},
    ],
)
def test_request_that_no_page_sends_is_unreadable_and_not_stored(
    client: Client, game: MatchGame, changed: dict[str, str]
) -> None:
    response = client.post(address(game, "enter/", "/en"), batch(game, **changed))
    assert (response.status_code, "This can’t be read" in Page(response).text) == (400, True)
    assert types_of(game) == []


# More points than facts can hold.
BEYOND = '{"type": "game_closed", "reason": "result", "winner": 0, "scores": {"0": 1%s}}' % ("0" * 30)


@pytest.mark.parametrize(
    "event",
    [
        '{"type": "game_closed"}',
        '{"type": "game_closed", "reason": "result", "winner": 9}',
        '{"type": "x"}',
        BEYOND,
    ],
)
def test_event_that_cannot_be_is_refused_and_not_stored(client: Client, game: MatchGame, event: str) -> None:
    response = client.post(address(game, "enter/"), batch(game, event=event))
    assert (response.status_code, types_of(game)) == (422, [])


def test_addresses_of_forms_take_nothing_but_forms(client: Client, game: MatchGame) -> None:
    for rest in ("enter/", "put-right/", "confirm-result/"):
        opened = client.get(address(game, rest, "/en"))
        assert (opened.status_code, opened["Location"]) == (302, address(game, "", "/en"))
    assert client.put(address(game, "enter/")).status_code == 405
    assert client.post(address(game)).status_code == 405
    assert types_of(game) == []


def test_facts_of_an_organizer_carry_the_account(game: MatchGame, tournament: Tournament) -> None:
    organizer = factories.make_account()
    tournament.event.organizers.create(account=organizer)
    client = Client()
    client.force_login(organizer)
    win(client, game)

    assert log_of(game)[-1]["by"] == str(organizer.pk)


def test_tap_without_a_csrf_token_is_refused(game: MatchGame, tournament: Tournament) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = phone(tournament.event).cookies
    assert strict.post(address(game, "enter/"), batch(game)).status_code == 403
    assert types_of(game) == []


def test_table_page_takes_as_many_queries_for_many_matches_as_for_few() -> None:
    counts = []
    for entries in (1, 4):
        tournament = factories.drawn_tournament(factories.make_event(), entries=entries, tables=1)
        client, code = phone(tournament.event), tournament.event.tables.get().code
        win(client, factories.games_of(tournament)[0])
        with CaptureQueriesContext(connection) as queries:
            read(client, f"/t/{code}/")
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 24


def test_result_of_a_game_whose_id_is_taken_is_refused_to_page_and_script(
    client: Client, game: MatchGame
) -> None:
    asked = confirmation(client, game)
    Stream.objects.create(id=game.game_id, kind="tournament", scope=uuid4())

    form = asked.form_to("/enter/")
    page = send(client, form)
    script = client.post(form.action, form.data(), HTTP_ACCEPT="application/json")

    assert (page.status_code, script.status_code) == (409, 409)
    assert "Something else at this service has the same id" in page.content.decode()
    assert (script.json()["code"], script.json()["accepted"]) == ("id-taken", [])
