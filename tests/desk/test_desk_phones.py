"""The desk's phones and the tables' cards: who asks, who is where, what a press does, what is printed."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from desk.phones import MOST_ASKING
from ledger.models import Stream
from people.actors import Actor
from people.models import Pairing
from people.pairings import WAITS, ask, revoke
from tests.desk.palio import Palio
from tests.support import factories
from tests.support.forms import address, fill, open_page, send
from tournaments.commands import results
from tournaments.models import Table
from tournaments.queries.history import happenings

pytestmark = pytest.mark.django_db

PAGE = re.compile(rb"/Type /Page\b")


def seen(pairing: Pairing, minutes: int, **values: Any) -> Pairing:
    """The phone, seen so many minutes ago."""
    moment = timezone.now() - timedelta(minutes=minutes)
    Pairing.objects.filter(pk=pairing.pk).update(last_seen_at=moment, **values)
    return Pairing.objects.get(pk=pairing.pk)


def rows(client: Client, palio: Palio) -> list[list[str]]:
    """The phones that are in, as the desk reads them: referee, word, table, what waits, last seen."""
    page = open_page(client, address("referees", palio.event.slug))
    found = []
    for row in page.one("table.phones").one("tbody").all("tr"):
        found.append([row.one("th").text, *(cell.text for cell in row.all("td")[:4])])
    return found


def test_each_phone_is_listed_with_its_table_its_queue_and_when_it_was_seen(
    palio: Palio, desk: Client
) -> None:
    anna = factories.make_referee(palio.event, first_name="Anna", last_name="Bo")
    ugo = factories.make_referee(palio.event, first_name="Ugo", last_name="Re")
    away = seen(factories.make_pairing(palio.event, ugo)[0], 65, table_number=2, queue=0)
    here = seen(factories.make_pairing(palio.event, anna)[0], 0, table_number=1, queue=3)
    never = factories.make_pairing(palio.event, anna)[0]
    Pairing.objects.filter(pk=away.pk).update(clock_off=-7200)
    assert rows(desk, palio) == [
        ["Anna Bo", here.check_word, "1", "3 wait", "just now"],
        ["Anna Bo", never.check_word, "–", "–", "–"],
        ["Ugo Re", away.check_word, "2", "nothing", "1 hour ago clock 2 hours slow"],
    ]
    told = open_page(desk, address("referees", palio.event.slug)).text
    assert "3 entries wait on phones" in told
    assert "3 entries wait on it and won’t arrive" in told


def test_broken_phone_is_replaced_by_one_press_that_says_what_it_does(palio: Palio, desk: Client) -> None:
    referee = factories.make_referee(palio.event)
    old = seen(factories.make_pairing(palio.event, referee)[0], 12, queue=2)
    new, _secret = ask(referee, factories.make_place())
    path = address("referees", palio.event.slug)
    said = open_page(desk, path).one("div.asking-other").text
    assert f"“{old.check_word}”, last seen 12 minutes ago" in said
    assert "shut out at once" in said
    assert "2 entries wait on it and won’t arrive" in said
    action = address("pairing-replace", palio.event.slug, old.pk)
    fill(desk, path, action=action)
    assert [row[1] for row in rows(desk, palio)] == [new.check_word]
    assert f"replaced by “{new.check_word}”" in open_page(desk, path).one("ul.ended").text
    send(desk, action, {"by": str(new.pk)})
    assert send(desk, action, {"by": "x"}, 404)
    other, _secret = ask(factories.make_referee(palio.event, first_name="Ugo"), factories.make_place())
    refused = send(desk, address("pairing-replace", palio.event.slug, new.pk), {"by": str(other.pk)}, 409)
    assert "only replaced by one of the same referee" in refused.content.decode()


def test_phones_that_ask_to_be_let_in_are_counted_on_every_page(palio: Palio, desk: Client) -> None:
    board = address("board", palio.event.slug)
    before = desk.get(board)
    assert not open_page(desk, board).has("a.asking-link")
    referee = factories.make_referee(palio.event)
    for _ in range(2):
        ask(referee, factories.make_place())
    after = desk.get(board, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    link = open_page(desk, board).one("a.asking-link")
    assert (link.text, link.attributes["href"]) == (
        "2 phones ask to be let in",
        address("referees", palio.event.slug),
    )
    assert open_page(desk, address("teams", palio.event.slug)).one("span.count").text == "2"
    for _ in range(2):
        ask(referee, factories.make_place())
    fill(desk, address("referees", palio.event.slug), action=address("pairings-turn-away", palio.event.slug))
    assert not open_page(desk, board).has("a.asking-link")


def warnings(client: Client, palio: Palio) -> list[str]:
    """What the desk is warned of at each phone that asks; "" where it isn't."""
    page = open_page(client, address("referees", palio.event.slug))
    asking = page.one("ul.asking").all("li")
    return [" ".join(each.text for each in one.all("p.notice-warning")) for one in asking]


def test_desk_is_warned_when_two_phones_ask_for_one_referee(palio: Palio, desk: Client) -> None:
    ugo = factories.make_referee(palio.event, first_name="Ugo", last_name="Re")
    anna = factories.make_referee(palio.event, first_name="Anna", last_name="Bo")
    for referee in (ugo, anna):
        ask(referee, factories.make_place())
    assert warnings(desk, palio) == ["", ""]

    second, _secret = ask(ugo, factories.make_place())
    [first, none, third] = warnings(desk, palio)
    assert (none, first == third) == ("", True)
    assert first.startswith("One more phone asks for Ugo Re: somebody may pretend to be this referee.")

    revoke(second, Actor.command())
    assert warnings(desk, palio) == ["", ""]


def test_phone_among_many_that_ask_is_found_by_its_words(palio: Palio, desk: Client) -> None:
    referee = factories.make_referee(palio.event)
    asked = [ask(referee, factories.make_place())[0] for _ in range(MOST_ASKING + 4)]
    path = address("referees", palio.event.slug)

    def listed(word: str) -> list[str]:
        page = open_page(desk, f"{path}?{urlencode({'word': word})}")
        return [each.text for each in page.one("ul.asking").all("span.check-word")]

    assert listed("") == [each.check_word for each in asked[:MOST_ASKING]]
    assert "Listed here: 30 of 34." in open_page(desk, path).text
    last = asked[-1].check_word
    assert listed(f" {last.upper()} ") == [last]
    assert listed("treno") == []
    assert "No phone that asks shows “treno”." in open_page(desk, f"{path}?word=treno").text


def test_pairing_request_that_is_over_is_not_listed_and_not_let_in(palio: Palio, desk: Client) -> None:
    referee = factories.make_referee(palio.event)
    pairing, _secret = ask(referee, factories.make_place())
    path = address("referees", palio.event.slug)
    assert open_page(desk, path).has("ul.asking")
    Pairing.objects.update(asked_at=timezone.now() - WAITS)
    assert not open_page(desk, path).has("ul.asking")
    revoke(pairing, Actor.command())
    refused = send(desk, address("pairing-admit", palio.event.slug, pairing.pk), {}, 409)
    assert "it has to ask again" in refused.content.decode()


def test_sixty_phones_cost_as_many_queries_as_one(palio: Palio, desk: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            open_page(desk, address("referees", palio.event.slug))
        return len(captured)

    def three_more(count: int) -> None:
        for _ in range(count):
            referee = factories.make_referee(palio.event, team=palio.teams[0])
            factories.make_pairing(palio.event, referee)
            revoke(factories.make_pairing(palio.event, referee)[0], Actor.command())
            ask(referee, factories.make_place())

    three_more(1)
    queries()
    before = queries()
    three_more(19)

    assert (queries(), palio.event.pairings.count()) == (before, 60)


def test_history_names_referee_and_phone(palio: Palio, desk: Client) -> None:
    referee = factories.make_referee(palio.event, first_name="Anna", last_name="Bo")
    pairing, _secret = factories.make_pairing(palio.event, referee)
    phone = Actor.of_pairing(Pairing.objects.get(pk=pairing.pk))
    results.enter_result(palio.games[0], phone, seat=0)
    revoke(pairing, Actor.of_account(palio.organizer))
    lines, _mark = happenings(palio.event, limit=2)
    word = pairing.check_word

    assert [line.who for line in lines] == [palio.organizer.username, f"Anna Bo’s phone “{word}”"]
    assert (lines[0].what, lines[0].details) == (f"Changed: phone Anna Bo, “{word}”", ("shut out",))


# Cards


def test_table_cards_are_printed_two_or_four_to_a_sheet(palio: Palio, desk: Client) -> None:
    for number in range(palio.event.tables.count() + 1, 6):
        factories.make_table(palio.event, number)
    path = address("tables-paper", palio.event.slug)
    for per_sheet, sheets in ((2, 3), (4, 2)):
        answer = desk.get(path, {"per_sheet": per_sheet})
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
        assert len(PAGE.findall(answer.content)) == sheets
        assert answer.content == desk.get(path, {"per_sheet": per_sheet}).content
        assert answer["Cache-Control"] == "private, no-store"
    assert len(PAGE.findall(desk.get(path, {"table": 3}).content)) == 1
    wrong = ({"per_sheet": 3}, {"per_sheet": "x"}, {"table": 99}, {"table": "²"}, {"table": "9" * 5000})
    assert [desk.get(path, query).status_code for query in wrong] == [404] * 5


def test_table_card_of_many_digits_is_a_fault_where_the_number_has_no_bound(
    palio: Palio, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desk.views.table_cards.whole_number", int)

    with pytest.raises(ValueError, match="4300 digits"):
        desk.get(address("tables-paper", palio.event.slug), {"table": "9" * 5000})


def test_table_card_that_was_misused_gets_a_new_code(palio: Palio, desk: Client) -> None:
    table = palio.event.tables.get(number=1)
    path = address("tables", palio.event.slug)
    fill(desk, path, action=address("table-renew", palio.event.slug, 1))
    new = Table.objects.get(pk=table.pk).code
    assert new != table.code
    assert Client().get(f"/en/t/{table.code}/").status_code == 410
    lines, _mark = happenings(palio.event, limit=1)
    assert (lines[0].what, lines[0].details) == ("Changed: table 1", ("new code on the card",))
    send(desk, address("table-renew", palio.event.slug, 99), {}, 404)


def test_table_cards_that_lead_to_this_machine_alone_are_warned_about(palio: Palio, desk: Client) -> None:
    path = address("tables", palio.event.slug)
    assert not open_page(desk, path).has("div.notice-warning")
    assert "no phone gets there" in desk.get(path, headers={"host": "localhost"}).content.decode()


def test_admitting_a_phone_whose_id_is_something_else_s_is_refused(palio: Palio, desk: Client) -> None:
    phone, _secret = ask(factories.make_referee(palio.event), factories.make_place())
    Stream.objects.create(id=phone.pk, kind="tournament", scope=uuid4())

    path = address("pairing-admit", palio.event.slug, phone.pk)
    refused = send(desk, path, {}, 409)

    assert "Something else at this service has the same id" in refused.content.decode()
    phone.refresh_from_db()
    assert phone.admitted_at is None
