"""A draw is repeated from what was published of it, with Python alone."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import ROOT
from tests.support.draw_fields import even_field
from tests.support.run.long import examples
from tournaments.formats import (
    CannotDraw,
    Constraints,
    Course,
    DrawField,
    DrawInputs,
    DrawnRounds,
    Player,
    Settings,
    draw_lines,
    fairness,
    get_format,
    kept,
    report_lines,
)
from tournaments.formats.catalogue import STAGE_FORMATS
from tournaments.formats.command import main
from tournaments.formats.draw_verification import round_lines
from tournaments.formats.entry_numbers import read_numbers, read_players, write_numbers, write_players
from tournaments.formats.format import Contestant, PairingOutcome, PlayedRound, RoundPairing, StageProgress
from tournaments.formats.inputs import field_of
from tournaments.formats.match_lengths import ONE_GAME
from tournaments.formats.record import StageRecord, Unreadable, read_record
from tournaments.formats.table_result import TableResult
from tournaments.standings import GameClosing

PLAYERS = st.builds(Player, st.integers(1, 16), st.integers(1, 999))


def text_of(draw: DrawnRounds) -> str:
    return "".join(f"{line}\n" for line in draw_lines(draw))


@given(st.lists(st.integers(1, 9_999), unique=True, min_size=1))
def test_draw_command_reads_numbers_as_they_were_written(numbers: list[int]) -> None:
    assert read_numbers(write_numbers(numbers)) == tuple(sorted(numbers))


@given(st.lists(PLAYERS).map(tuple))
def test_draw_command_reads_entries_as_they_were_written(players: tuple[Player, ...]) -> None:
    assert read_players(write_players(players)) == players


def test_draw_command_writes_runs_short() -> None:
    assert write_numbers([11, 1, 2, 3, 7, 8]) == "1-3,7-8,11"
    assert write_players([Player(1, 3), Player(2, 5)]) == "1/3,2/5"


@examples(40)
@given(
    key=st.sampled_from(["duel", "triangle"]),
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
def test_draw_command_of_any_draw_gives_the_same_draw(
    key: str,
    rosters: tuple[tuple[int, ...], ...],
    squad_size: int,
    rounds: int | None,
    tables: int | None,
    seed: str,
    data: st.DataObject,
) -> None:
    everybody = st.sampled_from(sorted(DrawField(rosters).players()))
    members = st.lists(everybody, unique=True, min_size=1, max_size=4).map(tuple)
    constraints = Constraints(data.draw(st.lists(members, max_size=2).map(tuple)), data.draw(members))
    inputs = DrawInputs(
        get_format(key), DrawField(rosters, constraints), Settings(squad_size, rounds, tables), seed
    )
    arguments = inputs.arguments()
    pairs = list(pairwise(arguments))
    teams = [word for flag, word in pairs if flag == "--team"]
    apart = [word for flag, word in pairs if flag == "--apart"]
    strong = arguments[arguments.index("--strong") + 1]
    read = field_of(teams, apart, strong)
    assert read.constraints == constraints
    again = DrawInputs(get_format(key), read, Settings(squad_size, rounds, tables), seed)
    assert again.draw() == inputs.draw()


def test_draw_command_as_published_draws_again_without_anything_else() -> None:
    """The whole way through a shell: a seed with blanks and quotes, a gap, groups and strong entries."""
    constraints = Constraints(((Player(1, 1), Player(2, 5)),), (Player(1, 2), Player(2, 1)))
    inputs = DrawInputs(
        get_format("triangle"),
        DrawField(((1, 2, 3), (1, 2, 5), (2, 3, 4)), constraints),
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


def test_draw_command_prints_the_report_too(capsys: pytest.CaptureFixture[str]) -> None:
    field = even_field(3, 3, Constraints(((Player(1, 1), Player(2, 1)),), (Player(1, 2), Player(2, 2))))
    inputs = DrawInputs(get_format("triangle"), field, Settings(rounds=3), "x")
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
def test_draw_command_says_what_cannot_be_drawn(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(sentence)


def test_draw_command_takes_the_method_that_was_published(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DRAW, "--method", "tendone-sha256-1"]) == 0
    assert capsys.readouterr().out.startswith("method tendone-sha256-1, seed x, plan rotation\n")


def test_draw_command_refuses_an_impossible_field_before_drawing() -> None:
    with pytest.raises(CannotDraw) as refused:
        field_of(["1-3"], ["1/1,1/1"])
    assert refused.value.code == "entry_twice_in_group"


ROUND_DRAW = ("draw", "--seed", "palio-2022", "--format")


def printed_by(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """What a command prints when all goes well, or what it complains of."""
    assert main(arguments) == status
    printed = capsys.readouterr()
    told, silent = (printed.out, printed.err) if printed.out else (printed.err, printed.out)
    assert silent == ""
    return told


@pytest.mark.parametrize("key", STAGE_FORMATS)
def test_draw_command_draws_every_stage_format_from_numbers_alone(
    key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    choice = STAGE_FORMATS[key]
    contestants = tuple(Contestant(number, (number - 1) % 4 + 1) for number in range(1, 9))
    teams = [word for team in range(1, 5) for word in ("--team", f"{team},{team + 4}")]
    plan = choice.build(choice.complete({})).next_round(StageProgress(contestants), "palio-2022")
    assert plan is not None
    lines = printed_by(capsys, *ROUND_DRAW, key, *teams).splitlines()
    assert lines[0] == f"method {STAGE_FORMATS[key].method or '-'}, seed palio-2022, format {key}"
    expected = list(round_lines(plan))
    assert lines[1 : len(expected) + 1] == expected


def test_draw_command_heeds_settings_and_who_is_kept_apart(capsys: pytest.CaptureFixture[str]) -> None:
    swiss = ("swiss", "--contestants", "4")
    plain = printed_by(capsys, *ROUND_DRAW, *swiss).splitlines()
    assert [line.partition(": ")[2].split() for line in plain[1:]] == [["1", "3"], ["2", "4"]]
    apart = printed_by(capsys, *ROUND_DRAW, *swiss, "--apart", "1,3").splitlines()
    assert sorted(sorted(line.partition(": ")[2].split()) for line in apart[1:]) == [["1", "4"], ["2", "3"]]
    rounds = printed_by(capsys, *ROUND_DRAW, "round_robin", "--contestants", "4", "--option", "legs=2")
    assert rounds.count("\n") == 1 + 2 * 6
    snake = ("--option", "groups=2", "--option", "grouping=snake", "--option", "annul=no", "--report")
    told = printed_by(capsys, *ROUND_DRAW, "round_robin", "--contestants", "8", *snake)
    assert "= Nobody meets the same opponent twice." in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("swiss",), "Either --contestants or --team says who plays"),
        (("swiss", "--contestants", "4", "--team", "1-4"), "Either --contestants or --team says who plays"),
        (("swiss", "--team", "1-3", "--team", "3-4"), "The teams together have the contestants 1, 2, 3, …"),
        (("swiss", "--team", "1,3"), "The teams together have the contestants 1, 2, 3, …"),
        (("swiss", "--contestants", "4", "--rounds", "3"), "--rounds says nothing with the format swiss."),
        (("swiss", "--contestants", "4", "--option", "rounds"), "A setting of the format is written like "),
        (("swiss", "--contestants", "4", "--option", "rounds=many"), "The setting rounds is a whole number "),
        (("swiss", "--contestants", "4", "--option", "seats=4"), "The format swiss has no setting 'seats'"),
        (("swiss", "--contestants", "4", "--apart", "4,5"), "Contestant 5 isn't in this tournament."),
        (("swiss", "--contestants", "1"), "A Swiss round takes two contestants or more, not 1."),
        (("swiss", "--contestants", "4", "--method", "x"), "These inputs are drawn by the method tendone-sw"),
        (("triangle", "--team", "1", "--contestants", "4"), "--contestants says nothing with the format tri"),
    ],
)
def test_draw_command_says_what_cannot_be_drawn_round_by_round(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed_by(capsys, *ROUND_DRAW, *arguments, status=1).startswith(sentence)


@pytest.fixture
def record() -> dict[str, Any]:
    """Three rounds of a Swiss in which somebody left after the first and another one came for the third."""
    contestants = (*(Contestant(number, number) for number in range(1, 7)), Contestant(7, 7, since=3))
    choice = STAGE_FORMATS["swiss"]
    options = choice.complete({"rounds": 4, "rematches": True})
    made = StageRecord(
        choice,
        options,
        {"length": "one_game", "games": 1},
        "x",
        StageProgress(contestants),
        (),
        (),
        (),
        STAGE_FORMATS["swiss"].method,
    )
    for number, gone in ((1, frozenset[int]()), (2, frozenset({2})), (3, frozenset({2}))):
        made = replace(made, progress=replace(made.progress, gone=gone))
        plan = made.draw(number)
        assert plan is not None
        played = PlayedRound(plan, tuple(first_wins(pairing) for pairing in plan.pairings))
        rounds = (*made.progress.rounds, played)
        made = replace(
            made,
            progress=replace(made.progress, rounds=rounds),
            gone_before=(*made.gone_before, gone),
            annulled_before=(*made.annulled_before, frozenset[int]()),
            edits=(*made.edits, ()),
        )
    return made.to_json()


def first_wins(pairing: RoundPairing) -> PairingOutcome:
    return PairingOutcome((Fraction(1), Fraction(0)), pairing.sides[0])


def repeated(record: object, tmp_path: Path, *arguments: str) -> list[str]:
    """The arguments for a file with this in it."""
    file = tmp_path / "stage.json"
    file.write_text(json.dumps(record), "utf-8")
    return ["round", str(file), *arguments]


def test_round_command_repeats_every_round_and_draws_the_next(
    record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed_by(capsys, *repeated({"number": 1, "repeat": record}, tmp_path)).splitlines()
    following = read_record(record).draw(4)

    assert following is not None
    assert lines == [
        "method tendone-swiss-2, seed x, format swiss",
        "round 1: the same",
        "round 2: the same",
        "round 3: the same",
        *round_lines(following),
    ]
    assert printed_by(capsys, *repeated(record, tmp_path, "--round", "4")).splitlines()[1:] == lines[4:]


def test_round_command_prints_and_compares_one_round(
    record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed_by(capsys, *repeated(record, tmp_path, "--round", "2", "--report")).splitlines()
    shown = list(round_lines(read_record(record).drawn[1]))
    assert lines[1 : len(shown) + 2] == [*shown, "round 2: the same"]
    assert any(line.startswith("= ") for line in lines)


def test_round_record_is_read_as_it_was_written(record: dict[str, Any]) -> None:
    assert read_record(json.loads(json.dumps(record))).to_json() == record


@pytest.fixture
def tables_record() -> StageRecord:
    """Two rounds at tables by the standings; of one who sat at a table of the first no result counts."""
    choice = STAGE_FORMATS["tables_by_standing"]
    contestants = tuple(Contestant(number, number) for number in range(1, 10))
    options = choice.complete({"seats": 3, "rounds": 3})
    progress = StageProgress(contestants)
    made = StageRecord(choice, options, dict(ONE_GAME), "x", progress, (), (), (), choice.method)
    for number, annulled in ((1, frozenset[int]()), (2, frozenset({1}))):
        made = replace(made, progress=replace(made.progress, gone=annulled, annulled=annulled))
        plan = made.draw(number)
        assert plan is not None
        results = [
            TableResult(GameClosing.BELL, places=tuple(range(len(pairing.sides), 0, -1)))
            for pairing in plan.pairings
        ]
        played = PlayedRound(plan, tuple(made.format().outcomes(plan, results)))
        made = replace(
            made,
            progress=replace(made.progress, rounds=(*made.progress.rounds, played)),
            gone_before=(*made.gone_before, annulled),
            annulled_before=(*made.annulled_before, annulled),
            edits=(*made.edits, ()),
        )
    return made


def test_round_record_repeats_rounds_at_tables_where_one_is_annulled(tables_record: StageRecord) -> None:
    """The others move up, so the places at the tables are part of the record."""
    again = read_record(json.loads(json.dumps(tables_record.to_json())))

    assert again.to_json() == tables_record.to_json()
    assert [again.draw(number) for number in (1, 2, 3)] == [tables_record.draw(n) for n in (1, 2, 3)]


@pytest.mark.parametrize("places", [[1, 2], [1, 2, 2, 3], [1, 1, 2], [0, 1, 2], ["1", 2, 3], [2, 3, 4]])
def test_round_record_refuses_places_that_cannot_be(places: list[object], tables_record: StageRecord) -> None:
    record = tables_record.to_json()
    record["rounds"][0]["pairings"][0]["outcome"]["places"] = places

    with pytest.raises(Unreadable, match=r"rounds\[0\].pairings\[0\].outcome.places: expected "):
        read_record(record)


def test_round_command_shows_what_differs(
    record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, *_ = record["rounds"][0]["pairings"]
    one, other = first["sides"], second["sides"]
    first["sides"], second["sides"] = [one[0], other[0]], [one[1], other[1]]
    first["outcome"] = second["outcome"] = None
    lines = printed_by(capsys, *repeated(record, tmp_path, "--round", "1"), status=1).splitlines()

    assert lines[-5:] == [
        "round 1: differs",
        f"- round 1 r1t1: {one[0]}  {other[0]}",
        f"- round 1 r1t2: {one[1]}  {other[1]}",
        f"+ round 1 r1t1: {one[0]}  {one[1]}",
        f"+ round 1 r1t2: {other[0]}  {other[1]}",
    ]


def test_round_command_needs_who_was_gone_to_repeat_a_round(
    record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without it the second round, with somebody away, can't be told from one with everybody there."""
    record["rounds"][1]["gone"] = []
    assert "round 2: differs" in printed_by(capsys, *repeated(record, tmp_path), status=1).splitlines()


def test_round_command_reports_a_round_that_would_not_be_drawn(
    record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record["options"]["rounds"] = 2
    lines = printed_by(capsys, *repeated(record, tmp_path), status=1).splitlines()
    assert lines[3:] == [
        "round 3: differs",
        "No round follows: by then all is drawn.",
        "all rounds are drawn",
    ]


def test_round_command_reports_missing_results_of_the_next_round(
    record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record["rounds"][2]["pairings"][0]["outcome"] = None
    last = printed_by(capsys, *repeated(record, tmp_path)).splitlines()[-1]
    assert last == (
        "round 4 can't be drawn yet: The next round follows from results, and 1 of them are missing."
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda it: it.pop("seed"), "the whole: expected the fields contestants, format, gone"),
        (lambda it: it.update(format="chess"), f"format: expected one of {', '.join(STAGE_FORMATS)}, "),
        (lambda it: it.update(format=["swiss"]), f"format: expected one of {', '.join(STAGE_FORMATS)}, "),
        (
            lambda it: it["options"].update(rounds=0),
            "options: The setting rounds is a whole number",
        ),
        (lambda it: it.update(options=None), "options: expected an object, not null."),
        (lambda it: it["match"].update(length="long"), "match.length: expected one of one_game, "),
        (lambda it: it["match"].update(games=99), "match: "),
        (lambda it: it.update(seed=7), "seed: expected a text, not 7."),
        (lambda it: it.update(method="x"), "method: expected 'tendone-swiss-2', the method of this format"),
        (lambda it: it.update(contestants={}), "contestants: expected a list, not {}."),
        (
            lambda it: it["contestants"][1].update(number=1),
            "contestants: expected different numbers, not [1, 1, 3, 4, 5, 6, 7].",
        ),
        (
            lambda it: it["contestants"][0].update(since=True),
            "contestants[0].since: expected a whole number from 1 to 10000, not true.",
        ),
        (lambda it: it.update(gone=[9]), "gone: expected numbers of contestants, not [9]."),
        (lambda it: it["rounds"][1].update(number=3), "rounds[1].number: expected 2: rounds stand in"),
        (
            lambda it: it["rounds"][0].update(byes=[1]),
            "rounds[0]: expected everybody once at most",
        ),
        (
            lambda it: it["rounds"][0]["pairings"][0].update(sides=[1, 1]),
            "rounds[0].pairings[0].sides: expected each contestant once, not [1, 1].",
        ),
        (
            lambda it: it["rounds"][0]["pairings"][0]["outcome"].update(points=["1"]),
            'rounds[0].pairings[0].outcome.points: expected 2 of them, one for each side, not ["1"].',
        ),
        (
            lambda it: it["rounds"][0]["pairings"][0]["outcome"].update(points=["1", "1e9"]),
            "rounds[0].pairings[0].outcome.points: expected numbers as text, ",
        ),
        (
            lambda it: it["rounds"][0]["pairings"][0]["outcome"].update(winner=7),
            "rounds[0].pairings[0].outcome.winner: expected null or one of ",
        ),
        (
            lambda it: it["rounds"][0]["pairings"][0]["outcome"].update(walkover=0),
            "rounds[0].pairings[0].outcome.walkover: expected true or false, not 0.",
        ),
    ],
)
def test_round_command_says_where_a_record_cannot_be_read(
    change: Callable[[dict[str, Any]], object],
    sentence: str,
    record: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    change(record)
    assert printed_by(capsys, *repeated(record, tmp_path), status=2).startswith(sentence)


def test_round_command_refuses_a_file_that_cannot_be_read(
    record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "expected a file that can be read" in printed_by(capsys, "round", str(tmp_path / "x"), status=2)
    (tmp_path / "x").write_text("{", "utf-8")
    assert ": expected JSON (" in printed_by(capsys, "round", str(tmp_path / "x"), status=2)
    told = printed_by(capsys, *repeated(record, tmp_path, "--round", "5"), status=2)
    assert told == "--round: expected a number from 1 to 4, not 5.\n"
