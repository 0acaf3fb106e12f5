"""A draw is repeated from what was published of it, with Python alone."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.formats import (
    FORMATS,
    CannotDraw,
    Constraints,
    Course,
    Draw,
    Field,
    Inputs,
    Player,
    Settings,
    draw_lines,
    fairness,
    get_format,
    kept,
    report_lines,
)
from tournaments.formats.command import main
from tournaments.formats.inputs import (
    field_of,
    read_numbers,
    read_players,
    write_numbers,
    write_players,
)

ROOT = Path(__file__).parents[3]
PLAYERS = st.builds(Player, st.integers(1, 16), st.integers(1, 999))


def text_of(draw: Draw) -> str:
    return "".join(f"{line}\n" for line in draw_lines(draw))


@given(st.lists(st.integers(1, 9_999), unique=True, min_size=1))
def test_numbers_are_read_as_they_were_written(numbers: list[int]) -> None:
    assert read_numbers(write_numbers(numbers)) == tuple(sorted(numbers))


@given(st.lists(PLAYERS).map(tuple))
def test_entries_are_read_as_they_were_written(players: tuple[Player, ...]) -> None:
    assert read_players(write_players(players)) == players


def test_runs_are_written_short() -> None:
    assert write_numbers([11, 1, 2, 3, 7, 8]) == "1-3,7-8,11"
    assert write_players([Player(1, 3), Player(2, 5)]) == "1/3,2/5"


@settings(max_examples=40)
@given(
    key=st.sampled_from(sorted(FORMATS)),
    rosters=st.lists(
        st.lists(st.integers(1, 30), unique=True, min_size=4, max_size=4).map(tuple),
        min_size=3,
        max_size=5,
    ).map(tuple),
    squad_size=st.sampled_from([1, 2, 4]),
    rounds=st.none() | st.integers(1, 5),
    tables=st.none() | st.integers(1, 4),
    seed=st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=20),
    data=st.data(),
)
def test_the_command_line_of_any_draw_gives_the_same_draw(
    key: str,
    rosters: tuple[tuple[int, ...], ...],
    squad_size: int,
    rounds: int | None,
    tables: int | None,
    seed: str,
    data: st.DataObject,
) -> None:
    everybody = st.sampled_from(sorted(Field(rosters).players()))
    members = st.lists(everybody, unique=True, min_size=1, max_size=4).map(tuple)
    constraints = Constraints(data.draw(st.lists(members, max_size=2).map(tuple)), data.draw(members))
    inputs = Inputs(get_format(key), Field(rosters, constraints), Settings(squad_size, rounds, tables), seed)
    arguments = inputs.arguments()
    pairs = list(pairwise(arguments))
    teams = [word for flag, word in pairs if flag == "--team"]
    apart = [word for flag, word in pairs if flag == "--apart"]
    strong = arguments[arguments.index("--strong") + 1]
    read = field_of(teams, apart, strong)
    assert read.constraints == constraints
    assert get_format(key).draw(read, Settings(squad_size, rounds, tables), seed) == inputs.draw()


def test_what_is_published_is_drawn_again_without_anything_else() -> None:
    """The whole way through a shell: a seed with blanks and quotes, a gap, groups and strong entries."""
    constraints = Constraints(((Player(1, 1), Player(2, 5)),), (Player(1, 2), Player(2, 1)))
    inputs = Inputs(
        get_format("triangle"),
        Field(((1, 2, 3), (1, 2, 5), (2, 3, 4)), constraints),
        Settings(rounds=2, tables=2),
        '-l\'anno "2026"',
    )
    command = inputs.command().replace("python ", f"{sys.executable} ", 1)
    # `-S` leaves out site-packages: no Django to lean on.
    done = subprocess.run(
        command.replace(" -m ", " -S -m ", 1),
        shell=True,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", text_of(inputs.draw()))


def test_a_report_comes_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    field = Field.of(3, 3, Constraints(((Player(1, 1), Player(2, 1)),), (Player(1, 2), Player(2, 2))))
    inputs = Inputs(get_format("triangle"), field, Settings(rounds=3), "x")
    assert main(["draw", *inputs.arguments(), "--report"]) == 0
    draw = inputs.draw()
    found = kept(draw, field.constraints)
    report = fairness(Course.of_draw(draw), constraints_kept=found)
    assert capsys.readouterr().out == text_of(draw) + "".join(
        f"{line}\n" for line in report_lines(report, found)
    )


DRAW = ("draw", "--format", "triangle", "--seed", "x", "--team", "1-3", "--team", "1-3", "--team", "1-3")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("draw", "--format", "chess", "--seed", "x", "--team", "1"),
            "There is no format 'chess'; there are ",
        ),
        ((*DRAW, "--team", "3-1"), "Entries are written like 1-9,11 (numbers up to 9999), not '3-1'."),
        ((*DRAW, "--team", ""), "Entries are written like 1-9,11 (numbers up to 9999), not ''."),
        (
            (*DRAW, "--apart", "1/1,2"),
            "Entries of teams are written like 1/3,2/5 (team/entry), not '2'.",
        ),
        ((*DRAW, "--strong", "9/1"), "A constraint names entry 1 of team 9, which is not in this draw."),
        (
            (*DRAW, "--method", "tendone-sha256-2"),
            "These inputs are drawn by the method tendone-sha256-1, not by 'tendone-sha256-2'.",
        ),
        ((*DRAW, "--tables", "0"), "At least one table is needed, not 0."),
    ],
)
def test_what_cannot_be_drawn_is_told(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(sentence)


def test_the_method_that_was_published_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DRAW, "--method", "tendone-sha256-1"]) == 0
    assert capsys.readouterr().out.startswith("method tendone-sha256-1, seed x, plan rotation\n")


def test_a_field_is_refused_before_it_is_drawn() -> None:
    with pytest.raises(CannotDraw) as refused:
        field_of(["1-3"], ["1/1,1/1"])
    assert refused.value.code == "entry_twice_in_group"
