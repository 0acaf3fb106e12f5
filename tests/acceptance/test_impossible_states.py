"""A game that the engine can't follow by a fault of its own: it is set aside, and everything else goes on.

The fault is put into one transition, so a log that was entered before it leads to a state that can't be.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import translation

from games.engine import ImpossibleStateError, Refusal, parse_event, replay
from games.engine.events import ChallengeMade
from games.engine.state import ANSWER
from games.engine.transitions import TRANSITIONS
from games.models import Game
from games.outcome import Outcome
from games.stored_log import stored_log
from people.actors import Actor
from people.models import Account
from tests.support import factories
from tests.support.clients import client_of_token
from tests.support.computed_tournaments import address as public_address
from tests.support.faults import WHAT, put_fault_in
from tests.support.phones import address, phone
from tests.support.recorded_game import table_log
from tournaments.commands import results
from tournaments.commands.decision_recording import Caller
from tournaments.commands.squad_changes import remove_squad
from tournaments.models import MatchGame, Squad, Standing, Tournament
from tournaments.projections import standings
from tournaments.projections.rebuild import rebuild
from tournaments.verification import verify

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
LINE = 16
"""The challenge in the log, from which on nothing can be followed."""
SET_ASIDE = {"line": LINE, "what": WHAT}

Faults = Callable[[], None]


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def fault(monkeypatch: pytest.MonkeyPatch) -> Faults:
    """Puts the fault in."""
    return lambda: put_fault_in(monkeypatch)


@pytest.fixture
def tournament() -> Tournament:
    organizer = factories.make_account()
    event = factories.make_event(organizer)
    return factories.drawn_tournament(event)


@pytest.fixture
def games(tournament: Tournament) -> list[MatchGame]:
    """The first is written down card by card, the second by its result."""
    found = factories.games_of(tournament)
    results.write_log(found[0], ACTOR, [(None, event) for event in table_log()])
    results.enter_result(found[1], ACTOR, seat=0)
    standings.compute(tournament.pk)
    return found


def organizer_of(tournament: Tournament) -> Account:
    return tournament.event.organizers.get().account


def rows(tournament: Tournament) -> list[Any]:
    """All rows of the latest standings."""
    version = standings.newest(tournament)
    columns = [field.name for field in Standing._meta.fields if field.name not in ("id", "version")]
    return list(Standing.objects.filter(version=version).order_by("place", "pk").values_list(*columns))


def length(game: MatchGame) -> int:
    return len(stored_log(game.game_id))


def send(game: MatchGame, events: list[dict[str, Any]], version: int) -> tuple[int, dict[str, Any]]:
    """Send a batch as a phone does."""
    client = phone(game.match.stage.tournament.event)
    data = {
        "version": str(version),
        "id": [str(uuid4()) for _ in events],
        "event": [json.dumps(event) for event in events],
    }
    answer = client.post(address(game, "enter/", "/en"), data, headers={"Accept": "application/json"})
    return answer.status_code, answer.json()


def append(tournament: Tournament, game: MatchGame, events: list[dict[str, Any]]) -> Any:
    """Append to a log through the API."""
    client = client_of_token(organizer_of(tournament))
    body = {"entries": [{"id": str(uuid4()), "event": event} for event in events]}
    return client.post(f"/api/v1/games/{game.game_id}/log/", body, format="json")


def test_impossible_state_error_names_its_log_event(fault: Faults, games: list[MatchGame]) -> None:
    log = stored_log(games[0].game_id)

    fault()

    with pytest.raises(ImpossibleStateError) as met:
        replay(log)
    assert (met.value.line, met.value.type, met.value.what) == (LINE, "challenge_made", SET_ASIDE["what"])


def test_altered_state_raises_impossible_state() -> None:
    log = [{"type": "game_opened", "ruleset": "palio", "seats": [{"name": "a"}, {"name": "b"}]}, *table_log()]
    state = replay([parse_event(event) for event in log[: LINE - 1]])
    state.hit = None

    with pytest.raises(ImpossibleStateError, match="no draw card waits"):
        TRANSITIONS[ANSWER][ChallengeMade][1](state, parse_event(log[LINE - 1]))


def test_phone_entry_is_refused_with_game_not_followed(fault: Faults, tournament: Tournament) -> None:
    game = factories.games_of(tournament)[0]
    until_then = table_log()[: LINE - 2]
    send(game, until_then, 0)
    fault()

    status, answer = send(game, table_log()[LINE - 2 : LINE], LINE - 1)

    assert (status, answer["code"], answer["accepted"]) == (409, "game-not-followed", [])
    assert answer["sentence"].startswith("The service can’t follow this game any further")
    assert length(game) == LINE - 1


def test_twin_phone_entry_is_accepted_without_the_fault(tournament: Tournament) -> None:
    game = factories.games_of(tournament)[0]
    send(game, table_log()[: LINE - 2], 0)

    status, answer = send(game, table_log()[LINE - 2 : LINE], LINE - 1)

    assert (status, len(answer["accepted"]), length(game)) == (200, 2, LINE + 1)


def test_api_entry_is_refused_with_game_not_followed(fault: Faults, tournament: Tournament) -> None:
    game = factories.games_of(tournament)[0]
    fault()

    answer = append(tournament, game, table_log())

    assert (answer.status_code, answer.json()["code"]) == (409, "game-not-followed")
    assert length(game) == 0


def test_rebuild_sets_the_game_aside_and_keeps_outcomes(
    fault: Faults, tournament: Tournament, games: list[MatchGame]
) -> None:
    before = [Outcome.of_row(Game.objects.get(pk=game.game_id)) for game in games]
    counted = rows(tournament)
    fault()

    rebuild(tournament.event)

    stored = [Game.objects.get(pk=game.game_id) for game in games]
    assert [row.fault for row in stored] == [SET_ASIDE, *[None] * (len(games) - 1)]
    assert [Outcome.of_row(row) for row in stored] == before
    assert before[0].is_over
    assert rows(tournament) == counted


def test_standings_count_other_games_beside_one_set_aside(
    fault: Faults, tournament: Tournament, games: list[MatchGame]
) -> None:
    fault()
    rebuild(tournament.event)

    results.enter_result(games[2], ACTOR, seat=0)
    version = standings.compute(tournament.pk)

    assert version is not None
    assert version.games_played == 3


def test_game_set_aside_refuses_entries(
    fault: Faults, tournament: Tournament, games: list[MatchGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    fault()
    rebuild(tournament.event)
    monkeypatch.undo()
    version = length(games[0])
    void = {"type": "event_voided", "line": version, "reason": "typing-error"}

    answers = [
        send(games[0], [void], version)[1]["code"],
        append(tournament, games[0], [void]).json()["code"],
    ]

    assert answers == ["game-not-followed"] * 2
    assert length(games[0]) == version


def test_rebuild_after_the_fix_clears_set_aside(
    fault: Faults, tournament: Tournament, games: list[MatchGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    fault()
    rebuild(tournament.event)
    monkeypatch.undo()

    rebuild(tournament.event)

    assert not Game.objects.get(pk=games[0].game_id).is_set_aside
    assert [str(wrong) for wrong in verify.verify(tournament.event)] == []


def test_verify_names_the_game_set_aside_and_nothing_else(
    fault: Faults, tournament: Tournament, games: list[MatchGame]
) -> None:
    fault()
    rebuild(tournament.event)

    found = [(wrong.where, wrong.what) for wrong in verify.verify(tournament.event)]

    assert found == [
        (
            f"round 1, table 1, game 1 (stream {games[0].game_id})",
            "the game is set aside, since the engine can't follow its log: line 16: a fault that was put in",
        )
    ]


def test_desk_names_the_game_set_aside_on_the_event_page(
    fault: Faults, tournament: Tournament, games: list[MatchGame]
) -> None:
    desk = Client()
    desk.force_login(organizer_of(tournament))
    page = f"/en/desk/events/{tournament.event.slug}/"
    named = f"{page}games/{games[0].game_id}/log/"
    before = desk.get(page)
    assert (before.status_code, named in before.content.decode()) == (200, False)
    fault()
    rebuild(tournament.event)

    shown = desk.get(page).content.decode()

    assert "Games that are set aside" in shown
    assert shown.count(named) == 1
    assert desk.get(named).status_code == 200


def test_public_game_page_is_served_for_a_game_not_followed(
    fault: Faults, tournament: Tournament, games: list[MatchGame]
) -> None:
    page = public_address(tournament, f"games/{games[0].game_id}/")
    fault()

    shown = Client().get(page)

    assert shown.status_code == 200
    content = shown.content.decode()
    assert "can’t follow this game to its end" in content
    assert content.count('href="?step=') >= len(table_log())


def test_api_reads_a_game_set_aside(fault: Faults, tournament: Tournament, games: list[MatchGame]) -> None:
    client = client_of_token(organizer_of(tournament))
    fault()
    rebuild(tournament.event)

    answer = client.get(f"/api/v1/games/{games[0].game_id}/").json()

    assert (answer["is_over"], answer["winner_seat"]) == (True, 1)
    assert answer["summary"]["phase"] == "answer"


def test_illegal_log_is_a_refusal_and_no_impossible_state(games: list[MatchGame]) -> None:
    log = stored_log(games[0].game_id)

    with pytest.raises(Refusal):
        replay(log[1:])


# Everywhere else that a game is read or written


def test_referee_page_refuses_a_game_set_aside_and_opens_others(
    fault: Faults, tournament: Tournament, games: list[MatchGame]
) -> None:
    client = phone(tournament.event)
    fault()
    rebuild(tournament.event)

    answers = [client.get(address(game, "end/", "/en")) for game in (games[0], games[2])]

    assert [answer.status_code for answer in answers] == [409, 200]
    assert "The service can’t follow this game any further" in answers[0].content.decode()


def test_phone_kit_has_no_snapshot_of_a_game_set_aside(
    fault: Faults, tournament: Tournament, games: list[MatchGame]
) -> None:
    results.correct(games[0], ACTOR, length(games[0]), [], "typing-error")
    client = phone(tournament.event)
    before = kit_game(client, games[0])
    fault()
    rebuild(tournament.event)

    after = [kit_game(client, game) for game in (games[0], games[2])]

    assert (before["is_over"], before["snapshot"] is None) == (False, False)
    assert [(game["is_over"], game["snapshot"] is None) for game in after] == [(False, True), (False, False)]


def kit_game(client: Client, game: MatchGame) -> dict[str, Any]:
    """A game as the kit of its table has it."""
    kit = json.loads(client.get(f"/en/t/{game.match.table.code}/kit/").content)
    (found,) = [
        each for match in kit["matches"] for each in match["games"] if each["id"] == str(game.game_id)
    ]
    return dict(found)


def test_log_in_notation_has_no_winner_for_a_game_not_followed(
    fault: Faults, tournament: Tournament, games: list[MatchGame]
) -> None:
    client = client_of_token(organizer_of(tournament))
    page = f"/api/v1/games/{games[0].game_id}/log.txt"
    before = client.get(page).content.decode()
    fault()

    after = client.get(page).content.decode()

    assert [line for line in before.splitlines() if line not in after.splitlines()] == ["[Winner 1]"]


@pytest.mark.parametrize("format_", ["triangle", "round_robin"])
def test_removed_squad_forfeits_all_open_games_but_one_set_aside(fault: Faults, format_: str) -> None:
    tournament = factories.drawn_tournament(factories.make_event(), format=format_)
    game = factories.games_of(tournament)[0]
    squad = squads_of(game)[0]
    results.write_log(game, ACTOR, [(None, event) for event in table_log()[:-3]])
    version = length(game)
    fault()
    rebuild(tournament.event)

    remove_squad(tournament, Caller(ACTOR), squad, "withdrawn")

    open_ = MatchGame.objects.filter(match__sides__squad=squad, game__is_over=False)
    assert [each.game_id for each in open_ if squad in squads_of(each)] == [game.game_id]
    assert length(game) == version


def squads_of(game: MatchGame) -> list[Squad]:
    """Who plays it."""
    by_number = {side.number: side.squad for side in game.match.sides.all()}
    return [by_number[number] for number in game.sides]
