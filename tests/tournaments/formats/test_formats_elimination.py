"""Knockouts, single and double: who meets whom, who goes on, who ends where."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.knockouts import (
    SEED,
    at_random,
    better_seed,
    drawn,
    field,
    match_in,
    played,
    with_round,
    won,
)
from tests.support.run.long import examples
from tournaments.formats.elimination.format import REMATCH, DoubleElimination, Elimination, SingleElimination
from tournaments.formats.elimination.places import BracketPlace
from tournaments.formats.elimination.plan import (
    BracketSource,
    SectionKind,
    SectionPart,
    crossing,
    double_plan,
)
from tournaments.formats.elimination.seeding import standard_order
from tournaments.formats.elimination.spread import METHOD, _Halving, _Member, spread
from tournaments.formats.errors import CannotDraw
from tournaments.formats.format import (
    Contestant,
    Format,
    PairingOutcome,
    PlayedRound,
    RoundPairing,
    StageProgress,
)
from tournaments.formats.order import drawn_lot
from tournaments.formats.round_robin.format import RoundRobin
from tournaments.formats.swiss.format import Swiss

SIZES = [*range(2, 35), 63, 64, 65, 100, 127, 128, 129, 130]
FORMATS: list[Elimination] = [
    SingleElimination(),
    SingleElimination(played_for=4),
    SingleElimination(played_for=8),
    DoubleElimination(),
    DoubleElimination(reset=False),
]


def defeats(progress: StageProgress) -> Counter[int]:
    return Counter(
        side for pairing, outcome in progress.played() for side in pairing.sides if side != outcome.winner
    )


def results(progress: StageProgress) -> list[int | None]:
    return [outcome.winner for _, outcome in progress.played()]


@pytest.mark.parametrize("count", SIZES)
def test_knockout_has_one_match_less_than_contestants(count: int) -> None:
    done = played(SingleElimination(), field(count), at_random(count))
    champion = done.rounds[-1].outcomes[-1]
    assert champion is not None
    assert len(results(done)) == count - 1
    assert defeats(done) == {number: 1 for number in range(1, count + 1) if number != champion.winner}
    assert len(done.rounds) == SingleElimination().rounds_for(count) == (count - 1).bit_length()
    third = played(SingleElimination(played_for=4), field(count), at_random(count))
    assert len(results(third)) == count - 1 + (count >= 4)


@pytest.mark.parametrize("count", SIZES)
def test_double_elimination_beats_everybody_but_the_champion_twice(count: int) -> None:
    done = played(DoubleElimination(), field(count), at_random(count))
    champion = done.rounds[-1].outcomes[-1]
    assert champion is not None
    lost = defeats(done)
    assert {lost[number] for number in range(1, count + 1) if number != champion.winner} == {2}
    assert len(results(done)) == 2 * count - 2 + lost[champion.winner or 0]
    assert lost[champion.winner or 0] in {0, 1}
    one_final = played(DoubleElimination(reset=False), field(count), at_random(count))
    assert len(results(one_final)) == 2 * count - 2
    assert len(one_final.rounds) == DoubleElimination(reset=False).rounds_for(count)
    assert DoubleElimination().rounds_for(count) is None


@pytest.mark.parametrize("last", ["once", "again"])
def test_double_elimination_plays_the_final_again_if_the_unbeaten_one_loses(last: str) -> None:
    def winner(pairing: RoundPairing) -> int:
        return max(pairing.sides) if pairing.slot == "F1" and last == "again" else min(pairing.sides)

    done = played(DoubleElimination(), field(8), winner)
    slots = [pairing.slot for pairing, _ in done.played()]

    assert slots[-2:] == (["F1", "F2"] if last == "again" else ["L4.1", "F1"])
    assert [place.contestants for place in DoubleElimination().ranking(done)][:2] == [(1,), (2,)]
    assert {
        match.slot for each in DoubleElimination().bracket(done, SEED).rounds for match in each.matches
    } == (set(slots))


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("seeded", [None, 0, 5])
def test_bracket_byes_are_balanced_and_go_to_the_best_seeds(count: int, seeded: int | None) -> None:
    places = spread(field(count).contestants, seeded, SEED)
    byes = len(places) - count
    depth = len(places).bit_length() - 1
    for level in range(1, depth):
        parts = Counter(dict.fromkeys(range(1 << depth - level), 0))
        parts.update(index >> level for index, one in enumerate(places) if one is None)
        assert max(parts.values()) - min(parts.values()) <= 1
    with_bye = {one.number for index, one in enumerate(places) if one and places[index ^ 1] is None}
    best = set(range(1, 1 + min(byes, count if seeded is None else seeded)))

    assert len(with_bye) == byes
    assert best <= with_bye


@pytest.mark.parametrize("count", SIZES)
def test_bracket_lets_seeds_meet_as_late_as_they_must(count: int) -> None:
    """Where the better seed always wins, round r from the end is between the best 2 ** r seeds."""
    done = played(SingleElimination(), field(count), better_seed)
    for left, each in enumerate(reversed(done.rounds), start=1):
        meeting = {side for pairing in each.plan.pairings for side in pairing.sides}
        everybody = meeting | set(each.plan.byes)
        assert everybody == set(range(1, min(2**left, count) + 1))
        assert {sum(pairing.sides) for pairing in each.plan.pairings} == {2**left + 1}


def test_bracket_order_of_seeds_is_the_usual_one() -> None:
    assert standard_order(0) == (1,)
    assert standard_order(3) == (1, 8, 5, 4, 3, 6, 7, 2)
    assert standard_order(4) == (1, 16, 9, 8, 5, 12, 13, 4, 3, 14, 11, 6, 7, 10, 15, 2)


def test_bracket_lot_is_a_sha_256_that_anybody_can_repeat() -> None:
    text = b"tendone-bracket-sha256-1/palio-2022/1"
    assert drawn_lot(f"{METHOD}/palio-2022/1") == hashlib.sha256(text).hexdigest()
    assert (
        drawn_lot(f"{METHOD}/palio-2022/1")
        == "c4dd87896ee13b547934cc8b2a31d240aa27d561f7e14499eb171371d25ae7d1"
    )


def test_bracket_draws_the_unseeded_and_leaves_the_seeds() -> None:
    one, other = (spread(field(16).contestants, 4, seed) for seed in ("a", "b"))
    homes = {seed: place for place, seed in enumerate(standard_order(4))}
    for places in (one, other):
        assert [places[homes[seed]] for seed in (1, 2, 3, 4)] == list(field(4, 16).contestants)
    assert one != other
    assert one == spread(tuple(reversed(field(16).contestants)), 4, "a")
    # Without seeds the places are those of the lots, from the lowest at the top.
    lots = sorted(range(1, 9), key=lambda number: drawn_lot(f"{METHOD}/a/{number}"))
    assert [each.number for each in spread(field(8).contestants, 0, "a") if each] == lots


@examples(60)
@given(
    sizes=st.lists(st.integers(1, 12), min_size=2, max_size=9),
    seed=st.text("abc", min_size=1, max_size=3),
)
def test_bracket_keeps_a_team_apart_as_long_as_possible(sizes: list[int], seed: str) -> None:
    """Drawn freely, each half, quarter, … has of every team its even share, one more or less."""
    teams = [team for team, size in enumerate(sizes, start=1) for _ in range(size)]
    contestants = [Contestant(number, team) for number, team in enumerate(teams, start=1)]
    places = spread(contestants, 0, seed)
    depth = len(places).bit_length() - 1
    for level, (team, size) in product(range(1, depth), enumerate(sizes, start=1)):
        parts = Counter(index >> level for index, one in enumerate(places) if one and one.team == team)
        assert max(parts.values()) <= -(-size // (1 << (depth - level))) + (len(places) != len(teams))


def first_round_meetings(places: tuple[Contestant | None, ...]) -> int:
    pairs = zip(places[::2], places[1::2], strict=True)
    return sum(
        bool(one and other and (one.team == other.team or one.labels & other.labels)) for one, other in pairs
    )


@pytest.mark.parametrize("seeded", [None, 0, 4])
def test_bracket_keeps_families_and_teams_apart_in_the_first_round(seeded: int | None) -> None:
    families = {number: {number // 3} for number in range(1, 49)}
    contestants = field(48, teams=6, labels=families).contestants
    assert first_round_meetings(spread(contestants, seeded, SEED)) == 0
    # Without the safeguard they do.
    close = {number: {number % 24} for number in range(1, 49)}
    plain = field(48, teams=6, labels=close | {number: {number} for number in range(1, 49)}).contestants
    assert first_round_meetings(spread(plain, 0, SEED, apart=False)) > 0
    assert first_round_meetings(spread(plain, 0, SEED)) == 0


def test_bracket_without_constraints_follows_the_seeds() -> None:
    places = spread(field(32, teams=32).contestants, None, SEED)
    assert tuple(one.number for one in places if one) == standard_order(5)


@pytest.mark.parametrize("form", FORMATS, ids=str)
@given(count=st.integers(2, 40), number=st.integers(0, 1000))
@examples(25)
def test_bracket_places_are_total_and_numbered(form: Elimination, count: int, number: int) -> None:
    done = played(form, field(count), at_random(number))
    ranking = form.ranking(done)
    assert form.is_finished(done)
    assert form.next_round(done, SEED) is None
    assert form.places(done) == tuple(place.contestants for place in ranking)
    expected = 1
    for place in ranking:
        assert (place.first, place.last) == (expected, expected + len(place.contestants) - 1)
        expected = place.last + 1
    assert sorted(one for place in ranking for one in place.contestants) == list(range(1, count + 1))


def test_bracket_places_of_eight() -> None:
    def places(form: Elimination) -> list[tuple[int, ...]]:
        return list(form.places(played(form, field(8), better_seed)) or ())

    assert places(SingleElimination()) == [(1,), (2,), (3, 4), (5, 6, 7, 8)]
    assert places(SingleElimination(played_for=4)) == [(1,), (2,), (3,), (4,), (5, 6, 7, 8)]
    assert places(SingleElimination(played_for=8)) == [(n,) for n in range(1, 9)]
    assert places(DoubleElimination()) == [(1,), (2,), (3,), (4,), (5, 6), (7, 8)]


def test_bracket_place_is_there_when_its_round_is_over() -> None:
    form = SingleElimination()
    first = drawn(form, field(8))
    assert form.ranking(field(8)) == ()
    assert form.ranking(with_round(field(8), first, [1, 4, 3, None])) == ()
    after = with_round(field(8), first, [1, 4, 3, 2])
    assert form.ranking(after) == (BracketPlace(5, 8, (5, 6, 7, 8)),)
    last = played(form, after, better_seed, rounds=1)
    assert form.ranking(last) == (BracketPlace(3, 4, (3, 4)), BracketPlace(5, 8, (5, 6, 7, 8)))


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_bracket_s_next_round_waits_for_results(form: Elimination) -> None:
    plan = drawn(form, field(8))
    for winners in ([1, 4, 3, None], [None] * 4):
        with pytest.raises(CannotDraw) as caught:
            form.next_round(with_round(field(8), plan, winners), SEED)
        assert (caught.value.code, caught.value.values) == (
            "results_missing",
            {"missing": winners.count(None)},
        )
    assert not form.is_finished(with_round(field(8), plan, [1, 4, 3, 2]))


@pytest.mark.parametrize("form", FORMATS, ids=str)
@given(count=st.integers(2, 20), number=st.integers(0, 999), chance=st.randoms(use_true_random=False))
@examples(25)
def test_bracket_round_drawn_while_others_play_is_the_one_drawn_later(
    form: Elimination, count: int, number: int, chance: Random
) -> None:
    progress, wins = field(count), at_random(number)
    while not form.is_finished(progress):
        open_ones = [
            (each, at)
            for each, played_round in enumerate(progress.rounds)
            for at, outcome in enumerate(played_round.outcomes)
            if outcome is None
        ]
        if open_ones:
            each, at = chance.choice(open_ones)
            plan, outcomes = progress.rounds[each].plan, list(progress.rounds[each].outcomes)
            outcomes[at] = won(plan.pairings[at], wins(plan.pairings[at]))
            rounds = list(progress.rounds)
            rounds[each] = PlayedRound(plan, tuple(outcomes))
            progress = replace(progress, rounds=tuple(rounds))
        try:
            following = form.next_round(progress, SEED)
        except CannotDraw:
            continue
        if following is not None:
            progress = with_round(progress, following, [None] * len(following.pairings))
    for at, drawn_round in enumerate(progress.rounds):
        before = replace(progress, rounds=progress.rounds[:at])
        assert form.next_round(before, SEED) == drawn_round.plan


@pytest.mark.parametrize("winner", [None, 4])
def test_knockout_match_without_a_winner_is_refused(winner: int | None) -> None:
    form = SingleElimination()
    plan = drawn(form, field(4))
    outcomes = (won(plan.pairings[0], 1), replace(won(plan.pairings[1], 2), winner=winner))

    with pytest.raises(CannotDraw, match="the match between numbers 3 and 2 has no winner") as caught:
        form.next_round(StageProgress(field(4).contestants, (PlayedRound(plan, outcomes),)), SEED)

    assert caught.value.code == "no_winner"


@pytest.mark.parametrize(
    ("progress", "code"),
    [
        (field(1), "contestants"),
        (field(1025), "contestants"),
        (StageProgress((Contestant(1, 1), Contestant(1, 2))), "contestant_numbers"),
        (replace(field(3), gone=frozenset({1, 2})), "contestants"),
    ],
)
def test_knockout_field_that_can_not_be_drawn_is_refused(progress: StageProgress, code: str) -> None:
    with pytest.raises(CannotDraw) as caught:
        SingleElimination().next_round(progress, SEED)
    assert caught.value.code == code


def test_knockout_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="up to 3"):
        SingleElimination(played_for=3)
    with pytest.raises(ValueError, match="not a number of seeds: -1"):
        DoubleElimination(seeded=-1)


@pytest.mark.parametrize("form", FORMATS, ids=str)
@given(count=st.integers(3, 20), number=st.integers(0, 1000), data=st.data())
@examples(25)
def test_knockout_withdrawal_gives_the_opponent_a_walkover(
    form: Elimination, count: int, number: int, data: st.DataObject
) -> None:
    """Whoever leaves, whenever: nobody who is gone is drawn again, and it comes to a winner."""
    progress = field(count)
    for _ in range(40):
        plan = form.next_round(progress, SEED)
        if plan is None:
            break
        assert not progress.gone & {side for pairing in plan.pairings for side in pairing.sides}
        leaving = data.draw(
            st.sets(st.integers(1, count), max_size=1 if len(progress.gone) < count - 2 else 0)
        )
        winners = at_random(number)
        progress = with_round(
            progress,
            plan,
            [None if set(pairing.sides) & leaving else winners(pairing) for pairing in plan.pairings],
        )
        progress = replace(progress, gone=progress.gone | leaving)
    assert form.is_finished(progress)
    ranking = form.ranking(progress)
    seen = [one for place in ranking for one in place.contestants]
    assert len(seen) == len(set(seen)) == sum(len(place.contestants) for place in ranking)
    placed_at_all = {side for pairing, _ in progress.played() for side in pairing.sides}
    assert placed_at_all <= set(seen)


def test_walkover_that_was_made_use_of_stays_when_its_winner_leaves_too() -> None:
    """4 never came to the repechage, 7 went on without a match and left only before the final."""
    form = DoubleElimination()
    progress = field(10)
    leaving = {2: 4, 3: 1, 8: 7}
    while (plan := form.next_round(progress, SEED)) is not None:
        left = leaving.get(plan.number)
        winners = at_random(0)
        outcomes = [None if left in pairing.sides else winners(pairing) for pairing in plan.pairings]
        progress = with_round(progress, plan, outcomes)
        progress = replace(progress, gone=progress.gone | ({left} if left else set()))

    assert [place.contestants for place in form.ranking(progress)][-2:] == [(1, 2), (3, 4)]
    assert sorted(one for place in form.ranking(progress) for one in place.contestants) == list(range(1, 11))


def test_knockout_finalist_who_leaves_gives_the_title_away() -> None:
    form = SingleElimination()
    progress = played(form, field(4), better_seed, rounds=1)
    before = replace(progress, gone=frozenset({1}))
    assert form.next_round(before, SEED) is None
    assert form.places(before) == ((2,), (1,), (3, 4))
    assert match_in(form.bracket(before, SEED), "W2.1").outcome == PairingOutcome(
        (Fraction(0), Fraction(0)), 2, walkover=True
    )
    drawn_final = with_round(progress, drawn(form, progress), [None])
    after = replace(drawn_final, gone=frozenset({1}))
    assert form.is_finished(after)
    assert form.places(after) == form.places(before)


def test_knockout_match_that_both_sides_leave_sends_nobody_on() -> None:
    form = SingleElimination(played_for=4)
    progress = with_round(field(8), drawn(form, field(8)), [None, 4, 3, 2])
    progress = replace(progress, gone=frozenset({1, 8}))
    semi = drawn(form, progress)
    assert ([pairing.sides for pairing in semi.pairings], semi.byes) == ([(3, 2)], (4,))
    done = played(form, progress, better_seed)
    assert form.ranking(done) == (
        BracketPlace(1, 1, (2,)),
        BracketPlace(2, 2, (4,)),
        BracketPlace(3, 3, (3,)),
        BracketPlace(4, 8, (1, 5, 6, 7, 8)),
    )


def test_late_entries_take_byes_from_the_last_seed_that_has_one() -> None:
    form = SingleElimination()
    first = drawn(form, field(6))
    assert first.byes == (1, 2)
    progress = with_round(field(6), first, [4, None])
    late = replace(progress, contestants=(*progress.contestants, Contestant(7, 7, since=2)))
    plan = drawn(form, late)
    assert (plan.title, [(p.slot, p.sides) for p in plan.pairings]) == ("Late entries", [("W1.4", (7, 2))])
    both = with_round(late, plan, [7])
    with pytest.raises(CannotDraw) as caught:
        form.next_round(both, SEED)
    assert caught.value.code == "results_missing"
    decided = replace(
        both, rounds=(PlayedRound(first, tuple(won(p, min(p.sides)) for p in first.pairings)), both.rounds[1])
    )
    semi = drawn(form, decided)
    assert [pairing.sides for pairing in semi.pairings] == [(1, 4), (3, 7)]
    assert len(results(played(form, decided, better_seed))) == 6


@pytest.mark.parametrize("form", FORMATS, ids=str)
@pytest.mark.parametrize("count", [5, 6, 7, 9, 13])
def test_late_entries_play_a_bracket_as_if_they_had_been_there(form: Elimination, count: int) -> None:
    full = 8 if count < 8 else 16
    on_time = played(form, field(full), better_seed)
    progress = with_round(
        field(count), first := drawn(form, field(count)), [None] * (full // 2 - (full - count))
    )
    late = StageProgress(
        tuple(one._replace(since=1 if one.number <= count else 2) for one in field(full).contestants),
        progress.rounds,
    )
    late = with_round(late, drawn(form, late), [None] * (full - count))
    rounds = tuple(
        PlayedRound(each.plan, tuple(won(pairing, better_seed(pairing)) for pairing in each.plan.pairings))
        for each in late.rounds
    )
    done = played(form, replace(late, rounds=rounds), better_seed)

    assert first.number == 1
    assert form.ranking(done) == form.ranking(on_time)


def test_late_entries_without_a_free_bye_are_refused() -> None:
    form = SingleElimination()
    full = with_round(field(4), drawn(form, field(4)), [None, None])
    begun = played(form, field(3), better_seed)
    for progress, number in ((full, 5), (begun, 4)):
        late = replace(progress, contestants=(*progress.contestants, Contestant(number, number, since=2)))
        with pytest.raises(CannotDraw) as caught:
            form.next_round(late, SEED)
        assert (caught.value.code, caught.value.values) == ("no_free_bye", {"late": 1, "free": 0})


@pytest.mark.parametrize("form", FORMATS, ids=str)
@given(count=st.integers(2, 20), number=st.integers(0, 99), at=st.integers(0, 99))
@examples(25)
def test_bracket_correction_before_the_next_round_is_as_if_entered_right(
    form: Elimination, count: int, number: int, at: int
) -> None:
    progress = played(form, field(count), at_random(number), rounds=at % 4)
    plan = form.next_round(progress, SEED)
    if plan is None:
        return
    right = with_round(progress, plan, [max(pairing.sides) for pairing in plan.pairings])
    wrong = with_round(progress, plan, [min(pairing.sides) for pairing in plan.pairings])
    corrected = replace(wrong, rounds=(*wrong.rounds[:-1], right.rounds[-1]))

    assert form.next_round(corrected, SEED) == form.next_round(right, SEED)
    assert form.bracket(corrected, SEED) == form.bracket(right, SEED)


def test_bracket_correction_keeps_and_flags_what_was_drawn() -> None:
    form = SingleElimination()
    first = drawn(form, field(8))
    progress = with_round(field(8), first, [1, 4, 3, 2])
    semis = drawn(form, progress)
    progress = with_round(progress, semis, [1, None])
    corrected = replace(
        progress,
        rounds=(
            PlayedRound(first, tuple(won(p, w) for p, w in zip(first.pairings, [8, 4, 6, 2], strict=True))),
            progress.rounds[1],
        ),
    )
    bracket = form.bracket(corrected, SEED)
    assert [match_in(bracket, slot).due for slot in ("W1.1", "W2.1", "W2.2", "W3.1")] == [
        None,
        (8, 4),
        (6, 2),
        None,
    ]
    assert [side.contestant for side in match_in(bracket, "W2.1").sides] == [1, 4]
    finished = replace(
        corrected,
        rounds=(corrected.rounds[0], PlayedRound(semis, tuple(won(p, min(p.sides)) for p in semis.pairings))),
    )
    assert drawn(form, finished).pairings[0].sides == (1, 2)
    # 1 and 3 have the place of the later match; 8 and 6 share that of those who lost before it.
    done = played(form, finished, better_seed)
    assert form.ranking(done) == (
        BracketPlace(1, 1, (1,)),
        BracketPlace(2, 2, (2,)),
        BracketPlace(3, 4, (3, 4)),
        BracketPlace(5, 8, (5, 6, 7, 8)),
    )
    assert form.as_of_edition(8).ranking(done) == form.ranking(done)
    assert form.as_of_edition(7).ranking(done)[3:] == (BracketPlace(5, 8, (5, 7)),)
    said = {one: (str(each.title.template), each.other) for one, each in form.last_matches(done).items()}
    assert (said[8], said[6]) == (("Quarter-finals", 1), ("Quarter-finals", 3))
    assert said[1] == ("Final", 2)


@pytest.mark.parametrize("form", FORMATS, ids=str)
@given(count=st.integers(3, 16), number=st.integers(0, 999), at=st.integers(0, 99))
@examples(25)
def test_bracket_correction_moves_nobody_else(form: Elimination, count: int, number: int, at: int) -> None:
    done = played(form, field(count), at_random(number))
    # After a final that is corrected the deciding one isn't due any more, or it is open.
    matches = [pairing for pairing, _ in done.played() if pairing.slot != "F1"]
    turned = matches[at % len(matches)]
    corrected = replace(
        done,
        rounds=tuple(
            PlayedRound(
                each.plan,
                tuple(
                    won(pairing, sum(pairing.sides) - outcome.winner) if pairing == turned else outcome
                    for pairing, outcome in each.matches()
                    if outcome is not None and outcome.winner is not None
                ),
            )
            for each in done.rounds
        ),
    )

    before, after = places_of(form, done), places_of(form, corrected)

    # Whoever has played on has the place of a later match. Only the two who met can have changed places.
    assert after.keys() == set(range(1, count + 1))
    others = after.keys() - set(turned.sides)
    assert {one: after[one] for one in others} == {one: before[one] for one in others}
    assert sorted(after.values()) == sorted(before.values())


def places_of(form: Elimination, progress: StageProgress) -> dict[int, int]:
    """The first of the places that each shares."""
    return {one: place.first for place in form.ranking(progress) for one in place.contestants}


@pytest.mark.parametrize("form", FORMATS, ids=str)
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 11, 13, 16])
def test_bracket_is_there_from_the_start_and_names_where_sides_come_from(
    form: Elimination, count: int
) -> None:
    bracket = form.bracket(field(count), SEED)
    matches = {match.slot: match for each in bracket.rounds for match in each.matches}
    done = played(form, field(count), at_random(count))
    slots = {pairing.slot for pairing, _ in done.played()}
    assert slots <= set(matches) <= slots | {"F2"}
    waiting: Counter[tuple[str, bool]] = Counter()
    for match in matches.values():
        for side in match.sides:
            assert (side.contestant is None) == (side.after is not None)
            if side.after:
                assert side.after in matches
                waiting[side.after, side.as_loser] += 1
    assert not waiting or max(waiting.values()) == 1
    finished = form.bracket(done, SEED)
    for each in finished.rounds:
        for match in each.matches:
            assert match.is_decided
            for side in match.sides:
                if side.after:
                    before = match_in(finished, side.after)
                    assert (side.contestant == before.winner) != side.as_loser


def test_bracket_of_six_before_anything_is_played() -> None:
    bracket = SingleElimination(played_for=4).bracket(field(6), SEED)
    assert [
        (each.part, each.number, each.title.template, [m.slot for m in each.matches])
        for each in bracket.rounds
    ] == [
        (SectionPart.WINNERS, 1, "Quarter-finals", ["W1.2", "W1.3"]),
        (SectionPart.WINNERS, 2, "Semi-finals", ["W2.1", "W2.2"]),
        (SectionPart.WINNERS, 3, "Final", ["W3.1"]),
        (SectionPart.PLACES, 3, "Placement matches", ["P3"]),
    ]
    assert bracket.byes == (1, 2)
    semi = match_in(bracket, "W2.1")
    assert [(side.contestant, side.after) for side in semi.sides] == [(1, None), (None, "W1.2")]
    third = match_in(bracket, "P3")
    assert [(side.after, side.as_loser) for side in third.sides] == [("W2.1", True), ("W2.2", True)]


def possible_rematches(depth: int, masks: Sequence[int]) -> tuple[int, ...]:
    """For each losers' round, how many pairs that may have met in the winners' bracket may meet in it.

    Two have met there, and are both in the losers' bracket, if one lost in the round in which their places
    meet and the other later.
    """
    coming: dict[BracketSource, set[tuple[int, int]]] = {
        BracketSource(SectionKind.PLACE, place=place): {(place, 0)} for place in range(1 << depth)
    }
    found: Counter[int] = Counter()
    for node in double_plan(depth, reset=False).nodes.values():
        if node.part is SectionPart.FINAL:
            break
        one, other = node.sources
        if node.part is SectionPart.LOSERS and node.round % 2 == 0:
            entering = node.round // 2
            one = BracketSource(
                SectionKind.LOSER, f"W{entering + 1}.{((node.number - 1) ^ masks[entering - 1]) + 1}"
            )
        first, second = coming[one], coming[other]
        coming[BracketSource(SectionKind.WINNER, node.slot)] = first | second
        if node.part is SectionPart.WINNERS:
            coming[BracketSource(SectionKind.LOSER, node.slot)] = {
                (place, node.round) for place, _ in first | second
            }
        else:
            found[node.round] += sum(
                out != also_out and (place ^ also).bit_length() == min(out, also_out)
                for (place, out), (also, also_out) in product(first, second)
            )
    return tuple(found[round_] for round_ in range(1, 2 * depth - 1))


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_bracket_crossing_makes_rematches_as_rare_and_late_as_any_does(depth: int) -> None:
    ours = [crossing(entering, depth - 1 - entering) for entering in range(1, depth)]
    choices = product(*(range(1 << (depth - 1 - entering)) for entering in range(1, depth)))
    best = min(possible_rematches(depth, list(masks)) for masks in choices)

    assert possible_rematches(depth, ours) == best
    assert depth == 2 or possible_rematches(depth, [0] * (depth - 1)) > best


def test_bracket_notes_a_second_meeting() -> None:
    done = played(DoubleElimination(), field(4), better_seed)
    noted = {pairing.slot: pairing.notes for pairing, _ in done.played() if pairing.notes}
    met = Counter(frozenset(pairing.sides) for pairing, _ in done.played())
    again = [pair for pair, times in met.items() if times > 1]

    assert again == [{2, 3}, {1, 2}]
    assert noted == {
        "L2.1": ((REMATCH, 2), (REMATCH, 3)),
        "F1": ((REMATCH, 1), (REMATCH, 2)),
    }


def test_bracket_does_not_depend_on_the_order_of_its_input() -> None:
    form = DoubleElimination(seeded=3)
    one = played(form, field(19, teams=4), at_random(7))
    other = replace(field(19, teams=4), contestants=tuple(reversed(field(19, teams=4).contestants)))
    assert played(form, other, at_random(7)).rounds == one.rounds


def test_knockout_repeats_no_meeting() -> None:
    done = played(SingleElimination(played_for=8), field(32), at_random(3))
    met = Counter(pair for p, _ in done.played() for pair in combinations(sorted(p.sides), 2))
    assert set(met.values()) == {1}


@pytest.mark.parametrize(
    ("format_", "seeds", "needs_lots"),
    [
        (SingleElimination(seeded=None, apart=False), 8, False),
        (SingleElimination(seeded=None), 8, True),
        (SingleElimination(seeded=9, apart=False), 8, False),
        (DoubleElimination(seeded=7, apart=False), 7, True),
        (RoundRobin(), 0, False),
        (RoundRobin(groups=2), 0, True),
        (Swiss(), 0, True),
    ],
)
def test_knockout_format_says_how_many_are_seeded_and_whether_lots_are_drawn(
    format_: Format, seeds: int, needs_lots: bool
) -> None:
    assert (format_.seeds(8), format_.needs_lots(8)) == (seeds, needs_lots)


@examples(200)
@given(
    surplus=st.dictionaries(st.integers(1, 3), st.integers(-2, 2)),
    teams=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    home=st.sampled_from([None, 1, 5]),
)
def test_bracket_halving_leaves_teams_as_even_as_can_be(
    surplus: dict[int, int], teams: tuple[int, int], home: int | None
) -> None:
    """Where both do, the first goes to the half where it belongs."""
    halving = _Halving(4)
    halving.teams.update(surplus)
    members = [
        _Member.of(Contestant(number, team), home, "0", True) for number, team in enumerate(teams, start=1)
    ]

    def unevenness(up: int) -> int:
        above = Counter(surplus)
        above[teams[up]] += 1
        above[teams[1 - up]] -= 1
        return sum(count * count for count in above.values())

    wanted = 0 if home is None or home < 4 else 1
    expected = min((0, 1), key=lambda up: (unevenness(up), up != wanted))
    up, down = halving.split(members, 1)

    assert (up, down) == ([members[expected]], [members[1 - expected]])
