"""Two phones at one table, at the same time, on a real database.

That the race is lost without the ledger's safeguards is shown in `tests/ledger`.
"""

import threading
from functools import partial
from uuid import uuid4

import pytest
from django.db import transaction
from django.db.models import F

from games.logbook import OpenGame, Written
from ledger import read
from ledger.errors import ConflictError
from people import entries
from people.actors import Actor
from people.refusals import Refused
from tests.support import factories
from tests.support.rounds_play import published, tournament_matches
from tests.tournaments.races import at_once, wait_for_who_waits
from tournaments.commands import results
from tournaments.commands.calls import call_match
from tournaments.commands.confirm import Checked, confirm
from tournaments.commands.draw import make_draw
from tournaments.commands.squad_changes import remove_squad
from tournaments.models import Call, MatchGame, Squad, SquadMember, StandingsVersion, Tournament
from tournaments.projections import standings
from tournaments.projections.rebuild import rebuild_tournament
from tournaments.queries.matches import load_matches
from tournaments.verification import verify

pytestmark = pytest.mark.django_db(transaction=True)
ACTOR = Actor.command()


def games() -> list[MatchGame]:
    return factories.games_of(factories.drawn_tournament(factories.make_event()))


def test_race_of_two_results_stores_one_and_the_other_is_a_conflict() -> None:
    game = games()[0]
    answers = at_once(
        *(partial(results.enter_result, game, ACTOR, seat=seat, expected_version=0) for seat in (0, 1))
    )

    kinds = sorted(type(answer).__name__ for answer in answers)
    conflict = next(answer for answer in answers if isinstance(answer, ConflictError))

    assert kinds == ["ConflictError", "Written"]
    assert conflict.current_version == 2
    assert [fact.type for fact in read.facts(game.game_id)] == ["game_opened", "game_closed"]


def test_race_of_the_same_entry_fifty_times_is_one_fact() -> None:
    game = games()[0]
    key = uuid4()
    entering = partial(results.enter_result, game, ACTOR, seat=1, expected_version=0, client_id=key)
    answers = at_once(*[entering] * 50)

    assert {(answer.version, answer.accepted, answer.refusal) for answer in answers} == {(2, 1, None)}
    assert len(read.facts(game.game_id)) == 2


def test_race_of_all_tables_queues_none_and_computes_standings_once() -> None:
    all_games = games()
    tournament = all_games[0].match.stage.tournament
    answers = at_once(*(partial(results.enter_result, game, ACTOR, seat=0) for game in all_games))
    assert [answer.refusal for answer in answers] == [None] * len(all_games)
    at_once(*[partial(standings.compute, tournament.pk)] * 4)
    version = StandingsVersion.objects.get(tournament=tournament)
    assert (version.number, version.games_played) == (1, len(all_games))


def test_race_of_batches_leaves_the_state_of_the_log() -> None:
    game = games()[0]
    begin = [(None, {"type": "dealer_named", "seat": 0})]
    at_once(*[partial(results.write_log, game, ACTOR, begin, expected_version=0)] * 4)
    with transaction.atomic():
        opened = OpenGame(game.game_id)
        assert opened.row.version == len(read.facts(game.game_id)) == 2


@pytest.mark.postgresql
def test_race_of_a_result_with_a_rebuild_waits_and_is_stored() -> None:
    game = games()[0]
    tournament = game.match.stage.tournament
    results.enter_result(game, ACTOR, seat=0)
    rebuilt = threading.Event()

    def rebuild() -> None:
        with transaction.atomic():
            rebuild_tournament(tournament)
            rebuilt.set()
            wait_for_who_waits()

    def correct() -> Written:
        rebuilt.wait(60)
        return results.correct(game, ACTOR, 2, [], "typing-error")

    _, written = at_once(rebuild, correct)

    assert isinstance(written, Written), written
    assert [fact.type for fact in read.facts(game.game_id)][-1] == "event_voided"
    assert list(verify.verify(tournament.event)) == []


def waiting() -> tuple[MatchGame, int]:
    """A result that waits for confirmation, and its version."""
    tournament = factories.drawn_tournament(factories.make_event(), confirmation="organizer")
    game = factories.games_of(tournament)[0]
    return game, results.enter_result(game, ACTOR, seat=0).version


def test_race_of_two_confirmations_confirms_once_and_tells_the_other() -> None:
    game, version = waiting()
    answers = at_once(*[partial(confirm, game, ACTOR, expected_version=version)] * 4)
    told = sorted(answer.code if isinstance(answer, Refused) else answer.check.value for answer in answers)

    assert told == ["already-confirmed"] * 3 + ["confirmed"]
    assert [fact.type for fact in read.facts(game.match_id)] == ["result_confirmed"]


def test_race_of_the_same_confirmation_is_one_fact() -> None:
    game, version = waiting()
    confirming = partial(confirm, game, ACTOR, expected_version=version, client_id=uuid4())
    answers = at_once(*[confirming] * 10)

    assert {(answer.version, answer.check.value) for answer in answers} == {(version, "confirmed")}
    assert len(read.facts(game.match_id)) == 1


def test_race_of_a_confirmation_with_a_correction_counts_what_was_confirmed() -> None:
    game, version = waiting()
    tournament = game.match.stage.tournament
    right = {"type": "game_closed", "reason": "result", "winner": 1}
    said, corrected = at_once(
        partial(confirm, game, ACTOR, expected_version=version),
        partial(results.correct, game, ACTOR, version, [right], "wrong-winner"),
    )
    assert isinstance(corrected, Written)
    assert isinstance(said, ConflictError | Checked)
    computed = standings.compute(tournament.pk)
    assert computed is not None
    assert computed.games_played == 0
    assert list(verify.verify(tournament.event)) == []


@pytest.mark.postgresql
def test_race_of_a_draw_with_a_move_to_another_team_waits() -> None:
    event = factories.make_event()
    teams = factories.make_field(event, 3, 3)
    tournament = factories.make_tournament(event, rounds=1)
    moved, drawn = threading.Event(), threading.Event()

    def move() -> None:
        with transaction.atomic():
            entries.move(teams[0].entries.get(number=1), teams[1], ACTOR)
            moved.set()
            wait_for_who_waits(drawn)

    def draw() -> None:
        moved.wait(60)
        make_draw(tournament, ACTOR, factories.SEED)
        drawn.set()

    assert at_once(move, draw) == [None, None]
    members = SquadMember.objects.filter(squad__stage__tournament=tournament)
    assert members.count() == 6
    assert not members.exclude(entry__team=F("squad__team")).exists()


def test_race_of_two_games_that_decide_a_match_stores_one() -> None:
    best_of_three = {"length": "best_of", "games": 3}
    tournament = published(2, 1, format="single_elimination", match=best_of_three)
    first, second, third = factories.games_of(tournament)
    results.enter_result(first, ACTOR, seat=first.sides.index(0))
    answers = at_once(
        *(partial(results.enter_result, game, ACTOR, seat=game.sides.index(0)) for game in (second, third))
    )
    told = sorted(answer.code if isinstance(answer, Refused) else "stored" for answer in answers)
    assert told == ["match-decided", "stored"]
    (match,) = load_matches(tournament_matches(tournament))
    assert [side.points for side in match.sides] == [2, 0]
    assert list(verify.verify(tournament.event)) == []


@pytest.mark.postgresql
def test_race_of_a_game_with_one_that_decides_its_match_is_refused_after() -> None:
    best_of_three = {"length": "best_of", "games": 3}
    tournament = published(2, 1, format="single_elimination", match=best_of_three)
    first, second, third = factories.games_of(tournament)
    results.enter_result(first, ACTOR, seat=first.sides.index(0))
    entered = threading.Event()

    def decide() -> None:
        with transaction.atomic():
            results.enter_result(second, ACTOR, seat=second.sides.index(0))
            entered.set()
            wait_for_who_waits()

    def enter_late() -> Written:
        entered.wait(60)
        return results.enter_result(third, ACTOR, seat=third.sides.index(0))

    decided, refused = at_once(decide, enter_late)

    assert decided is None
    assert isinstance(refused, Refused)
    assert refused.code == "match-decided"


def test_race_of_a_call_with_a_leaving_squad_never_moves_the_table() -> None:
    tournament = published(12, 1, format="tables", options={"rounds": 2})
    match = tournament_matches(tournament).filter(round=1).order_by("slot")[0]
    one, other = Squad.objects.filter(sides__match=match).order_by("pk")[:2]
    remove_squad(tournament, ACTOR, one, "no-show")

    answers = at_once(
        partial(call_match, match, ACTOR), partial(remove_squad, tournament, ACTOR, other, "no-show")
    )

    is_called = Call.objects.filter(called_at__isnull=False).exists()
    is_there = tournament_matches(tournament).filter(pk=match.pk).exists()
    # Either it was called first, and stays, or it was gone and can't be called any more.
    assert isinstance(answers[1], Tournament)
    assert (is_called, isinstance(answers[0], Refused)) in [(True, False), (False, True)]
    assert is_there == is_called
