"""The pages on draws and on open places: every command shown is run, every figure recomputed."""

import hashlib
import json
import re
import shlex
import subprocess
import sys
from itertools import product

import pytest

from tests.support import ROOT
from tests.support.doc_pages import first_column, section, sessions
from tests.support.draw_fields import draw_teams, even_field
from tournaments.formats import (
    Constraints,
    Course,
    Player,
    Settings,
    fairness,
    kept,
    lot,
)
from tournaments.formats.apart import METHOD_APART, TRIES, exchange_number
from tournaments.formats.model import MAX_SEED
from tournaments.formats.order import drawn_lot, drawn_order, team_order
from tournaments.formats.record import read_record
from tournaments.formats.stages.model import Seeding
from tournaments.formats.stages.seeding import METHOD as STAGE_METHOD
from tournaments.standings import CountedResult, GameClosing, Rules, Tally, rank
from tournaments.standings.outlook import SAMPLING, OutlookMethod, compute_outlook

DRAWS = ROOT / "docs" / "reference" / "draws.md"
WHAT_IF = ROOT / "docs" / "reference" / "what-if.md"
SESSIONS = dict(sessions(DRAWS))
SEED = "palio-2022"


def rows(text: str) -> list[list[str]]:
    """The lines of the only table, without head and rule."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("command", SESSIONS, ids=range(len(SESSIONS)))
def test_draws_page_commands_print_what_is_shown(command: str) -> None:
    # `-S`: nothing that is installed is needed, as the page says.
    words = [sys.executable, "-S", *shlex.split(command)[1:]]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=False, timeout=60)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", SESSIONS[command])


def test_draws_page_lots_are_those_of_the_method() -> None:
    told = section(DRAWS, "The lots")
    assert rows(told) == [
        [
            str(team),
            *(f"`{lot(SEED, team, entry)[:8]}`" for entry in (0, 1, 2, 3)),
            ", ".join(map(str, drawn_order(team, (1, 2, 3), SEED))),
        ]
        for team in (1, 2, 3)
    ]
    assert f"The teams are drawn {', '.join(map(str, team_order(3, SEED)))}." in told
    assert lot(SEED, 1, 1) == hashlib.sha256(b"tendone-sha256-1/palio-2022/1/1").hexdigest()


def test_draws_page_limits_and_vectors_are_those_of_the_code() -> None:
    assert f"a text of up to {MAX_SEED} characters" in section(DRAWS, "What decides a draw")
    told = section(DRAWS, "Keeping apart and spreading")
    assert f"up to {TRIES} times" in told
    assert f"Method `{METHOD_APART}` begins" in told
    (vector,) = re.findall(r"[0-9a-f]{64}", told)
    assert int(vector, 16) == exchange_number(SEED, 1, 1)
    assert f"`{SAMPLING}/<seed>/<n>/<game>`" in section(WHAT_IF, "When it is exact")


def test_draws_page_lists_every_fairness_remark() -> None:
    constraints = Constraints(((Player(1, 1), Player(2, 1)),), (Player(1, 1), Player(2, 1)))
    codes: list[str] = []
    for rounds, dealt in ((2, None), (9, [Player(1, 1)])):
        draw = draw_teams("triangle", even_field(3, 3, constraints), Settings(rounds=rounds), "x")
        report = fairness(Course.of_draw(draw), dealt=dealt, constraints_kept=kept(draw, constraints))
        codes += [remark.code for remark in report.remarks]
    assert sorted(set(codes)) == sorted(first_column(section(DRAWS, "How fair it is")))


def test_what_if_page_example_is_recomputed() -> None:
    sides = (("A", "B"), ("B", "C"), ("C", "A"))
    over = [
        CountedResult(number, number // 3, sides[number % 3], winner, GameClosing.PLAYED)
        for number, winner in enumerate("ACAABC")
    ]
    still_open = [CountedResult(6 + number, 2, pair) for number, pair in enumerate(sides)]
    told = section(WHAT_IF, "A worked example")
    shown = []
    for winners in product(*sides):
        third = [
            CountedResult(game.game, 2, game.sides, winner, GameClosing.PLAYED)
            for game, winner in zip(still_open, winners, strict=True)
        ]
        ranked = {row.team: row for row in rank("ABC", [*over, *third], Rules())}
        shown.append(
            [
                *winners,
                ", ".join(str(ranked[team].value("points")) for team in "ABC"),
                ", ".join(str(ranked[team].place) for team in "ABC"),
            ]
        )
    assert rows(told) == shown
    outlook = compute_outlook(Tally.of("ABC", [*over, *still_open]), Rules())
    assert outlook.method is OutlookMethod.EXACT
    assert [each.places for each in outlook.teams] == [(1, 2), (1, 2, 3), (1, 2, 3)]
    on_points = compute_outlook(
        Tally.of("ABC", [*over, *still_open]), Rules(("points", "card_points_difference"))
    )
    assert [1 in each.places for each in on_points.teams] == [True, False, True]


def test_what_if_page_lists_every_method() -> None:
    assert first_column(section(WHAT_IF, "When it is exact")) == list(OutlookMethod)


def test_draws_page_published_stage_is_the_example_file() -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```$", DRAWS.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert shown == (DRAWS.parent / "formats" / "swiss-of-six.json").read_text("utf-8")
    assert read_record(json.loads(shown)).to_json() == json.loads(shown)


def test_draws_page_lots_of_a_later_stage_are_those_of_its_method() -> None:
    told = section(DRAWS, "The lots of a later stage")
    text = f"{STAGE_METHOD}/{SEED}/1"

    assert (f"`{STAGE_METHOD}`" in told, f"`{text}`" in told) == (True, True)
    assert f"`{hashlib.sha256(text.encode()).hexdigest()}`" in told
    assert drawn_lot(f"{STAGE_METHOD}/{SEED}/1") == hashlib.sha256(text.encode()).hexdigest()
    assert f"(`seeding` `{Seeding.LOTS.value}`)" in told
