"""A match that is decided takes no further game; what a correction makes needless stays and doesn't count."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import translation

from people.actors import Actor
from people.refusals import Refused
from tests.support import factories
from tests.support.factories import games_of
from tests.support.rounds_play import ACTOR, game_in, published, turn_around, views
from tournaments.commands import results
from tournaments.commands.close import close_tournament
from tournaments.commands.confirm import confirm, dispute, keep, settle_by_correction
from tournaments.commands.following_rounds import advance
from tournaments.models import MatchGame, Tournament
from tournaments.queries.match_views import MatchProgress, MatchView
from tournaments.tasks import compute_standings
from tournaments.verification.verify import verify

# What a match takes hangs on no database; that two phones at once are stopped is shown on both elsewhere.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
BEST_OF_THREE = {"length": "best_of", "games": 3}
CUT = [(None, {"type": "dealer_named", "seat": 0})]


def match_of(length: str = "best_of", games: int = 3, **settings: Any) -> Tournament:
    """A tournament of one match: the final of a knockout of two."""
    chosen = {"format": "single_elimination", **settings}
    return published(2, 1, match={"length": length, "games": games}, **chosen)


def win(game: MatchGame, side: int) -> None:
    """Enter a result for a side; it sits on another seat in every other game."""
    results.enter_result(game, ACTOR, seat=game.sides.index(side))


def two_nil(tournament: Tournament) -> list[MatchGame]:
    """Let the first side win the first two games of a match; all its games."""
    games = games_of(tournament)
    for game in games[:2]:
        win(game, 0)
    return games


def seen(tournament: Tournament) -> MatchView:
    (match,) = views(tournament)
    return match


def points(tournament: Tournament) -> list[int]:
    return [side.points for side in seen(tournament).sides]


def code_of(call: Any, *arguments: Any, **options: Any) -> str:
    with pytest.raises(Refused) as refused:
        call(*arguments, **options)
    assert refused.value.status == 409
    return refused.value.code


def test_decided_match_refuses_the_third_game_at_two_nil() -> None:
    tournament = match_of()
    *_won, third = two_nil(tournament)

    assert code_of(win, third, 1) == "match-decided"
    assert code_of(results.write_log, third, ACTOR, CUT) == "match-decided"
    assert code_of(results.enter_result, third, ACTOR, seat=None, reason="abandoned") == "match-decided"
    assert code_of(results.preview_correction, third, ACTOR, 1, [], "typing-error") == "match-decided"

    assert (points(tournament), seen(tournament).progress) == ([2, 0], MatchProgress.DONE)
    assert list(verify(tournament.event)) == []


def two_nil_unconfirmed() -> tuple[Tournament, list[MatchGame], Actor]:
    """A match at two to nil whose results nobody has confirmed, its games, and a second referee's phone."""
    tournament = match_of(confirmation="second_person")
    games = games_of(tournament)
    first, second = (Actor.of_pairing(factories.make_pairing(tournament.event)[0]) for _ in range(2))
    for game in games[:2]:
        results.enter_result(game, first, seat=game.sides.index(0))
    return tournament, games_of(tournament), second


def test_decided_match_refuses_a_game_while_results_wait_for_confirmation() -> None:
    tournament, (first, second, third), other = two_nil_unconfirmed()

    sentences = []
    for game in (first, second, None):
        with translation.override("en"), pytest.raises(Refused) as refused:
            win(third, 1)
        sentences.append((refused.value.code, refused.value.sentence))
        if game is not None:
            confirm(game, other, expected_version=2)

    waiting = "The results entered decide this match once they are confirmed: then game 3 doesn’t count."
    decided = "This match is decided already, so game 3 doesn’t count."
    assert sentences == [("match-decided", each) for each in (waiting, waiting, decided)]
    assert not results.takes_entries(third)
    assert (points(tournament), seen(tournament).progress) == ([2, 0], MatchProgress.DONE)


@pytest.mark.parametrize(("winner", "points_then"), [(0, [2, 0]), (1, [1, 2])])
def test_disputed_result_lets_its_match_take_a_further_game(winner: int, points_then: list[int]) -> None:
    tournament, (first, second, third), other = two_nil_unconfirmed()
    dispute(second, other, "wrong-winner", expected_version=2)
    assert (seen(tournament).games[2].is_needed, seen(tournament).progress) == (True, MatchProgress.PLAYING)
    assert results.takes_entries(third)
    win(third, 1)

    if winner == 0:
        keep(second, ACTOR, expected_version=2)
    else:
        right = {"type": "game_closed", "reason": "result", "winner": second.sides.index(1)}
        settle_by_correction(second, ACTOR, 2, [right], "wrong-winner", expected_version=2)
    for game in (first, third):
        confirm(game, ACTOR, expected_version=2)

    assert (points(tournament), seen(tournament).progress) == (points_then, MatchProgress.DONE)
    assert [game.is_needed for game in seen(tournament).games] == [True, True, winner == 1]
    compute_standings(str(tournament.pk))
    assert list(verify(tournament.event)) == []


def test_game_takes_entries_while_its_match_needs_it_and_its_tournament_is_open() -> None:
    tournament = match_of()
    first, _second, third = games_of(tournament)
    results.write_log(third, ACTOR, CUT)
    taken = [results.takes_entries(third)]
    two_nil(tournament)
    taken += [results.takes_entries(fresh) for fresh in (games_of(tournament)[0], games_of(tournament)[2])]
    compute_standings(str(tournament.pk))
    close_tournament(Tournament.objects.get(pk=tournament.pk), ACTOR)
    taken.append(results.takes_entries(games_of(tournament)[0]))

    assert (first.number, taken) == (1, [True, True, False, False])


def test_third_game_at_one_all_is_taken() -> None:
    tournament = match_of()
    for game, side in zip(games_of(tournament), (0, 1, 1), strict=True):
        win(game, side)

    assert points(tournament) == [1, 2]


@pytest.mark.parametrize("format_", ["round_robin", "swiss"])
def test_match_that_plays_all_its_games_takes_them(format_: str) -> None:
    tournament = match_of("mini_tournament", 3, format=format_)
    for game in games_of(tournament):
        win(game, 0)

    assert (points(tournament), [game.is_needed for game in seen(tournament).games]) == ([3, 0], [True] * 3)


def test_first_to_two_takes_games_until_somebody_has_two() -> None:
    tournament = match_of("first_to", 2)
    first, second, third = games_of(tournament)
    results.enter_result(first, ACTOR, reason="time")
    win(second, 0)
    win(third, 0)

    assert points(tournament) == [2, 0]
    assert [game.is_needed for game in seen(tournament).games] == [True] * 3


def test_game_that_breaks_a_tie_is_taken_and_none_after_it() -> None:
    tournament = match_of("one_game", 1)
    (first,) = games_of(tournament)
    results.enter_result(first, ACTOR, reason="time")
    compute_standings(str(tournament.pk))
    first, second = games_of(tournament)
    turn_around(first, 0)

    assert code_of(win, second, 1) == "match-decided"
    assert [game.is_needed for game in seen(tournament).games] == [True, False]


def test_game_whose_result_was_taken_back_is_needed_while_a_later_one_is_over() -> None:
    tournament = match_of("one_game", 1)
    (first,) = games_of(tournament)
    results.enter_result(first, ACTOR, reason="time")
    compute_standings(str(tournament.pk))
    first, second = games_of(tournament)
    win(second, 1)
    results.correct(first, ACTOR, 2, [], "wrong-winner")

    assert seen(tournament).progress is MatchProgress.PLAYING
    win(first, 0)

    assert (points(tournament), seen(tournament).progress) == ([1, 0], MatchProgress.DONE)
    assert [(game.is_needed, game.is_surplus) for game in seen(tournament).games] == [
        (True, False),
        (False, True),
    ]


def test_game_that_is_being_played_when_its_match_is_decided_holds_up_nothing() -> None:
    tournament = match_of()
    first, second, third = games_of(tournament)
    win(first, 0)
    results.write_log(second, ACTOR, CUT)
    win(third, 0)

    assert code_of(results.write_log, second, ACTOR, [(None, {"type": "deal_started", "seat": 0})]) == (
        "match-decided"
    )
    assert code_of(win, second, 1) == "match-decided"
    match = seen(tournament)
    assert (match.progress, match.next_game(), points(tournament)) == (MatchProgress.DONE, None, [2, 0])
    compute_standings(str(tournament.pk))
    advance(tournament.pk)
    assert list(verify(tournament.event)) == []


def test_entry_that_was_stored_before_is_answered_as_it_was() -> None:
    tournament = match_of()
    first, second, third = games_of(tournament)
    key = uuid4()
    win(first, 0)
    before = results.write_log(second, ACTOR, [(key, CUT[0][1])], expected_version=0)
    win(third, 0)

    again = results.write_log(second, ACTOR, [(key, CUT[0][1])], expected_version=0)

    assert (again.version, again.accepted) == (before.version, 1)


def test_games_that_a_correction_makes_needless_stay_and_do_not_count() -> None:
    tournament = match_of()
    for game, side in zip(games_of(tournament), (0, 1, 0), strict=True):
        win(game, side)
    turn_around(games_of(tournament)[1])

    match = seen(tournament)
    assert points(tournament) == [2, 0]
    assert [(game.progress, game.is_needed, game.counts) for game in match.games] == [
        (MatchProgress.DONE, True, True),
        (MatchProgress.DONE, True, True),
        (MatchProgress.DONE, False, False),
    ]
    # Also what doesn't count can be put right.
    turn_around(games_of(tournament)[2])
    assert points(tournament) == [2, 0]
    # Corrected back, it counts again.
    turn_around(games_of(tournament)[1])
    assert points(tournament) == [1, 2]


def test_correction_that_opens_the_match_again_lets_the_game_be_entered() -> None:
    tournament = match_of()
    _first, second, third = two_nil(tournament)
    assert code_of(win, third, 1) == "match-decided"

    turn_around(second)
    win(third, 1)

    assert points(tournament) == [1, 2]
    assert game_in(tournament, seen(tournament).slot).number == 1
