"""What a phone's script is answered: what is saved, what stands in the way, and what it keeps of a table."""

import json
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.logbook import stored_events
from people.actors import Actor
from people.models import Pairing
from people.pairings import revoke
from referee import offline_kit
from tests.support import factories
from tests.support.phones import address, phone, table_of
from tests.support.stored_games import BEGIN, types_of
from tests.support.worlds import remembered
from tournaments.commands import results
from tournaments.models import MatchGame, Tournament
from tournaments.queries.matches import table_matches

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


def send(
    client: Client, game: MatchGame, events: Sequence[dict[str, Any]], version: int = 0, ids: Any = None
) -> tuple[int, dict[str, Any], list[str]]:
    """Send a batch as the script does: status, answer, ids."""
    ids = ids or [str(uuid4()) for _ in events]
    data = {"version": str(version), "id": ids, "event": [json.dumps(event) for event in events]}
    answer = client.post(address(game, "enter/", "/en"), data, headers={"Accept": "application/json"})
    return answer.status_code, answer.json(), ids


def closing(game: MatchGame, seat: int = 0) -> dict[str, Any]:
    return {"type": "game_closed", "reason": "result", "winner": seat}


def saved(ids: list[str], first: int = 2) -> list[dict[str, Any]]:
    return [{"id": id_, "version": version} for version, id_ in enumerate(ids, start=first)]


def test_batch_is_saved_once_and_answered_alike(client: Client, game: MatchGame) -> None:
    status, answer, ids = send(client, game, BEGIN)
    assert (status, answer) == (200, {"accepted": saved(ids), "next": address(game, "cards/", "/en")})
    assert send(client, game, BEGIN, ids=ids)[:2] == (status, answer)
    # More at its end, after an answer that was lost.
    more = {"type": "cards_played", "seat": 1, "cards": ["R7"]}
    status, answer, longer = send(client, game, [*BEGIN, more], ids=[*ids, str(uuid4())])
    assert (status, answer["accepted"]) == (200, saved(longer))
    assert types_of(game) == ["game_opened", *(event["type"] for event in BEGIN), "cards_played"]


def test_entry_sent_again_without_its_id_counts_twice(game: MatchGame, client: Client) -> None:
    """The twin: what the ids are for."""
    penalty = {"type": "penalty_given", "seat": 1, "reason": "prompting"}
    *_, ids = send(client, game, [*BEGIN, penalty])
    send(client, game, [*BEGIN, penalty], ids=ids)
    assert types_of(game).count("penalty_given") == 1
    send(client, game, [penalty], version=5)
    assert types_of(game).count("penalty_given") == 2


def test_batch_saves_what_comes_before_a_refusal(client: Client, game: MatchGame) -> None:
    wrong = {"type": "cards_played", "seat": 1, "cards": ["B9"]}
    later = {"type": "turn_passed", "seat": 1}
    status, answer, ids = send(client, game, [*BEGIN, wrong, later])

    assert (status, answer["accepted"], answer["code"]) == (422, saved(ids[:3]), "no-match")
    assert (answer["version"], answer["is_over"], answer["now"]) == (4, False, ["The first card is a red 5."])
    assert answer["expected"].endswith("to play")
    assert types_of(game) == ["game_opened", *(event["type"] for event in BEGIN)]


def test_two_phones_each_learn_what_the_other_entered(client: Client, game: MatchGame) -> None:
    other = phone(table_of(game).event)
    send(client, game, BEGIN[:1])
    status, answer, ids = send(other, game, BEGIN[:1])
    assert (status, answer["code"], answer["accepted"], answer["version"]) == (409, "conflict", [], 2)
    assert answer["now"] == [f"{factories.FIRST_NAME} Z. (Superiore 1) is the dealer."]
    # One of them was stored, though its answer was lost; the other one wasn't.
    status, answer, ids = send(client, game, BEGIN[1:2], version=2)
    send(other, game, BEGIN[2:], version=3)
    second = {"type": "penalty_given", "seat": 1, "reason": "prompting"}
    status, answer, ids = send(client, game, [BEGIN[1], second], version=2, ids=[*ids, str(uuid4())])
    assert (status, answer["accepted"]) == (409, saved(ids[:1], 3))
    assert [json.loads(value) for name, value in answer["again"]["fields"] if name == "event"] == [second]


def test_entry_id_that_is_taken_is_refused_and_a_fresh_one_given(client: Client, game: MatchGame) -> None:
    _, _, (taken,) = send(client, game, [BEGIN[0]])
    status, answer, _ = send(client, game, [BEGIN[1]], 2, [taken])
    assert (status, answer["code"], answer["accepted"]) == (409, "conflict", [])
    fields = dict(answer["again"]["fields"])
    assert fields["id"] != taken
    status, answer, _ = send(client, game, [BEGIN[1]], int(fields["version"]), [fields["id"]])
    assert (status, [each["id"] for each in answer["accepted"]]) == (200, [fields["id"]])


def test_different_result_is_a_conflict_that_the_phone_can_put_right(client: Client, game: MatchGame) -> None:
    send(client, game, [closing(game)])
    status, answer, _ids = send(client, game, [closing(game, 1)])
    assert (status, answer["code"], answer["is_over"], answer["is_same"]) == (409, "conflict", True, False)
    fields = dict(answer["again"]["fields"])
    put = client.post(answer["again"]["to"], fields, headers={"Accept": "application/json"})
    assert put.json()["accepted"] == [{"id": fields["id"], "version": 4}]
    assert send(client, game, [closing(game, 1)])[1]["is_same"] is True


def test_result_that_is_stored_already_is_told_to_the_phone(client: Client, game: MatchGame) -> None:
    """Word by word; who wins another way has to look at it."""
    send(client, game, [closing(game) | {"at": "2026-05-01T10:00:00Z"}])
    for sent, expected in ((closing(game), True), (closing(game) | {"reason": "time"}, False)):
        answer = send(client, game, [sent])[1]
        assert (answer["is_same"], answer["is_there"]) == (True, expected)


def test_batch_with_points_that_cannot_be_saves_what_came_before(client: Client, game: MatchGame) -> None:
    end = {"type": "game_closed", "reason": "time", "winner": 0, "scores": {"0": 3}}
    status, answer, ids = send(client, game, [*BEGIN, end])
    assert (status, answer["accepted"]) == (422, saved(ids[:3]))
    assert answer["code"].startswith("points-")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"event": "{"}, (400, "unreadable")),
        ({"id": "no id"}, (400, "unreadable")),
        ({"event": '{"type": "cards_played", "seat": 9, "cards": ["R5"]}'}, (422, "malformed")),
    ],
)
def test_batch_that_cannot_be_read_is_refused_with_a_code(
    client: Client, game: MatchGame, change: dict[str, str], expected: tuple[int, str]
) -> None:
    data = {"version": "0", "id": str(uuid4()), "event": json.dumps(BEGIN[0])} | change
    answer = client.post(address(game, "enter/"), data, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == expected
    assert types_of(game) == []


def test_batch_of_a_revoked_phone_is_refused_as_not_admitted(client: Client, game: MatchGame) -> None:
    revoke(Pairing.objects.get(), Actor.command())
    status, answer, _ids = send(client, game, BEGIN)
    assert (status, answer["code"], types_of(game)) == (403, "not-admitted", [])


def test_batch_for_a_closed_tournament_is_refused_with_its_code(
    client: Client, game: MatchGame, tournament: Tournament
) -> None:
    tournament.status = Tournament.Status.CLOSED
    tournament.save()
    status, answer, _ids = send(client, game, BEGIN)
    assert (status, answer["code"]) == (409, "tournament-closed")


def test_batch_for_an_unknown_game_is_refused_as_not_here(client: Client, game: MatchGame) -> None:
    url = address(game, "enter/").replace(str(game.game_id), str(uuid4()))
    answer = client.post(url, {}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not-here")


def test_kit_brings_a_csrf_token_only_if_asked_for_it(tournament: Tournament, game: MatchGame) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies.update(phone(tournament.event).cookies)
    kit_address = f"/t/{table_of(game).code}/kit/"
    kit = strict.get(kit_address)
    data = {"version": "0", "id": str(uuid4()), "event": json.dumps(BEGIN[0])}

    same = strict.get(kit_address, headers={"If-None-Match": kit["ETag"], "Tendone-Token": "wanted"})
    headers = {"Accept": "application/json", "X-CSRFToken": same["Tendone-Token"]}
    sent = strict.post(address(game, "enter/"), data, headers=headers)

    assert ("Tendone-Token" in kit.headers, "csrftoken" in kit.cookies) == (False, False)
    assert (same.status_code, sent.status_code) == (304, 200)


def test_old_page_without_a_csrf_token_is_given_a_new_one(tournament: Tournament, game: MatchGame) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies.update(phone(tournament.event).cookies)
    data = {"version": "0", "id": str(uuid4()), "event": json.dumps(BEGIN[0])}
    asks = {"Accept": "application/json"}
    first = strict.post(address(game, "enter/"), data, headers=asks)
    assert (first.status_code, first.json()["code"], types_of(game)) == (403, "csrf", [])
    again = strict.post(address(game, "enter/"), data, headers=asks | {"X-CSRFToken": first.json()["token"]})
    assert (again.status_code, types_of(game)) == (200, ["game_opened", "dealer_named"])


def kit_of(client: Client, game: MatchGame, **headers: str) -> Any:
    return client.get(f"/en/t/{table_of(game).code}/kit/", headers={"Accept": "application/json", **headers})


def test_kit_holds_what_every_page_of_its_games_would_enter(client: Client, game: MatchGame) -> None:
    whole = kit_of(client, game).json()
    of_game = whole["matches"][0]["games"][0]
    assert of_game["id"] == str(game.game_id)
    assert len(of_game["seats"]) == game.game.seats.count()
    assert [(each["reason"], each["label"]) for each in of_game["endings"]] == [
        *(("result", name) for name in ("Superiore", "Centro")),
        *(("time", name) for name in ("Superiore", "Centro", "nobody")),
        *(("forfeit", name) for name in ("Superiore", "Centro")),
        ("abandoned", ""),
    ]
    won = of_game["endings"][1]
    status, _answer, _ids = send(client, game, [won["event"]], of_game["version"])
    assert (status, stored_events(game.game_id)[-1]["winner"]) == (200, 1)
    assert kit_of(client, game).json()["versions"][str(game.game_id)] == 2


def test_kit_has_what_is_over_so_that_it_can_be_taken_back(
    client: Client, game: MatchGame, tournament: Tournament
) -> None:
    send(client, game, [closing(game)])
    match = kit_of(client, game).json()["matches"][0]
    first, second = match["games"][:2]
    assert (first["is_over"], first["line"], second["is_over"], second["line"]) == (True, 2, False, None)
    assert [each["event"] for each in first["endings"]] == [each["event"] for each in second["endings"]]
    assert first["put_right"] == address(game, "put-right/", "/en")
    for each in factories.games_of(tournament)[1:]:
        send(client, each, [closing(each)])
    assert [each["id"] for each in kit_of(client, game).json()["matches"]] == [match["id"]]


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("none", ""),
        ("second_person", "It counts once a second person has confirmed it"),
        ("organizer", "It counts once the desk has confirmed it."),
    ],
)
def test_kit_says_who_has_to_confirm(
    client: Client, game: MatchGame, tournament: Tournament, rule: str, sentence: str
) -> None:
    tournament.settings = {**tournament.settings, "confirmation": rule}
    tournament.save()
    send(client, game, [closing(game)])
    match = kit_of(client, game).json()["matches"][0]

    assert match["confirmed_by"].split(":")[0] == sentence
    assert [each["check"] for each in match["games"]] == ["" if rule == "none" else "submitted", "", ""]


@pytest.mark.parametrize(
    ("rule", "level", "plays_on"),
    [
        ("no_point", "Then nobody has the point.", False),
        ("point_each", "Then each of them has a point.", False),
        ("one_more_card", "Then they play on, one card each.", True),
    ],
)
def test_kit_says_what_decides_after_the_bell(
    client: Client, game: MatchGame, tournament: Tournament, rule: str, level: str, plays_on: bool
) -> None:
    tournament.settings = {**tournament.settings, "bell": rule}
    tournament.save()
    bell = kit_of(client, game).json()["matches"][0]["bell"]

    assert (bell["level"].startswith(level), bell["plays_on"]) == (True, plays_on)
    assert {"kind": "Skip, Reverse, Draw Two", "count": "20 points"} in bell["values"]


def test_kit_is_made_while_a_game_of_it_ends(
    client: Client, game: MatchGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = table_matches(table_of(game))
    results.enter_result(game, Actor.command(), seat=0)
    monkeypatch.setattr(offline_kit, "table_matches", lambda table: matches)
    of_game = kit_of(client, game).json()["matches"][0]["games"][0]

    assert (of_game["is_over"], of_game["end"]) == (True, None)


def test_kit_says_which_of_the_phones_entries_are_gone(client: Client, game: MatchGame) -> None:
    _, _, (stored,) = send(client, game, [closing(game)])
    gone = str(uuid4())
    named = {"last": [stored, gone, "no id"]}
    answer = client.get(f"/en/t/{table_of(game).code}/kit/", named, headers={"Accept": "application/json"})

    assert answer.json()["lacks"] == [gone]
    assert kit_of(client, game).json()["lacks"] == []


def test_offline_page_is_the_same_for_every_phone(game: MatchGame) -> None:
    """It outlives the pairing, so nobody's name is on it."""
    event = table_of(game).event
    paired = phone(event, factories.make_referee(event, first_name="Ivo", last_name="Fischietti"))
    assert "Ivo F." in paired.get("/en/t/phone/").content.decode()
    kept = [each.get("/en/t/offline/").content for each in (paired, phone())]
    assert kept[0] == kept[1]


def test_kit_that_has_not_changed_is_not_sent_again(client: Client, game: MatchGame) -> None:
    etag = kit_of(client, game)["ETag"]
    assert kit_of(client, game, **{"If-None-Match": etag}).status_code == 304
    send(client, game, BEGIN)
    assert kit_of(client, game, **{"If-None-Match": etag}).status_code == 200


def test_kit_is_for_admitted_phones_alone(game: MatchGame) -> None:
    answer = kit_of(phone(), game)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-admitted")


@pytest.mark.parametrize(("teams", "entries"), [(3, 1), (5, 4)])
def test_kit_takes_as_many_queries_for_any_number_of_games(teams: int, entries: int) -> None:
    tournament = factories.drawn_tournament(factories.make_event(), teams=teams, entries=entries)
    game = factories.games_of(tournament)[0]
    client = phone(tournament.event)
    kit_of(client, game)
    # A log isn't looked at for it, either.
    send(client, game, BEGIN)

    with CaptureQueriesContext(connection) as queries:
        assert kit_of(client, game).status_code == 200

    assert len(queries) == 12


def test_kit_says_when_nothing_is_needed_any_more(
    client: Client, game: MatchGame, tournament: Tournament
) -> None:
    assert kit_of(client, game).json()["is_over"] is False
    tournament.status = Tournament.Status.CLOSED
    tournament.save()
    assert kit_of(client, game).json()["is_over"] is True


def test_log_of_a_batch_is_as_if_it_had_been_written_online(client: Client, game: MatchGame) -> None:
    send(client, game, BEGIN)
    other = factories.games_of(game.match.stage.tournament)[1]
    results.write_log(other, Actor.command(), [(None, event) for event in BEGIN])
    assert types_of(game) == types_of(other)
