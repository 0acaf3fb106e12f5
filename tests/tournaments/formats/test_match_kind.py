"""What a match is: when it is over, who won it, and who sits first in the next game."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.match_kinds import best_of, first_to, one_game
from tests.support.run.long import examples
from tournaments.formats.duel import DUEL
from tournaments.formats.errors import CannotDraw
from tournaments.formats.format import PairingOutcome
from tournaments.formats.match_lengths import (
    GameEnd,
    Length,
    MatchKind,
    MatchState,
    NextGame,
    mini_tournament,
)
from tournaments.formats.triangle import TRIANGLE
from tournaments.standings import GameClosing

KINDS = st.one_of(
    st.builds(one_game, decisive=st.booleans()),
    st.builds(best_of, st.integers(1, 7), decisive=st.booleans()),
    st.builds(first_to, st.integers(1, 4), decisive=st.booleans()),
    st.sampled_from([mini_tournament(DUEL.games)]),
)
DRAWN = GameEnd(None, GameClosing.BELL)
SHARED = GameEnd(None, GameClosing.SHARED)
VOID = GameEnd(None, GameClosing.VOID)
NOBODY = GameEnd(None, GameClosing.FORFEIT)
ENDS = st.sampled_from([GameEnd(1), GameEnd(2), GameEnd(1, GameClosing.BELL), DRAWN, SHARED, VOID])


def won(text: str) -> list[GameEnd]:
    """`112-`: who won each game; `-` is a draw, `=` a point each, `0` void."""
    special = {"-": DRAWN, "=": SHARED, "0": VOID}
    return [special.get(letter) or GameEnd(int(letter)) for letter in text]


def outcome(*points: int, winner: int | None, walkover: bool = False) -> PairingOutcome:
    return PairingOutcome(tuple(map(Fraction, points)), winner, walkover)


@given(KINDS)
def test_match_can_end_early_if_winning_all_games_needs_fewer(kind: MatchKind) -> None:
    planned = len(kind.planned(2))
    ends = [GameEnd(1)] * planned

    needed = next(count for count in range(1, planned + 1) if kind.outcome((1, 2), ends[:count]))

    assert kind.can_end_early == (needed < planned)


@examples(80)
@given(KINDS, st.lists(ENDS, max_size=12))
def test_match_has_a_next_game_exactly_until_there_is_an_outcome(
    kind: MatchKind, ends: list[GameEnd]
) -> None:
    over_after = None
    for count in range(len(ends) + 1):
        state = kind.state((1, 2), ends[:count])
        assert (state.outcome is None) == (state.next_game is not None)
        if state.outcome is None:
            assert (over_after, state.surplus) == (None, 0)
        else:
            over_after = count if over_after is None else over_after
            assert state.surplus == count - over_after
            assert state == MatchState(
                state.points, kind.outcome((1, 2), ends[:over_after]), None, state.surplus
            )
            assert state.outcome.points == state.points
            best = max(state.points)
            level = state.points[0] == state.points[1]
            assert state.outcome.winner == (None if level else 1 + state.points.index(best))
            assert not (kind.decisive and level)


@examples(80)
@given(st.integers(1, 9), st.lists(st.sampled_from([1, 2]), min_size=9, max_size=9))
def test_best_of_n_gives_what_playing_all_games_would(games: int, winners: list[int]) -> None:
    played = winners[:games]
    result = best_of(games).outcome((1, 2), [GameEnd(one) for one in winners])
    assert result is not None
    lead = played.count(1) - played.count(2)
    assert result.winner == (None if lead == 0 else 1 if lead > 0 else 2)
    # And no sooner than it must: the game before, the other could still have caught up.
    count = int(sum(result.points))
    before = best_of(games).state((1, 2), [GameEnd(one) for one in winners[: count - 1]])
    assert before.outcome is None


@examples(40)
@given(st.integers(1, 5), st.lists(st.sampled_from([1, 2]), min_size=10, max_size=10))
def test_first_to_n_is_best_of_twice_n_less_one(points: int, winners: list[int]) -> None:
    games = [GameEnd(one) for one in winners]
    assert first_to(points).outcome((1, 2), games) == best_of(2 * points - 1).outcome((1, 2), games)


@examples(60)
@given(KINDS, st.lists(ENDS, max_size=3), st.sampled_from([1, 2]))
def test_concession_wins_the_conceding_side_nothing_more(
    kind: MatchKind, ends: list[GameEnd], by: int
) -> None:
    state = kind.state((1, 2), ends)
    filled = kind.conceded((1, 2), ends, by)
    after = kind.state((1, 2), filled)
    assert filled[: len(ends)] == tuple(ends)
    assert after.outcome is not None
    assert after.points[by - 1] == state.points[by - 1]
    if state.outcome is not None:
        assert filled == tuple(ends)


@pytest.mark.parametrize(
    ("kind", "games", "expected"),
    [
        (one_game(), "1", outcome(1, 0, winner=1)),
        (one_game(), "-", outcome(0, 0, winner=None)),
        (one_game(), "=", outcome(1, 1, winner=None)),
        (one_game(), "0", outcome(0, 0, winner=None)),
        (one_game(decisive=True), "-", None),
        (one_game(decisive=True), "-2", outcome(0, 1, winner=2)),
        (best_of(3), "11", outcome(2, 0, winner=1)),
        (best_of(3), "12", None),
        (best_of(3), "1-", None),
        (best_of(3), "1--", outcome(1, 0, winner=1)),
        (best_of(3), "1=0", outcome(2, 1, winner=1)),
        (best_of(3), "12-", outcome(1, 1, winner=None)),
        (best_of(3, decisive=True), "12-", None),
        (best_of(3, decisive=True), "12-2", outcome(1, 2, winner=2)),
        (best_of(2), "12", outcome(1, 1, winner=None)),
        (first_to(2), "1---", None),
        (first_to(2), "1---1", outcome(2, 0, winner=1)),
        (first_to(1), "=", outcome(1, 1, winner=None)),
        (first_to(1, decisive=True), "=", None),
        (mini_tournament(DUEL.games), "11", None),
        (mini_tournament(DUEL.games), "112", outcome(2, 1, winner=1)),
    ],
)
def test_match_outcome_by_kind_and_games(
    kind: MatchKind, games: str, expected: PairingOutcome | None
) -> None:
    assert kind.outcome((1, 2), won(games)) == expected


def test_first_seat_takes_turns_in_extra_games_too() -> None:
    kind = best_of(2, decisive=True)
    games = [kind.state((7, 9), [DRAWN] * count).next_game for count in range(4)]
    assert games == [
        NextGame(1, (7, 9)),
        NextGame(2, (9, 7)),
        NextGame(3, (7, 9)),
        NextGame(4, (9, 7)),
    ]


def test_triangle_match_plays_each_against_each() -> None:
    kind = mini_tournament(TRIANGLE.games)
    ends = [GameEnd(4), GameEnd(6), GameEnd(4)]
    seats = [kind.state((4, 5, 6), ends[:count]).next_game for count in range(3)]

    assert seats == [NextGame(1, (4, 5)), NextGame(2, (5, 6)), NextGame(3, (6, 4))]
    assert kind.outcome((4, 5, 6), ends) == outcome(2, 0, 1, winner=4)


def test_triangle_match_that_one_side_leaves_gives_its_games_away() -> None:
    kind = mini_tournament(TRIANGLE.games)
    games = kind.conceded((4, 5, 6), [], 5)
    assert games == (GameEnd(4, GameClosing.FORFEIT), GameEnd(6, GameClosing.FORFEIT))
    assert kind.outcome((4, 5, 6), [*games, GameEnd(6)]) == outcome(1, 0, 2, winner=6)


def test_forfeit_fills_the_games_that_are_left() -> None:
    assert best_of(3).conceded((1, 2), won("1"), 1) == (
        GameEnd(1),
        GameEnd(2, GameClosing.FORFEIT),
        GameEnd(2, GameClosing.FORFEIT),
    )
    walkover = best_of(3).conceded((1, 2), [], 1)
    assert best_of(3).outcome((1, 2), walkover) == outcome(0, 2, winner=2, walkover=True)


def test_match_where_nobody_turns_up_ends_as_it_stands() -> None:
    kind = best_of(3, decisive=True)
    assert kind.outcome((1, 2), [NOBODY]) == outcome(0, 0, winner=None, walkover=True)
    assert kind.outcome((1, 2), [GameEnd(1), NOBODY]) == outcome(1, 0, winner=1)


def test_games_after_the_end_of_a_match_do_not_count() -> None:
    state = best_of(3).state((1, 2), won("112"))
    assert (state.outcome, state.surplus) == (outcome(2, 0, winner=1), 1)


@pytest.mark.parametrize(
    ("sides", "ends", "code"),
    [
        ((1, 1), [], "sides"),
        ((1,), [], "sides"),
        ((1, 2), [GameEnd(3)], "unknown_side"),
        ((1, 2), [GameEnd(None)], "game_result"),
        ((1, 2), [GameEnd(1, GameClosing.VOID)], "game_result"),
        ((1, 2), [GameEnd(1, GameClosing.SHARED)], "game_result"),
    ],
)
def test_match_with_impossible_sides_or_ends_is_refused(
    sides: tuple[int, ...], ends: list[GameEnd], code: str
) -> None:
    with pytest.raises(CannotDraw) as caught:
        best_of(3).state(sides, ends)
    assert caught.value.code == code


def test_game_won_by_who_does_not_sit_at_it_is_refused() -> None:
    with pytest.raises(CannotDraw) as caught:
        mini_tournament(TRIANGLE.games).state((4, 5, 6), [GameEnd(6)])
    assert str(caught.value) == "Contestant 6 doesn't play here; there are 4, 5."
    with pytest.raises(CannotDraw):
        best_of(3).conceded((1, 2), [], 3)
    with pytest.raises(CannotDraw):
        mini_tournament(TRIANGLE.games).state((4, 5), [])


@pytest.mark.parametrize(
    ("length", "games", "decisive", "pairs"),
    [
        (Length.BEST_OF, 0, False, ()),
        (Length.BEST_OF, 22, False, ()),
        (Length.ONE_GAME, 2, False, ()),
        (Length.BEST_OF, 1, False, ((0, 1),)),
        (Length.MINI_TOURNAMENT, 2, False, ((0, 1),)),
        (Length.MINI_TOURNAMENT, 1, True, ((0, 1),)),
    ],
)
def test_match_kind_that_makes_no_match_is_refused(
    length: Length, games: int, decisive: bool, pairs: tuple[tuple[int, ...], ...]
) -> None:
    with pytest.raises(CannotDraw):
        MatchKind(length, games, decisive, pairs)
