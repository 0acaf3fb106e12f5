"""A migrated database for tests that start the service: to migrate an empty one takes it seconds."""

from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from tests.support.sqlite_files import connect


@pytest.fixture(scope="session")
def migrated_database(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SQLite with up-to-date tables and no rows; for tests marked `django_db`, as a run migrates
    only for those.
    """
    path = tmp_path_factory.mktemp("migrated") / "tendone.sqlite3"
    with closing(connect(connection.settings_dict["NAME"])) as database:
        database.execute("VACUUM INTO ?", [str(path)])
        assert database.execute("SELECT count(*) FROM people_event").fetchall() == [(0,)]
    return path
