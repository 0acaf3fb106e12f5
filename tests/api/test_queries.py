"""Every list costs the same number of queries for one row and for many."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from ledger.receipts import make_receipt
from people.actors import Actor
from people.models import Account, Event
from tests.support import factories
from tests.support.clients import client_of_token
from tests.support.festival import Festival
from tournaments.commands import results
from tournaments.projections import standings

pytestmark = pytest.mark.django_db


def queries(client: APIClient, address: str) -> tuple[int, int]:
    """How many queries a list costs, and how many rows it has."""
    with CaptureQueriesContext(
        connection,
    ) as captured:
        answer = client.get(f"/api/v1/{address}")
    assert answer.status_code == 200
    rows = answer.json()
    return len(captured), rows["count"] if isinstance(rows, dict) else len(rows)


def one_more_version(event: Event, account: Account) -> Any:
    """A game is played, and the standings follow."""
    tournament = event.tournaments.get()
    game = next(each for each in factories.games_of(tournament) if not each.game.is_over)
    results.enter_result(game, Actor.of_account(account), seat=0)
    standings.compute(tournament.pk)


# What the list is of, its address, and how one more row is made.
LISTS: list[tuple[str, str, Callable[[Event, Account], Any]]] = [
    ("events", "events/?mine=true", lambda event, account: factories.make_event(account)),
    ("tokens", "tokens/", lambda event, account: factories.make_token(account)),
    ("teams", "events/{event}/teams/", lambda event, account: factories.make_team(event)),
    ("entries", "events/{event}/entries/", lambda event, account: factories.make_entry(event.teams.get())),
    ("referees", "events/{event}/referees/", lambda event, account: factories.make_referee(event)),
    ("pairings", "events/{event}/pairings/", lambda event, account: factories.make_pairing(event)),
    ("tables", "events/{event}/tables/", lambda event, account: factories.make_table(event)),
    (
        "tournaments",
        "events/{event}/tournaments/",
        lambda event, account: factories.make_tournament(event, f"Torneo {uuid4()}"),
    ),
    ("receipts", "events/{event}/receipts/", lambda event, account: make_receipt(event.pk)),
]


@pytest.mark.parametrize(("name", "address", "make"), LISTS, ids=[name for name, *_ in LISTS])
def test_list_costs_the_same_for_many_rows(
    name: str, address: str, make: Callable[[Event, Account], Any], db: None
) -> None:
    account = factories.make_account()
    event = factories.make_event(account)
    if name == "entries":
        factories.make_team(event)
    if name not in ("events", "tokens"):
        make(event, account)
    client = client_of_token(account)
    path = address.format(event=event.pk)
    client.get(f"/api/v1/{path}")
    cost, rows = queries(client, path)
    for _ in range(6):
        make(event, account)

    assert queries(client, path) == (cost, rows + 6)
    assert cost <= 6


@pytest.mark.parametrize("address", ["matches/", "rounds/", "standings/versions/"])
def test_tournament_lists_cost_the_same_for_many_matches(address: str, db: None) -> None:
    costs = []
    for entries in (1, 4):
        account = factories.make_account()
        event = factories.make_event(account)
        tournament = factories.drawn_tournament(event, entries=entries)
        for _ in range(entries):
            one_more_version(event, account)
        cost, _rows = queries(client_of_token(account), f"tournaments/{tournament.pk}/{address}")
        costs.append(cost)
    assert costs[0] == costs[1]
    assert costs[0] <= 12


def test_matches_of_a_table_cost_the_same_for_many(db: None) -> None:
    costs = []
    for entries in (1, 4):
        event = factories.make_event()
        factories.drawn_tournament(event, entries=entries, tables=1)
        costs.append(queries(APIClient(), f"tables/{event.tables.get().pk}/matches/")[0])
    assert costs[0] == costs[1]


def test_standings_cost_the_same_for_many_teams(db: None) -> None:
    costs = []
    for teams in (3, 6):
        account = factories.make_account()
        event = factories.make_event(account)
        tournament = factories.drawn_tournament(event, teams=teams)
        one_more_version(event, account)
        one_more_version(event, account)
        with CaptureQueriesContext(connection) as captured:
            answer = APIClient().get(f"/api/v1/tournaments/{tournament.pk}/standings/")
        assert len(answer.json()["rows"]) == teams
        costs.append(len(captured))
    assert costs[0] == costs[1]
    assert costs[0] <= 5


FILTERS: dict[str, dict[str, Any]] = {
    "all": {},
    "decisions": {"kind": "decisions"},
    "results": {"kind": "results"},
    "corrections": {"kind": "corrections"},
    "rows": {"kind": "rows"},
    "a table": {"table": 1},
    "results at a table": {"table": 1, "kind": "results"},
    "nobody": {"by_nobody": True},
    "a time": {"since": "2000-01-01T00:00:00Z", "until": "2100-01-01T00:00:00Z"},
}


def test_history_costs_the_same_for_many_rows_under_any_filter(
    festival: Festival, organizer: APIClient
) -> None:
    address = f"/api/v1/events/{festival.event.pk}/history/"

    def costs() -> dict[str, int]:
        found = {}
        for name, asked in {**FILTERS, "somebody": {"by": str(festival.organizer.pk)}}.items():
            with CaptureQueriesContext(connection) as captured:
                assert organizer.get(address, asked).status_code == 200
            found[name] = len(captured)
        return found

    for game in festival.games[:2]:
        version = results.enter_result(game, Actor.of_account(festival.organizer), seat=0).version
        right = {"type": "game_closed", "reason": "result", "winner": 1}
        results.correct(game, Actor.command(), version, [right], "typing-error")
    factories.make_referee(festival.event)
    before = costs()
    for game in festival.games[2:]:
        results.enter_result(game, Actor.of_account(festival.organizer), seat=0)
    for _ in range(5):
        factories.make_referee(festival.event)

    # Fewer where a kind of line has moved to the page after.
    assert {name: cost for name, cost in costs().items() if cost > before[name]} == {}


def test_log_event_costs_the_same_in_a_long_log(festival: Festival, phone: APIClient) -> None:
    address = f"/api/v1/games/{festival.game.game_id}/log/"
    entries = [
        {"id": str(uuid4()), "event": event}
        for event in (
            {"type": "dealer_named", "seat": 0},
            {"type": "deal_started", "dealer": 0},
            {"type": "card_turned", "card": "G7"},
        )
    ]
    phone.post(address, {"entries": entries})
    costs = []
    for turn in range(40):
        seat = (turn // 2 + 1) % 2
        event: dict[str, Any] = {"type": "cards_drawn", "seat": seat, "count": 1}
        if turn % 2:
            event = {"type": "turn_passed", "seat": seat}
        body = {"entries": [{"id": str(uuid4()), "event": event}], "expected_version": 4 + turn}
        with CaptureQueriesContext(connection) as captured:
            answer = phone.post(address, body)
        assert (answer.status_code, answer.json()["refusal"]) == (200, None)
        costs.append(len([query for query in captured if "SAVEPOINT" not in query["sql"]]))

    assert set(costs) == {costs[0]}
    assert costs[0] <= 10


def test_list_pages_are_of_the_size_asked_for(festival: Festival, organizer: APIClient) -> None:
    address = f"/api/v1/events/{festival.event.pk}/entries/"
    first = organizer.get(address, {"page_size": 4}).json()
    assert (first["count"], len(first["results"]), first["previous"]) == (6, 4, None)
    second = organizer.get(first["next"]).json()
    assert (len(second["results"]), second["next"]) == (2, None)
    seen = [entry["id"] for page in (first, second) for entry in page["results"]]
    assert len(set(seen)) == 6


def test_standings_at_a_moment_are_those_of_then(festival: Festival, organizer: APIClient) -> None:
    address = f"/api/v1/tournaments/{festival.tournament.pk}/standings/"
    assert (
        organizer.get(address, {"at": (timezone.now() - timedelta(days=1)).isoformat()}).json()["code"]
        == "no-standings"
    )
    one_more_version(festival.event, festival.organizer)
    between = timezone.now()
    one_more_version(festival.event, festival.organizer)
    now = organizer.get(address).json()
    then = organizer.get(address, {"at": between.isoformat()}).json()
    assert now["version"]["games_played"] == 2
    assert then["version"]["games_played"] == 1
    numbers = [row["number"] for row in organizer.get(f"{address}versions/").json()["results"]]
    assert numbers[:2] == [now["version"]["number"], then["version"]["number"]]


def test_game_at_a_moment_is_that_of_then(festival: Festival, organizer: APIClient, phone: APIClient) -> None:
    """Its row, its result and what was said of it, and its log in each form; also after a correction."""
    rounds = factories.drawn_tournament(
        festival.event, name="Giostra", format="round_robin", confirmation="second_person"
    )
    game = factories.games_of(rounds)[0]
    address = f"/api/v1/games/{game.game_id}/"
    moments, rows, logs, texts = [], [], [], []

    def look() -> None:
        rows.append(organizer.get(address).json())
        logs.append(organizer.get(f"{address}log/").json())
        texts.append([organizer.get(f"{address}log.{form}").content for form in ("jsonl", "txt")])
        moments.append(timezone.now())

    look()
    assert phone.post(f"{address}result/", {"winner_seat": 1}).status_code == 200
    look()
    confirmed = organizer.post(f"{address}confirm/", {"expected_version": rows[1]["version"]})
    assert confirmed.status_code == 200, confirmed.content
    look()
    right = {"type": "game_closed", "reason": "result", "winner": 0}
    correction = {"line": 2, "replacement": [right], "reason": "typing-error"}
    assert phone.post(f"{address}corrections/", correction).status_code == 200
    look()
    assert [(row["version"] > 0, row["winner_seat"], row["check"]) for row in rows] == [
        (False, None, "nothing"),
        (True, 1, "submitted"),
        (True, 1, "confirmed"),
        (True, 0, "submitted"),
    ]
    for place, moment in enumerate(moments):
        at = {"at": moment.isoformat()}
        assert organizer.get(address, at).json() == rows[place]
        assert organizer.get(f"{address}log/", at).json() == logs[place]
        then = [organizer.get(f"{address}log.{form}", at).content for form in ("jsonl", "txt")]
        assert then == texts[place]
    long_ago = {"at": "2000-01-01T00:00:00Z"}
    assert organizer.get(address, long_ago).json() == rows[0]
