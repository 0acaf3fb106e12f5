"""The embedded service started with a clock that is wrong, by faketime."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from config.backup_folder import backups_in
from tests.support.run import missing
from tests.support.services.wrong_clock import BACKUPS, NOTED, held_in, left_in, prepare, run

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


@pytest.fixture(scope="module")
def laptop(migrated_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a service that ran until a moment ago."""
    if shutil.which("faketime") is None:
        missing.without("faketime", "apt install faketime")
    var = tmp_path_factory.mktemp("laptop") / "var"
    var.mkdir()
    shutil.copy(migrated_database, var)
    prepare(var)
    return var


@pytest.mark.parametrize(
    ("shift", "held"),
    [
        ("+40d", "gap: backups, names, notes"),
        pytest.param("+1d", "gap: backups, notes", marks=pytest.mark.long),
        pytest.param("-1h", "", marks=pytest.mark.long),
    ],
)
def test_start_with_a_wrong_clock_erases_nothing(laptop: Path, tmp_path: Path, shift: str, held: str) -> None:
    var = tmp_path / "var"
    shutil.copytree(laptop, var, ignore=shutil.ignore_patterns("service.lock"))
    before = left_in(var)
    assert (before.notes, before.backups) == (NOTED, BACKUPS)

    done = run(var, shift, until=(lambda: held_in(var) == held) if held else None)

    assert (done.left.persons, done.left.notes, done.held) == (before.persons, before.notes, held)
    # What was there, and the backups of this run, the newest of which is the last.
    assert done.left.backups > before.backups
    assert backups_in(var / "backup")[-1] == done.last


@pytest.mark.long
def test_clock_that_went_back_holds_only_what_is_due_by_it(laptop: Path, tmp_path: Path) -> None:
    var = tmp_path / "var"
    shutil.copytree(laptop, var, ignore=shutil.ignore_patterns("service.lock"))
    run(var, "+40d", until=lambda: held_in(var) == "gap: backups, names, notes")

    done = run(var, "-1d", until=lambda: held_in(var).startswith("behind"))

    assert (done.held, done.left.notes) == ("behind: backups", NOTED)


def test_twin_same_moment_erases_where_the_clock_was_believed(laptop: Path, tmp_path: Path) -> None:
    """The twin: it is the doubt that holds what is due, and nothing else."""
    var = tmp_path / "var"
    shutil.copytree(laptop, var, ignore=shutil.ignore_patterns("service.lock"))
    with closing(sqlite3.connect(var / "tendone.sqlite3")) as connection:
        connection.execute("UPDATE people_serviceclock SET seen_at = datetime('now', '+40 days')")
        for kind in ("names", "notes"):
            connection.execute(
                "INSERT OR REPLACE INTO people_pendingerasure"
                " (event_id, kind, due_on, announced_at, is_agreed)"
                " SELECT id, ?, date('now'), datetime('now'), 0 FROM people_event",
                [kind],
            )
        connection.commit()

    done = run(var, "+40d", until=lambda: left_in(var).persons == 0)

    assert (done.left.persons, done.left.notes, done.held) == (0, 0, "")
