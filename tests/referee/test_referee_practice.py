"""The practice table: every page of a referee, for anyone, and without a trace.

Tests without `django_db` can't open the database at all: what they do asks it nothing, let alone writes.
"""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine import PRESETS, Ruleset, parse_event, replay
from games.models import Game
from ledger.models import Fact
from referee.batches import SentBatch
from referee.practice.made_up import fitting_size, id_of
from referee.practice.memory import COOKIE, MOST_CHARACTERS, Memory
from tests.support import factories
from tests.support.faults import put_fault_in
from tests.support.phones import Page, phone, read, send
from tests.support.recorded_game import table_log

HOME = "/en/t/practice/"


@pytest.fixture
def client() -> Client:
    return Client()


def game(number: int = 1, rest: str = "") -> str:
    return f"{HOME}games/{id_of('game', number)}/{rest}"


def post(client: Client, number: int, *events: dict[str, Any], version: int = 0, end: str = "enter/") -> Any:
    batch = SentBatch(version, tuple((uuid4(), event) for event in events))
    data: dict[str, list[str]] = {}
    for name, value in batch.fields():
        data.setdefault(name, []).append(value)
    return client.post(game(number, end), data)


def tap(client: Client, page: Page, type_: str) -> Page:
    """Tap the first event of this type that a page offers."""
    form, event = next((form, event) for form, event in page.events() if event["type"] == type_)
    value = next(value for _, value in form.buttons if f'"{type_}"' in value)
    assert event
    response = send(client, form, event=value)
    return read(client, response["Location"])


def win(client: Client, number: int = 1) -> Page:
    """A result in two taps, and the page that follows."""
    asked = read(client, game(number))
    about = read(client, next(link for link in asked.links if "/confirm/" in link))
    response = send(client, about.form_to("/enter/"))
    return read(client, response["Location"])


def memory(client: Client) -> Memory:
    kept = Memory.read(client.cookies[COOKIE].value)
    assert kept is not None
    return kept


def test_practice_guide_ticks_its_six_lessons(client: Client) -> None:
    """All six lessons by what is tapped, on the very pages of a referee."""
    guide = read(client, HOME)
    assert "Try this: 0 of 6 done" in guide.text
    match = win(client)
    assert "Entered last, game 1: The result: Ada O. wins." in match.text
    assert "Guide 1/6" in match.text
    why = read(client, next(link for link in match.links if link.endswith("/take-back/")))
    again = send(client, why.form_to("/put-right/"), reason="wrong-winner")
    assert "Guide 2/6" in read(client, again["Location"]).text
    dealt = tap(client, read(client, game(1, "cards/")), "dealer_named")
    turned = tap(client, dealt, "deal_started")
    red = read(client, next(link for link in turned.links if link.endswith("?color=R")))
    form, _ = next((form, event) for form, event in red.events() if event.get("card") == "R5")
    on = read(client, send(client, form, event='{"type":"card_turned","card":"R5"}')["Location"])
    form = on.form_to("/enter/")
    seven = {"type": "cards_played", "seat": seat_to_play(client), "cards": ["R7"]}
    on = read(client, send(client, form, event=json.dumps(seven))["Location"])
    assert "Guide 3/6" in on.text
    guide = read(client, HOME)
    refused = Page(send(client, guide.form_to("/enter/")))
    assert "Not entered" in refused.text
    assert "Guide 4/6" in refused.text
    log = read(client, game(1, "log/"))
    instead = read(client, [link for link in log.links if "/instead/?line=" in link][1])
    wrong = read(client, next(link for link in instead.links if "/wrong/?line=" in link))
    done = send(client, wrong.form_to("/put-right/"))
    assert "Guide 5/6" in read(client, done["Location"]).text
    counted = client.get(game(2, "bell/?cards-0=3&cards-1=5"))
    about = read(client, counted["Location"])
    over = read(client, send(client, about.form_to("/enter/"))["Location"])
    assert "Guide 6/6" in over.text
    assert "You have tried everything" in read(client, HOME).text


def seat_to_play(client: Client) -> int:
    turn = replay([parse_event(each) for each in memory(client).logs[0]]).turn
    assert turn is not None
    return turn


def test_every_practice_page_says_in_its_language_that_it_is_practice(client: Client) -> None:
    win(client, 1)
    post(client, 2, {"type": "dealer_named", "seat": 0})
    pages = [
        "",
        f"matches/{id_of('match')}/",
        *(f"games/{id_of('game', 2)}/{rest}" for rest in ("", "end/", "bell/", "cards/", "log/")),
        f"games/{id_of('game', 2)}/confirm/?reason=time",
        f"games/{id_of('game', 2)}/instead/?line=2",
        f"games/{id_of('game', 2)}/wrong/?line=2",
        f"games/{id_of('game', 1)}/take-back/",
    ]
    for start, word in (("/en/t/practice/", "nothing counts"), ("/t/practice/", "niente conta")):
        for rest in pages:
            response = client.get(start + rest, follow=True)
            assert (response.status_code, rest) == (200, rest)
            assert word in Page(response).text, rest
            assert 'class="referee practice"' in response.content.decode(), rest


def test_practice_tap_that_arrives_twice_is_one_entry(client: Client) -> None:
    form = read(client, game(1, f"confirm/?team={id_of('team', 1)}")).form_to("/enter/")
    assert send(client, form).status_code == 302
    assert send(client, form).status_code == 302
    assert len(memory(client).logs[0]) == 2


def test_practice_entry_that_stands_twice_in_a_batch_is_one(client: Client) -> None:
    named, dealt = (
        (uuid4(), {"type": "dealer_named", "seat": 0}),
        (uuid4(), {"type": "deal_started", "dealer": 0}),
    )
    drawn = (uuid4(), {"type": "cards_drawn", "seat": 1, "count": 1})
    turned = (uuid4(), {"type": "card_turned", "card": "R7"})
    passed = [(uuid4(), {"type": "turn_passed", "seat": seat}) for seat in (1, 0)]
    other = (uuid4(), {"type": "cards_drawn", "seat": 0, "count": 1})
    batch = SentBatch(0, (named, dealt, turned, drawn, passed[0], other, passed[1], drawn))
    fields: dict[str, list[str]] = {}
    for name, value in batch.fields():
        fields.setdefault(name, []).append(value)

    assert client.post(game(1, "enter/"), fields).status_code == 302
    assert len(memory(client).logs[0]) == 8


def test_old_practice_page_is_a_conflict(client: Client) -> None:
    about = read(client, game(1, f"confirm/?team={id_of('team', 1)}"))
    other = read(client, game(1, f"confirm/?team={id_of('team', 2)}"))
    send(client, about.form_to("/enter/"))
    response = send(client, other.form_to("/enter/"))

    assert response.status_code == 409
    assert "The game has gone on meanwhile" in Page(response).text


@pytest.mark.parametrize("cookie", ["", "x", "a:b:c", "é", "." * 5000, Memory().written()[:-2] + "zz"])
def test_practice_cookie_that_was_tampered_with_begins_anew(client: Client, cookie: str) -> None:
    win(client)
    client.cookies[COOKIE] = cookie
    assert "0 of 6 done" in read(client, HOME).text
    assert memory(client).logs == Memory().logs


def test_practice_log_that_the_engine_takes_no_more_begins_anew(client: Client) -> None:
    odd = Memory(logs=[[{"type": "game_of_another_version"}], [], []])
    client.cookies[COOKIE] = odd.written()
    assert "0 of 6 done" in read(client, HOME).text


@pytest.mark.parametrize(
    ("event", "status"),
    [
        ({"type": "deal_started", "dealer": 0}, 422),
        ({"type": "game_closed", "reason": "result", "winner": 7}, 422),
        ({"type": "game_closed", "reason": "result", "winner": None, "team": "Nobody"}, 422),
        ({"type": "game_closed", "reason": "result", "winner": 0, "scores": {"0": 1, "1": 2}}, 422),
        ({"type": "event_voided", "line": 1, "reason": "typing-error"}, 422),
        ({"type": "event_voided", "line": 1, "reason": "because"}, 422),
        ({"type": "game_opened", "ruleset": "house", "seats": []}, 422),
        ({"type": "nonsense", "half": 0.5}, 422),
        ({"type": "dealer_named", "seat": "0" * 4000}, 422),
    ],
)
def test_practice_event_that_cannot_be_is_refused_and_changes_nothing(
    client: Client, event: dict[str, Any], status: int
) -> None:
    response = post(client, 1, event)
    assert response.status_code == status
    assert "Not entered" in Page(response).text
    assert memory(client).logs == Memory().logs


def test_practice_request_that_cannot_be_read_is_refused(client: Client) -> None:
    response = client.post(game(1, "enter/"), {"version": "x", "id": "1", "event": "{"})

    assert response.status_code == 400
    assert post(client, 1, {"type": "x"}, end="put-right/").status_code == 400
    assert client.get(f"{HOME}games/{uuid4()}/").status_code == 404
    assert client.get(f"{HOME}matches/{uuid4()}/").status_code == 404
    assert client.get(game(1, "wrong/?line=99")).status_code == 302


def test_practice_cookie_has_a_limit_and_refuses_more(client: Client) -> None:
    """Named and taken back, over and over: the same few words shrink to nothing, and count all the same."""
    named = {"type": "dealer_named", "seat": 0}
    void = {"type": "event_voided", "reason": "typing-error"}
    version, statuses = 0, []
    for _ in range(9):
        batch = []
        for pair in range(40):
            line = (version or 1) + 1 + 2 * pair
            batch += [named, {**void, "line": line}]
        response = post(client, 1, *batch, version=version)
        statuses.append(response.status_code)
        version = len(memory(client).logs[0])
        assert len(client.cookies[COOKIE].value) <= MOST_CHARACTERS
    assert statuses == [302] * 3 + [409] * 6
    assert "no room for more" in Page(response).text
    client.post(f"{HOME}anew/")
    assert memory(client).logs == Memory().logs


def test_practice_that_is_stopped_leaves_nothing_on_the_phone(client: Client) -> None:
    win(client)
    assert client.post(f"{HOME}stop/")["Location"] == "/en/t/"
    assert client.cookies[COOKIE].value == ""


@pytest.mark.parametrize("preset", PRESETS)
def test_every_rule_set_can_be_practised_by_squads_of_one_two_and_five(preset: str) -> None:
    assert [fitting_size(Ruleset.from_json(preset), size) for size in (1, 2, 5)] == [1, 2, 5]


def test_practice_squads_are_as_large_as_the_rules_need() -> None:
    assert fitting_size(Ruleset.from_json({"preset": "house", "min_players": 5}), 1) == 3
    assert (
        fitting_size(Ruleset.from_json({"preset": "house", "min_players": 11, "max_players": 12}), 1) is None
    )


@pytest.mark.django_db
def test_practice_plays_by_the_table_s_own_rules_and_leaves_no_trace(client: Client) -> None:
    event = factories.make_event()
    tournament = factories.drawn_tournament(event, ruleset="house", squad_size=2, bell="point_each")
    table = factories.games_of(tournament)[0].match.table
    before = Fact.objects.count(), Game.objects.filter(version__gt=0).count()
    assert f"/en/t/practice/?table={table.code}" in read(client, f"/en/t/{table.code}/").links
    with CaptureQueriesContext(
        connection,
    ) as asked:
        response = client.get(f"{HOME}?table={table.code.lower()}")
    assert (response["Location"], len(asked)) == (HOME, 3)
    kept = memory(client)
    assert (kept.ruleset, kept.squad_size, kept.bell, kept.came_from) == (
        tournament.settings["ruleset"],
        2,
        "point_each",
        table.code,
    )
    assert "both: a point each" in read(client, game(1, "end/")).text
    with CaptureQueriesContext(connection) as asked:
        win(client)
    assert len(asked) == 0
    # The same table again goes on with what was begun; stopping leads back to it.
    client.get(f"{HOME}?table={table.code}")
    assert memory(client).latest == 0
    assert client.post(f"{HOME}stop/")["Location"] == f"/en/t/{table.code}/"
    assert (Fact.objects.count(), Game.objects.filter(version__gt=0).count()) == before


@pytest.mark.django_db
def test_practice_table_is_reached_from_wherever_a_phone_waits() -> None:
    event = factories.make_event()
    table = factories.make_table(event)
    at_table = f"/en/t/practice/?table={table.code}"

    assert HOME in read(phone(), "/en/t/").links
    assert at_table in read(phone(), f"/en/t/{table.code}/").links
    assert at_table in read(phone(event, admitted=False), f"/en/t/{table.code}/").links
    assert at_table in read(phone(event, admitted=False), f"/en/t/{table.code}/pair/").links
    assert at_table in read(phone(event), f"/en/t/{table.code}/").links


@pytest.mark.django_db
@pytest.mark.parametrize("code", ["NOBODY", "%00", "x" * 3000])
def test_practice_with_an_unknown_table_code_has_the_usual_rules(client: Client, code: str) -> None:
    assert "0 of 6 done" in read(client, f"{HOME}?table={code}").text
    assert memory(client).came_from == ""


# What the engine can't follow

CHALLENGED = next(place for place, event in enumerate(table_log()) if event["type"] == "challenge_made")


@pytest.mark.parametrize("is_faulty", [True, False])
def test_practice_entry_the_engine_can_t_follow_is_not_stored(
    client: Client, monkeypatch: pytest.MonkeyPatch, *, is_faulty: bool
) -> None:
    post(client, 1, *table_log()[:CHALLENGED])
    before = memory(client).logs
    if is_faulty:
        put_fault_in(monkeypatch)

    answer = post(client, 1, table_log()[CHALLENGED], version=CHALLENGED + 1)

    assert answer.status_code == (409 if is_faulty else 302)
    assert ("The service can’t follow this game" in answer.content.decode()) is is_faulty
    assert (memory(client).logs == before) is is_faulty
    assert client.get(game(1, "log/")).status_code == 200


@pytest.mark.parametrize("is_faulty", [True, False])
def test_practice_table_the_engine_can_t_follow_begins_anew(
    client: Client, monkeypatch: pytest.MonkeyPatch, *, is_faulty: bool
) -> None:
    post(client, 1, *table_log()[: CHALLENGED + 1])
    if is_faulty:
        put_fault_in(monkeypatch)

    assert client.get(HOME).status_code == 200
    assert (memory(client).logs[0] == []) is is_faulty
