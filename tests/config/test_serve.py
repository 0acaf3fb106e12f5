"""`script/serve` as its user meets it: options, first start, second start, the end."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from contextlib import closing
from pathlib import Path
from stat import S_IMODE

import pytest

from config import health, preflight
from config.backup_folder import backups_in, remember_folder
from config.backups.sqlite import NAME as DATABASE
from config.backups.sqlite import back_up
from config.embedded.__main__ import arguments, main
from config.embedded.addresses import usable
from config.locks import LockedError, lock_folder
from tests.support import ROOT
from tests.support.services.broker import free_port
from tests.support.services.other_account import reachable_folder, readable
from tests.support.services.processes import PATIENCE
from tests.support.services.serving import serving
from tests.support.sqlite_files import connect, cut, make_database
from tests.support.waiting import wait_for

SCRIPT = ROOT / "script" / "serve"


def command(*options: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run the embedded service with options, or in an environment, that end it at once."""
    return subprocess.run(
        [sys.executable, "-m", "config.embedded", *options],
        cwd=ROOT,
        env=os.environ | changes,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def fetch(url: str) -> int | None:
    """The status of an answer, whoever signed the certificate; None if nobody answers."""
    try:
        with urllib.request.urlopen(url, timeout=5, context=ssl._create_unverified_context()) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return int(error.code)
    except OSError:
        return None


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--port", "0"], "--port 0: a port is a number from 1 to 65535."),
        (["--plain"], "--address, --plain, --certificate and --key are for --lan."),
        (["--lan", "--key", "key.pem"], "--certificate and --key go together."),
        (["--lan", "--certificate", "no.pem", "--key", "no.pem"], "There is no file no.pem."),
        (["--lan", "--address", "127.0.0.1"], "phones can't reach this; it looks like 192.168.1.20."),
        (["--lan", "--address", "laptop"], "phones can't reach this; it looks like 192.168.1.20."),
    ],
)
def test_options_that_contradict_are_refused(
    options: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["config.embedded", *options])

    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith(sentence)


def test_taken_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        ended = command("--port", str(port), TENDONE_VAR=str(tmp_path))
    assert ended.stderr.splitlines()[-1].endswith(
        f"Port {port} of 127.0.0.1 is taken: is Tendone running already? Another: --port N."
    )


def test_service_on_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    with lock_folder(tmp_path):
        ended = command(TENDONE_VAR=str(tmp_path))
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == [
        f"Tendone is already running with its data in {tmp_path} (process {os.getpid()}): "
        "stop that one first, or give this one a folder of its own: TENDONE_VAR=FOLDER script/serve"
    ]


def test_folder_that_can_not_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = command(TENDONE_VAR=str(tmp_path / "file" / "var"))
    assert ended.stderr.splitlines() == [
        f"The folder {tmp_path / 'file' / 'var'} can't be written (Not a directory): see TENDONE_VAR."
    ]


def test_help_names_every_option_without_an_installation() -> None:
    shown = subprocess.run(
        ["sh", str(SCRIPT), "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"]},
    ).stdout
    known = {name for action in arguments()._actions for name in action.option_strings} - {"-h", "--help"}
    assert set(re.findall(r"^  (--[a-z]+)", shown, re.MULTILINE)) == known


@pytest.mark.parametrize(
    ("address", "reachable"),
    [
        ("192.168.1.20", True),
        ("10.0.0.1", True),
        ("127.0.1.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
    ],
)
def test_address_that_phones_can_reach_is_known(address: str, *, reachable: bool) -> None:
    assert usable(address) is reachable


@pytest.mark.sqlite
def test_start_prints_the_sample_and_the_second_start_finds_it(tmp_path: Path) -> None:
    var = tmp_path / "var"
    with serving(var) as (port, first):
        here = f"http://127.0.0.1:{port}"
        assert first["Public page"] == f"{here}/palio-delle-contrade/"
        assert first["Organizer's desk"] == f"{here}/desk/events/palio-delle-contrade/"
        assert re.fullmatch(rf"{here}/t/[A-Z0-9]{{6}}/", first["A referee's table"])
        assert first["Account"] == "organizer"
        [password, _] = first["Password"].split("   ")
        opened = [fetch(first[name]) for name in ("Public page", "A referee's table", "Organizer's desk")]
        assert opened == [200, 200, 200]
        with pytest.raises(LockedError):
            lock_folder(var).acquire()
    assert len(backups_in(var / "backup")) >= 1
    with serving(var) as (_, second):
        assert second["Password"].startswith("shown at the first start")
        assert second["A referee's table"].rsplit("/t/")[1] == first["A referee's table"].rsplit("/t/")[1]
        assert fetch(second["Public page"]) == 200
    assert all(password not in path.read_text(errors="ignore") for path in var.rglob("*.json"))


@pytest.mark.parametrize("command", [["-m", "config.embedded", "--port"], ["manage.py", "changepassword"]])
def test_damaged_database_stops_the_start_with_its_restore_command(
    command: list[str], tmp_path: Path
) -> None:
    var = tmp_path / "var"
    var.mkdir()
    make_database(var / "tendone.sqlite3")
    made = back_up(var / "tendone.sqlite3", var / "backup")
    cut(var / "tendone.sqlite3", 0.6)

    ended = subprocess.run(
        [sys.executable, *command, str(free_port())],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "TENDONE_VAR": str(var)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert ended.returncode == 1
    sentence, typed = ended.stderr.splitlines()
    assert sentence.startswith(f"The database {var / 'tendone.sqlite3'} is damaged: its end is missing, ")
    assert sentence.endswith("Type, while the service is stopped:")
    assert typed == f"    TENDONE_VAR={var} .venv/bin/python manage.py restore --replace {made}"


@pytest.mark.parametrize("is_guarded", [True, False])
def test_management_command_makes_no_empty_database_beside_backups(tmp_path: Path, is_guarded: bool) -> None:
    var, stick = tmp_path / "var", tmp_path / "stick"
    var.mkdir()
    make_database(var / "tendone.sqlite3")
    back_up(var / "tendone.sqlite3", stick)
    (var / "tendone.sqlite3").unlink()
    if is_guarded:
        remember_folder(var, stick)

    ended = subprocess.run(
        [sys.executable, "manage.py", "changepassword", "organizer"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "TENDONE_VAR": str(var)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert ended.returncode == 1
    assert (var / "tendone.sqlite3").exists() is not is_guarded
    assert ended.stderr.startswith(f"The database {var / 'tendone.sqlite3'} is missing") == is_guarded


@pytest.mark.parametrize("is_named", [True, False])
def test_backup_folder_that_is_missing_is_named_and_not_made(tmp_path: Path, is_named: bool) -> None:
    stick = tmp_path / "stick" / "copies"
    if not is_named:
        remember_folder(tmp_path, stick)

    named = ["--backup", str(stick)] if is_named else []
    ended = command("--port", str(free_port()), *named, TENDONE_VAR=str(tmp_path))

    assert (ended.returncode, stick.exists()) == (2, False)
    assert ended.stderr.splitlines()[-1].endswith(
        f"The folder of backups {stick} isn't there: is the stick or disk plugged in? "
        "Another one: --backup DIR."
    )


def test_full_disk_is_a_problem_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "full_folders", lambda: [Path("/media/stick")])

    assert next(preflight.problems()) == "The disk of /media/stick has less than 50 MB left: make room first."


@pytest.mark.sqlite
@pytest.mark.django_db
def test_data_of_a_running_service_is_closed_to_another_account(migrated_database: Path) -> None:
    with reachable_folder() as folder:
        var = folder / "var"
        (var / "certificate").mkdir(parents=True)
        shutil.copy(migrated_database, var)
        (var / "certificate" / "authority-key.pem").touch(mode=0o644)
        for wide in (var, var / "certificate"):
            wide.chmod(0o755)
        assert readable(var) == {"certificate", "certificate/authority-key.pem", migrated_database.name}

        umask = os.umask(0o022)
        try:
            with serving(var):
                wait_for(lambda: len(list((var / "published").rglob("index.html"))) > 1)
                wait_for(lambda: backups_in(var / "backup") != [])
                assert readable(var) == set()
                found = {(path.is_dir(), S_IMODE(path.stat().st_mode)) for path in (var, *var.rglob("*"))}
        finally:
            os.umask(umask)

    assert found == {(True, 0o700), (False, 0o600)}


BUSY = """
import time
from config.embedded import __main__

def serve(*arguments):
    from config.embedded import server

    class BusyTask(server.TaskThread):
        def run(self):
            time.sleep(600)

    server.TaskThread = BusyTask
    server.THREADS_END = 0.2
    {without}
    serve_as_always(*arguments)

serve_as_always, __main__.serve = __main__.serve, serve
__main__.main()
"""
"""The service, with a task that takes longer than anybody waits for it."""
LAST_BACKUP = "server.EmbeddedServer._make_last_backup = lambda self, arbiter: None"


@pytest.fixture
def migrated(tmp_path: Path, migrated_database: Path) -> Path:
    """A folder of data with an up-to-date, empty database."""
    var = tmp_path / "var"
    var.mkdir()
    shutil.copy(migrated_database, var)
    return var


@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("without", "expected"), [("", "at the end"), (LAST_BACKUP, "")], ids=["with", "without"]
)
def test_backup_is_made_on_ctrl_c_while_a_task_is_busy(
    without: str, expected: str, migrated: Path, tmp_path: Path
) -> None:
    """Without the backup of the first process the second case shows what would be lost."""
    var = migrated
    program = ["-c", BUSY.format(without=without)]
    with serving(var, "--empty", program=program):
        wait_for(lambda: backups_in(var / "backup") != [])
        with closing(connect(var / "tendone.sqlite3")) as database:
            database.execute("UPDATE people_account SET last_name = 'at the end'")

    with zipfile.ZipFile(backups_in(var / "backup")[-1]) as archive:
        backup = Path(archive.extract(DATABASE, tmp_path))
    with closing(connect(backup)) as database:
        assert database.execute("SELECT last_name FROM people_account").fetchall() == [(expected,)]


@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.long
def test_serve_empty_has_no_sample(migrated: Path) -> None:
    with serving(migrated, "--empty") as (port, lines):
        assert lines["Public page"] == f"http://127.0.0.1:{port}/"
        assert "A referee's table" not in lines
        assert fetch(lines["Public page"]) == 200


@pytest.mark.sqlite
@pytest.mark.django_db
def test_serve_lan_serves_by_https_without_the_sample(migrated: Path) -> None:
    with serving(migrated, "--empty", "--lan") as (port, lines):
        match = re.fullmatch(rf"https://([0-9.]+):{port}/", lines["Public page"])
        assert match
        assert "A referee's table" not in lines
        assert usable(match[1])
        assert fetch(lines["Public page"]) == 200
        assert (migrated / "certificate" / "authority.pem").exists()


def test_python_that_is_too_old_is_told_in_one_line(tmp_path: Path) -> None:
    """On a machine whose only Python is too old (a script that answers as one)."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ("sh", "dirname", "head", "cat", "cksum", "rm"):
        (folder / tool).symlink_to(str(shutil.which(tool)))
    old = folder / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2"\nexit 1\n')
    old.chmod(0o755)
    checkout = tmp_path / "checkout"
    shutil.copytree(ROOT / "script", checkout / "script")
    shutil.copy(ROOT / "requirements.lock", checkout)

    ended = subprocess.run(
        [str(folder / "sh"), "script/serve"],
        cwd=checkout,
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "Tendone needs Python 3.11 or newer; found: Python 3.9.2. "
        "Install a newer one (https://www.python.org/downloads/).\n"
    )
