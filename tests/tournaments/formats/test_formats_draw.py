"""The draw: what is promised to players, whatever the numbers and the seed."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.draw_fields import draw_teams, even_field
from tests.support.run.long import examples
from tournaments.formats import (
    CannotDraw,
    DrawField,
    DrawnRounds,
    Player,
    Settings,
    get_format,
    lot,
)
from tournaments.formats.format import Contestant, PairingOutcome, PlayedRound, StageProgress
from tournaments.formats.order import drawn_order, team_order
from tournaments.formats.squad_rotation import RotationGroup, free_rounds, three_team_shifts

SEEDS = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=20)


def opponents(draw: DrawnRounds) -> Counter[frozenset[Player]]:
    """How often each two entries of different teams sit in one match."""
    return Counter(
        frozenset((one, other))
        for match in draw.matches()
        for left, right in combinations(match.sides, 2)
        for one in left.players()
        for other in right.players()
    )


def matches_of(draw: DrawnRounds) -> Counter[Player]:
    return Counter(player for match in draw.matches() for side in match.sides for player in side.players())


def assert_valid(draw: DrawnRounds, field: DrawField, chosen: Settings) -> None:
    """What holds for every draw of every format."""
    everybody = {
        Player(team, entry) for team, roster in enumerate(field.rosters, start=1) for entry in roster
    }
    assert {p for squads in draw.squads for squad in squads for p in squad.players()} == everybody
    assert [each.number for each in draw.rounds] == list(range(1, len(draw.rounds) + 1))
    assert [match.number for match in draw.matches()] == list(range(1, len(list(draw.matches())) + 1))
    for each in draw.rounds:
        seated = [player for match in each.matches() for side in match.sides for player in side.players()]
        assert len(seated) == len(set(seated))
        assert everybody - {player for squad in each.byes for player in squad.players()} == set(seated)
        assert all(squad in each.byes for one in each.byes for squad in draw.squads[one.team - 1])
        assert [wave.number for wave in each.waves] == list(range(1, len(each.waves) + 1))
        for wave in each.waves:
            assert [match.table for match in wave.matches] == list(range(1, len(wave.matches) + 1))
            assert chosen.tables is None or len(wave.matches) <= chosen.tables
    for match in draw.matches():
        assert len({side.team for side in match.sides}) == len(match.sides)
        assert {len(side.entries) for side in match.sides} == {chosen.squad_size}
        assert len(match.games) == 3
    played = matches_of(draw)
    assert max(played[player] for player in everybody) - min(played[player] for player in everybody) <= 1


# --- the named method


def test_draw_has_its_published_test_vector() -> None:
    assert lot("palio-2022", 1, 1) == "8be73dd298606f57edfa67e26ead712beeae12384893b5c3b602c10e7dab0cfe"
    # The lots begin 8be7, f993, bd8d for team 1 and 1b0b, 7cb7, 7d78 for the teams.
    assert drawn_order(1, (1, 2, 3), "palio-2022") == [1, 3, 2]
    assert team_order(3, "palio-2022") == [1, 2, 3]


def test_draw_of_three_teams_is_the_one_worked_out_by_hand() -> None:
    """Squads drawn 1: 1, 3, 2; 2: 1, 2, 3; 3: 1, 2, 3. Round r seats a(i), b(i+r), c(i+2r) mod 3."""
    draw = draw_teams("triangle", even_field(3, 3), Settings(rounds=2), "palio-2022")
    tables = [
        [tuple(side.entries[0] for side in match.sides) for match in each.matches()] for each in draw.rounds
    ]

    assert tables == [[(1, 1, 1), (3, 2, 2), (2, 3, 3)], [(1, 2, 3), (3, 3, 1), (2, 1, 2)]]
    assert {match.games for match in draw.matches()} == {((0, 1), (1, 2), (2, 0))}
    assert (draw.method, draw.seed, draw.plan) == ("tendone-sha256-1", "palio-2022", "rotation")


@given(SEEDS, st.permutations(range(1, 10)))
def test_draw_does_not_depend_on_the_order_of_the_roster(seed: str, roster: list[int]) -> None:
    shuffled = DrawField((tuple(roster), tuple(range(1, 10)), tuple(roster)))
    assert draw_teams("triangle", shuffled, Settings(), seed) == draw_teams(
        "triangle", even_field(3, 9), Settings(), seed
    )


def test_draw_differs_with_another_seed() -> None:
    draws = {draw_teams("triangle", even_field(3, 9), Settings(), str(seed)).squads for seed in range(50)}
    assert len(draws) == 50


def test_withdrawal_before_the_draw_leaves_the_others_in_their_order() -> None:
    with_four = drawn_order(2, (1, 2, 3, 4, 5), "x")
    without = drawn_order(2, (1, 2, 3, 5), "x")
    assert [entry for entry in with_four if entry != 4] == without


# --- every size


@pytest.mark.parametrize(("key", "fewest"), [("triangle", 3), ("duel", 2)])
def test_draw_of_every_size_is_valid(key: str, fewest: int) -> None:
    for teams in range(fewest, 17):
        for squads in (1, 2, 3, 4, 6, 7):
            for squad_size in (1, 5):
                field = even_field(teams, squads * squad_size)
                chosen = Settings(squad_size=squad_size, tables=5)
                assert_valid(draw_teams(key, field, chosen, "every size"), field, chosen)


@examples(60)
@given(
    key=st.sampled_from(["duel", "triangle"]),
    teams=st.integers(3, 16),
    squads=st.integers(1, 8),
    squad_size=st.integers(1, 5),
    rounds=st.integers(1, 20),
    tables=st.none() | st.integers(1, 12),
    seed=SEEDS,
)
def test_draw_of_any_field_and_settings_is_valid(
    key: str, teams: int, squads: int, squad_size: int, rounds: int, tables: int | None, seed: str
) -> None:
    field = even_field(teams, squads * squad_size)
    chosen = Settings(squad_size=squad_size, rounds=rounds, tables=tables)
    draw = draw_teams(key, field, chosen, seed)
    assert len(draw.rounds) == rounds
    assert_valid(draw, field, chosen)
    assert draw == draw_teams(key, field, chosen, seed)


@pytest.mark.parametrize(("key", "fewest"), [("triangle", 3), ("duel", 2)])
def test_draw_by_default_lets_everybody_play_as_often(key: str, fewest: int) -> None:
    for teams in range(fewest, 17):
        draw = draw_teams(key, even_field(teams, 4), Settings(), "x")
        assert len(set(matches_of(draw).values())) == 1


# --- nobody meets the same opponent twice


@pytest.mark.parametrize("squads", range(1, 41))
def test_triangle_of_three_teams_repeats_nobody_in_the_rounds_promised(squads: int) -> None:
    rounds = free_rounds(squads)
    draw = draw_teams("triangle", even_field(3, squads), Settings(rounds=rounds), "x")
    met = opponents(draw)

    assert set(met.values()) == {1}
    assert len(met) == 3 * squads * rounds


def test_triangle_of_three_teams_promises_these_rounds() -> None:
    """All m where a field or a cycle gives orthogonal Latin squares; m - 1 for twice an odd number."""
    assert [free_rounds(squads) for squads in range(1, 19)] == [
        *(1, 1, 3, 4, 5, 5, 7, 8, 9, 9, 11, 12, 13, 13, 15, 16, 17, 17)
    ]


def test_triangle_by_plain_rotation_holds_for_half_as_many_rounds() -> None:
    """What the bend from round m/2 on is for: with 2r mod 6 the third team would be back in round 3."""
    assert [2 * step % 6 for step in range(6)] == [0, 2, 4, 0, 2, 4]
    assert sorted(third for _, _, third in three_team_shifts(6, 6)) == [0, 1, 2, 3, 4, 5]


def test_triangle_of_one_round_more_has_the_fewest_second_meetings() -> None:
    draw = draw_teams("triangle", even_field(3, 6), Settings(rounds=6), "x")
    assert Counter(opponents(draw).values()) == {1: 96, 2: 6}


@pytest.mark.parametrize("squads", [2, 3, 4, 5])
def test_triangle_spreads_second_meetings_evenly_over_whole_laps(squads: int) -> None:
    draw = draw_teams("triangle", even_field(3, squads), Settings(rounds=2 * squads), "x")
    assert set(opponents(draw).values()) == {2}


@pytest.mark.parametrize("teams", range(3, 17))
def test_triangle_by_default_has_no_second_meeting_with_nine_squads(teams: int) -> None:
    draw = draw_teams("triangle", even_field(teams, 9), Settings(), "x")
    assert set(opponents(draw).values()) == {1}


@pytest.mark.parametrize("teams", range(2, 17))
@pytest.mark.parametrize("squads", [1, 3, 4, 6])
def test_duels_repeat_nobody_while_squads_suffice(teams: int, squads: int) -> None:
    circle = teams - 1 if teams % 2 == 0 else teams
    draw = draw_teams("duel", even_field(teams, squads), Settings(rounds=circle * squads), "x")
    met = opponents(draw)

    assert set(met.values()) == {1}
    assert len(met) == teams * (teams - 1) // 2 * squads * squads


@pytest.mark.parametrize(
    ("squads", "shifts"),
    [
        (3, [(0, 0, 0), (0, 1, 2), (0, 2, 1), (0, 0, 1)]),
        (4, [(0, 0, 0), (0, 1, 2), (0, 2, 3), (0, 3, 1), (0, 0, 1)]),
        (6, [(0, 0, 0), (0, 1, 2), (0, 2, 4), (0, 3, 1), (0, 4, 3), (0, 5, 5)]),
        (12, [(0, 0, 0), (0, 1, 2), (0, 2, 3), (0, 3, 1), (0, 4, 8), (0, 5, 10)]),
    ],
)
def test_triangle_shifts_of_three_teams_are_as_published(squads: int, shifts: list[tuple[int, ...]]) -> None:
    """Three: 0, r, 2r. Four: bits without carry, twice 2 is 3. Six: 2r + 1 from round 3. Twelve: 4 x 3."""
    assert three_team_shifts(len(shifts), squads) == shifts


@pytest.mark.parametrize("size", [1, 2, 4, 6, 8, 12, 16, 24, 32, 40, 128, 256, 512])
def test_rotation_group_adds_and_subtracts(size: int) -> None:
    group = RotationGroup(size)
    for shift in {1, size // 2, size - 1} & set(range(size)):
        moved = [group.add(element, shift) for element in range(size)]
        assert sorted(moved) == list(range(size))
        assert [group.minus(element, shift) for element in moved] == list(range(size))


# --- seats, sides, tables


@pytest.mark.parametrize("teams", range(2, 17))
def test_duels_share_the_first_seat_evenly(teams: int) -> None:
    """Three squads a team: one meeting of two teams is three matches, in each of which the first side has
    one game more.
    """
    circle = teams - 1 if teams % 2 == 0 else teams
    for laps, unevenness in ((1, 3), (2, 0)):
        draw = draw_teams("duel", even_field(teams, 3), Settings(rounds=laps * circle), "x")
        first = Counter(match.sides[game[0]].team for match in draw.matches() for game in match.games)
        assert max(first.values()) - min(first.values()) == (unevenness if teams % 2 == 0 else 0)
    assert {match.games for match in draw.matches()} == {((0, 1), (1, 0), (0, 1))}


def test_draw_on_fewer_tables_keeps_meetings_and_numbers() -> None:
    wide = draw_teams("triangle", even_field(3, 9), Settings(), "x")
    assert [len(wave.matches) for wave in wide.rounds[0].waves] == [9]
    narrow = draw_teams("triangle", even_field(3, 9), Settings(tables=4), "x")
    assert [len(wave.matches) for wave in narrow.rounds[0].waves] == [4, 4, 1]
    assert [(match.number, match.sides) for match in narrow.matches()] == [
        (match.number, match.sides) for match in wide.matches()
    ]


def test_triangle_is_finished_when_every_match_is_decided() -> None:
    triangle = replace(get_format("triangle"), rounds=1)
    contestants = tuple(Contestant(number, (number + 1) // 2) for number in range(1, 7))
    (plan,) = triangle.coming_rounds(StageProgress(contestants), "x")
    over = PairingOutcome((Fraction(2), Fraction(1), Fraction(0)), plan.pairings[0].sides[0])

    begun = StageProgress(contestants, (PlayedRound(plan, (over, None)),))
    ended = StageProgress(contestants, (PlayedRound(plan, (over, over)),))

    assert [triangle.is_finished(each) for each in (StageProgress(contestants), begun, ended)] == [
        False,
        False,
        True,
    ]
    assert triangle.coming_rounds(begun, "x") == []


# --- refusals


@pytest.mark.parametrize(
    ("key", "field", "chosen", "seed", "code", "sentence"),
    [
        (
            "triangle",
            even_field(2, 3),
            Settings(),
            "x",
            "teams",
            "Teams: 2; this format is for 3 to 16.",
        ),
        ("duel", DrawField(()), Settings(), "x", "teams", "Teams: 0; this format is for 2 to 16."),
        (
            "duel",
            DrawField(((1, 2), (1, 2, 3))),
            Settings(),
            "x",
            "unequal_numbers",
            "Every team needs the same number of entries: team 1 has 2, team 2 has 3.",
        ),
        (
            "duel",
            DrawField(((1, 2), (2, 2))),
            Settings(),
            "x",
            "entry_numbers",
            "The entries of team 2 need different numbers from 1 up.",
        ),
        (
            "duel",
            even_field(2, 5),
            Settings(squad_size=2),
            "x",
            "incomplete_squads",
            "Entries of each team: 5; expected for whole squads: at least 2, and a multiple of it.",
        ),
        (
            "duel",
            even_field(2, 0),
            Settings(),
            "x",
            "incomplete_squads",
            "Entries of each team: 0; expected for whole squads: at least 1, and a multiple of it.",
        ),
        (
            "duel",
            even_field(2, 6),
            Settings(squad_size=6),
            "x",
            "squad_size",
            "A squad has 1 to 5 entries, not 6.",
        ),
        ("duel", even_field(2, 2), Settings(rounds=0), "x", "rounds", "A draw has 1 to 100 rounds, not 0."),
        (
            "duel",
            even_field(2, 2),
            Settings(tables=0),
            "x",
            "tables",
            "At least one table is needed, not 0.",
        ),
        (
            "duel",
            even_field(2, 2),
            Settings(),
            " x",
            "seed",
            "A seed has 1 to 80 printable characters, no blanks at its ends.",
        ),
    ],
)
def test_draw_of_an_impossible_field_is_refused_with_what_was_expected(
    key: str, field: DrawField, chosen: Settings, seed: str, code: str, sentence: str
) -> None:
    with pytest.raises(CannotDraw) as refused:
        draw_teams(key, field, chosen, seed)
    assert (refused.value.code, str(refused.value)) == (code, sentence)
    assert refused.value.template % refused.value.values == sentence


def test_draw_format_that_is_not_there_is_refused() -> None:
    with pytest.raises(CannotDraw, match="There is no format 'chess'; there are triangle, duel") as refused:
        get_format("chess")
    assert refused.value.code == "format"
