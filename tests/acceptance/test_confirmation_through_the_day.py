"""A small tournament in which results have to be confirmed: once by second phones, once by the organizer."""

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games.models import Game
from people.models import Event
from tests.support import factories
from tests.support.clients import browser_of, client_of_token
from tests.support.forms import address as address_of_desk
from tests.support.forms import fields_of, form_to, open_page
from tests.support.page_reading import read as read_page
from tests.support.phones import address, phone, read, send, table_of
from tests.support.soundness import assert_sound
from tournaments.models import MatchGame, Tournament
from tournaments.projections import standings

pytestmark = pytest.mark.django_db


def desk_address(name: str, *args: Any) -> str:
    """An address of the desk in English, whatever language was spoken last."""
    with translation.override("en"):
        return address_of_desk(name, *args)


class Day:
    """The event, its organizer's browser and program, and two referees' phones."""

    def __init__(self, confirmation: str) -> None:
        organizer = factories.make_account()
        self.event: Event = factories.make_event(organizer)
        self.tournament: Tournament = factories.drawn_tournament(
            self.event, entries=1, rounds=1, confirmation=confirmation
        )
        self.games = factories.games_of(self.tournament)
        self.desk = browser_of(organizer)
        self.program = client_of_token(organizer)
        self.first, self.second = phone(self.event), phone(self.event)

    def win(self, game: MatchGame, client: Client, seat: int = 0) -> None:
        """A result by two taps."""
        team = game.game.seats.get(number=seat).team
        about = read(client, address(game, f"confirm/?team={team}", "/en"))
        assert send(client, about.form_to("/enter/")).status_code == 302

    def played(self) -> int:
        """How many games the public standings count."""
        version = standings.compute(self.tournament.pk)
        assert version is not None
        return version.games_played

    def match_page(self, game: MatchGame) -> str:
        """The match as everybody sees it."""
        path = f"/en/{self.event.slug}/{self.tournament.slug}/matches/{game.match_id}/"
        response = Client().get(path)
        assert response.status_code == 200, path
        return " ".join(response.content.decode().split())

    def close(self) -> Any:
        """What the program hears when it closes the tournament."""
        return self.program.post(f"/api/v1/tournaments/{self.tournament.pk}/close/", {})


def version_of(game: MatchGame) -> int:
    """The length of a game's log now."""
    return Game.objects.get(pk=game.game_id).version


def test_confirmation_by_a_second_phone_and_a_dispute() -> None:
    day = Day("second_person")
    table = f"/en/t/{table_of(day.games[0]).code}/"
    for game in day.games:
        day.win(game, day.first)
    assert day.played() == 0
    assert "waiting for confirmation" in day.match_page(day.games[0])
    # Who entered it is told what is missing, and isn't offered to confirm.
    mine = read(day.first, address(day.games[0], "", "/en"))
    assert "once a second person has confirmed it" in mine.text
    assert not any("confirm-result" in form.action for form in mine.forms)
    closed = day.close()
    assert (closed.status_code, closed.json()["code"]) == (409, "results-to-confirm")
    # The second phone opens the table: two taps for each.
    for place, game in enumerate(day.games):
        opened = read(day.second, table)
        assert address(game, "", "/en") in opened.links
        shown = read(day.second, address(game, "", "/en"))
        assert "Somebody else entered this. Is it right?" in shown.text
        if place == 1:
            reasons = read(day.second, address(game, "dispute/", "/en"))
            form = reasons.form_to("/dispute/")
            assert ("reason", "wrong-winner") in form.buttons
            answer = send(day.second, form, reason="wrong-winner")
        else:
            answer = send(day.second, shown.form_to("/confirm-result/"))
        assert answer.status_code == 302
        if place == 0:
            again = send(day.second, shown.form_to("/confirm-result/"))
            assert again.status_code == 302
    assert day.played() == 2
    disputed = day.games[1]
    assert "being checked by the desk" in day.match_page(disputed)
    assert "the desk knows, and settles it" in read(day.first, address(disputed, "", "/en")).text
    assert "confirmed" in read(day.first, address(day.games[0], "", "/en")).text
    assert day.close().json()["code"] == "dispute-open"
    # The desk sees it first on the board, looks at it, and corrects: that settles it.
    board = desk_address("board", day.event.slug)
    page = open_page(day.desk, board)
    assert "Settle it" in page.text
    assert "Somebody else has won" in page.text
    line = version_of(disputed)
    path = desk_address("correct", day.event.slug, disputed.game_id, line)
    asked = open_page(day.desk, path)
    fields = {**fields_of(form_to(asked)), "instead": "ending", "winner": "1", "reason": "wrong-winner"}
    preview = read_page(day.desk.post(path, fields))
    stored = day.desk.post(path, {**fields_of(form_to(preview)), "confirm": "yes"})
    assert stored.status_code == 302, stored.content.decode()[-2000:]
    assert day.played() == 3
    assert day.close().status_code == 200
    assert_sound(day.tournament)


def test_confirmation_by_the_organizer_one_by_one_and_all_at_once() -> None:
    day = Day("organizer")
    for game in day.games:
        day.win(game, day.first)
    first, *others = day.games
    shown = read(day.second, address(first, "", "/en"))
    assert "once the desk has confirmed it" in shown.text
    assert not any("confirm-result" in form.action for form in shown.forms)
    waiting = day.program.get(f"/api/v1/tournaments/{day.tournament.pk}/confirmations/").json()
    assert [(each["game"], each["check"]) for each in waiting["results"]] == [
        (str(game.game_id), "submitted") for game in day.games
    ]
    path = f"/api/v1/games/{first.game_id}/"
    wrong = day.program.post(f"{path}confirm/", {"expected_version": 1}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (409, "version-conflict")
    assert wrong.json()["current_version"] == 2
    said = {"expected_version": 2, "reason": "wrong-points"}
    assert day.program.post(f"{path}dispute/", said, format="json").json()["check"] == "disputed"
    kept = {"expected_version": 2, "outcome": "kept"}
    assert day.program.post(f"{path}settle/", kept, format="json").json()["check"] == "confirmed"
    assert day.program.post(f"{path}settle/", kept, format="json").json()["code"] == "no-dispute"
    assert day.played() == 1
    # The desk's board lists the others; a press confirms all of them as they were listed.
    board = open_page(day.desk, desk_address("board", day.event.slug))
    listed = [f"{game.game_id}:{version_of(game)}" for game in others]
    held = [
        field.attributes["value"] for field in board.all("input") if field.attributes.get("name") == "result"
    ]
    assert sorted(held) == sorted([*listed, *listed])
    path = desk_address("confirm", day.event.slug, day.tournament.slug)
    assert day.desk.post(path, {"result": listed}).status_code == 302
    assert day.played() == 3
    assert (
        "Results that don’t count yet" not in open_page(day.desk, desk_address("board", day.event.slug)).text
    )
    assert day.close().status_code == 200
    assert_sound(day.tournament)


def test_confirmation_setting_is_changed_by_form() -> None:
    day = Day("none")
    path = desk_address("tournament-settings", day.event.slug, day.tournament.slug)
    day.win(day.games[0], day.first)
    assert day.played() == 1
    page = open_page(day.desk, path)
    sent = {**fields_of(form_to(page)), "confirmation": "organizer", "reason": "organizer-decision"}
    assert day.desk.post(path, sent).status_code == 302
    day.tournament.refresh_from_db()
    assert day.tournament.settings["confirmation"] == "organizer"
    day.win(day.games[1], day.first)
    assert day.played() == 1
    match = desk_address("match", day.event.slug, day.games[1].match_id)
    confirm = desk_address("result-confirm", day.event.slug, day.games[1].game_id)
    form = fields_of(form_to(open_page(day.desk, match), confirm))
    for _ in range(2):
        assert day.desk.post(confirm, form).status_code == 302
    assert day.played() == 2
    assert_sound(day.tournament)
