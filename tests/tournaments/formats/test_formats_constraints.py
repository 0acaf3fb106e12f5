"""What a draw keeps apart: never at the cost of what it promises, and as far as brute force can."""

import hashlib
from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.draw_fields import draw_teams, even_field
from tests.support.run.long import examples
from tournaments.formats import (
    METHOD,
    CannotDraw,
    Constraints,
    DrawField,
    DrawnRounds,
    Player,
    Settings,
    Together,
    kept,
)
from tournaments.formats.apart import METHOD_APART, exchange_number
from tournaments.formats.constraints import groups_of
from tournaments.formats.order import METHOD_EVEN


def players(teams: int, entries: int) -> list[Player]:
    return [Player(team, entry) for team in range(1, teams + 1) for entry in range(1, entries + 1)]


@st.composite
def drawn(draw: st.DrawFn) -> tuple[str, DrawField, Settings, str]:
    """A format, a field with any constraints, settings and a seed."""
    key = draw(st.sampled_from(["duel", "triangle"]))
    teams, squads, squad_size = draw(st.integers(3, 6)), draw(st.integers(1, 6)), draw(st.integers(1, 3))
    everybody = st.sampled_from(players(teams, squads * squad_size))
    members = st.lists(everybody, unique=True, max_size=8).map(tuple)
    constraints = Constraints(draw(st.lists(members, max_size=4).map(tuple)), draw(members))
    chosen = Settings(squad_size, draw(st.integers(1, 6)), draw(st.none() | st.integers(1, 4)))
    return key, even_field(teams, squads * squad_size, constraints), chosen, str(draw(st.integers(0, 99)))


def pairs_together(draw: DrawnRounds, members: tuple[Player, ...]) -> int:
    """Counted plainly: pairs of these in one match."""
    return sum(
        {one, other} <= {player for side in match.sides for player in side.players()}
        for match in draw.matches()
        for one, other in combinations(members, 2)
    )


def plan_of(draw: DrawnRounds) -> list[tuple[int, int, tuple[tuple[int, int], ...]]]:
    """Everything but who is in which squad."""
    return [
        (each.number, match.table, tuple((side.team, side.number) for side in match.sides))
        for each in draw.rounds
        for match in each.matches()
    ]


# --- without constraints


@examples(40)
@given(drawn())
def test_draw_without_constraints_is_that_of_the_lots_alone(
    case: tuple[str, DrawField, Settings, str],
) -> None:
    key, field, chosen, seed = case
    plain = draw_teams(key, DrawField(field.rosters), chosen, seed)

    assert plain == draw_teams(key, DrawField(field.rosters, Constraints((), ())), chosen, seed)
    assert plain.method in (METHOD, METHOD_EVEN)
    assert (METHOD, METHOD_EVEN) == ("tendone-sha256-1", "tendone-sha256-3")


def test_draw_whose_lots_keep_the_constraints_changes_only_its_method() -> None:
    """Entries 2 of teams 1 and 2 sit apart already (see the draw worked out by hand)."""
    apart = Constraints(((Player(1, 2), Player(2, 1)),))
    plain = draw_teams("triangle", even_field(3, 3), Settings(rounds=1), "palio-2022")
    constrained = draw_teams("triangle", even_field(3, 3, apart), Settings(rounds=1), "palio-2022")

    assert (constrained.squads, constrained.rounds) == (plain.squads, plain.rounds)
    assert constrained.method == METHOD_APART == "tendone-sha256-2"


# --- with constraints


@examples(60)
@given(drawn())
def test_constraints_cost_nothing_that_a_draw_promises(case: tuple[str, DrawField, Settings, str]) -> None:
    key, field, chosen, seed = case
    draw = draw_teams(key, field, chosen, seed)
    plain = draw_teams(key, DrawField(field.rosters), chosen, seed)
    assert plan_of(draw) == plan_of(plain)
    for squads, roster in zip(draw.squads, field.rosters, strict=True):
        assert sorted(entry for squad in squads for entry in squad.entries) == sorted(roster)
    assert draw == draw_teams(key, field, chosen, seed)


@examples(60)
@given(drawn())
def test_constraints_report_counts_what_is_there_and_never_promises_more(
    case: tuple[str, DrawField, Settings, str],
) -> None:
    key, field, chosen, seed = case
    constraints = field.constraints
    for given_field in (field, DrawField(field.rosters)):
        draw = draw_teams(key, given_field, chosen, seed)
        report = kept(draw, constraints)
        assert report.group_pairs == sum(pairs_together(draw, members) for members in constraints.groups)
        assert report.strong_pairs == pairs_together(draw, constraints.strong)
        assert report.fewest_group_pairs <= report.group_pairs
        assert report.fewest_strong_pairs <= report.strong_pairs


@examples(60)
@given(drawn())
def test_constraints_are_never_kept_better_by_the_lots_alone(
    case: tuple[str, DrawField, Settings, str],
) -> None:
    key, field, chosen, seed = case
    costs = []
    for given_field in (field, DrawField(field.rosters)):
        report = kept(draw_teams(key, given_field, chosen, seed), field.constraints)
        costs.append((report.group_pairs, report.strong_pairs))
    assert costs[0] <= costs[1]


@examples(25)
@given(
    seed=st.integers(0, 99).map(str),
    rounds=st.integers(1, 3),
    data=st.data(),
)
def test_constraints_of_small_fields_are_kept_as_well_as_brute_force_does(
    seed: str, rounds: int, data: st.DataObject
) -> None:
    """Three teams of three: all 216 arrangements of the same plan are tried."""
    everybody = st.lists(st.sampled_from(players(3, 3)), unique=True, max_size=5).map(tuple)
    constraints = Constraints(data.draw(st.lists(everybody, max_size=3).map(tuple)), data.draw(everybody))
    draw = draw_teams("triangle", even_field(3, 3, constraints), Settings(rounds=rounds), seed)
    report = kept(draw, constraints)

    def cost(orders: tuple[tuple[int, ...], ...]) -> tuple[int, int]:
        tables = [
            {Player(side.team, orders[side.team - 1][side.number - 1]) for side in match.sides}
            for match in draw.matches()
        ]
        pairs = [
            sum({one, other} <= table for table in tables for one, other in combinations(members, 2))
            for members in (*constraints.groups, constraints.strong)
        ]
        return sum(pairs[:-1]), pairs[-1]

    best = min(cost(orders) for orders in product(permutations((1, 2, 3)), repeat=3))

    assert (report.group_pairs, report.strong_pairs) == best


def test_siblings_in_three_contrade_do_not_meet() -> None:
    """Nine a team, four rounds; each of four families has an entry in every team, six strong entries."""
    families = tuple(tuple(Player(team, entry) for team in (1, 2, 3)) for entry in (1, 2, 3, 4))
    strong = tuple(Player(team, entry) for team in (1, 2, 3) for entry in (8, 9))
    constraints = Constraints(families, strong)
    for seed in range(10):
        draw = draw_teams("triangle", even_field(3, 9, constraints), Settings(rounds=4), str(seed))
        report = kept(draw, constraints)
        assert report.together == ()


def test_constraints_report_names_what_cannot_be_kept() -> None:
    """Two teams of two, two rounds: everybody meets everybody, so do the two of the group."""
    group = (Player(1, 1), Player(2, 2))
    draw = draw_teams("duel", even_field(2, 2, Constraints((group,))), Settings(rounds=2), "x")

    report = kept(draw, Constraints((group,)))
    match = next(
        match.number
        for match in draw.matches()
        if set(group) == {player for side in match.sides for player in side.players()}
    )

    assert report.together == (Together(match, 1, group),)
    assert (report.group_pairs, report.fewest_group_pairs) == (1, 1)


def test_constraints_keep_two_of_a_team_in_different_squads() -> None:
    """Two sisters of one team in squads of two: they sit in different squads."""
    sisters = (Player(1, 1), Player(1, 2))
    for seed in range(10):
        draw = draw_teams(
            "duel", even_field(2, 6, Constraints((sisters,))), Settings(squad_size=2), str(seed)
        )
        assert kept(draw, Constraints((sisters,))).together == ()


# --- groups


def test_constraint_groups_are_numbered_by_first_appearance() -> None:
    marks = [
        (Player(2, 1), ["Rossi", "3B"]),
        (Player(1, 2), ["Bianchi", "3B"]),
        (Player(1, 1), ["Rossi"]),
        (Player(3, 1), ["Verdi"]),
    ]
    assert groups_of(marks) == ((Player(1, 1), Player(2, 1)), (Player(1, 2), Player(2, 1)))


@given(st.permutations([(player, [str(player.entry % 3)]) for player in players(2, 4)]))
def test_constraint_groups_do_not_depend_on_the_order_of_marks(marks: list[tuple[Player, list[str]]]) -> None:
    assert groups_of(marks) == groups_of(sorted(marks))


@given(
    st.lists(st.frozensets(st.sampled_from("abcd")), min_size=1, max_size=9),
    st.permutations("abcd"),
)
def test_constraint_groups_say_nothing_of_the_words_behind_them(
    written: list[frozenset[str]], others: list[str]
) -> None:
    """Other words beside the same members: the same groups in the same order."""
    renamed = dict(zip("abcd", others, strict=True))
    found = groups_of(enumerate(written))
    assert found == groups_of((place, {renamed[mark] for mark in each}) for place, each in enumerate(written))
    together = {(one, other) for members in found for one, other in combinations(members, 2)}
    assert together == {
        (one, other) for one, other in combinations(range(len(written)), 2) if written[one] & written[other]
    }


@pytest.mark.parametrize(
    ("groups", "strong", "code", "sentence"),
    [
        (
            ((Player(1, 1), Player(1, 1)),),
            (),
            "entry_twice_in_group",
            "Entry 1 of team 1 is 2 times in group 1 (0: the strong entries); once was expected.",
        ),
        (
            ((Player(1, 1), Player(4, 1)),),
            (),
            "unknown_entry",
            "A constraint names entry 1 of team 4, which is not in this draw.",
        ),
        (
            (),
            (Player(1, 9),),
            "unknown_entry",
            "A constraint names entry 9 of team 1, which is not in this draw.",
        ),
    ],
)
def test_constraints_that_make_no_sense_are_refused(
    groups: tuple[tuple[Player, ...], ...], strong: tuple[Player, ...], code: str, sentence: str
) -> None:
    with pytest.raises(CannotDraw) as refused:
        draw_teams("triangle", even_field(3, 3, Constraints(groups, strong)), Settings(), "x")
    assert (refused.value.code, str(refused.value)) == (code, sentence)


# --- the named method


def test_constraints_exchange_number_has_its_published_test_vector() -> None:
    digits = hashlib.sha256(b"tendone-sha256-2/palio-2022/1/1").hexdigest()
    assert exchange_number("palio-2022", 1, 1) == int(digits, 16)
    assert digits == "08e88a97701ad60ef3ac7014111e198725642870f24946d9dea3135a074b651e"
