"""A server that couldn't work doesn't start, and says why in one sentence."""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings

from config import health, preflight
from config.checks import static_files_are_collected
from ledger import needed_code_version
from ledger.models import Compatibility
from ledger.needed_code_version import KNOWN
from tests.support import ROOT
from tests.support.run.environment import GOOD
from tests.support.services import worker
from tests.support.services.broker import free_port

SERVERS = [
    ("gunicorn", "--config", "config/gunicorn.py", "--bind", "127.0.0.1:0", "config.wsgi"),
    ("celery", "--app", "config", "worker"),
]


def started(*command: str, **changes: str) -> tuple[int, list[str]]:
    """Start a server that can't; its exit status and what it said."""
    inherited = {name: os.environ[name] for name in ("PATH", "TENDONE_VAR", "HOME") if name in os.environ}
    ended = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=inherited | GOOD | changes,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    return ended.returncode, ended.stderr.splitlines()


@pytest.mark.parametrize("command", SERVERS)
def test_server_without_its_database_stops_with_a_sentence(command: tuple[str, ...]) -> None:
    port = free_port()
    status, said = started(
        *command, DATABASE_URL=f"postgresql://tendone:very-secret@127.0.0.1:{port}/tendone"
    )

    assert status == 1
    assert said[-1] == (
        f"The database at 127.0.0.1:{port} doesn't answer (OperationalError): see DATABASE_URL."
    )
    assert "very-secret" not in "".join(said)
    assert "Traceback" not in "".join(said)


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.parametrize("command", SERVERS)
def test_server_without_static_files_names_the_command(command: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "static"
    status, said = started(*command, DATABASE_URL=worker.test_database_url(), STATIC_ROOT=str(folder))
    assert status == 1
    assert re.sub(r"^\d+ static files \([^)]+\)", "N static files (…)", said[-1]) == (
        f"N static files (…) are missing in {folder}, and pages can't be rendered without them: "
        "run `manage.py collectstatic --no-input` first."
    )


@pytest.mark.postgresql
def test_static_files_are_missing_until_each_is_where_it_was_put(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = static_files_are_collected()
    name = "css/desk.css"
    monkeypatch.delitem(getattr(staticfiles_storage, "hashed_files", {}), name)
    newer = static_files_are_collected()
    settings.STATIC_ROOT = settings.STATIC_ROOT / "elsewhere"
    gone = static_files_are_collected()

    assert here == []
    assert [(each.id, each.msg.startswith(f"1 static files ({name}) ")) for each in newer] == [
        ("config.E002", True)
    ]
    assert [each.id for each in gone] == ["config.E002"]


@pytest.mark.django_db
def test_database_in_order_has_no_problems() -> None:
    assert list(preflight.problems()) == []


@pytest.mark.django_db
def test_missing_migrations_are_counted_and_the_first_is_named() -> None:
    MigrationRecorder(connection).record_unapplied("ledger", "0002_append_only")
    assert list(preflight.problems()) == [
        "The database lacks 1 migrations (ledger.0002_append_only): run `manage.py migrate` first."
    ]
    assert list(preflight.problems(needs_migrations=False)) == []


@pytest.mark.django_db
def test_verify_refuses_older_tables() -> None:
    MigrationRecorder(connection).record_unapplied("ledger", "0002_append_only")

    with pytest.raises(CommandError, match=r"lacks 1 migrations \(ledger\.0002_append_only\)"):
        call_command("verify")


@pytest.mark.django_db
def test_database_that_needs_a_newer_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = (
        f"The database needs reading version {KNOWN + 1}, and this version of the service knows {KNOWN}: "
        "use the version that it comes from, or a newer one."
    )
    for needs, problems in ((1, []), (KNOWN, []), (KNOWN + 1, [wrong])):
        Compatibility.objects.update(needs=needs)
        assert list(preflight.problems()) == problems
        assert list(preflight.problems(needs_migrations=False)) == problems
    with pytest.raises(CommandError, match=f"needs reading version {KNOWN + 1}"):
        call_command("migrate", verbosity=0)
    with pytest.raises(CommandError, match=f"needs reading version {KNOWN + 1}"):
        call_command("finish_update")

    monkeypatch.setattr(needed_code_version, "refusal", lambda *_asked: "")

    assert list(preflight.problems()) == []


@pytest.mark.django_db
def test_clock_that_differs_from_the_database_s_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "clock_difference", lambda: 95.0)
    assert list(preflight.problems()) == [
        "This machine's clock is +95 seconds off that of the database: set both by NTP."
    ]
    monkeypatch.setattr(preflight, "BUILT", datetime.now(UTC) + timedelta(days=1))
    assert next(preflight.problems()).startswith("This machine's clock shows ")


@pytest.mark.django_db
def test_folder_that_can_not_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(health, "folders", lambda: [tmp_path / "file"])
    monkeypatch.setattr(health, "is_writable", lambda folder: folder.is_dir())
    assert list(preflight.problems()) == [
        f"The folder {tmp_path / 'file'} can't be written: see TENDONE_VAR, PUBLISHED_ROOT."
    ]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/share/tendone.sqlite3", "nfs4"),
        ("/srv/other/tendone.sqlite3", None),
        ("/home/anna/my stick/tendone.sqlite3", None),
        ("/home/anna/cloud/tendone.sqlite3", "fuse.sshfs"),
    ],
)
def test_network_file_system_of_a_path_is_found(
    path: str, kind: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda1 / ext4 rw 0 0\nnas:/srv /srv/share nfs4 rw 0 0\n"
        "anna@host: /home/anna/cloud fuse.sshfs rw 0 0\n/dev/sdb1 /home/anna/my\\040stick vfat rw 0 0\n"
    )
    monkeypatch.setattr(preflight, "MOUNTS", mounts)
    assert preflight.file_system(Path(path)) == kind


@override_settings(EMBEDDED=False)
def test_broker_that_is_away_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "reach_broker", lambda: "ConnectionError")
    assert list(preflight.warnings()) == [
        "The broker doesn't answer (ConnectionError), see CELERY_BROKER_URL: results are taken, "
        "and standings computed once it is back."
    ]
