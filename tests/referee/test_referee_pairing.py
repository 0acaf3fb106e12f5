"""Finding a table and pairing a phone: each way in, and what each phone that isn't in is told."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

from config.checks import declared_access, url_patterns
from people import pairings
from people.access import anyone, writes_results
from people.actors import Actor, secret_hash
from people.models import Event, Pairing, Try
from people.pairings import COOKIE, DAY_PIN, set_day_pin
from tests.support import factories
from tests.support.phones import Page, phone, read, send
from tests.support.worlds import remembered
from tournaments.models import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return remembered(palio_of_the_fountain)


def palio_of_the_fountain() -> Event:
    """With a tournament that is drawn."""
    event = factories.make_event(name="Palio della Fonte")
    factories.drawn_tournament(event)
    return event


@pytest.fixture
def table(event: Event) -> Table:
    return event.tables.get(number=1)


def ask(client: Client, table: Table) -> Pairing:
    """Choose the first name of the list."""
    form = read(client, f"/t/{table.code}/pair/").form_to("/pair/")
    send(client, form, referee=form.buttons[0][1])
    return Pairing.objects.get(secret_hash=secret_hash(client.cookies[COOKIE].value))


# The code


@pytest.mark.parametrize("change", [str.lower, lambda code: f" {code[:3]}-{code[3:]} ", str])
def test_table_code_is_read_however_it_is_typed(table: Table, change: object) -> None:
    assert callable(change)
    response = Client().get("/t/", {"code": change(table.code)})
    assert (response.status_code, response["Location"]) == (302, f"/t/{table.code}/")


@pytest.mark.parametrize("typed", ["NOSUCH", "0", "x" * 300, "<script>", "ÀÈ"])
def test_unknown_table_code_is_a_404_that_says_so(table: Table, typed: str) -> None:
    response = Client().get("/en/t/", {"code": typed})
    assert response.status_code == 404
    assert "No table has this code" in Page(response).text
    assert "<script>" not in response.content.decode().replace('<script src="', "")


def test_table_address_in_small_letters_leads_to_its_table(table: Table) -> None:
    # A code that was drawn may have no letter in it.
    Table.objects.filter(pk=table.pk).update(code="HK7M2P")
    response = Client().get("/t/hk7m2p/")
    assert response["Location"] == "/t/HK7M2P/"


def test_table_code_is_asked_for_if_it_is_blank(table: Table) -> None:
    assert "The code of your table" in read(Client(), "/en/t/?code=%20").text


# Who isn't in


def test_table_page_shows_strangers_the_teams_and_no_names(event: Event, table: Table) -> None:
    response = Client().get(f"/en/t/{table.code}/")
    told = Page(response)

    assert "Superiore" in told.text
    for hidden in (factories.FIRST_NAME, factories.LAST_NAME, "Ivo", "Superiore 1"):
        assert hidden not in told.html
    assert response["Referrer-Policy"] == "same-origin"
    assert "no-store" in response["Cache-Control"]


def test_table_page_shows_names_of_players_to_referees(event: Event, table: Table) -> None:
    assert factories.FIRST_NAME in read(phone(event), f"/t/{table.code}/").html


def test_unpublished_event_shows_strangers_only_the_way_to_pair(event: Event, table: Table) -> None:
    Event.objects.filter(pk=event.pk).update(is_published=False)
    told = read(Client(), f"/en/t/{table.code}/")
    assert "Superiore" not in told.html
    assert f"/en/t/{table.code}/pair/" in told.links


def test_every_page_of_writing_is_closed_to_phones_not_admitted(event: Event, table: Table) -> None:
    game = factories.games_of(event.tournaments.get())[0].game_id
    other = factories.make_event()
    clients = {
        "unknown": (phone(), "Are you a referee here?"),
        "waiting": (phone(event, admitted=False), "Not admitted yet"),
        "elsewhere": (phone(other), "paired for another event"),
    }
    ends = ["", "end/", "confirm/", "count/", "cards/", "log/", "instead/", "wrong/", "take-back/"]
    for client, words in clients.values():
        for end in ends:
            assert words in read(client, f"/en/t/{table.code}/games/{game}/{end}", 403).text
        for end in ("enter/", "put-right/"):
            response = client.post(f"/en/t/{table.code}/games/{game}/{end}", {})
            assert (response.status_code, words in Page(response).text) == (403, True)


def test_every_referee_address_declares_who_may_open_it() -> None:
    access = {
        path.split("t/", 1)[1]: declared_access(view)
        for path, view in url_patterns()
        if view.__module__.startswith("referee")
    }
    open_to_all = {
        "",
        "phone/",
        "phone/leave/",
        "offline/",
        "<str:code>/",
        "worker.js",
        "engine.js",
        "engine.json",
        "app.webmanifest",
    }
    open_to_all |= {f"<str:code>/pair/{end}" for end in ("", "pin/", "leave/")}
    at_a_table = {path.removeprefix("<str:code>/") for path in access if path not in open_to_all}
    at_a_table = {path for path in at_a_table if not path.startswith("practice/")} - {"kit/", "other-day/"}
    # Nobody else has entered anything at a practice table.
    at_a_table -= {f"games/<uuid:game_id>/{end}/" for end in ("confirm-result", "dispute")}
    # Every page of writing is at the practice table, too, where it is anybody's.
    open_to_all |= {f"practice/{path}" for path in {"", "anew/", "stop/"} | at_a_table}

    assert {path for path, check in access.items() if check is anyone} == open_to_all
    assert {check for path, check in access.items() if path not in open_to_all} == {writes_results}


def test_revoked_phone_is_told_so(event: Event, table: Table) -> None:
    pairing, secret = factories.make_pairing(event)
    client = Client()
    client.cookies[COOKIE] = secret
    pairings.revoke(pairing, Actor.command())

    assert "This phone was shut out" in read(client, f"/en/t/{table.code}/").text


def test_organizer_needs_no_pairing(event: Event, table: Table) -> None:
    organizer = factories.make_account()
    event.organizers.create(account=organizer)
    client = Client()
    client.force_login(organizer)
    seen = read(client, f"/en/t/{table.code}/")

    assert "Enter game 1" in seen.text
    # Children look at the screen: not even the organizer reads surnames here.
    assert factories.FIRST_NAME in seen.html
    assert factories.LAST_NAME not in seen.html


def test_account_of_another_event_is_told_so(event: Event, table: Table) -> None:
    client = Client()
    client.force_login(factories.make_account())
    assert "not for this event" in read(client, f"/en/t/{table.code}/").text
    assert client.get(f"/en/t/{table.code}/pair/").status_code == 302


# Ways in


def test_phone_is_let_in_by_the_desk(event: Event, table: Table) -> None:
    factories.make_referee(event, first_name="Ivo", last_name="Fischietti")
    client = Client()
    pairing = ask(client, table)
    waiting = client.get(f"/en/t/{table.code}/pair/")
    assert pairing.check_word in Page(waiting).text
    # Without scripts the page loads itself anew; with them it hears of it at once.
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in waiting.content.decode()
    pairings.admit(pairing, factories.make_account())
    response = client.get(f"/en/t/{table.code}/pair/")
    assert (response.status_code, response["Location"]) == (302, f"/en/t/{table.code}/")
    assert "Enter game 1" in read(client, f"/en/t/{table.code}/").text


def test_phone_is_let_in_by_the_pin_of_the_day(event: Event, table: Table) -> None:
    factories.make_referee(event)
    day_pin = set_day_pin(event, Actor.command())
    client = Client()
    ask(client, table)
    form = read(client, f"/t/{table.code}/pair/pin/").form_to("/pin/")
    response = send(client, form, pin=f" {day_pin[:3]} {day_pin[3:]}")

    assert response["Location"] == f"/t/{table.code}/"
    assert Pairing.objects.get().admitted_by == Pairing.AdmittedBy.PIN


def test_referees_are_listed_by_first_name_and_initial(event: Event, table: Table) -> None:
    factories.make_referee(event, first_name="Ivo", last_name="Fischietti")
    told = read(Client(), f"/t/{table.code}/pair/")
    assert "Ivo F." in told.text
    assert "Fischietti" not in told.html


def test_referee_list_without_names_says_what_to_do(event: Event, table: Table) -> None:
    assert "No referee is on the list yet" in read(Client(), f"/en/t/{table.code}/pair/").text


@pytest.mark.parametrize("wanted", ["", "nobody", "00000000-0000-0000-0000-000000000000"])
def test_referee_who_is_not_on_the_list_cannot_be_chosen(event: Event, table: Table, wanted: str) -> None:
    response = Client().post(f"/en/t/{table.code}/pair/", {"referee": wanted})
    assert (response.status_code, Pairing.objects.count()) == (422, 0)


def test_referee_of_another_event_cannot_be_chosen(event: Event, table: Table) -> None:
    stranger = factories.make_referee(factories.make_event())
    response = Client().post(f"/t/{table.code}/pair/", {"referee": str(stranger.pk)})
    assert (response.status_code, Pairing.objects.count()) == (422, 0)


@pytest.mark.parametrize("https", [True, False])
def test_pairing_cookie_is_http_only_and_secure_over_https(event: Event, table: Table, https: bool) -> None:
    referee = factories.make_referee(event)
    with override_settings(HTTPS=https):
        response = Client().post(f"/t/{table.code}/pair/", {"referee": str(referee.pk)})
    cookie = response.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], bool(cookie["secure"]), cookie["max-age"]) == (
        True,
        "Lax",
        https,
        14 * 24 * 3600,
    )


def test_wrong_pin_is_told_and_too_many_are_paused(event: Event, table: Table) -> None:
    factories.make_referee(event)
    day_pin = set_day_pin(event, Actor.command())
    wrong = "000000" if day_pin != "000000" else "111111"
    client = Client()
    pairing = ask(client, table)
    address = f"/en/t/{table.code}/pair/pin/"
    for _ in range(DAY_PIN.tries - 1):
        response = client.post(address, {"pin": wrong})
        assert (response.status_code, "isn’t the PIN" in Page(response).text) == (422, True)
    for typed in (wrong, day_pin):
        response = client.post(address, {"pin": typed})
        told = Page(response).text
        assert (response.status_code, "Too many wrong PINs" in told, pairing.check_word in told) == (
            429,
            True,
            True,
        )
    pairing.refresh_from_db()

    assert pairing.admitted_at is None


def test_pin_page_tells_how_long_no_pin_is_taken(event: Event, table: Table, stopped_clock: datetime) -> None:
    set_day_pin(event, Actor.command())
    client = phone(event, admitted=False)
    address = f"/en/t/{table.code}/pair/pin/"
    for _ in range(DAY_PIN.tries):
        client.post(address, {"pin": "none"})
    Try.objects.filter(limit=DAY_PIN.name).update(at=stopped_clock - timedelta(minutes=7, seconds=30))

    looked, typed = client.get(address), client.post(address, {"pin": "none"})

    assert [(each.status_code, each.get("Retry-After")) for each in (looked, typed)] == [
        (200, None),
        (429, "150"),
    ]
    assert all("For 3 minutes no PIN is taken" in Page(each).text for each in (looked, typed))


def test_pin_is_refused_while_none_is_set_today(event: Event, table: Table) -> None:
    client = phone(event, admitted=False)
    response = client.post(f"/en/t/{table.code}/pair/pin/", {"pin": "123456"})
    assert (response.status_code, "No PIN is set today" in Page(response).text) == (422, True)


def test_pin_alone_lets_nobody_in(event: Event, table: Table) -> None:
    day_pin = set_day_pin(event, Actor.command())
    response = Client().post(f"/t/{table.code}/pair/pin/", {"pin": day_pin})
    assert response["Location"] == f"/t/{table.code}/"
    assert not Pairing.objects.exists()


def test_waiting_pairing_is_revoked_if_somebody_else_takes_the_phone(event: Event, table: Table) -> None:
    factories.make_referee(event)
    client = Client()
    first = ask(client, table)
    send(client, read(client, f"/t/{table.code}/pair/").form_to("/leave/"))

    second = ask(client, table)
    first.refresh_from_db()

    assert first.revoked_at is not None
    assert second != first


def test_admitted_phone_names_its_referee_and_can_be_handed_over(event: Event, table: Table) -> None:
    client = phone(event, factories.make_referee(event, first_name="Ivo", last_name="Fischietti"))
    at_table = read(client, f"/en/t/{table.code}/")
    assert "This phone writes as Ivo F." in at_table.text
    assert "/en/t/phone/" in at_table.links
    send(client, read(client, "/en/t/phone/").form_to("/leave/"))
    assert "Are you a referee here?" in read(client, f"/en/t/{table.code}/").text


def test_phone_of_another_event_is_paired_anew(event: Event, table: Table) -> None:
    other = factories.make_event()
    client = phone(other)
    elsewhere = Pairing.objects.get(event=other)
    factories.make_referee(event)
    assert ask(client, table).event == event
    elsewhere.refresh_from_db()
    assert elsewhere.revoked_at is None
    assert elsewhere.admitted_at is not None
    assert elsewhere.admitted_at < timezone.now()
