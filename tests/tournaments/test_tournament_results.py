"""What referees enter: the accepted prefix, each entry once, conflicts told, and nobody named."""

import json
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.outcome import Outcome
from ledger import needed_code_version, read
from ledger.errors import ClientIdReusedError, ConflictError
from ledger.models import Compatibility, OutboxMessage, Stream
from people.actors import Actor
from people.refusals import Refused
from tests.support import factories
from tests.support.stored_games import types_of
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.commands.delete_event import delete_event
from tournaments.facts import outbox_topics
from tournaments.models import MatchGame

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()

NAMED = {"type": "dealer_named", "seat": 0}
DEALT = {"type": "deal_started", "dealer": 0}
TURNED = {"type": "card_turned", "card": "R5"}
PLAYED = {"type": "cards_played", "seat": 1, "cards": ["R7"]}
WON = {"type": "game_closed", "reason": "result", "winner": 1}
LOST = {**WON, "winner": 0}


def sent(*events: object) -> list[tuple[UUID | None, object]]:
    return [(uuid4(), event) for event in events]


@pytest.fixture
def game() -> MatchGame:
    return factories.games_of(factories.drawn_tournament(factories.make_event()))[0]


def test_result_by_seat_gives_the_point_to_its_team(game: MatchGame) -> None:
    written = results.enter_result(game, ACTOR, seat=1, expected_version=0)
    row = Game.objects.get(pk=game.game_id)
    team = row.seats.get(number=1).team

    assert (written.version, written.refusal, written.outcome_changed) == (2, None, True)
    assert Outcome.of_row(row) == Outcome(True, "result", 1, team)


def test_result_by_team_alone_has_no_seat(game: MatchGame) -> None:
    team = game.game.seats.get(number=0).team
    results.enter_result(game, ACTOR, team=team)
    assert Outcome.of_row(Game.objects.get(pk=game.game_id)) == Outcome(True, "result", None, team)


def test_forfeit_is_stored_with_the_seat_that_was_there(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, seat=0, reason="forfeit")
    row = Game.objects.get(pk=game.game_id)
    assert (row.closed_by, row.winner_seat) == ("forfeit", 0)


def test_bell_may_leave_no_winner(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, reason="time")
    assert Outcome.of_row(Game.objects.get(pk=game.game_id)) == Outcome(True, "time", None, None)


def test_second_result_is_refused_and_changes_nothing(game: MatchGame) -> None:
    results.enter_result(game, ACTOR, seat=1)
    written = results.enter_result(game, ACTOR, seat=0)
    assert written.refusal is not None
    assert (written.refusal.code, written.accepted, types_of(game)) == (
        "game-over",
        0,
        ["game_opened", "game_closed"],
    )


def test_log_of_a_whole_game_is_written_event_by_event(game: MatchGame) -> None:
    version = 0
    for event in (NAMED, DEALT, TURNED, PLAYED):
        version = results.write_log(game, ACTOR, sent(event), expected_version=version).version
    row = Game.objects.get(pk=game.game_id)
    assert (version, row.version, row.phase, row.is_over) == (5, 5, "play", False)


def test_batch_keeps_its_legal_part(game: MatchGame) -> None:
    wrong = {"type": "cards_played", "seat": 1, "cards": ["G7"]}
    written = results.write_log(game, ACTOR, sent(NAMED, DEALT, TURNED, wrong, WON), expected_version=0)

    assert written.refusal is not None
    assert (written.accepted, written.version, written.refusal.code, written.refusal.line) == (
        3,
        4,
        "no-match",
        5,
    )
    assert types_of(game) == ["game_opened", "dealer_named", "deal_started", "card_turned"]


@pytest.mark.parametrize(
    "wrong",
    [
        7,
        {"type": "no such type"},
        {"type": "dealer_named"},
        {"type": "Wild!"},
        {},
        {"type": 3},
        "game_closed",
        {**DEALT, "by": 1.5},
        {**DEALT, "by": "\ud800"},
        {**DEALT, "by": 10**30},
    ],
)
def test_batch_stops_at_an_entry_that_cannot_be_read(game: MatchGame, wrong: object) -> None:
    written = results.write_log(game, ACTOR, sent(NAMED, wrong, DEALT), expected_version=0)
    assert written.refusal is not None
    assert (written.accepted, written.refusal.code, types_of(game)) == (
        1,
        "malformed",
        ["game_opened", "dealer_named"],
    )


def test_batch_with_an_illegal_first_event_stores_not_even_the_opening(game: MatchGame) -> None:
    written = results.write_log(game, ACTOR, sent(PLAYED), expected_version=0)
    assert written.refusal is not None
    assert (written.refusal.code, written.version, types_of(game)) == ("out-of-order", 0, [])
    assert not Stream.objects.filter(pk=game.game_id).exists()


def test_batch_sent_again_is_stored_once(game: MatchGame) -> None:
    batch = sent(NAMED, DEALT, TURNED)
    first = results.write_log(game, ACTOR, batch, expected_version=0)
    again = results.write_log(game, ACTOR, batch, expected_version=0)

    assert (first.version, first.accepted) == (again.version, again.accepted) == (4, 3)
    assert types_of(game) == ["game_opened", "dealer_named", "deal_started", "card_turned"]


def test_batch_that_grew_while_the_answer_was_lost_goes_on_where_it_was(game: MatchGame) -> None:
    batch = sent(NAMED, DEALT, TURNED)
    results.write_log(game, ACTOR, batch, expected_version=0)
    grown = results.write_log(game, ACTOR, [*batch, *sent(PLAYED)], expected_version=0)
    assert (grown.version, grown.accepted, grown.refusal) == (5, 4, None)


def test_batch_behind_another_phone_s_is_a_conflict_with_the_version_now(game: MatchGame) -> None:
    results.write_log(game, ACTOR, sent(NAMED), expected_version=0)
    with pytest.raises(ConflictError) as conflict:
        results.write_log(game, ACTOR, sent(WON), expected_version=0)
    assert conflict.value.current_version == 2


def test_client_id_with_another_body_is_refused(game: MatchGame) -> None:
    key = uuid4()
    results.enter_result(game, ACTOR, seat=1, client_id=key)
    with pytest.raises(ClientIdReusedError):
        results.enter_result(game, ACTOR, seat=0, client_id=key)


def test_repeated_result_is_one_fact_and_one_answer(game: MatchGame) -> None:
    key = uuid4()
    answers = [results.enter_result(game, ACTOR, seat=1, client_id=key, expected_version=0) for _ in range(3)]
    assert [(answer.version, answer.accepted) for answer in answers] == [(2, 1)] * 3
    assert OutboxMessage.objects.filter(stream=game.game_id, topic=outbox_topics.STANDINGS).count() == 1


def test_uploaded_log_comes_with_names_and_is_stored_with_ids(game: MatchGame) -> None:
    teams = {team.pk: team.name for team in game.match.stage.tournament.event.teams.all()}
    seats = [
        {"name": f"{factories.FIRST_NAME} {seat.number}", "team": teams[seat.team]}
        for seat in game.game.seats.order_by("number")
    ]
    opened: dict[str, Any] = {
        "type": "game_opened",
        "ruleset": "palio",
        "seats": seats,
        "by": "Ivo Fischietti",
    }
    closed = {"type": "game_closed", "reason": "result", "winner": None, "team": seats[0]["team"]}
    text = "".join(json.dumps(event) + "\n" for event in (opened, NAMED, closed))

    written = results.upload_log(game, ACTOR, text)
    stored = " ".join(fact.text for fact in read.facts(game.game_id))

    assert (written.refusal, written.version) == (None, 3)
    assert factories.FIRST_NAME not in stored
    assert "Fischietti" not in stored
    assert str(game.game.seats.get(number=0).entry) in stored


def test_uploaded_log_of_another_table_is_refused_whole(game: MatchGame) -> None:
    text = '{"type":"game_opened","ruleset":"palio","seats":[{"name":"a"},{"name":"b"},{"name":"c"}]}\n'
    written = results.upload_log(game, ACTOR, text)
    assert written.refusal is not None
    assert (written.refusal.code, written.refusal.line, types_of(game)) == ("malformed", 1, [])


def test_uploaded_log_that_is_illegal_is_refused_whole(game: MatchGame) -> None:
    opened = {"type": "game_opened", "ruleset": "palio", "seats": [{"name": "a"}, {"name": "b"}]}
    text = "".join(json.dumps(event) + "\n" for event in (opened, NAMED, PLAYED))
    written = results.upload_log(game, ACTOR, text)

    assert written.refusal is not None
    assert (written.refusal.code, written.refusal.line, types_of(game)) == ("out-of-order", 3, [])


def test_result_before_the_draw_is_published_is_refused() -> None:
    tournament = factories.drawn_tournament(factories.make_event(), published=False)
    with pytest.raises(Refused) as refused:
        results.enter_result(factories.games_of(tournament)[0], ACTOR, seat=0)
    assert refused.value.code == "draw-not-published"


def test_result_after_the_tournament_is_closed_is_refused() -> None:
    tournament = factories.drawn_tournament(factories.make_event())
    games = factories.games_of(tournament)
    for game in games:
        results.enter_result(game, ACTOR, seat=0)
    close_tournament(tournament, ACTOR)

    with pytest.raises(Refused) as refused:
        results.correct(games[0], ACTOR, 2, [WON], "wrong-winner")

    assert refused.value.code == "tournament-closed"


def test_result_stored_before_is_still_answered_after_closing() -> None:
    tournament = factories.drawn_tournament(factories.make_event())
    first, *others = factories.games_of(tournament)
    entry, correction = uuid4(), uuid4()
    entering = partial(results.enter_result, first, ACTOR, seat=0, expected_version=0, client_id=entry)
    correcting = partial(results.correct, first, ACTOR, 2, [WON], "wrong-winner", client_id=correction)
    entered, corrected = entering(), correcting()
    for game in others:
        results.enter_result(game, ACTOR, seat=0)
    close_tournament(tournament, ACTOR)
    again, corrected_again = entering(), correcting()
    assert (again.version, again.accepted) == (entered.version, entered.accepted) == (2, 1)
    assert corrected_again.version == corrected.version
    with pytest.raises(Refused) as refused:
        results.write_log(first, ACTOR, [(entry, LOST), (uuid4(), WON)], expected_version=0)
    assert refused.value.code == "tournament-closed"


def test_result_of_a_game_that_is_gone_is_not_found(game: MatchGame) -> None:
    delete_event(game.match.stage.tournament.event)
    with pytest.raises(Http404):
        results.enter_result(game, ACTOR, seat=0)


def test_result_keeps_who_entered_it_by_id(game: MatchGame) -> None:
    pairing, _ = factories.make_pairing(game.match.stage.tournament.event)
    results.enter_result(game, Actor.of_pairing(pairing), seat=1)
    assert read.facts(game.game_id)[-1].body["by"] == str(pairing.pk)


def test_log_event_costs_the_same_queries_in_a_long_log() -> None:
    game = factories.games_of(factories.drawn_tournament(factories.make_event()))[0]
    results.write_log(game, ACTOR, sent(NAMED, DEALT, TURNED), expected_version=0)
    queries = []
    version = 4
    for turn in range(12):
        seat = (turn + 1) % 2
        draw = {"type": "cards_drawn", "seat": seat, "count": 1}
        with CaptureQueriesContext(connection) as captured:
            version = results.write_log(game, ACTOR, sent(draw), expected_version=version).version
        queries.append(len(captured))
        version = results.write_log(
            game, ACTOR, sent({"type": "turn_passed", "seat": seat}), expected_version=version
        ).version

    assert len(set(queries)) == 1
    assert queries[0] <= 9, "beside these there is the one that finds out who is asking"


def test_snapshot_of_another_version_is_replayed_instead(game: MatchGame) -> None:
    results.write_log(game, ACTOR, sent(NAMED, DEALT, TURNED), expected_version=0)
    Game.objects.filter(pk=game.game_id).update(snapshot={"version": -1})
    written = results.write_log(game, ACTOR, sent(PLAYED), expected_version=4)
    assert (written.refusal, written.version, written.state.top) == (None, 5, "R7")


PLACED = {**WON, "places": {"0": 2, "1": 1}}


def test_result_with_first_places_raises_the_reading_version(game: MatchGame) -> None:
    Compatibility.objects.update_or_create(pk=1, defaults={"needs": 3})

    results.write_log(game, ACTOR, sent(PLACED))

    assert needed_code_version.needed() == 4
    assert Outcome.of_row(Game.objects.get(pk=game.game_id)).places == (2, 1)


def test_correction_by_places_raises_the_reading_version(game: MatchGame) -> None:
    Compatibility.objects.update_or_create(pk=1, defaults={"needs": 3})
    results.write_log(game, ACTOR, sent(LOST))
    assert needed_code_version.needed() == 3

    results.correct(game, ACTOR, 2, [PLACED], "wrong-winner")

    assert needed_code_version.needed() == 4


def test_result_with_refused_places_does_not_raise_the_reading_version(game: MatchGame) -> None:
    Compatibility.objects.update_or_create(pk=1, defaults={"needs": 3})

    written = results.write_log(game, ACTOR, sent({**PLACED, "winner": 0}))

    assert written.refusal is not None
    assert needed_code_version.needed() == 3


def test_uploaded_log_with_places_raises_the_reading_version(game: MatchGame) -> None:
    Compatibility.objects.update_or_create(pk=1, defaults={"needs": 3})
    opened = {
        "type": "game_opened",
        "ruleset": game.game.ruleset,
        "seats": [
            {"name": str(seat.entry), "team": str(seat.team)} for seat in game.game.seats.order_by("number")
        ],
    }

    results.upload_log(game, ACTOR, "".join(f"{json.dumps(event)}\n" for event in (opened, PLACED)))

    assert needed_code_version.needed() == 4
