"""Sent twice is done once; and of two who write at once one is told."""

import base64
from datetime import date
from typing import Any
from unittest import mock
from uuid import UUID, uuid4, uuid5

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from ledger.models import Fact
from people.models import Entry
from tests.support import factories
from tests.support.clients import client_of_phone, client_of_token
from tests.support.festival import Festival
from tests.support.workbooks import workbook
from tournaments.commands import set_up
from tournaments.facts import stages
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def batch(*seats: int, ids: list[UUID] | None = None) -> list[dict[str, Any]]:
    """Log events that are legal one after another in a game that wasn't begun."""
    events = [
        {"type": "dealer_named", "seat": 0},
        {"type": "deal_started", "dealer": 0},
        {"type": "card_turned", "card": "G7"},
    ]
    chosen = ids or [uuid4() for _ in events]
    return [{"id": str(id), "event": event} for id, event in zip(chosen, events, strict=False)]


def facts_of(game: UUID) -> int:
    """How many facts a game's stream holds."""
    return Fact.objects.filter(stream_id=game).count()


def test_result_sent_twice_is_one_fact_and_the_same_answer(festival: Festival, phone: APIClient) -> None:
    address, key = f"/api/v1/games/{festival.game.game_id}/result/", str(uuid4())
    first = phone.post(address, {"winner_seat": 0}, headers={"Idempotency-Key": key})
    again = phone.post(address, {"winner_seat": 0}, headers={"Idempotency-Key": key})

    assert first.status_code == again.status_code == 200
    assert first.json() == again.json() | {"outcome_changed": True}
    assert facts_of(festival.game.game_id) == 2


def test_result_key_with_another_body_or_game_is_refused(festival: Festival, phone: APIClient) -> None:
    address, key = f"/api/v1/games/{festival.game.game_id}/result/", str(uuid4())
    phone.post(address, {"winner_seat": 0}, headers={"Idempotency-Key": key})
    other = phone.post(address, {"winner_seat": 1}, headers={"Idempotency-Key": key})
    assert (other.status_code, other.json()["code"]) == (409, "client-id-reused")
    assert other.json()["client_id"] == key
    elsewhere = f"/api/v1/games/{festival.games[1].game_id}/result/"
    other = phone.post(elsewhere, {"winner_seat": 0}, headers={"Idempotency-Key": key})
    assert (other.status_code, other.json()["code"]) == (409, "client-id-reused")
    assert facts_of(festival.games[1].game_id) == 0


def test_batch_that_grows_is_stored_once(festival: Festival, phone: APIClient) -> None:
    address = f"/api/v1/games/{festival.game.game_id}/log/"
    entries = batch()
    sent = phone.post(address, {"expected_version": 0, "entries": entries[:1]}).json()
    # The opening is the service's own.
    assert (sent["accepted"], sent["version"], sent["refusal"]) == (1, 2, None)
    sent = phone.post(address, {"expected_version": 0, "entries": entries}).json()
    assert (sent["accepted"], sent["version"], sent["summary"]["phase"]) == (3, 4, "play")
    sent = phone.post(address, {"expected_version": 0, "entries": entries}).json()
    assert (sent["accepted"], sent["version"]) == (3, 4)
    assert facts_of(festival.game.game_id) == 4


def test_batch_stores_its_legal_part_and_tells_the_first_refusal(
    festival: Festival, phone: APIClient
) -> None:
    address = f"/api/v1/games/{festival.game.game_id}/log/"
    entries = [*batch(), {"id": str(uuid4()), "event": {"type": "turn_passed", "seat": 1}}]
    answer = phone.post(
        address, {"expected_version": 0, "entries": entries}, headers={"Accept-Language": "en"}
    )
    assert answer.status_code == 200
    body = answer.json()
    assert (body["accepted"], body["version"]) == (3, 4)
    assert body["refusal"]["code"] == "may-not-pass"
    assert (body["refusal"]["line"], body["refusal"]["type"]) == (5, "turn_passed")
    assert body["refusal"]["sentence"] == "Who hasn't drawn a card can't pass."
    assert body["refusal"]["expected"] == "Seat 1 has to play or draw: a pass comes after a draw."
    assert body["refusal"]["rule"] is None
    assert body["summary"]["turn"] == 1
    assert facts_of(festival.game.game_id) == 4


def test_batch_of_which_nothing_is_stored_is_a_problem(festival: Festival, phone: APIClient) -> None:
    address = f"/api/v1/games/{festival.game.game_id}/log/"
    answer = phone.post(
        address,
        {"entries": [{"id": str(uuid4()), "event": {"type": "uno_called", "seat": 1}}]},
        headers={"Accept-Language": "it"},
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "out-of-order")
    body = answer.json()
    assert (body["accepted"], body["version"], body["line"], body["event_type"]) == (0, 0, 2, "uno_called")
    assert body["detail"] == "Questo non può accadere a questo punto della partita."
    assert facts_of(festival.game.game_id) == 0


def test_batch_of_a_second_phone_is_a_version_conflict(festival: Festival) -> None:
    one, other = client_of_phone(festival.event), client_of_phone(festival.event)
    address = f"/api/v1/games/{festival.game.game_id}/log/"
    assert one.post(address, {"expected_version": 0, "entries": batch()}).status_code == 200
    late = other.post(address, {"expected_version": 0, "entries": batch()})
    assert (late.status_code, late.json()["code"]) == (409, "version-conflict")
    assert late.json()["current_version"] == 4
    assert facts_of(festival.game.game_id) == 4


def test_idempotency_key_of_a_new_tournament_is_its_id(festival: Festival, organizer: APIClient) -> None:
    address, key = f"/api/v1/events/{festival.event.pk}/tournaments/", str(uuid4())
    body = {"name": "Secondo", "settings": {"tables": 2}}
    first = organizer.post(address, body, headers={"Idempotency-Key": key})
    again = organizer.post(address, body, headers={"Idempotency-Key": key})
    assert (first.status_code, first.json()["id"]) == (201, key)
    assert (again.status_code, again.json()) == (201, first.json())
    other = organizer.post(address, {"name": "Terzo"}, headers={"Idempotency-Key": key})
    assert (other.status_code, other.json()["code"]) == (409, "client-id-reused")
    assert festival.event.tournaments.count() == 2


@pytest.mark.parametrize(
    ("method", "address", "body", "other"),
    [
        ("put", "settings", {"settings": {"tables": 2}}, {"settings": {"tables": 3}}),
        ("post", "draw", {"seed": "abc"}, {"seed": "abd"}),
    ],
)
def test_decision_sent_twice_is_one_fact(
    method: str, address: str, body: Any, other: Any, festival: Festival, organizer: APIClient
) -> None:
    tournament = factories.make_tournament(festival.event, "Secondo")
    send, path = getattr(organizer, method), f"/api/v1/tournaments/{tournament.pk}/{address}/"
    key = {"Idempotency-Key": str(uuid4())}
    first, again = send(path, body, headers=key), send(path, body, headers=key)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert first.json()["version"] == 2
    reused = send(path, other, headers=key)
    assert (reused.status_code, reused.json()["code"]) == (409, "client-id-reused")
    stale = send(path, other | {"expected_version": 1})
    assert (stale.status_code, stale.json()["code"], stale.json()["current_version"]) == (
        409,
        "version-conflict",
        2,
    )
    assert facts_of(tournament.pk) == 2


def test_if_match_refuses_a_row_changed_meanwhile(festival: Festival, organizer: APIClient) -> None:
    address = f"/api/v1/teams/{festival.teams[0].pk}/"
    known = organizer.get(address)["ETag"]
    changed = organizer.patch(address, {"emblem": "A"}, headers={"If-Match": known})
    assert changed.status_code == 200
    stale = organizer.patch(address, {"emblem": "B"}, headers={"If-Match": known})
    assert (stale.status_code, stale.json()["code"]) == (412, "changed-meanwhile")
    fresh = organizer.patch(address, {"emblem": "B"}, headers={"If-Match": changed["ETag"]})
    assert (fresh.status_code, fresh.json()["emblem"]) == (200, "B")


def test_if_none_match_answers_304(festival: Festival, organizer: APIClient) -> None:
    for path in (
        f"events/{festival.event.pk}/",
        f"games/{festival.game.game_id}/",
        f"matches/{festival.match.pk}/",
    ):
        first = organizer.get(f"/api/v1/{path}")
        again = organizer.get(f"/api/v1/{path}", headers={"If-None-Match": f'W/{first["ETag"]}, "other"'})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
        assert organizer.get(f"/api/v1/{path}", headers={"If-None-Match": '"other"'}).status_code == 200
        head = organizer.head(f"/api/v1/{path}")
        assert (head.status_code, head["ETag"]) == (200, first["ETag"])


def test_import_confirmed_twice_enters_nobody_twice(festival: Festival, organizer: APIClient) -> None:
    text = "cognome;nome;data di nascita;contrada\nNiccolò;Ada;05/03/2016;Centro\n".encode("cp1252")
    address = f"/api/v1/events/{festival.event.pk}/import/"
    body = {"file": base64.b64encode(text).decode()}
    preview = organizer.post(f"{address}preview/", body).json()
    assert [(row["last_name"], row["birth_date"]) for row in preview["good"]] == [("Niccolò", "2016-03-05")]
    body["digest"] = preview["digest"]
    first, again = organizer.post(address, body), organizer.post(address, body)
    assert (first.status_code, len(first.json()["entries"])) == (201, 1)
    assert (again.status_code, again.json()["code"]) == (409, "preview-changed")
    assert festival.event.persons.count() == 7


def test_workbook_is_imported_from_its_sheet_and_columns(festival: Festival, organizer: APIClient) -> None:
    """Columns by their names, or by their numbers where there are none, and a team for all rows."""
    people: list[list[Any]] = [
        ["Chi", "Nome", "Nato il", "Note"],
        ["Niccolò", "Ada", date(2016, 3, 5), "noci"],
    ]
    bare = [["Bassi", "Ugo", date(2015, 1, 2)]]
    file = base64.b64encode(workbook(["Palio"], Iscritti=people, Nudo=bare)).decode()
    address, team = f"/api/v1/events/{festival.event.pk}/import/", str(festival.teams[0].pk)
    by_name = {"sheet": "Iscritti", "mapping": {"last_name": "Chi"}, "with_notes": True}
    columns = {"last_name": 1, "first_name": 2, "birth_date": 3}
    by_number = {"sheet": "Nudo", "has_header": False, "columns": columns}
    for chosen in (by_name, by_number):
        body = {"file": file, "team": team, **chosen}
        preview = organizer.post(f"{address}preview/", body).json()
        assert (len(preview["good"]), preview["bad_rows"], preview["problems"]) == (1, 0, [])
        answer = organizer.post(address, body | {"digest": preview["digest"]})
        assert (answer.status_code, len(answer.json()["entries"])) == (201, 1)
    entered = Entry.objects.filter(
        team=festival.teams[0], person__last_name__in=["Niccolò", "Bassi"]
    ).order_by("number")
    assert [entry.person and (entry.person.last_name, entry.person.note) for entry in entered] == [
        ("Niccolò", "noci"),
        ("Bassi", ""),
    ]
    for wrong in ({"sheet": "Nessuno"}, {"sheet": "Nudo", "has_header": False}, {"mapping": {"team": "X"}}):
        answer = organizer.post(f"{address}preview/", {"file": file, **wrong})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid-input")


def ids_of_others(other: Festival) -> dict[str, UUID]:
    """Ids of another event that anybody can read or work out, by what has them."""
    asking, _secret = factories.make_pairing(other.event, other.referee, admitted=False)
    stage = other.tournament.stages.get().pk
    return {
        "tournament": other.tournament.pk,
        "stage": stage,
        "match": other.match.pk,
        "unbegun game": other.games[-1].game_id,
        "waiting phone": asking.pk,
        "event": other.event.pk,
        "team": other.teams[0].pk,
        "coming game": stages.game_id(stages.match_id(stage, "7", (1, 2)), 1),
    }


def test_idempotency_key_with_a_taken_id_makes_no_tournament(festival: Festival) -> None:
    mallory = factories.make_account()
    address = f"/api/v1/events/{factories.make_event(mallory).pk}/tournaments/"
    client = client_of_token(mallory)

    codes = {}
    for what, key in ids_of_others(festival).items():
        answer = client.post(address, {"name": what}, headers={"Idempotency-Key": str(key)})
        codes[what] = (answer.status_code, answer.json()["code"])

    assert set(codes.values()) == {(409, "client-id-reused")}


def test_idempotency_key_of_uuid_version_5_still_finds_its_tournament(
    festival: Festival, organizer: APIClient
) -> None:
    key = uuid5(uuid4(), "key of an earlier version")
    made = Tournament.objects.create(
        pk=key, event=festival.event, name="Secondo", slug="secondo", settings=festival.tournament.settings
    )
    body = {"name": made.name, "settings": made.settings}

    address = f"/api/v1/events/{festival.event.pk}/tournaments/"
    again = organizer.post(address, body, headers={"Idempotency-Key": str(key)})

    assert (again.status_code, again.json()["id"]) == (201, str(key))


@pytest.fixture
def seized(festival: Festival) -> Festival:
    """A festival of which a tournament of somebody else has the ids of a game and of a waiting phone, as an
    earlier version allowed.
    """
    mallory = factories.make_account()
    event = factories.make_event(mallory)
    asking, _secret = factories.make_pairing(festival.event, festival.referee, admitted=False)
    with (
        mock.patch.object(set_up, "taken", return_value=()),
        mock.patch.object(set_up, "is_derived", return_value=False),
    ):
        for id_ in (festival.game.game_id, asking.pk):
            answer = client_of_token(mallory).post(
                f"/api/v1/events/{event.pk}/tournaments/",
                {"name": "Altro"},
                headers={"Idempotency-Key": str(id_)},
            )
            assert (answer.status_code, answer.json()["id"]) == (201, str(id_))
    festival.pairing = asking
    return festival


def test_twin_idempotency_key_seizes_a_game_and_a_phone_without_the_check(
    seized: Festival, organizer: APIClient, phone: APIClient
) -> None:
    game = f"/api/v1/games/{seized.game.game_id}"

    answers = [
        phone.post(f"{game}/result/", {"winner_seat": 0}),
        phone.post(f"{game}/log/", {"expected_version": 0, "entries": batch()}),
        organizer.post(f"/api/v1/pairings/{seized.pairing.pk}/admit/"),
    ]
    verified = organizer.post(f"/api/v1/events/{seized.event.pk}/verification/", {})

    assert [(each.status_code, each.json()["code"]) for each in answers] == [(409, "id-taken")] * 3
    assert verified.status_code == 200
    assert verified.json()["findings"] != []


def test_rebuild_names_a_game_with_a_seized_stream_and_builds_others(
    seized: Festival, capsys: pytest.CaptureFixture[str]
) -> None:
    other = factories.drawn_tournament(factories.make_event(slug="altrove"))

    with pytest.raises(SystemExit):
        call_command("rebuild")

    told = capsys.readouterr()
    assert f"tournament {seized.tournament.pk} of event {seized.event.slug}" in told.err
    assert "Tournaments built again: 3." in told.out
    assert other.stages.exists()
