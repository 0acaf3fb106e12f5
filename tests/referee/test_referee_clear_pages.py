"""What isn't as a referee thinks: each case says what happened and what to do, and loses nothing."""

import json
from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games.logbook import stored_events
from people.actors import Actor
from people.event_days import is_on, today
from people.models import Event, Pairing
from people.phone_clocks import CLOCK_HEADER
from tests.support import factories
from tests.support.phones import Page, address, phone, read, send
from tournaments.commands.close import close_tournament
from tournaments.models import Match, MatchGame, Table

pytestmark = pytest.mark.django_db

PUBLISHED = "2026-09-05"


@pytest.fixture
def event() -> Event:
    return factories.make_event(name="Palio della Fonte")


@pytest.fixture
def game(event: Event) -> MatchGame:
    return factories.games_of(factories.drawn_tournament(event, entries=1))[0]


@pytest.fixture
def elsewhere(event: Event) -> Table:
    return Table.objects.create(event=event, number=7)


def move(game: MatchGame, table: Table) -> None:
    Match.objects.filter(pk=game.match_id).update(table=table)


def entry(game: MatchGame, **fields: str) -> dict[str, str]:
    """The fields by which a page closes a game that wasn't begun."""
    closing = {"type": "game_closed", "reason": "result", "winner": 1}
    return {"version": "0", "id": str(uuid4()), "event": json.dumps(closing), **fields}


# A match that was moved


def test_game_that_was_moved_says_where_it_is_and_leads_there(game: MatchGame, elsewhere: Table) -> None:
    client = phone(elsewhere.event)
    old = game.match.table.code
    move(game, elsewhere)
    for path, leads_to in (
        (f"games/{game.game_id}/", f"games/{game.game_id}/"),
        (f"games/{game.game_id}/cards/", f"games/{game.game_id}/"),
        (f"matches/{game.match_id}/", f"matches/{game.match_id}/"),
    ):
        told = read(client, f"/en/t/{old}/{path}")
        assert "This match was moved to table 7" in told.text
        assert f"/en/t/{elsewhere.code}/{leads_to}" in told.links
        assert f"/en/t/{old}/" in told.links


def test_entry_sent_to_the_former_table_of_a_moved_match_counts(game: MatchGame, elsewhere: Table) -> None:
    client = phone(elsewhere.event)
    # The page is open, or the phone is out of reach, while the desk moves the match.
    sent_to = address(game, "enter/", "/en")
    move(game, elsewhere)
    fields = entry(game)
    for _ in range(2):
        response = client.post(sent_to, fields, follow=True)
        assert "This match was moved to table 7" in Page(response).text

    assert [each["type"] for each in stored_events(game.game_id)] == ["game_opened", "game_closed"]


def test_game_of_another_event_is_not_found_at_a_table(game: MatchGame, event: Event) -> None:
    other = factories.games_of(factories.drawn_tournament(factories.make_event(), entries=1))[0]
    code = game.match.table.code
    client, page = phone(event), f"/en/t/{code}/games/{other.game_id}/"
    assert "isn’t played any more" in read(client, page, 404).text
    for path in (
        *(f"{page}{rest}" for rest in ("cards/", "confirm/", "log/")),
        f"/en/t/{code}/matches/{other.match_id}/",
    ):
        assert client.get(path).status_code == 404
    response = client.post(f"{page}enter/", entry(other))
    assert (response.status_code, stored_events(other.game_id)) == (404, [])


def test_game_that_was_drawn_away_says_that_the_draw_was_changed(game: MatchGame, event: Event) -> None:
    code = game.match.table.code
    for path in (f"games/{uuid4()}/", f"matches/{uuid4()}/"):
        told = read(phone(event), f"/en/t/{code}/{path}", 404)
        assert "The draw was changed after this page was opened" in told.text
        assert f"/en/t/{code}/" in told.links
    response = phone(event).post(f"/it/t/{code}/games/{uuid4()}/enter/".removeprefix("/it"), entry(game))
    assert (response.status_code, "Non si gioca più" in Page(response).text) == (404, True)


# Another day


@pytest.fixture
def stranger(event: Event) -> Client:
    """A phone that wasn't asked yet."""
    client = phone(event)
    Pairing.objects.update(other_day=None)
    return client


def days(event: Event, first: int, last: int) -> None:
    """Let the event be from so many days from now to so many."""
    event.starts_on, event.ends_on = (today(event) + timedelta(days=each) for each in (first, last))
    event.save()


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [(1, 2, "The event isn’t today, but later"), (-9, -8, "The event was on another day")],
)
def test_result_on_a_day_without_the_event_is_asked_about_first(
    stranger: Client, event: Event, game: MatchGame, first: int, last: int, words: str
) -> None:
    days(event, first, last)
    # Who only looks isn't asked.
    assert "Enter game 1" in read(stranger, f"/en/t/{game.match.table.code}/").text
    for path in ("", "cards/", "end/", "confirm/?reason=abandoned"):
        assert words in read(stranger, address(game, path, "/en")).text
    asked = read(stranger, address(game, "", "/en"))
    assert f"/en/t/practice/?table={game.match.table.code}" in asked.links
    response = send(stranger, asked.form_to("/other-day/"))
    assert response["Location"] == address(game, "", "/en")
    assert "Who has won?" in read(stranger, response["Location"]).text
    # Tomorrow it asks again.
    Pairing.objects.update(other_day=today(event) - timedelta(days=1))
    assert words in read(stranger, address(game, "", "/en")).text


def test_result_on_a_day_of_the_event_is_not_asked_about(
    stranger: Client, event: Event, game: MatchGame
) -> None:
    for first, last in ((0, 0), (-1, 1)):
        days(event, first, last)
        assert "Who has won?" in read(stranger, address(game, "", "/en")).text


def test_practice_event_asks_on_no_day(stranger: Client, event: Event, game: MatchGame) -> None:
    days(event, 1, 1)
    Event.objects.filter(pk=event.pk).update(is_practice=True)
    assert "Who has won?" in read(stranger, address(game, "", "/en")).text


def test_entry_is_stored_on_any_day(stranger: Client, event: Event, game: MatchGame) -> None:
    days(event, -1, -1)
    assert stranger.post(address(game, "enter/"), entry(game)).status_code == 302
    assert len(stored_events(game.game_id)) == 2


def test_other_day_answer_leads_to_no_other_site(stranger: Client, event: Event, game: MatchGame) -> None:
    code = game.match.table.code
    for wanted in ("https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""):
        response = stranger.post(f"/t/{code}/other-day/", {"next": wanted})
        assert response["Location"] == f"/t/{code}/"


def test_event_day_ends_at_four_in_the_morning(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    def at(text: str) -> bool:
        monkeypatch.setattr("people.event_days.timezone.now", lambda: datetime.fromisoformat(text))
        return is_on(event)

    assert (event.time_zone, event.starts_on.isoformat()) == ("Europe/Rome", PUBLISHED)
    assert [
        at("2026-09-04T23:59:00+02:00"),
        at("2026-09-05T00:00:00+02:00"),
        at("2026-09-06T03:59:00+02:00"),
        at("2026-09-06T04:00:00+02:00"),
    ] == [False, True, True, False]


# A phone's clock


def told_of_clock(client: Client, game: MatchGame, off: timedelta, language: str = "/en") -> str:
    """What a page says after the phone has asked with a clock that is so much ahead."""
    moment = str(round((timezone.now() + off).timestamp() * 1000))
    client.get(f"/live/tables/{game.match.table_id}/", headers={CLOCK_HEADER: moment})
    return read(client, address(game, "", language)).text


@pytest.mark.parametrize(
    ("off", "words"),
    [
        (timedelta(hours=2, seconds=1), "This phone’s clock is 2 hours fast."),
        (timedelta(minutes=-61), "This phone’s clock is 61 minutes slow."),
        (timedelta(days=-400), "This phone’s clock is 400 days slow."),
    ],
)
def test_phone_clock_that_is_wrong_is_told_by_how_much(
    event: Event, game: MatchGame, off: timedelta, words: str
) -> None:
    client = phone(event)
    assert words in told_of_clock(client, game, off)
    # Set right, it is told no more.
    assert "This phone’s clock" not in told_of_clock(client, game, timedelta())


def test_phone_clock_is_told_of_only_from_five_minutes_off(event: Event, game: MatchGame) -> None:
    client = phone(event)
    assert "L’orologio di questo telefono" not in told_of_clock(client, game, timedelta(minutes=-2), "")
    assert "L’orologio di questo telefono è avanti di 5 minuti." in told_of_clock(
        client, game, timedelta(minutes=5), ""
    )


@pytest.mark.parametrize("said", ["", "soon", "-5", "1" * 400, "²"])
def test_phone_clock_that_cannot_be_read_counts_as_right(event: Event, game: MatchGame, said: str) -> None:
    client = phone(event)
    answer = client.get(f"/live/tables/{game.match.table_id}/", headers={CLOCK_HEADER: said})
    assert (answer.status_code, Pairing.objects.get().clock_off) == (200, 0)


def test_entry_with_a_wrong_time_counts(event: Event, game: MatchGame) -> None:
    response = phone(event).post(address(game, "enter/"), entry(game, at="2031-01-01T00:00:00Z"))
    assert response.status_code == 302
    assert stored_events(game.game_id)[-1]["at"] == "2031-01-01T00:00:00Z"


# What is over, and what never was


def test_closed_tournament_takes_no_correction_and_says_so(event: Event, game: MatchGame) -> None:
    client, tournament = phone(event), game.match.stage.tournament
    for each in factories.games_of(tournament):
        client.post(address(each, "enter/"), entry(each))
    close_tournament(tournament, Actor.command())
    code = game.match.table.code
    before = stored_events(game.game_id)
    assert "The tournament is closed" in read(client, f"/en/t/{code}/").text
    links = read(client, f"/en/t/{code}/matches/{game.match_id}/").links
    assert [link for link in links if "take-back" in link] == []
    late = {"version": "2", "id": str(uuid4()), "line": "2", "reason": "wrong-winner"}
    response = client.post(address(game, "put-right/", "/en"), late)
    told = Page(response)
    assert (response.status_code, "can’t be entered now" in told.text) == (409, True)
    assert "the organizer can reopen it" in told.text
    assert f"/en/t/{code}/" in told.links
    assert stored_events(game.game_id) == before


def test_table_that_is_gone_asks_for_another_code(event: Event, game: MatchGame) -> None:
    client, code = phone(event), game.match.table.code
    table = Table.objects.create(event=event, number=9)
    gone = table.code
    table.delete()

    assert "No table has this code" in read(client, f"/en/t/{gone}/", 404).text
    assert "Enter game 1" in read(client, f"/en/t/{code}/").text
