"""Two at once where rounds are drawn, on a real database; without the locks the race is lost."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest import mock

import pytest
from django.db import transaction

from games.models import Game
from people.refusals import Refused
from tests.support.rounds_play import (
    ACTOR,
    open_games,
    published,
    squad_named,
    tournament_matches,
)
from tests.tournaments.races import at_once, wait_for_who_waits
from tournaments.commands import decision_recording, results
from tournaments.commands import following_rounds as following
from tournaments.commands import round_draws as by_round
from tournaments.commands.decision_recording import Caller
from tournaments.commands.following_rounds import advance
from tournaments.commands.round_draws import draw_next_round
from tournaments.commands.squad_changes import remove_squad
from tournaments.models import Tournament
from tournaments.projections import standings
from tournaments.tasks import compute_standings
from tournaments.verification import verify

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def rounds_of(tournament: Tournament) -> list[int]:
    """The numbers of the rounds that have matches."""
    return sorted(set(tournament_matches(tournament).values_list("round", flat=True)))


def in_order(tournament: Tournament) -> bool:
    """Whether nothing is wrong."""
    return list(verify.verify(tournament.event)) == []


def ready(**settings: Any) -> Tournament:
    """A Swiss system whose first round is played and computed, the next one not drawn."""
    tournament = published(8, 1, format="swiss", **settings)
    for game in open_games(tournament):
        results.enter_result(game, ACTOR, seat=0)
    standings.compute(tournament.pk)
    return tournament


def meeting(count: int) -> Callable[[Tournament], Tournament]:
    """In the place of `lock`, without a lock: all who race have come this far before anybody goes on."""
    barrier = threading.Barrier(count, timeout=60)

    def unlocked(tournament: Tournament) -> Tournament:
        found = Tournament.objects.select_related("event").get(pk=tournament.pk)
        barrier.wait()
        return found

    return unlocked


def test_race_of_two_organizers_draws_the_next_round_once() -> None:
    tournament = ready(draws_itself=False)
    answers = at_once(*[partial(draw_next_round, tournament, ACTOR)] * 2)
    (refused,) = [answer for answer in answers if isinstance(answer, Refused)]

    assert (refused.code, refused.params["why"]) == ("cannot-draw", "results_missing")
    assert rounds_of(tournament) == [1, 2]
    assert in_order(tournament)


def test_race_of_two_organizers_with_a_version_makes_one_a_conflict() -> None:
    tournament = ready(draws_itself=False)
    tournament.refresh_from_db()
    seen = tournament.version
    answers = at_once(*[partial(draw_next_round, tournament, Caller(ACTOR, seen))] * 2)

    assert sorted(type(answer).__name__ for answer in answers) in (
        ["Refused", "Tournament"],
        ["ConflictError", "Tournament"],
    )
    assert rounds_of(tournament) == [1, 2]


def test_twin_race_of_two_organizers_without_the_lock_draws_twice() -> None:
    tournament = ready(draws_itself=False)
    with (
        mock.patch.object(decision_recording, "lock", meeting(2)),
        mock.patch.object(decision_recording, "lock_games"),
    ):
        answers = at_once(*[partial(draw_next_round, tournament, ACTOR)] * 2)
    # Only the rows' own constraint stops the second, with an error that nobody has words for.
    assert sorted(type(answer).__name__ for answer in answers) == ["IntegrityError", "Tournament"]


def test_race_of_the_same_message_draws_one_round() -> None:
    tournament = ready()
    answers = at_once(*[partial(compute_standings, str(tournament.pk))] * 4)

    assert answers == [None] * 4
    assert rounds_of(tournament) == [1, 2]
    assert in_order(tournament)


def test_twin_race_of_the_same_message_without_the_lock_fails() -> None:
    tournament = ready()
    with (
        mock.patch.object(following, "lock", meeting(2)),
        mock.patch.object(following, "lock_games"),
    ):
        answers = at_once(*[partial(advance, tournament.pk)] * 2)
    assert sorted(type(answer).__name__ for answer in answers) == ["IntegrityError", "NoneType"]


def test_race_of_results_and_draws_lets_nobody_wait_for_ever() -> None:
    tournament = published(8, 1, format="round_robin")
    games = open_games(tournament)
    works: list[Callable[[], Any]] = [
        *(partial(results.enter_result, game, ACTOR, seat=0) for game in games[:16]),
        *[partial(compute_standings, str(tournament.pk))] * 3,
        partial(remove_squad, tournament, ACTOR, squad_named(tournament, (1, 1)), "withdrawn"),
    ]
    answers = at_once(*works)
    told = {type(answer).__name__ for answer in answers}
    assert told <= {"Written", "NoneType", "Tournament"}, answers
    compute_standings(str(tournament.pk))
    assert in_order(tournament)


def test_race_of_a_correction_with_a_draw_waits_and_is_flagged() -> None:
    tournament = ready(draws_itself=False)
    game = tournament_matches(tournament).get(slot="r1t1").match_games.get()
    drawn = threading.Event()

    def draw() -> None:
        with transaction.atomic():
            draw_next_round(tournament, ACTOR)
            drawn.set()
            wait_for_who_waits()

    def correct() -> Any:
        drawn.wait(60)
        right = [{"type": "game_closed", "reason": "result", "winner": 1}]
        return results.correct(game, ACTOR, Game.objects.get(pk=game.game_id).version, right, "wrong-winner")

    _, written = at_once(draw, correct)

    assert type(written).__name__ == "Written", written
    assert [each.moves for each in by_round.changed_rounds(tournament)] == [True]
    assert in_order(tournament)


def test_race_of_a_draw_with_a_correction_waits_for_it() -> None:
    tournament = ready(draws_itself=False)
    game = tournament_matches(tournament).get(slot="r1t1").match_games.get()
    corrected = threading.Event()

    def correct() -> None:
        right = [{"type": "game_closed", "reason": "result", "winner": 1}]
        with transaction.atomic():
            version = Game.objects.get(pk=game.game_id).version
            results.correct(game, ACTOR, version, right, "wrong-winner")
            corrected.set()
            wait_for_who_waits()

    def draw() -> Any:
        corrected.wait(60)
        return draw_next_round(tournament, ACTOR)

    at_once(correct, draw)

    assert rounds_of(tournament) == [1, 2]
    assert by_round.changed_rounds(tournament) == []


def test_twin_race_without_the_lock_of_games_draws_from_a_corrected_result() -> None:
    tournament = ready(draws_itself=False)
    game = tournament_matches(tournament).get(slot="r1t1").match_games.get()
    corrected, drawn = threading.Event(), threading.Event()

    def correct() -> None:
        right = [{"type": "game_closed", "reason": "result", "winner": 1}]
        with transaction.atomic():
            version = Game.objects.get(pk=game.game_id).version
            results.correct(game, ACTOR, version, right, "wrong-winner")
            corrected.set()
            wait_for_who_waits(drawn)

    def draw() -> Any:
        corrected.wait(60)
        try:
            with mock.patch.object(decision_recording, "lock_games"):
                return draw_next_round(tournament, ACTOR)
        finally:
            drawn.set()

    at_once(correct, draw)

    assert [each.moves for each in by_round.changed_rounds(tournament)] == [True]
