"""A log that was stored once is read for ever: one of each version of the format is kept in `logs/`.

`v1.jsonl` is the log as a file, `v1.facts.jsonl` the same as stored facts (stream, sequence, type, text, hash
before, hash, microseconds), `v1.summary.json` the state that it leads to.
"""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from games import logbook
from games.engine import Refusal, parse_log, replay, summarize
from games.engine.events import EVENT_CLASSES
from games.engine.versions import CURRENT, LIFTS, lift
from games.stored_log import stored_log
from ledger import append, stream_import
from ledger.entries import NewFact, StoredFact
from ledger.hashing import fact_id

LOGS = Path(__file__).parent / "logs"
VERSIONS = range(1, CURRENT + 1)


def summary(version: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((LOGS / f"v{version}.summary.json").read_text("utf-8"))
    return found


def facts(version: int) -> list[StoredFact]:
    found = []
    for line in (LOGS / f"v{version}.facts.jsonl").read_text("utf-8").splitlines():
        stream, sequence, type_, text, before, hash_, at = json.loads(line)
        recorded = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)
        found.append(
            StoredFact(fact_id(hash_), UUID(stream), sequence, type_, text, before, hash_, recorded, None, "")
        )
    return found


def test_log_of_every_format_version_is_kept() -> None:
    kept = {path.name for path in LOGS.iterdir()}
    assert kept == {
        *(f"v{version}.{what}" for version in VERSIONS for what in ("facts.jsonl", "summary.json")),
        "v1.jsonl",
    }
    assert set(LIFTS) == set(VERSIONS) - {CURRENT}


def test_log_of_version_1_holds_every_type_of_event() -> None:
    types = {fact.type for fact in facts(1)}
    assert types == {cls.type for cls in EVENT_CLASSES}


def test_file_of_version_1_replays_as_ever() -> None:
    assert summarize(replay(parse_log((LOGS / "v1.jsonl").read_bytes()))) == summary(1)


@pytest.mark.django_db
@pytest.mark.parametrize("version", VERSIONS)
def test_stored_facts_of_every_version_replay_as_ever(version: int) -> None:
    kept = facts(version)
    assert stream_import.import_stream(logbook.STREAM_KIND, None, kept)
    game = kept[0].stream
    assert summarize(logbook.replay(game)) == summary(version)
    events = logbook.stored_events(game)
    assert summarize(replay(parse_log([json.dumps(event) for event in events]))) == summary(version)


# A version 0, which never was: only here, to see an older log being lifted


def from_0(event: dict[str, Any]) -> dict[str, Any]:
    """Version 0 said `who` for a seat."""
    return {("seat" if name == "who" else name): value for name, value in event.items()}


def stored_in_0(game: UUID) -> None:
    opened = {"type": "game_opened", "ruleset": "palio", "seats": [{"name": "a"}, {"name": "b"}]}
    bodies: list[dict[str, Any]] = [
        {**opened, "format": 0},
        {"type": "dealer_named", "who": 1, "format": 0},
        {"type": "deal_started", "dealer": 1},
        {"type": "card_turned", "card": "R7"},
        {"type": "cards_drawn", "who": 0, "count": 1, "format": 0},
        {"type": "turn_passed", "seat": 0},
    ]
    append.append(game, logbook.STREAM_KIND, None, 0, [NewFact(body["type"], body) for body in bodies])


@pytest.mark.django_db
def test_log_event_of_an_older_version_is_lifted_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIFTS, 0, from_0)
    game = uuid4()
    stored_in_0(game)
    state = logbook.replay(game)

    assert (state.phase, state.turn, state.hands) == ("play", 1, [8, 7])
    assert logbook.stored_events(game)[1:2] == [{"type": "dealer_named", "seat": 1}]
    assert [event.type for event in stored_log(game)][4:] == ["cards_drawn", "turn_passed"]


@pytest.mark.django_db
def test_log_event_of_an_older_version_without_its_lift_is_refused() -> None:
    game = uuid4()
    stored_in_0(game)
    with pytest.raises(Refusal, match="an event of version 0 of the game log; read is up to version 1"):
        logbook.replay(game)


def test_log_event_of_a_newer_program_is_refused() -> None:
    event = {"type": "turn_passed", "seat": 0}
    assert lift(event, CURRENT) == event
    with pytest.raises(Refusal, match="version 2"):
        lift(event, CURRENT + 1)


def test_log_event_that_is_sent_can_not_name_a_version() -> None:
    with pytest.raises(Refusal, match="format"):
        parse_log('{"type": "turn_passed", "seat": 0, "format": 0}')
