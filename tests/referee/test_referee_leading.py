"""Where a phone that is in is led, what it is told of itself, and what a card with an old code still does."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from ledger.models import Fact
from ledger.read import stored_facts
from people.actors import Actor
from people.models import Event, Pairing
from people.pairings import COOKIE
from referee.next_tables import led_by, led_tables
from tests.support import factories
from tests.support.phones import Page, phone, read, send
from tournaments.commands import results
from tournaments.commands.table_cards import find_card, renew_code
from tournaments.models import OldCode, Table
from tournaments.models.tables import CODE_ALPHABET, CODE_LENGTH, new_code

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def event() -> Event:
    """Four teams at two tables."""
    event = factories.make_event(name="Palio della Fonte")
    factories.drawn_tournament(event, teams=4, entries=2)
    return event


def table(event: Event, number: int) -> Table:
    return event.tables.get(number=number)


def paired(event: Event, number: int | None = None, **referee: object) -> tuple[Client, Pairing]:
    """A phone that is in, seen at a table just now."""
    pairing, secret = factories.make_pairing(event, factories.make_referee(event, **referee))
    Pairing.objects.filter(pk=pairing.pk).update(table_number=number, last_seen_at=timezone.now())
    client = Client()
    client.cookies[COOKIE] = secret
    return client, Pairing.objects.select_related("event", "referee").get(pk=pairing.pk)


def numbers(event: Event, pairing: Pairing | None = None, near: int | None = None) -> list[int]:
    return [each.table.number for each in led_tables(event, pairing, near)]


# Where to


def test_nearest_table_that_waits_comes_first(event: Event) -> None:
    there = sorted(table.number for table in event.tables.all())
    assert there == [1, 2]
    assert (numbers(event), numbers(event, near=2), numbers(event, near=9)) == ([1, 2], [2, 1], [2, 1])


def test_table_with_another_referee_or_the_own_team_comes_later(event: Event) -> None:
    _client, mine = paired(event)
    assert numbers(event, mine) == [1, 2]
    paired(event, 1, first_name="Ugo", last_name="Rossi")
    assert [(each.table.number, each.others) for each in led_by(mine)] == [(2, ()), (1, ("Ugo R.",))]
    team = led_by(mine)[0].match.sides[0].team
    mine.referee.team = team
    led = {each.table.number: each.is_own for each in led_by(mine)}
    assert led[2]
    Pairing.objects.exclude(pk=mine.pk).update(last_seen_at=timezone.now() - timedelta(minutes=11))
    assert [each.others for each in led_by(mine)] == [(), ()]


def test_table_that_has_played_everything_is_not_led_to(event: Event) -> None:
    for game in factories.games_of(event.tournaments.get()):
        if game.match.table.number == 1:
            results.enter_result(game, Actor.command(), seat=0)
    assert numbers(event) == [2]


def test_admitted_phone_is_led_to_tables_and_opens_any_by_a_tap(event: Event) -> None:
    client, _pairing = paired(event, 2)
    door = read(client, "/en/t/")
    cards = {f"/en/t/{each.code}/" for each in event.tables.all()}
    tables = [link for link in door.links if link in cards]

    assert tables == [f"/en/t/{table(event, number).code}/" for number in (2, 1)]
    assert "Enter game 1" in read(client, tables[1]).text
    assert [form.action for form in door.forms if form.action.endswith("/t/")] == ["/en/t/"]
    assert "Where to?" not in read(Client(), "/en/t/").text


def test_idle_table_leads_to_the_others(event: Event) -> None:
    factories.make_table(event, 3)
    client, _pairing = paired(event, 3)
    idle = read(client, f"/en/t/{table(event, 3).code}/")

    assert "You are needed at another table" in idle.text
    assert idle.links.index(f"/en/t/{table(event, 2).code}/") < idle.links.index(
        f"/en/t/{table(event, 1).code}/"
    )


def test_tables_to_go_to_take_as_many_queries_for_many_as_for_few(event: Event) -> None:
    client, _pairing = paired(event, 1)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            read(client, "/en/t/")
        return len(captured)

    queries()
    before = queries()
    factories.drawn_tournament(event, name="Grande", entries=6)
    for number in range(30):
        paired(event, number + 1)

    assert queries() == before <= 9


# My phone


def test_phone_page_names_its_referee_and_lets_the_phone_leave(event: Event) -> None:
    client, pairing = paired(event, 1)
    told = read(client, "/en/t/phone/")
    for words in ("Ivo F.", "Palio della Fonte", pairing.check_word, "Table 1"):
        assert words in told.text
    assert "Fischietti" not in told.html
    answer = send(client, told.form_to("/leave/"))
    assert answer["Location"] == f"/en/t/{table(event, 1).code}/pair/"
    pairing.refresh_from_db()
    assert pairing.revoked_at is not None
    assert "isn’t paired with any event" in read(client, "/en/t/phone/").text
    assert client.post("/en/t/phone/leave/")["Location"] == "/en/t/"


# Cards with an old code


def test_table_codes_have_no_letters_that_look_alike() -> None:
    assert set(new_code()) <= set(CODE_ALPHABET)
    assert (len(new_code()), len(set(CODE_ALPHABET))) == (CODE_LENGTH, len(CODE_ALPHABET))
    for alike in ("0OQ", "1IL", "2Z", "5S", "6G", "8B", "UV"):
        assert len(set(alike) & set(CODE_ALPHABET)) <= 1
    assert not set("AEIOU") & set(CODE_ALPHABET)


def test_mistyped_table_code_never_opens_another_table(event: Event) -> None:
    code = table(event, 1).code
    for place, letter in enumerate(code):
        other = next(each for each in CODE_ALPHABET if each != letter)
        near = code[:place] + other + code[place + 1 :]
        assert find_card(near) is None or find_card(near) == find_card(near.lower())
        if not Table.objects.filter(code=near).exists():
            assert Client().get("/en/t/", {"code": near}).status_code == 404


def test_table_card_with_an_old_code_opens_nothing_and_says_so(event: Event) -> None:
    first = table(event, 1)
    old = first.code
    new = renew_code(first, Actor.command()).code
    assert (new == old, OldCode.objects.get().code) == (False, old)
    factories.make_referee(event)
    stranger = Client()
    assert stranger.get("/en/t/", {"code": old})["Location"] == f"/en/t/{old}/"
    for path in (f"/en/t/{old}/", f"/en/t/{old.lower()}/pair/"):
        told = read(stranger, path, 410)
        assert "This card no longer holds" in told.text
        assert new not in told.html
    answer = stranger.post(f"/en/t/{old}/pair/", {"referee": str(event.referees.get().pk)})
    assert (answer.status_code, Pairing.objects.count()) == (410, 0)
    assert "Are you a referee here?" in read(stranger, f"/en/t/{new}/").text


def test_phone_at_a_table_with_a_new_code_loses_no_tap(event: Event) -> None:
    client, pairing = paired(event, 1)
    game = next(each for each in factories.games_of(event.tournaments.get()) if each.match.table.number == 1)
    old = game.match.table.code
    team = game.game.seats.order_by("number")[0].team
    confirm = read(client, f"/en/t/{old}/games/{game.game_id}/confirm/?team={team}")
    new = renew_code(game.match.table, Actor.command()).code
    moved = client.get(f"/en/t/{old}/games/{game.game_id}/confirm/?team={team}")
    assert moved["Location"] == f"/en/t/{new}/games/{game.game_id}/confirm/?team={team}"
    answer = client.post(confirm.form_to("/enter/").action, confirm.form_to("/enter/").data())
    assert answer["Location"] == f"/en/t/{new}/matches/{game.match_id}/"
    game.game.refresh_from_db()
    assert game.game.is_over
    by_card = client.get(f"/en/t/{old}/", follow=True)
    assert by_card.redirect_chain == [(f"/en/t/{new}/", 302)]
    assert "This card has an old code" in Page(by_card).text
    assert authors(game.game_id) == {str(pairing.pk)}


# Every fact carries the pairing


def authors(game_id: UUID) -> set[str | None]:
    """Who stands behind the facts of a game; its opening is the draw's and nobody's at the table."""
    written = stored_facts(Fact.objects.filter(stream=game_id))
    return {fact.body.get("by") for fact in written if fact.type != "game_opened"}


def test_every_fact_of_a_phone_carries_its_pairing(event: Event) -> None:
    client, pairing = paired(event, 1)
    games = [each for each in factories.games_of(event.tournaments.get()) if each.match.table.number == 1]
    result, cards = games[0], games[1]
    at_result, at_cards = (f"/en/t/{table(event, 1).code}/games/{each.game_id}/" for each in (result, cards))
    team = result.game.seats.order_by("number")[0].team
    send(client, read(client, f"{at_result}confirm/?team={team}").form_to("/enter/"))
    send(client, read(client, f"{at_result}take-back/").form_to("/put-right/"), reason="typing-error")
    for _ in range(4):
        form, found = next(iter(read(client, f"{at_cards}cards/").events()))
        name, value = next(button for button in form.buttons if button[0] == "event")
        assert found
        send(client, form, **{name: value})
    wrong = next(link for link in read(client, f"{at_cards}log/").links if "instead" in link)
    line = wrong.rpartition("=")[2]
    send(client, read(client, f"{at_cards}wrong/?line={line}").form_to("/put-right/"))
    written = Fact.objects.filter(stream__in=[result.game_id, cards.game_id])
    types = {fact.type for fact in stored_facts(written)}

    assert {"game_opened", "game_closed", "event_voided"} < types
    assert authors(result.game_id) | authors(cards.game_id) == {str(pairing.pk)}


def test_queue_length_that_a_phone_reports_is_stored(event: Event) -> None:
    client = phone(event)
    answer = client.get(f"/en/t/{table(event, 2).code}/", headers={"Tendone-Queue": "3"})
    assert answer.status_code == 200
    seen = Pairing.objects.get()
    # What an open page asks by itself says it, too.
    Pairing.objects.update(last_seen_at=None)
    client.get(reverse("live:table", args=[table(event, 2).pk]), headers={"Tendone-Queue": "5"})
    assert Pairing.objects.get().queue == 5
    assert (seen.queue, seen.table_number, seen.last_seen_at is None) == (3, 2, False)
    assert "Where to?" in Page(client.get("/en/t/")).text
