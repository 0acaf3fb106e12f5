"""An open game that the engine can't follow: its result is entered from paper, and the tournament goes on.

The fault is put into one transition, so a log that was entered before it leads to a state that can't be.
"""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import translation

from games.engine import ImpossibleStateError
from games.engine.corrections import Log
from games.models import Game
from games.stored_log import stored_log
from ledger.errors import ConflictError
from people.actors import Actor
from people.models import Account
from people.refusals import Refused
from tests.support import factories
from tests.support.clients import client_of_token
from tests.support.computed_tournaments import address as public_address
from tests.support.faults import put_fault_in
from tests.support.phones import address, phone
from tests.support.recorded_game import table_log
from tests.support.stored_games import outcome
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.models import MatchGame, Standing, StandingsVersion, Tournament
from tournaments.projections import standings
from tournaments.projections.rebuild import rebuild
from tournaments.verification import verify

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
LINE = 16
"""The challenge in the log, from which on nothing can be followed."""


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def tournament() -> Tournament:
    return drawn()


def drawn(**settings: Any) -> Tournament:
    """A tournament that is drawn and published, with an organizer."""
    return factories.drawn_tournament(factories.make_event(factories.make_account()), **settings)


@pytest.fixture
def game(tournament: Tournament, monkeypatch: pytest.MonkeyPatch) -> MatchGame:
    return set_aside(tournament, monkeypatch)


def set_aside(tournament: Tournament, monkeypatch: pytest.MonkeyPatch) -> MatchGame:
    """The first game, open and set aside; the second one is over."""
    games = factories.games_of(tournament)
    results.write_log(games[0], ACTOR, [(None, event) for event in table_log()[:-3]])
    results.enter_result(games[1], ACTOR, seat=0)
    standings.compute(tournament.pk)
    put_fault_in(monkeypatch)
    rebuild(tournament.event)
    return as_it_is(games[0])


def as_it_is(game: MatchGame) -> MatchGame:
    """The game as it is stored now."""
    (found,) = (each for each in factories.games_of(tournament_of(game)) if each.game_id == game.game_id)
    return found


def tournament_of(game: MatchGame) -> Tournament:
    return game.match.stage.tournament


def organizer_of(tournament: Tournament) -> Account:
    return tournament.event.organizers.get().account


def row_of(game: MatchGame) -> Game:
    return Game.objects.get(pk=game.game_id)


def rows(tournament: Tournament) -> list[Any]:
    """All rows of all versions of the standings."""
    columns = [field.name for field in Standing._meta.fields if field.name not in ("id", "version")]
    found = Standing.objects.filter(version__tournament=tournament).order_by("version__number", "place", "pk")
    return [list(each) for each in found.values_list("version__number", *columns)]


def wrong(tournament: Tournament) -> list[str]:
    return [str(each) for each in verify.verify(tournament.event)]


def enter(game: MatchGame, **said: Any) -> None:
    """Enter a result as an organizer, which is taken."""
    assert results.enter_result(game, ACTOR, **said).refusal is None


def take_back(game: MatchGame) -> None:
    """Take the last line of the game out."""
    results.correct(game, ACTOR, row_of(game).version, [], "wrong-table")


def test_paper_result_from_the_desk_counts_at_once(tournament: Tournament, game: MatchGame) -> None:
    before = stored_log(game.game_id)
    desk = Client()
    desk.force_login(organizer_of(tournament))
    page = f"/en/desk/events/{tournament.event.slug}/matches/{game.match_id}/"
    shown = desk.get(page).content.decode()

    answer = desk.post(
        f"/en/desk/events/{tournament.event.slug}/games/{game.game_id}/result/",
        {"winner": "0", "how": "result", "expected_version": str(len(before)), "client_id": str(uuid4())},
    )

    version = standings.compute(tournament.pk)
    row = row_of(game)
    assert "can’t follow this game. Enter here what the paper says" in shown
    assert answer.status_code == 302
    assert (row.is_over, row.closed_by, row.winner_seat) == (True, "result", 0)
    assert (row.is_from_paper, row.is_set_aside) == (True, False)
    assert version is not None
    assert version.games_played == 2
    assert stored_log(game.game_id)[: len(before)] == before
    assert "The result is from paper" in desk.get(page).content.decode()
    assert wrong(tournament) == []


def test_paper_result_from_a_phone_is_refused(tournament: Tournament, game: MatchGame) -> None:
    client = phone(tournament.event)
    event = json.dumps({"type": "game_closed", "reason": "result", "winner": 0})
    data = {"version": str(row_of(game).version), "id": [str(uuid4())], "event": [event]}

    answer = client.post(address(game, "enter/", "/en"), data, headers={"Accept": "application/json"})

    assert (answer.status_code, answer.json()["code"]) == (409, "game-not-followed")
    assert row_of(game).is_set_aside


@pytest.mark.parametrize("is_desk", [False, True])
def test_paper_result_is_taken_back_by_the_desk_alone(
    tournament: Tournament, game: MatchGame, *, is_desk: bool
) -> None:
    enter(game, seat=1)
    version = row_of(game).version
    event = json.dumps({"type": "event_voided", "line": version, "reason": "typing-error"})
    data = {"version": str(version), "id": [str(uuid4())], "event": [event]}

    if is_desk:
        take_back(game)
        assert not row_of(game).is_over
    else:
        client = phone(tournament.event)
        answer = client.post(address(game, "enter/", "/en"), data, headers={"Accept": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (409, "result-from-paper")
        assert row_of(game).is_over


@pytest.mark.parametrize("is_mended", [False, True])
@pytest.mark.parametrize("reason", ["result", "forfeit", "time", "abandoned"])
def test_paper_result_and_standings_survive_a_rebuild(
    tournament: Tournament, game: MatchGame, monkeypatch: pytest.MonkeyPatch, reason: str, *, is_mended: bool
) -> None:
    enter(game, seat=None if reason == "abandoned" else 1, reason=reason)
    standings.compute(tournament.pk)
    before = (outcome(game), rows(tournament), StandingsVersion.objects.count())
    if is_mended:
        monkeypatch.undo()

    rebuild(tournament.event)

    assert (outcome(game), rows(tournament), StandingsVersion.objects.count()) == before
    assert (before[0].closed_by, before[0].figures, before[0].is_from_paper) == (reason, None, True)
    assert wrong(tournament) == []


def test_twin_paper_result_is_set_aside_without_reading_past_the_fault(
    tournament: Tournament, game: MatchGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raises(fault: ImpossibleStateError, _events: object) -> Log:
        raise fault

    enter(game, seat=1)

    monkeypatch.setattr(Log, "past", raises)
    rebuild(tournament.event)

    assert row_of(game).is_set_aside


def test_twin_paper_result_by_the_bell_would_count_cards_of_half_a_log(
    tournament: Tournament, game: MatchGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(game, seat=1, reason="time")
    monkeypatch.setattr("games.outcome.lines_in_whose_place", lambda events: [])

    rebuild(tournament.event)

    # This is what is kept out: the penalties and cards of half a game.
    assert outcome(game).penalties == (2, 0)


@pytest.mark.parametrize("is_mended", [False, True])
def test_paper_result_taken_back_restores_the_log(
    tournament: Tournament, game: MatchGame, monkeypatch: pytest.MonkeyPatch, *, is_mended: bool
) -> None:
    enter(game, seat=1)
    if is_mended:
        monkeypatch.undo()

    take_back(game)

    row = row_of(game)
    assert (row.is_over, row.is_from_paper, row.is_set_aside) == (False, False, not is_mended)
    at_table = table_log()[LINE - 2 : -3]
    assert [event.type for event in stored_log(game.game_id)[-len(at_table) :]] == [
        event["type"] for event in at_table
    ]
    before = {name: getattr(row, name) for name in ("version", "snapshot", "phase", "fault")}
    rebuild(tournament.event)
    after = row_of(game)
    assert {name: getattr(after, name) for name in before} == before
    enter(as_it_is(game), seat=0)
    assert (outcome(game).seat, outcome(game).is_from_paper) == (0, not is_mended)


def test_paper_result_corrected_is_from_paper_too(game: MatchGame) -> None:
    enter(game, seat=1)

    right = {"type": "game_closed", "reason": "result", "winner": 0}
    results.correct(game, ACTOR, row_of(game).version, [right], "wrong-winner")

    assert (outcome(game).seat, outcome(game).is_from_paper) == (0, True)


def test_paper_result_sent_twice_is_stored_once(game: MatchGame) -> None:
    version, client_id = row_of(game).version, uuid4()
    said: dict[str, Any] = {"seat": 1, "expected_version": version, "client_id": client_id}
    enter(game, **said)
    once = row_of(game).version

    written = results.enter_result(game, ACTOR, **said)

    assert (written.accepted, row_of(game).version) == (1, once)


def test_paper_result_with_another_version_is_a_conflict(game: MatchGame) -> None:
    version = row_of(game).version

    with pytest.raises(ConflictError):
        results.enter_result(game, ACTOR, seat=1, expected_version=version - 1)

    assert row_of(game).version == version


def test_paper_result_without_a_winner_is_refused(game: MatchGame) -> None:
    before = stored_log(game.game_id)

    with pytest.raises(Refused) as refused:
        results.enter_result(game, ACTOR, places={0: 1, 1: 1})

    assert refused.value.code == "winner-needed"
    assert stored_log(game.game_id) == before


def test_paper_result_for_a_game_that_is_over_is_refused(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = factories.games_of(tournament)[0]
    results.write_log(game, ACTOR, [(None, event) for event in table_log()])
    put_fault_in(monkeypatch)
    rebuild(tournament.event)

    with pytest.raises(Refused) as refused:
        results.enter_result(as_it_is(game), ACTOR, seat=0)

    assert (refused.value.code, outcome(game).seat) == ("game-not-followed", 1)


def test_paper_result_from_the_desk_is_confirmed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = drawn(confirmation="organizer")
    game = set_aside(tournament, monkeypatch)

    enter(game, seat=1)

    version = standings.compute(tournament.pk)
    assert version is not None
    assert version.games_played == 1
    assert as_it_is(game).confirmed_version == row_of(game).version
    assert wrong(tournament) == []


def test_tournament_closes_with_a_paper_result(tournament: Tournament, game: MatchGame) -> None:
    for other in factories.games_of(tournament)[2:]:
        enter(other, seat=0)
    with pytest.raises(Refused) as refused:
        close_tournament(tournament, ACTOR)

    enter(game, seat=1)

    close_tournament(tournament, ACTOR)

    assert refused.value.code == "games-open"
    assert standings.current(tournament).is_final


def test_paper_result_command_of_a_referee_is_refused(tournament: Tournament, game: MatchGame) -> None:
    referee = Actor.of_pairing(factories.make_pairing(tournament.event)[0])

    with pytest.raises(Refused) as refused:
        results.enter_result(game, referee, seat=1)

    assert (refused.value.code, row_of(game).is_set_aside) == ("game-not-followed", True)


def test_paper_result_is_named_so_on_the_page_and_in_the_api(tournament: Tournament, game: MatchGame) -> None:
    client = client_of_token(organizer_of(tournament))
    before = client.get(f"/api/v1/games/{game.game_id}/").json()

    body = {"winner_seat": 1}
    answer = client.post(f"/api/v1/games/{game.game_id}/result/", body, format="json")

    after = client.get(f"/api/v1/games/{game.game_id}/").json()
    page = Client().get(public_address(tournament, f"games/{game.game_id}/")).content.decode()
    assert answer.status_code == 200
    assert [(each["is_set_aside"], each["is_from_paper"]) for each in (before, after)] == [
        (True, False),
        (False, True),
    ]
    assert "entered from paper, since the service couldn’t follow this game" in page
    assert page.count('href="?step=') >= len(table_log()) - 3
