"""An archive goes from SQLite to PostgreSQL and the other way round, and stays the same bytes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from people.models import Event
from tests.support import ROOT
from tests.support.archives import archived, played, put_in
from tournaments.verification import verify

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

ON_SQLITE = """
import sys
from pathlib import Path

import django

django.setup()
from django.core.management import call_command
from django.db import connection

assert connection.vendor == "sqlite"
call_command("migrate", verbosity=0)

from people.models import Event
from tests.support.archives import archived, played, put_in
from tournaments.verification import verify

folder = Path(sys.argv[1])
taken = put_in((folder / "from-postgresql.zip").read_bytes())
assert taken.is_new
assert [str(wrong) for wrong in verify.verify()] == []
(folder / "again.zip").write_bytes(archived(taken.event))
Event.objects.update(slug="quello-di-prima")
(folder / "from-sqlite.zip").write_bytes(archived(played()))
"""


def test_archive_moves_between_the_databases_and_back_unchanged(tmp_path: Path) -> None:
    here = played()
    archive = archived(here)
    (tmp_path / "from-postgresql.zip").write_bytes(archive)
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "TENDONE_VAR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", ON_SQLITE, str(tmp_path)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "again.zip").read_bytes() == archive
    Event.objects.filter(pk=here.pk).update(slug="quello-di-prima")
    from_sqlite = (tmp_path / "from-sqlite.zip").read_bytes()
    taken = put_in(from_sqlite)
    assert (taken.is_new, taken.event.pk == here.pk) == (True, False)
    assert [str(wrong) for wrong in verify.verify()] == []
    assert archived(taken.event) == from_sqlite
