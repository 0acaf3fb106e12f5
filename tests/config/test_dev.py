"""`script/dev`: the code while it is changed, with tasks, in one process."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.locks import lock_folder
from config.management.commands import runserver
from tests.support import ROOT
from tests.support.services.broker import free_port
from tests.support.services.processes import PATIENCE, is_ready, wait_until
from tests.support.waiting import wait_for

PAGE = "/palio-delle-contrade/"


@contextmanager
def developing(code: Path, var: Path) -> Iterator[tuple[str, Path]]:
    """The service of the code in a folder, as `script/dev` starts it; yields its address and its log."""
    port, log = free_port(), var.parent / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "runserver", str(port)],
            cwd=code,
            env={"PATH": os.environ["PATH"], "TENDONE_VAR": str(var), "DEBUG": "true"},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        wait_until(lambda: is_ready(port), process, log)
        yield f"http://127.0.0.1:{port}", log
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def read(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return str(answer.read().decode())


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A copy of the code that can be changed."""
    left_out = shutil.ignore_patterns(".*", "var", "tests", "benchmarks", "__pycache__")
    return Path(shutil.copytree(ROOT, tmp_path / "code", ignore=left_out))


@pytest.mark.sqlite
@pytest.mark.django_db
def test_script_dev_serves_the_sample_with_tasks_and_each_change(
    code: Path, migrated_database: Path, tmp_path: Path
) -> None:
    var = tmp_path / "var"
    var.mkdir()
    shutil.copy(migrated_database, var)
    written = var / "published" / PAGE.strip("/") / "index.html"

    with developing(code, var) as (address, log):
        first = read(address + PAGE)
        # A task publishes pages.
        wait_for(written.exists)
        template = code / "templates" / "base.html"
        template.write_text(template.read_text().replace("</body>", "<p>A change</p></body>"))
        wait_for(lambda: "A change" in read_again(address + PAGE))
        texts = code / "locale" / "it" / "LC_MESSAGES" / "django.po"
        texts.write_text(texts.read_text().replace('msgstr "Vai al contenuto"', 'msgstr "Another text"'))
        # As by `git switch`: the code ends the process, and the next one finds the texts changed.
        (code / "publishing" / "views" / "home.py").touch()
        wait_for(lambda: "Another text" in read_again(address + PAGE))
        said = log.read_text()

    assert "A change" not in first
    assert len(re.findall(r"^Password: \S+", said, re.MULTILINE)) == 1
    assert "Traceback" not in said


def test_reloader_starts_again_for_what_was_saved_before_it_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "page.html"
    saved.write_text("saved while the service started")
    reloader = runserver.Reloader()
    reloader.watch_dir(tmp_path, "*.html")

    monkeypatch.setattr(runserver, "BEGUN", saved.stat().st_mtime - 1)
    with pytest.raises(SystemExit):
        list(reloader.snapshot_files())

    monkeypatch.setattr(runserver, "BEGUN", time.time())
    assert saved in dict(reloader.snapshot_files())


def read_again(address: str) -> str:
    """As `read`; nothing while the service starts again."""
    try:
        return read(address)
    except OSError:
        return ""


@pytest.mark.sqlite
def test_script_dev_ends_with_a_sentence_where_another_service_has_the_folder(tmp_path: Path) -> None:
    lock = lock_folder(tmp_path)
    lock.acquire()

    ended = subprocess.run(
        [sys.executable, "manage.py", "runserver", str(free_port())],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "TENDONE_VAR": str(tmp_path), "DEBUG": "true"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    lock.close()
    assert ended.returncode == 1
    assert "TENDONE_VAR=FOLDER script/dev" in ended.stdout
