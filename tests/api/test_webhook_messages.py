"""Messages of webhooks, as they are really sent, are what the description says of them."""

import json
from typing import Any
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from api.webhook_messages import SUBJECTS, TOURNAMENT, name_of_payload
from integrations.change_feed import kinds
from integrations.webhooks import registration
from integrations.webhooks.delivery import deliver, send_once
from tests.api.described import description, faults, validator_of
from tests.support import factories
from tests.support.clients import client_of_phone, client_of_token
from tests.support.services.receiver import Received, Receiver
from tournaments.projections import overall as palio_standing
from tournaments.projections import standings
from tournaments.queries.history_words import DECISIONS, OF_RESULTS

pytestmark = pytest.mark.django_db


class Day:
    """A tournament whose results are confirmed by somebody else, played through the API."""

    def __init__(self, program: Receiver) -> None:
        organizer = factories.make_account()
        self.event = factories.make_event(organizer)
        self.teams = factories.make_field(self.event)
        self.desk = client_of_token(organizer)
        sent = {"url": program.url, "kinds": list(registration.KINDS)}
        self.webhook = self.post(self.desk, f"events/{self.event.pk}/webhooks", 201, **sent)["id"]
        self.row = factories.drawn_tournament(
            self.event, rounds=1, tables=1, confirmation="second_person", tie_policy="lots"
        )
        self.games = [str(each.game_id) for each in factories.games_of(self.row)]

    def post(self, client: APIClient, path: str, status: int = 200, /, **body: Any) -> Any:
        """Send, and expect a status."""
        answer = client.post(f"/api/v1/{path}", body)
        assert answer.status_code == status, answer.content
        return answer.json()

    def play(self) -> None:
        """Results entered, corrected, taken back, disputed, settled and confirmed; standings; the palio."""
        one, other = client_of_phone(self.event), client_of_phone(self.event)
        for game in self.games:
            version = self.post(one, f"games/{game}/result", winner_seat=0)["version"]
        self.post(other, f"games/{self.games[0]}/confirm", expected_version=version)
        self.post(other, f"games/{self.games[1]}/dispute", expected_version=version, reason="wrong-winner")
        self.tell()
        settled = {"outcome": "corrected", "line": version, "reason": "wrong-winner"}
        right = {"type": "game_closed", "reason": "result", "winner": 1}
        settled |= {"expected_version": version, "replacement": [right]}
        self.post(self.desk, f"games/{self.games[1]}/settle", **settled)
        taken_back = {"line": version, "reason": "wrong-winner", "replacement": []}
        self.post(one, f"games/{self.games[2]}/corrections", **taken_back)
        self.tell()
        self.post(one, f"games/{self.games[2]}/result", winner_seat=0)
        for game in self.games[2:]:
            self.post(other, f"games/{game}/confirm", expected_version=self.version(game))
        adjusted = {"team": str(self.teams[0].pk), "points": 1, "reason": "misconduct"}
        self.post(self.desk, f"tournaments/{self.row.pk}/adjustments", **adjusted)
        standings.compute(self.row.pk)
        rules = {"disciplines": [{"kind": "tournament", "id": str(self.row.pk)}]}
        assert self.desk.put(f"/api/v1/events/{self.event.pk}/palio", {"rules": rules}).status_code == 200
        # There may be no tie: then it is refused.
        self.desk.post(f"/api/v1/tournaments/{self.row.pk}/lots", {})
        self.post(self.desk, f"tournaments/{self.row.pk}/close")
        standings.compute(self.row.pk)
        palio_standing.compute(self.event.pk)
        self.post(self.desk, f"tournaments/{self.row.pk}/reopen", reason="typing-error")
        self.tell()

    def version(self, game: str) -> int:
        """How long a game's log is."""
        found: int = self.desk.get(f"/api/v1/games/{game}").json()["version"]
        return found

    def tell(self) -> None:
        """Send what there is to tell."""
        while deliver(UUID(self.webhook)):
            pass


def faults_of_message(sent: Received) -> list[str]:
    """What of a message isn't as the description has it, its headers included."""
    body = json.loads(sent.body)
    described = description()["webhooks"][body["type"]]["post"]
    found = faults(validator_of(described["requestBody"]["content"]["application/json"]["schema"]), body)
    for header in described["parameters"]:
        value: Any = sent.headers[header["name"]]
        value = int(value) if header["schema"]["type"] == "integer" else value
        found += [f"{header['name']}: {each}" for each in faults(validator_of(header["schema"]), value)]
    signed = {name for name in sent.headers if name.startswith("webhook-")}
    undescribed = signed ^ {header["name"] for header in described["parameters"]}
    return [*found, *sorted(undescribed)]


def test_every_webhook_message_of_a_day_is_as_described(program: Receiver) -> None:
    day = Day(program)

    day.play()

    assert {each.body: found for each in program.received if (found := faults_of_message(each))} == {}
    sent = {json.loads(each.body)["type"] for each in program.received}
    assert set(registration.KINDS) - sent == {
        # Made by the same facts of a tournament's stream as those that were sent.
        *("draw.changed", "stage.drawn", "round.drawn"),
        # A palio's table alone, once more.
        *(kinds.PALIO_FINAL,),
    }


def test_webhook_test_message_with_two_signatures_is_as_described(program: Receiver) -> None:
    day = Day(program)
    day.tell()
    day.post(day.desk, f"webhooks/{day.webhook}/rotate-secret")

    send_once(day.post(day.desk, f"webhooks/{day.webhook}/test", 202)["id"])

    last = program.received[-1]
    assert (json.loads(last.body)["type"], last.headers["webhook-signature"].count("v1,")) == ("test", 2)
    assert faults_of_message(last) == []


def test_twin_webhook_message_with_another_member_is_found(program: Receiver) -> None:
    day = Day(program)
    day.tell()
    sent = program.received[0]
    body = json.loads(sent.body)

    body["data"]["name"] = "Ada"
    changed = Received(sent.path, sent.headers, json.dumps(body).encode())

    assert faults_of_message(sent) == []
    assert len(faults_of_message(changed)) == 1


def test_each_kind_of_webhook_message_has_a_described_payload() -> None:
    described = description()
    wanted = [*registration.KINDS, registration.TEST]
    assert list(described["webhooks"]) == wanted
    for kind in wanted:
        payload = described["components"]["schemas"][name_of_payload(kind)]
        assert payload["properties"]["type"] == {"type": "string", "const": kind}


def test_each_fact_has_a_kind_of_change_with_its_subject() -> None:
    found = {
        (kinds.kind_of_fact(stream, fact), stream)
        for stream, facts in (
            ("match", tuple(OF_RESULTS)),
            ("tournament", (*DECISIONS, "any")),
            ("palio", ("any",)),
        )
        for fact in facts
    }
    assert {(kind, SUBJECTS.get(kind, TOURNAMENT)) for kind, _ in found} == found
