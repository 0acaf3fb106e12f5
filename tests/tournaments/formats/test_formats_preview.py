"""The preview of a draw, and equal numbers, and seats."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.draw_fields import draw_teams, even_field
from tournaments.formats import (
    CannotDraw,
    Player,
    Settings,
    equalize,
    preview,
    seating,
)
from tournaments.formats.model import EqualNumbers

START = datetime(2022, 9, 17, 12, tzinfo=UTC)


def at(minutes: int) -> datetime:
    return START + timedelta(minutes=minutes)


def test_draw_preview_of_three_teams_of_nine_on_six_tables() -> None:
    """Three teams of nine, six tables, games of seven minutes: four rounds of two waves of 21 minutes."""
    draw = draw_teams("triangle", even_field(3, 9), Settings(tables=6), "palio")
    seen = preview(draw, minutes_per_game=7, minutes_between=3, start=START)

    assert [(each.start, each.end) for each in seen.rounds] == [
        (at(0), at(45)),
        (at(48), at(93)),
        (at(96), at(141)),
        (at(144), at(189)),
    ]
    assert [(wave.round, wave.wave, wave.start, wave.end, wave.tables) for wave in seen.rounds[1].waves] == [
        (2, 1, at(48), at(69), 6),
        (2, 2, at(72), at(93), 3),
    ]
    assert (seen.start, seen.end, seen.matches, seen.games) == (at(0), at(189), 36, 108)
    assert (seen.fewest_games, seen.most_games) == (8, 8)
    assert [(pair.one, pair.other, pair.rounds) for pair in seen.team_meetings] == [
        (1, 2, 4),
        (1, 3, 4),
        (2, 3, 4),
    ]
    assert seen.rematches == ()
    assert [load.player for load in seen.entries] == [Player(t, e) for t in (1, 2, 3) for e in range(1, 10)]


def test_draw_preview_lists_who_waits() -> None:
    """Four teams: in each round one of them has no match, each once."""
    draw = draw_teams("triangle", even_field(4, 2), Settings(), "x")
    seen = preview(draw, minutes_per_game=5, start=START)
    assert sorted(each.waiting for each in seen.rounds) == [
        (Player(team, 1), Player(team, 2)) for team in (1, 2, 3, 4)
    ]
    assert (seen.fewest_games, seen.most_games) == (6, 6)


def test_draw_preview_says_that_a_draw_is_uneven() -> None:
    draw = draw_teams("triangle", even_field(4, 1), Settings(rounds=5), "x")
    seen = preview(draw, minutes_per_game=5, start=START)
    assert (seen.fewest_games, seen.most_games) == (6, 8)
    assert sorted(pair.rounds for pair in seen.team_meetings) == [2, 2, 2, 3, 3, 3]


def test_draw_preview_lists_who_meets_whom_twice() -> None:
    """One squad of two for each of two teams, two rounds: each of the four pairs of opponents meets twice."""
    draw = draw_teams("duel", even_field(2, 2), Settings(squad_size=2, rounds=2), "x")
    seen = preview(draw, minutes_per_game=5, start=START)
    assert [(each.one, each.other, each.matches) for each in seen.rematches] == [
        (Player(1, one), Player(2, other), 2) for one in (1, 2) for other in (1, 2)
    ]


def test_draw_preview_counts_table_changes_and_waits() -> None:
    """Two squads a team and one table: one wave each in each round; the second team's squads swap."""
    draw = draw_teams("duel", even_field(2, 2), Settings(rounds=2, tables=1), "x")
    seen = preview(draw, minutes_per_game=5, minutes_between=5, start=START)
    # Waves of 15 minutes at 0, 20, 40, 60. In waves 1 and 3, or 2 and 4, one waits 25; in 1 and 4, 45.
    waits = sorted(load.longest_wait for load in seen.entries)
    assert waits == [timedelta(minutes=minutes) for minutes in (5, 25, 25, 45)]
    assert {load.table_changes for load in seen.entries} == {0}
    on_two = draw_teams("duel", even_field(2, 2), Settings(rounds=2, tables=2), "x")
    wide = preview(on_two, minutes_per_game=5, start=START)
    assert sorted(load.table_changes for load in wide.entries) == [0, 0, 1, 1]


@pytest.mark.parametrize(("game", "between"), [(0, 0), (5, -1)])
def test_draw_preview_refuses_minutes_that_make_no_sense(game: int, between: int) -> None:
    draw = draw_teams("duel", even_field(2, 1), Settings(), "x")
    with pytest.raises(CannotDraw) as refused:
        preview(draw, minutes_per_game=game, minutes_between=between, start=START)
    assert refused.value.code == "minutes"
    assert str(refused.value) == (
        f"A game takes at least a minute and a break at least none, not {game} and {between}."
    )


# --- equal numbers


@pytest.mark.parametrize(
    ("counts", "squad_size", "expected"),
    [
        ((14, 12, 9), 1, EqualNumbers(9, (5, 3, 0))),
        ((14, 12, 9), 2, EqualNumbers(8, (6, 4, 1))),
        ((5, 5), 5, EqualNumbers(5, (0, 0))),
        ((), 1, EqualNumbers(0, ())),
    ],
)
def test_smallest_entry_fixes_the_number_of_squads(
    counts: tuple[int, ...], squad_size: int, expected: EqualNumbers
) -> None:
    assert equalize(counts, squad_size) == expected


def test_team_without_a_whole_squad_is_refused() -> None:
    with pytest.raises(CannotDraw, match=r"^Entries of team 2: 1; needed for a squad: 2\.$") as refused:
        equalize((4, 1), 2)
    assert refused.value.code == "too_few_entries"
    with pytest.raises(CannotDraw, match=r"^A squad has 1 to 5 entries, not 0\.$"):
        equalize((4, 1), 0)


# --- seats


def test_seating_alternates_teams_around_the_table() -> None:
    assert seating(["a1", "a2", "a3"], ["b1", "b2", "b3"]) == ["a1", "b1", "a2", "b2", "a3", "b3"]


def test_seating_spreads_an_incomplete_squad_among_the_others() -> None:
    assert seating(["a1", "a2", "a3", "a4"], ["b1", "b2"]) == ["a1", "b1", "a2", "a3", "b2", "a4"]
    assert seating(["a1"], ["b1", "b2"]) == ["a1", "b1", "b2"]


@given(st.integers(1, 5))
def test_seating_of_complete_squads_puts_nobody_beside_a_mate(size: int) -> None:
    seats = seating([("a", n) for n in range(size)], [("b", n) for n in range(size)])
    assert all(seats[i][0] != seats[i - 1][0] for i in range(len(seats)))
    assert seats[0] == ("a", 0)
