"""Swiss: late ones, withdrawals, byes, what is refused, settings one by one."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.support.contestants import field_of
from tests.support.swiss_play import SEED, assess, tables
from tournaments.formats import CannotDraw
from tournaments.formats.format import (
    Contestant,
    Format,
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    RoundPlan,
    StageProgress,
)
from tournaments.formats.swiss.criteria import FIRST_METHOD, METHOD, lot
from tournaments.formats.swiss.format import Swiss

WON = (Fraction(1), Fraction(0))


def won(
    number: int, *pairs: tuple[int, int], byes: Iterable[int] = (), walkover: bool = False
) -> PlayedRound:
    """A round in which the first of each pair won."""
    return PlayedRound(
        RoundPlan(
            number,
            "Round %(number)d",
            (("number", number),),
            tuple(RoundPairing(f"r{number}t{table}", pair) for table, pair in enumerate(pairs, start=1)),
            tuple(byes),
        ),
        tuple(PairingOutcome(WON, pair[0], walkover) for pair in pairs),
    )


def drawn(chosen: Format, progress: StageProgress) -> RoundPlan:
    plan = chosen.next_round(progress, SEED)
    assert plan is not None
    return plan


def refusal(chosen: Swiss, progress: StageProgress, seed: str = SEED) -> CannotDraw:
    with pytest.raises(CannotDraw) as caught:
        chosen.next_round(progress, seed)
    return caught.value


def test_swiss_lot_can_be_repeated() -> None:
    assert METHOD == "tendone-swiss-2"
    assert lot("palio-2022", 1, 1, 2) == lot("palio-2022", 1, 2, 1) == 0xBB61BF05


@pytest.mark.parametrize(
    ("contestants", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (100, 7), (500, 9)]
)
def test_swiss_has_as_many_rounds_as_a_knockout_unless_set(contestants: int, rounds: int) -> None:
    assert Swiss().rounds_for(contestants) == rounds
    assert Swiss(rounds=5).rounds_for(contestants) == 5


def test_swiss_is_finished_only_when_the_last_round_is_decided() -> None:
    chosen = Swiss(rounds=1)
    undecided = replace(won(1, (1, 2)), outcomes=(None,))

    assert not chosen.is_finished(StageProgress(field_of(2)))
    assert chosen.next_round(StageProgress(field_of(2), (undecided,)), SEED) is None
    assert not chosen.is_finished(StageProgress(field_of(2), (undecided,)))
    assert chosen.is_finished(StageProgress(field_of(2), (won(1, (1, 2)),)))
    assert chosen.places(StageProgress(field_of(2), (won(1, (1, 2)),))) is None


def test_swiss_is_no_longer_with_late_ones() -> None:
    late = (*field_of(4), field_of(5)[4]._replace(since=2))
    progress = StageProgress(late, (won(1, (1, 3), (2, 4)), won(2, (1, 2), (3, 4), byes=[5])))
    assert Swiss().next_round(progress, SEED) is None
    assert Swiss().is_finished(progress)


def test_swiss_late_one_enters_with_the_points_set_for_missed_rounds() -> None:
    late = (*field_of(4), *(Contestant(number, number, since=2) for number in (5, 6)))
    progress = StageProgress(late, (won(1, (1, 3), (2, 4)),))
    none = drawn(Swiss(rounds=3), progress)
    assert tables(none) == {(1, 2), (3, 5), (4, 6)}
    assert [each.notes for each in none.pairings] == [(), (("late", 5),), (("late", 6),)]
    half = drawn(Swiss(rounds=3, missed_points=Fraction(1, 2)), progress)
    assert tables(half) == {(1, 2), (5, 6), (3, 4)}
    whole = assess(Swiss(rounds=3, missed_points=Fraction(1)), progress, none)
    assert whole["score_difference"] == 2


def test_swiss_withdrawn_one_is_not_paired_and_what_they_played_stands() -> None:
    progress = StageProgress(field_of(6), (won(1, (1, 4), (2, 5), (3, 6)),), gone=frozenset({3}))
    plan = drawn(Swiss(rounds=3), progress)
    # 6 lost against 3, and has the bye as the lowest; 1 and 2 won.
    assert tables(plan) == {(1, 2), (4, 5), (6, None)}


def test_swiss_win_against_an_annulled_one_is_no_point_in_the_draw() -> None:
    """1, 2 and 3 won, 1 against 6, whom nothing counts of: it meets those without points."""
    progress = StageProgress(field_of(6), (won(1, (1, 6), (2, 5), (3, 4)),), gone=frozenset({6}))
    annulled = replace(progress, annulled=frozenset({6}))
    scores = {one.number: one.record.score for one in Swiss(rounds=3).stand(annulled)}

    assert scores == {1: 0, 2: 1, 3: 1, 4: 0, 5: 0}
    assert {one.number: one.record.score for one in Swiss(rounds=3).stand(progress)} == scores | {1: 1}
    assert (2, 3) in tables(drawn(Swiss(rounds=3), annulled))


def test_swiss_bye_goes_to_the_lowest_without_a_bye_or_walkover() -> None:
    first = won(1, (1, 3), (2, 4), byes=[5])
    second = won(2, (1, 2), (5, 3), byes=[4])
    assert drawn(Swiss(rounds=5), StageProgress(field_of(5), (first, second))).byes == (3,)
    walkover = won(2, (1, 2), (3, 5), byes=[4], walkover=True)
    assert drawn(Swiss(rounds=5), StageProgress(field_of(5), (first, walkover))).byes == (2,)


def test_swiss_late_one_plays_at_once_and_one_who_has_played_has_the_bye() -> None:
    """5 comes for round 2 and ranks last; 4 is the lowest of those who have played."""
    late = (*field_of(4), field_of(5)[4]._replace(since=2))
    progress = StageProgress(late, (won(1, (1, 3), (2, 4)),))
    assert drawn(Swiss(rounds=3), progress).byes == (4,)
    first = Swiss(rounds=3, method=FIRST_METHOD)
    assert drawn(first, progress).byes == (5,)


def test_swiss_bye_comes_to_a_late_one_only_when_all_others_had_it() -> None:
    """Three and a late one, who plays in each of their rounds until all others have had the bye."""
    contestants = (*field_of(4), field_of(5)[4]._replace(since=2))
    progress = StageProgress(contestants, (won(1, (1, 3), (2, 4)),))
    had: list[int] = []
    for _ in range(4):
        plan = drawn(Swiss(rounds=5, rematches=True), progress)
        had += plan.byes
        pairs = [(first, second) for first, second in (each.sides for each in plan.pairings)]
        played = won(plan.number, *pairs, byes=plan.byes)
        progress = replace(progress, rounds=(*progress.rounds, played))

    assert sorted(had) == [1, 2, 3, 4]


def test_swiss_byes_of_fide_c9_and_c5_are_those_of_bbp_pairings() -> None:
    """BBP Pairings' own test files. C.9: 5 was away in round 1, has no points like 3 and 4, and meets 3; 4
    sits out. C.5: 6 has no points and sits out in round 3; 4 is away.
    """
    away = (*field_of(4), field_of(5)[4]._replace(since=2))
    c9 = drawn(Swiss(rounds=3), StageProgress(away, (won(1, (1, 3), (2, 4)),)))
    two = (won(1, (1, 4), (2, 5), (3, 6)), won(2, (1, 2), (3, 4), (5, 6)))
    c5 = drawn(Swiss(rounds=3), StageProgress(field_of(6), two, gone=frozenset({4})))

    assert (tables(c9), tables(c5)) == ({(1, 2), (3, 5), (4, None)}, {(1, 5), (2, 3), (6, None)})


def test_swiss_bye_is_worth_what_is_set() -> None:
    progress = StageProgress(field_of(5), (won(1, (1, 3), (2, 4), byes=[5]),))
    assert tables(drawn(Swiss(rounds=3), progress)) == {(1, 5), (2, 3), (4, None)}
    assert tables(drawn(Swiss(rounds=3, bye_points=Fraction(0)), progress)) == {(1, 2), (3, 5), (4, None)}


def test_swiss_lets_two_meet_after_a_walkover() -> None:
    chosen = Swiss(rounds=2)
    assert refusal(chosen, StageProgress(field_of(2), (won(1, (1, 2)),))).code == "no_pairing"
    plan = drawn(chosen, StageProgress(field_of(2), (won(1, (1, 2), walkover=True),)))
    assert tables(plan) == {(1, 2)}
    assert dict(plan.pairings[0].notes).keys() == {"float_down", "float_up"}


def test_swiss_refuses_or_notes_an_unavoidable_second_meeting() -> None:
    progress = StageProgress(field_of(2), (won(1, (1, 2)),))
    said = refusal(Swiss(rounds=2), progress)
    assert str(said) == (
        "Round 2 can't be paired without second times. Second meetings, at best: 1; second byes: 0. "
        "Allow them for this round, or end the stage with the rounds played."
    )
    plan = drawn(Swiss(rounds=2, rematches=True), progress)
    assert plan.pairings[0].sides == (2, 1)  # 1 sat first before
    assert plan.pairings[0].notes == (("rematch", 1), ("float_down", 1), ("float_up", 2))


def test_swiss_keeps_teams_and_labels_apart() -> None:
    of_two_teams = tuple(Contestant(number, 1 if number in (1, 3) else 2) for number in range(1, 5))
    # 1 meets 2 or 4: both are as far from the fold, and the lots decide.
    assert tables(drawn(Swiss(), StageProgress(of_two_teams))) == {(1, 4), (2, 3)}
    assert tables(drawn(Swiss(teams_apart=False), StageProgress(of_two_teams))) == {(1, 3), (2, 4)}
    of_one_family = tuple(
        one._replace(labels=frozenset({7} if one.number in (1, 3) else ())) for one in field_of(4)
    )
    assert (1, 3) not in tables(drawn(Swiss(teams_apart=False), StageProgress(of_one_family)))


def test_swiss_lets_two_of_one_team_meet_where_that_cannot_be_avoided() -> None:
    one_team = tuple(one._replace(team=1) for one in field_of(2))
    assert drawn(Swiss(), StageProgress(one_team)).pairings[0].notes == (("same_team", 1),)
    assert drawn(Swiss(teams_apart=False), StageProgress(one_team)).pairings[0].notes == ()


def test_swiss_notes_no_label_that_two_have_in_common() -> None:
    of_one_family = tuple(one._replace(labels=frozenset({7})) for one in field_of(2))
    assert drawn(Swiss(), StageProgress(of_one_family)).pairings[0].notes == ()


def test_swiss_seed_decides_only_what_is_level() -> None:
    seats = set()
    for seed in map(str, range(20)):
        plan = Swiss().next_round(StageProgress(field_of(4)), seed)
        assert plan is not None
        assert tables(plan) == {(1, 3), (2, 4)}
        seats.add(tuple(each.sides for each in plan.pairings))
    assert seats == {((1, 3), (2, 4)), ((3, 1), (2, 4)), ((1, 3), (4, 2)), ((3, 1), (4, 2))}


@pytest.mark.parametrize(
    ("progress", "seed", "code"),
    [
        (StageProgress(()), SEED, "contestants"),
        (StageProgress(field_of(1)), SEED, "contestants"),
        (StageProgress(field_of(2)), "", "seed"),
        (StageProgress((*field_of(2), *field_of(1))), SEED, "contestant_twice"),
        (
            StageProgress(
                field_of(4), (replace(won(1, (1, 2), (3, 4)), outcomes=(PairingOutcome(WON, 1), None)),)
            ),
            SEED,
            "results_missing",
        ),
        (StageProgress(field_of(3), (won(1, (1, 2), byes=[3, 3]),)), SEED, "other_contestants"),
        (StageProgress(field_of(2), (won(1, (1, 9)),)), SEED, "other_contestants"),
        (
            StageProgress(
                field_of(3),
                (
                    replace(
                        won(1, (1, 2)), plan=replace(won(1).plan, pairings=(RoundPairing("x", (1, 2, 3)),))
                    ),
                ),
            ),
            SEED,
            "sides",
        ),
        (
            StageProgress(field_of(2), (replace(won(1, (1, 2)), outcomes=(PairingOutcome(WON, 3),)),)),
            SEED,
            "outcome",
        ),
        (
            StageProgress(
                field_of(2), (replace(won(1, (1, 2)), outcomes=(PairingOutcome((Fraction(1),), 1),)),)
            ),
            SEED,
            "outcome",
        ),
    ],
)
def test_swiss_that_cannot_be_drawn_is_refused(progress: StageProgress, seed: str, code: str) -> None:
    assert refusal(Swiss(rounds=3), progress, seed).code == code


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (lambda: Swiss(rounds=0), "rounds"),
        (lambda: Swiss(rounds=101), "rounds"),
        (lambda: Swiss(bye_points=Fraction(-1)), "bye_points"),
        (lambda: Swiss(missed_points=Fraction(-1, 2)), "bye_points"),
    ],
)
def test_swiss_settings_out_of_range_are_refused(made: Callable[[], Swiss], code: str) -> None:
    with pytest.raises(CannotDraw) as caught:
        made()
    assert caught.value.code == code
