"""One palio through the API: three files of entries, a draw, every game, the final table, all in order.

On SQLite the standings are computed by the thread of the embedded mode, on PostgreSQL by a real worker behind
a real broker. Nothing reaches into the database but the last look.
"""

import base64
import hmac
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from games.engine import Ruleset, print_log
from games.engine.bots import play_random_game
from people.models import Person
from tests.acceptance.caller import Caller
from tests.support import factories, log_lines
from tests.support.services.receiver import Receiver
from tests.support.soundness import assert_rebuilt
from tests.support.waiting import wait_for
from tournaments.models import Tournament

FILES = Path(__file__).parent.parent / "data"

# Line, column and kind of all that is wrong with the third file.
PROBLEMS = [
    (11, "Cognome", "twice-in-file"),
    (12, "Nato il", "too-old"),
    (13, "Nato il", "too-young"),
    (14, "Nato il", "missing"),
    (15, "Nato il", "date-impossible"),
    (16, "Contrada", "team-unknown"),
    (17, "Nato il", "date-short-year"),
    (18, "", "empty-line"),
    (19, "5", "extra-column"),
]


@pytest.fixture
def caller(transactional_db: None) -> Caller:
    """A program of a new organizer."""
    return Caller(factories.make_token(factories.make_account())[1])


@pytest.mark.sqlite
@pytest.mark.usefixtures("embedded_tasks")
def test_palio_on_sqlite_with_tasks_on_a_thread(caller: Caller, program: Receiver) -> None:
    with log_lines.written() as log:
        play_the_palio(caller, program)
    assert_nothing_personal(log, caller)


@pytest.mark.postgresql
@pytest.mark.usefixtures("worker")
def test_palio_on_postgresql_with_redis_and_a_worker(caller: Caller, program: Receiver) -> None:
    with log_lines.written() as log:
        play_the_palio(caller, program)
    assert_nothing_personal(log, caller)


def assert_nothing_personal(log: log_lines.Written, caller: Caller) -> None:
    """A line for each request and for each task, with neither a name nor the token in any."""
    names = {name for person in Person.objects.all() for name in (person.first_name, person.last_name)}
    assert {name for name in names if re.search(rf"\b{re.escape(name)}\b", log.text)} == set()
    assert caller.secret not in log.text
    assert len(names) > 30
    assert len(log.lines("tendone.request")) > 70


def play_the_palio(caller: Caller, program: Receiver) -> None:
    """From nothing to the final table."""
    event = caller.post(
        "events/",
        {"name": "Palio delle contrade", "starts_on": "2022-09-17", "min_age": 7, "max_age": 14},
        expect=201,
    )["id"]
    listens = {"url": program.url, "kinds": ["result.entered", "draw.published", "tournament.closed"]}
    secret = caller.post(f"events/{event}/webhooks/", listens, expect=201)["secret"]
    for name in ("Superiore", "Centro", "Inferiore"):
        caller.post(f"events/{event}/teams/", {"name": name}, expect=201)
    assert enter(caller, event, "iscritti-superiore.csv") == (14, [])
    assert enter(caller, event, "entries-centro.csv") == (12, [])
    assert enter(caller, event, "iscritti-inferiore-con-errori.csv") == (9, PROBLEMS)

    settings = {"format": "triangle", "rounds": 2, "tables": 6}
    tournament = caller.post(
        f"events/{event}/tournaments/", {"name": "Torneo", "settings": settings}, expect=201
    )["id"]
    preview = caller.get(f"tournaments/{tournament}/draw/preview/?seed=palio-2022")
    assert [len(team["entries"]) for team in preview["reserves"]] == [5, 3]
    assert (len(preview["rounds"]), preview["matches"], preview["games"], preview["rematches"]) == (
        2,
        18,
        54,
        [],
    )
    assert (preview["fewest_games"], preview["most_games"]) == (4, 4)
    caller.post(f"tournaments/{tournament}/draw/", {"seed": "palio-2022"})
    caller.post(f"tournaments/{tournament}/publish/")
    caller.patch(f"events/{event}/", {"is_published": True})

    games = [
        game["id"]
        for each in caller.get(f"tournaments/{tournament}/rounds/")
        for wave in each["waves"]
        for match in wave["matches"]
        for game in match["games"]
    ]
    assert len(games) == 54
    for place, game in enumerate(games):
        play(caller, game, place)
    table = standings_when(caller, tournament, lambda version: version["games_played"] == 54)
    assert sum(row["games_won"] for row in table["rows"]) == 54
    assert [row["games_played"] for row in table["rows"]] == [36, 36, 36]
    assert_scale(table["rows"])

    caller.post(f"tournaments/{tournament}/close/")
    table = standings_when(caller, tournament, lambda version: version["is_final"])
    assert table["version"]["receipt"] != ""
    assert caller.post(f"events/{event}/verification/") == {"findings": []}

    assert_told(program, secret, ["draw.published", *["result.entered"] * 54, "tournament.closed"])

    assert_rebuilt(Tournament.objects.get(pk=tournament))


def enter(caller: Caller, event: str, name: str) -> tuple[int, list[tuple[int, str, str]]]:
    """Preview a file, confirm it without its bad rows; how many were entered, and what was wrong."""
    sent = {"file": base64.b64encode((FILES / name).read_bytes()).decode()}
    preview = caller.post(f"events/{event}/import/preview/", sent)
    confirmed = {**sent, "digest": preview["digest"], "skip_bad": True}
    entered = caller.post(f"events/{event}/import/", confirmed, expect=201)["entries"]
    problems = [(each["line"], each["column"], each["code"]) for each in preview["problems"]]
    assert all(each["detail"] for each in preview["problems"])
    assert len(entered) == len(preview["good"])
    return len(entered), problems


def play(caller: Caller, game: str, place: int) -> None:
    """Half of the games by result, half as a log that bots have played."""
    if place % 2:
        log = play_random_game(Ruleset.from_json("palio"), 2, seed=place, table=place % 4 == 1)
        answer = caller.upload(f"games/{game}/log.jsonl", print_log(log))
        assert answer["version"] == len(log)
    else:
        answer = caller.post(f"games/{game}/result/", {"winner_seat": place // 2 % 2, "expected_version": 0})
        assert answer["version"] == 2
    assert (answer["refusal"], answer["outcome_changed"]) == (None, True)


def standings_when(caller: Caller, tournament: str, ready: Any) -> Any:
    """The standings once they are `ready`: somebody else computes them."""

    def look() -> Any:
        table = caller.find(f"tournaments/{tournament}/standings/")
        return table if table and ready(table["version"]) else None

    return wait_for(look)


def assert_told(program: Receiver, secret: str, kinds: list[str]) -> None:
    """The program was told of all this in its order, each once, with the signature of Standard Webhooks."""
    wait_for(lambda: len(program.received) >= len(kinds))
    told = [json.loads(each.body)["type"] for each in program.received]
    assert told == kinds
    assert len({each.headers["webhook-id"] for each in program.received}) == len(kinds)
    key = base64.b64decode(secret.removeprefix("whsec_"))
    for each in program.received:
        signed = f"{each.headers['webhook-id']}.{each.headers['webhook-timestamp']}.".encode() + each.body
        digest = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
        assert each.headers["webhook-signature"] == f"v1,{digest}"


def assert_scale(rows: list[dict[str, Any]]) -> None:
    """30, 20, 10 by place; who shares a place takes the same points."""
    by_place = {1: "30", 2: "20", 3: "10"}
    assert [row["placement_points"] for row in rows] == [by_place[row["place"]] for row in rows]
    shared = Counter(row["place"] for row in rows)
    assert all(row["is_tied"] == (shared[row["place"]] > 1) for row in rows)
    assert all(one["place"] <= other["place"] for one, other in pairwise(rows))
