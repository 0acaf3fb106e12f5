"""Changes of a draw by hand: who sits where then, what they break, and how they are written."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run.long import examples
from tournaments.formats import (
    CannotDraw,
    Constraints,
    Course,
    DrawField,
    DrawInputs,
    DrawnRounds,
    DrawSquad,
    Player,
    Settings,
    get_format,
)
from tournaments.formats.edits import (
    ContestantSwap,
    Trouble,
    effect,
    read_contestants,
    read_squads,
    swap_all,
    swap_contestants,
    swap_in_course,
    swapped_plans,
    troubles,
    write_squads,
)
from tournaments.formats.format import RoundPairing, RoundPlan

UNCONSTRAINED = Constraints()


def inputs_of(teams: int, entries: int, rounds: int, format_: str = "triangle", size: int = 1) -> DrawInputs:
    """What decides a draw of so many teams with equal numbers."""
    rosters = tuple(tuple(range(1, entries + 1)) for _ in range(teams))
    settings = Settings(squad_size=size, rounds=rounds)
    return DrawInputs(get_format(format_), DrawField(rosters), settings, "palio-2022")


def swapped(inputs: DrawInputs, rounds: Iterable[int], swap: ContestantSwap) -> DrawnRounds:
    """The draw after a swap in each of these rounds."""
    return inputs.draw((number, swap) for number in rounds)


def numbers_of(inputs: DrawInputs, team: int) -> list[int]:
    """The squads of a team by their numbers as contestants."""
    return [number for number, squad in inputs.contestants().items() if squad.team == team]


def places(draw: DrawnRounds) -> dict[tuple[int, int, int], DrawSquad]:
    """Who sits where: by round, table (in its wave) and side."""
    return {
        (each.number, match.number, at): side
        for each in draw.rounds
        for match in each.matches()
        for at, side in enumerate(match.sides)
    }


def rounds_of(made: DrawnRounds, team: int) -> list[int]:
    """The rounds in which a team plays."""
    return [each.number for each in made.rounds if all(squad.team != team for squad in each.byes)]


@st.composite
def swaps(draw: st.DrawFn) -> tuple[DrawInputs, list[int], ContestantSwap]:
    """What decides a draw, and two squads of one team that change places in some of the rounds in which it
    plays.
    """
    format_, teams = draw(st.sampled_from([("triangle", 3), ("triangle", 4), ("duel", 2), ("duel", 3)]))
    size = draw(st.integers(1, 2))
    inputs = inputs_of(teams, size * draw(st.integers(2, 4)), draw(st.integers(1, 4)), format_, size)
    team = draw(st.integers(1, teams))
    one, other = draw(st.permutations(numbers_of(inputs, team)))[:2]
    playing = rounds_of(inputs.draw(), team)
    rounds = draw(st.lists(st.sampled_from(playing), min_size=1, unique=True)) if playing else []
    return inputs, sorted(rounds), ContestantSwap(one, other)


@examples(60)
@given(given_=swaps())
def test_swap_of_two_squads_changes_their_places_and_nothing_else(
    given_: tuple[DrawInputs, list[int], ContestantSwap],
) -> None:
    inputs, rounds, swap = given_
    draw, after, squads = inputs.draw(), swapped(inputs, rounds, swap), inputs.contestants()
    one, other = squads[swap.one], squads[swap.other]
    instead = {one: other, other: one}
    assert {
        place: instead.get(squad, squad) if place[0] in rounds else squad
        for place, squad in places(draw).items()
    } == places(after)
    # The same again takes it back, and what is written is read as the same.
    assert inputs.draw((number, swap) for number in [*rounds, *rounds]) == draw
    if rounds:
        assert read_squads(write_squads(rounds, swap, squads), squads) == [
            (number, swap) for number in rounds
        ]
    # On the whole course it is the same swap.
    assert swap_in_course(Course.of_draw(draw), rounds, one, other) == Course.of_draw(after)


@examples(40)
@given(given_=swaps())
def test_swap_in_all_rounds_gives_nobody_a_further_meeting(
    given_: tuple[DrawInputs, list[int], ContestantSwap],
) -> None:
    inputs, _rounds, swap = given_
    draw = inputs.draw()
    playing = rounds_of(draw, inputs.contestants()[swap.one].team)
    after = swapped(inputs, playing, swap)

    def met(course: DrawnRounds) -> list[int]:
        pairs = (pair for match in course.matches() for pair in combinations(match.sides, 2))
        return sorted(Counter(frozenset(pair) for pair in pairs).values())

    assert met(after) == met(draw)


def test_swap_reports_what_it_breaks_and_mends() -> None:
    """Three teams of three in the triangle: squads 1 of all teams meet in round 1."""
    inputs = inputs_of(3, 3, 2)
    draw = inputs.draw()
    first = draw.rounds[0].waves[0].matches[0].sides
    mine = first[0]
    other = next(squad for squad in draw.squads[mine.team - 1] if squad != mine)
    apart = Constraints((tuple(Player(side.team, side.entries[0]) for side in first[:2]),))
    numbers = {squad: number for number, squad in inputs.contestants().items()}
    after = swapped(inputs, [1], ContestantSwap(numbers[mine], numbers[other]))
    found = effect(Course.of_draw(draw), Course.of_draw(after), apart)
    one, two = sorted(first[:2], key=lambda squad: (squad.team, squad.number))
    assert found.mended == (Trouble("together", (1,), (one, two)),)
    assert {trouble.code for trouble in found.broken} == {"rematch"}
    for trouble in found.broken:
        assert trouble.rounds == (1, 2)
        assert not {mine, other}.isdisjoint(trouble.who)
    assert not found.is_clean
    back = effect(Course.of_draw(after), Course.of_draw(draw), apart)
    assert (back.broken, back.mended) == (found.mended, found.broken)
    assert effect(Course.of_draw(draw), Course.of_draw(draw), apart).is_clean


def test_swap_reports_a_team_against_itself_and_a_second_bye() -> None:
    one, two, three = DrawSquad(1, 1, (1,)), DrawSquad(1, 2, (2,)), DrawSquad(2, 1, (1,))
    course = Course((one, two, three), (), ((1, three), (2, three)))
    assert troubles(course, UNCONSTRAINED) == (Trouble("bye_again", (1, 2), (three,)),)
    plan = RoundPlan(
        2, "", (), (RoundPairing("a", (1, 3), (("float_up", 1),)), RoundPairing("b", (4, 5))), (2,)
    )
    swapped = swap_contestants(plan, 2, 3)
    assert (swapped.pairings, swapped.byes) == ((RoundPairing("a", (1, 2)), RoundPairing("b", (4, 5))), (3,))
    assert swap_all(plan, [ContestantSwap(2, 3), ContestantSwap(3, 4)]).byes == (4,)


@pytest.mark.parametrize(
    ("swap", "code"),
    [
        ("1:1/1,1/1", "swap_same"),
        ("1:1/1,1/9", "swap_unknown"),
        ("9:1/1,1/2", "swap_round"),
    ],
)
def test_swap_that_makes_no_sense_is_refused(swap: str, code: str) -> None:
    inputs = inputs_of(3, 3, 2)
    with pytest.raises(CannotDraw) as refused:
        inputs.draw(read_squads(swap, inputs.contestants()))
    assert refused.value.code == code


def test_swap_with_a_squad_that_sits_out_is_refused() -> None:
    inputs = inputs_of(4, 2, 4)
    resting = next(each for each in inputs.draw().rounds if each.byes)
    one, other = numbers_of(inputs, resting.byes[0].team)

    with pytest.raises(CannotDraw) as refused:
        swapped(inputs, [resting.number], ContestantSwap(one, other))

    assert refused.value.code == "swap_absent"


@pytest.mark.parametrize("text", ["", "1", "1:", "1:1/1", "1:1/1,2/1", "x:1/1,1/2", "1:1/1,1/2,1/3", "1:1,2"])
def test_swap_text_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(CannotDraw):
        read_squads(text, inputs_of(3, 3, 2).contestants())


@pytest.mark.parametrize("text", ["1:1/1,1/2", "2:1,2", "1:1,1", "1:1,9", "1:1"])
def test_swap_of_contestants_that_cannot_be_is_refused(text: str) -> None:
    plan = RoundPlan(1, "", (), (RoundPairing("a", (1, 2)),))
    with pytest.raises(CannotDraw):
        swapped_plans([plan], read_contestants(text))
