"""Results at the desk: entered, sent twice, overtaken, corrected with a look at what it changes."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from games.models import Game
from ledger.models import Fact
from people.actors import Actor
from people.models import Entry, Team
from tests.desk.palio import Palio
from tests.support.forms import address, errors, fields_of, form_to, open_page, send
from tests.support.page_reading import Element, read
from tests.support.stored_games import BEGIN, SIX_LINES
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.commands.set_up import change_settings
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db


def team_at(game: MatchGame, seat: int) -> UUID:
    """The team of a seat."""
    return game.game.seats.get(number=seat).team


def result_form(desk: Client, palio: Palio, game: MatchGame) -> tuple[str, dict[str, str]]:
    """The address of a game's form, and its fields as the page gives them now."""
    path = address("result", palio.event.slug, game.game_id)
    page = open_page(desk, address("match", palio.event.slug, game.match_id))
    return path, fields_of(form_to(page, path))


def stored(game: MatchGame) -> tuple[bool, str, UUID | None]:
    """How a game stands."""
    row = Game.objects.get(pk=game.game_id)
    return row.is_over, row.closed_by, row.winner_team


def lines(game: MatchGame) -> int:
    """How many facts a game has."""
    return Fact.objects.filter(stream=game.game_id).count()


@pytest.fixture
def game(palio: Palio) -> MatchGame:
    """The first game."""
    return palio.games[0]


@pytest.mark.parametrize(
    ("how", "wins", "expected"),
    [
        ("result", True, "result"),
        ("forfeit", True, "forfeit"),
        ("time", True, "time"),
        ("time", False, "time"),
        ("abandoned", False, "abandoned"),
    ],
)
def test_each_way_to_end_a_game_is_stored(
    desk: Client, palio: Palio, game: MatchGame, how: str, wins: bool, expected: str
) -> None:
    path, fields = result_form(desk, palio, game)
    winner = team_at(game, 0) if wins else None
    send(desk, path, fields | {"how": how} | ({"winner": "0"} if winner else {}))
    assert stored(game) == (True, expected, winner)


@pytest.mark.parametrize(
    ("filled", "told"),
    [
        ({}, "Choose who won."),
        ({"winner": str(uuid4())}, "Choose one of those who play this game."),
        ({"winner": "nobody"}, "Choose one of those who play this game."),
        ({"how": "magic"}, "A game ends by its result, a forfeit, the bell, or is abandoned."),
        ({"how": "forfeit"}, "Choose who won."),
        (
            {"winner": "0", "how": "abandoned"},
            "An abandoned game has no winner; choose “forfeit” for who was there.",
        ),
    ],
)
def test_result_filled_in_badly_is_refused_at_its_game(
    desk: Client, palio: Palio, game: MatchGame, filled: dict[str, str], told: str
) -> None:
    path, fields = result_form(desk, palio, game)
    answer = send(desk, path, fields | filled, 422)
    assert errors(read(answer)) == [told]
    assert lines(game) == 0


def test_result_sent_twice_is_stored_once(desk: Client, palio: Palio, game: MatchGame) -> None:
    path, fields = result_form(desk, palio, game)
    fields |= {"winner": "0"}

    first = send(desk, path, fields)
    again = send(desk, path, fields)

    assert first["Location"] == again["Location"]
    assert lines(game) == 2


def test_result_sent_again_with_another_winner_is_refused(
    desk: Client, palio: Palio, game: MatchGame
) -> None:
    path, fields = result_form(desk, palio, game)
    send(desk, path, fields | {"winner": "0"})
    send(desk, path, fields | {"winner": "1"}, 409)
    assert stored(game)[2] == team_at(game, 0)


def test_result_that_was_overtaken_shows_what_is_there_now(
    desk: Client, palio: Palio, game: MatchGame
) -> None:
    path, fields = result_form(desk, palio, game)
    results.enter_result(game, Actor.command(), seat=0)
    page = read(send(desk, path, fields | {"winner": "1"}, 409))
    assert page.one("h1").text == "Somebody was faster"
    winner = palio.event.teams.get(pk=team_at(game, 0))
    assert f"Game 1: {winner.name} wins (result)." in [each.text for each in page.all("li")]
    assert stored(game)[2] == winner.pk


@pytest.mark.parametrize("broken", [{"client_id": "x"}, {"expected_version": "-1"}, {"expected_version": ""}])
def test_result_without_its_id_or_version_is_a_bad_request(
    desk: Client, palio: Palio, game: MatchGame, broken: dict[str, str]
) -> None:
    path, fields = result_form(desk, palio, game)
    send(desk, path, fields | {"winner": "0"} | broken, 400)
    assert lines(game) == 0


def test_result_of_a_closed_tournament_is_not_asked_for_and_refused(
    desk: Client, palio: Palio, game: MatchGame
) -> None:
    path, fields = result_form(desk, palio, game)
    for each in palio.games:
        results.enter_result(each, Actor.command(), seat=0)
    close_tournament(palio.tournament, Actor.command())
    page = open_page(desk, address("match", palio.event.slug, game.match_id))
    assert "The tournament is closed." in page.one(".notice").text
    assert not page.has("form.who-won")
    answer = send(desk, path, fields | {"winner": "1"}, 409)
    assert "The tournament is closed; the organizer can reopen it." in errors(read(answer))


# Corrections


def preview(desk: Client, palio: Palio, game: MatchGame, line: int, status: int = 200, **filled: Any) -> Any:
    """Ask what a correction would change."""
    path = address("correct", palio.event.slug, game.game_id, line)
    fields = fields_of(form_to(open_page(desk, path))) | {"reason": "typing-error"} | filled
    return send(desk, path, fields, status)


def cards(codes: str) -> dict[str, Any]:
    """Other cards for a line."""
    return {"value-cards": codes}


def confirm(desk: Client, previewed: Any, status: int = 302, **filled: str) -> Any:
    """Confirm what was previewed."""
    fields = fields_of(form_to(read(previewed))) | {"confirm": "yes"} | filled
    return send(desk, previewed.request["PATH_INFO"], fields, status)


def changes(page: Element) -> list[str]:
    """The rows of the standings in a preview."""
    return [row.text for row in page.one("table.data").one("tbody").all("tr")]


def test_wrong_winner_is_corrected_after_a_preview(desk: Client, palio: Palio, game: MatchGame) -> None:
    results.enter_result(game, Actor.command(), seat=0)
    right, wrong = (palio.event.teams.get(pk=team_at(game, seat)) for seat in (1, 0))
    previewed = preview(desk, palio, game, 2, winner="1", reason="wrong-winner")
    page = read(previewed)
    assert f"{wrong.name} wins (result)" in page.all("del")[1].text
    assert f"{right.name} wins (result)" in page.all("ins")[1].text
    assert any(right.short_name in row and "0 1" in row for row in changes(page))
    assert lines(game) == 2
    confirm(desk, previewed)
    assert stored(game) == (True, "result", right.pk)
    assert lines(game) == 4


def test_shared_game_is_told_and_previewed_as_one(desk: Client, palio: Palio, game: MatchGame) -> None:
    settings = {**palio.tournament.settings, "bell": "point_each"}
    change_settings(palio.tournament, Actor.command(), settings, reason="organizer-decision")
    results.enter_result(game, Actor.command(), reason="time")
    match = open_page(desk, address("match", palio.event.slug, game.match_id))
    assert match.all(".game-outcome")[0].text == "A point each. · by the bell"
    assert "if none is, a point each" in match.text
    winner = palio.event.teams.get(pk=team_at(game, 1))
    other = palio.event.teams.get(pk=team_at(game, 0))
    page = read(preview(desk, palio, game, 2, winner="1", reason="wrong-winner"))
    assert "a point each (the bell)" in page.all("del")[1].text
    assert any(other.short_name in row and "1 0" in row for row in changes(page))
    assert not any(winner.short_name in row and "0 1" in row for row in changes(page))


def test_result_is_taken_back(desk: Client, palio: Palio, game: MatchGame) -> None:
    results.enter_result(game, Actor.command(), seat=0)
    confirm(desk, preview(desk, palio, game, 2, instead="nothing"))
    assert stored(game) == (False, "", None)


def test_correction_changes_a_card_in_the_middle_of_a_log(
    desk: Client, palio: Palio, game: MatchGame
) -> None:
    results.write_log(game, Actor.command(), [(None, event) for event in SIX_LINES])
    previewed = preview(desk, palio, game, 5, **cards("r8"))
    page = read(previewed)
    assert "2 later lines hold and are kept." in page.text
    assert "The standings stay as they are." in page.text
    confirm(desk, previewed)
    snapshot = Game.objects.get(pk=game.game_id).snapshot
    assert snapshot is not None
    assert "R8" in str(snapshot)
    assert "R7" not in str(snapshot)


def test_correction_names_log_lines_that_can_t_follow_any_more(
    desk: Client, palio: Palio, game: MatchGame
) -> None:
    results.write_log(game, Actor.command(), [(None, event) for event in SIX_LINES])
    previewed = preview(desk, palio, game, 5, instead="nothing")
    assert "can’t follow any more" in read(previewed).one(".notice-warning").text


def test_correction_with_an_unknown_card_is_refused(desk: Client, palio: Palio, game: MatchGame) -> None:
    results.write_log(game, Actor.command(), [(None, event) for event in SIX_LINES])
    answer = preview(desk, palio, game, 5, 422, **cards("Z9"))
    assert any("“Z9” isn’t a card" in error for error in errors(read(answer)))


def test_correction_with_an_illegal_card_is_told_the_rule(
    desk: Client, palio: Palio, game: MatchGame
) -> None:
    results.write_log(game, Actor.command(), [(None, event) for event in SIX_LINES])
    answer = preview(desk, palio, game, 5, 422, **cards("B8"))
    told = errors(read(answer))[0]

    assert "This card doesn't go on the pile" in told
    assert "Blue 8 doesn't go on red 5: expected red, the same number or symbol, or a Wild." in told


def test_refusal_of_a_correction_names_the_action_card_on_the_pile(
    desk: Client, palio: Palio, game: MatchGame
) -> None:
    played = ({"type": "cards_played", "seat": 1, "cards": [card]} for card in ("RR", "R9"))
    results.write_log(game, Actor.command(), [(None, event) for event in (*BEGIN, *played)])
    answer = preview(desk, palio, game, 6, 422, **cards("B8"))
    assert "Blue 8 doesn't go on red Reverse: " in errors(read(answer))[0]


def test_correction_needs_a_reason(desk: Client, palio: Palio, game: MatchGame) -> None:
    results.enter_result(game, Actor.command(), seat=0)
    preview(desk, palio, game, 2, 422, winner="1", reason="")
    assert lines(game) == 2


def test_correction_confirmed_twice_is_one(desk: Client, palio: Palio, game: MatchGame) -> None:
    results.enter_result(game, Actor.command(), seat=0)
    previewed = preview(desk, palio, game, 2, winner="1")
    fields = fields_of(form_to(read(previewed))) | {"confirm": "yes"}
    path = address("correct", palio.event.slug, game.game_id, 2)
    send(desk, path, fields)
    send(desk, path, fields)

    assert lines(game) == 4


def test_correction_that_was_overtaken_stores_nothing(desk: Client, palio: Palio, game: MatchGame) -> None:
    results.write_log(game, Actor.command(), [(None, event) for event in SIX_LINES[:5]])
    previewed = preview(desk, palio, game, 5, **cards("R8"))
    results.write_log(game, Actor.command(), [(None, SIX_LINES[5])])
    page = read(confirm(desk, previewed, 409))

    assert page.one("h1").text == "Somebody was faster"
    assert "Its log has 7 lines." in [each.text for each in page.all("li")]
    assert lines(game) == 7


@pytest.mark.parametrize(("line", "status"), [(1, 422), (99, 404), (0, 404)])
def test_log_line_that_can_t_be_corrected_is_refused(
    desk: Client, palio: Palio, game: MatchGame, line: int, status: int
) -> None:
    results.enter_result(game, Actor.command(), seat=0)
    open_page(desk, address("correct", palio.event.slug, game.game_id, line), status)


def test_game_log_keeps_what_was_taken_out(desk: Client, palio: Palio, game: MatchGame) -> None:
    results.enter_result(game, Actor.command(), seat=0)
    results.correct(game, Actor.command(), 2, [], "wrong-table")
    page = open_page(desk, address("log", palio.event.slug, game.game_id))
    said = [row.all("td")[1].text for row in page.one("tbody").all("tr")]
    seat = game.game.seats.get(number=0)
    won = f"The result: {Entry.objects.get(pk=seat.entry).person} wins"
    team = Team.objects.get(pk=seat.team).name

    assert said[1] == f"{won}. The win goes to {team}. taken out"
    assert said[2] == (
        f"Correction: line 2 doesn’t count any more, “{won}” (entered at the wrong table). "
        "Now they cut for the deal."
    )
