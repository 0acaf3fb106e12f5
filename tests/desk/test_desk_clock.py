"""The clock on the board: its buttons, what two organizers at once are told, and what the history says."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import translation

from people.actors import Actor
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.computed_tournaments import win
from tests.support.forms import address, fields_of, open_page, send
from tests.support.page_reading import Element, read
from tournaments.commands import timetable_work
from tournaments.models import Clock, TimetableWork, Tournament

pytestmark = pytest.mark.django_db


def board(desk: Client, palio: Palio) -> Element:
    return open_page(desk, address("board", palio.event.slug))


def buttons(page: Element) -> list[str]:
    """What can be done with the clock."""
    return [
        button.attributes["value"]
        for panel in page.all(".clock-panel")
        for button in panel.all("button")
        if button.attributes.get("name") == "do"
    ]


def press(desk: Client, palio: Palio, what: str, status: int = 302, **filled: str) -> Element:
    """Press a button of the board as it is now; the page that follows."""
    [form] = [
        form
        for form in board(desk, palio).one(".clock-panel").all("form")
        if what in [button.attributes.get("value") for button in form.all("button")]
    ]
    return again(desk, palio, {**fields_of(form), "do": what, **filled}, status)


def again(desk: Client, palio: Palio, fields: dict[str, str], status: int = 302) -> Element:
    """Send a form of the clock; the page that follows."""
    response = send(desk, address("clock", palio.event.slug, palio.tournament.slug), fields, status)
    if status != 302:
        return read(response)
    page, anchor = response["Location"].split("#")
    followed = open_page(desk, page)
    assert [each.attributes["id"] for each in followed.all("section") if "id" in each.attributes] == [anchor]
    return followed


def test_clock_has_the_buttons_of_its_state(palio: Palio, desk: Client) -> None:
    assert buttons(board(desk, palio)) == ["start"]
    running = press(desk, palio, "start")
    assert running.one(".messages").text == "The clock is running."
    assert buttons(running) == ["pause", "add", "ring", "away", "length"]
    paused = press(desk, palio, "pause")
    assert buttons(paused) == ["resume", "add", "ring", "away", "length"]
    assert "The clock is paused" in paused.one(".countdown").text
    assert buttons(press(desk, palio, "resume")) == ["pause", "add", "ring", "away", "length"]
    rung = press(desk, palio, "ring")
    assert buttons(rung) == ["start", "add", "away"]
    assert buttons(press(desk, palio, "add")) == ["pause", "add", "ring", "away", "length"]
    away = press(desk, palio, "away")
    assert (buttons(away), away.has(".countdown")) == (["start"], False)


def test_clock_proposes_the_minutes_of_the_settings_until_others_are_set(palio: Palio, desk: Client) -> None:
    def minutes() -> str:
        [field] = [
            each
            for each in board(desk, palio).one(".clock-panel").all("input")
            if each.attributes.get("name") == "minutes"
        ]
        return field.attributes["value"]

    assert minutes() == "10"
    press(desk, palio, "start", minutes="12")
    press(desk, palio, "length", minutes="15")
    assert Clock.objects.get().length == 900
    press(desk, palio, "away")
    assert minutes() == "15"


def test_clock_proposes_the_minutes_of_a_timetable_that_is_shorter(palio: Palio, desk: Client) -> None:
    settings = {"days": [{"day": 1, "begins": "14:00", "ends": "20:00"}], "tables": 6, "shorter": 5}
    timetable_work.ask(palio.event, Actor.command(), settings)
    timetable_work.run(TimetableWork.objects.get().pk, seconds=1, is_watched=False)
    timetable_work.keep(palio.event, Actor.command())

    (minutes,) = [
        each.attributes["value"]
        for each in board(desk, palio).all("input")
        if each.attributes.get("name") == "minutes"
    ]

    assert minutes == "8"


@pytest.mark.parametrize("minutes", ["", "0", "241", "-5", "ten", "1.5", "٣", "9" * 40])
def test_clock_with_impossible_minutes_is_not_started(palio: Palio, desk: Client, minutes: str) -> None:
    page = press(desk, palio, "start", 422, minutes=minutes)
    assert "How many minutes? A whole number from 1 to 240 is expected." in page.one(".notice").text
    assert not Clock.objects.exists()


@pytest.mark.usefixtures("stopped_clock")
def test_clock_length_that_has_passed_already_is_refused(palio: Palio, desk: Client) -> None:
    press(desk, palio, "start")
    clock = Clock.objects.get()
    Clock.objects.update(started_at=clock.started_at and clock.started_at - timedelta(minutes=5))
    page = press(desk, palio, "length", 422, minutes="4")

    assert "This takes 301 to 14400 seconds." in page.one(".notice").text


@pytest.mark.usefixtures("stopped_clock")
def test_clock_button_pressed_twice_counts_once(palio: Palio, desk: Client) -> None:
    press(desk, palio, "start")
    fields = {"expected_version": "1", "do": "add"}
    again(desk, palio, fields)
    page = again(desk, palio, fields, 409)

    assert page.one("h1").text == "Somebody was faster"
    assert "The clock is running, with 11:00 left." in page.text
    assert Clock.objects.get().added == 60


@pytest.mark.parametrize("fields", [{}, {"do": "explode"}, {"do": "pause"}, {"do": "start", "at": "x.y"}])
def test_clock_form_that_no_page_has_is_a_bad_request(
    palio: Palio, desk: Client, fields: dict[str, str]
) -> None:
    given = {"minutes": "10", **fields} | ({"expected_version": "0"} if "at" in fields else {})
    again(desk, palio, given, 400)
    assert not Clock.objects.exists()


def test_clock_proposes_the_next_wave_after_the_bell(palio: Palio, desk: Client) -> None:
    """A result of the first that is late doesn't hold up the day."""
    Tournament.objects.all().delete()
    palio.tournament = factories.drawn_tournament(palio.event, rounds=2)

    def proposed() -> str:
        return str(fields_of(board(desk, palio).one(".clock-panel").all("form")[0])["at"])

    assert proposed() == "1.1"
    press(desk, palio, "start")
    press(desk, palio, "ring")
    assert proposed() == "2.1"
    press(desk, palio, "start")
    assert (Clock.objects.get().round, Clock.objects.get().wave) == (2, 1)


def test_board_has_no_clock_once_nothing_is_left_to_play(palio: Palio, desk: Client) -> None:
    for game in palio.games:
        win(game, None, "time")
    assert not board(desk, palio).has(".clock-panel")


def test_board_is_sent_again_once_the_bell_has_rung(palio: Palio, desk: Client) -> None:
    press(desk, palio, "start")
    first = desk.get(address("board", palio.event.slug))
    seen = {"If-None-Match": first["ETag"]}
    assert desk.get(address("board", palio.event.slug), headers=seen).status_code == 304
    Clock.objects.update(length=0)
    assert desk.get(address("board", palio.event.slug), headers=seen).status_code == 200


def test_history_tells_what_was_done_with_the_clock(palio: Palio, desk: Client) -> None:
    for what in ("start", "pause", "resume", "add", "ring", "away"):
        press(desk, palio, what)
    told = open_page(desk, address("audit", palio.event.slug)).text
    for line in (
        "Clock started · Torneo",
        "Round 1; wave 1; 10 minutes",
        "Clock paused · Torneo",
        "Clock goes on · Torneo",
        "More time · Torneo",
        "1 minute",
        "The bell was rung · Torneo",
        "Clock put away · Torneo",
    ):
        assert line in told


def test_clock_panel_speaks_italian(palio: Palio, desk: Client) -> None:
    with translation.override("it"):
        assert "Avvia l’orologio" in board(desk, palio).text
        assert "La campana suona alle" in press(desk, palio, "start").text
        assert "La campana è suonata" in press(desk, palio, "ring").text
