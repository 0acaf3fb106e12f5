"""The environment that settings see in a test run: nothing of the shell's, files in a folder of its own."""

import atexit
import os
import shutil
import signal
import tempfile
from pathlib import Path

from config import catalogues
from tests.support.services import postgresql

GOOD = {
    "DATABASE_URL": "postgresql://tendone:secret-password@localhost/tendone",
    "CELERY_BROKER_URL": "redis://localhost:6379/0",
    "SECRET_KEY": "a key of the tests, which signs nothing that anybody keeps, of 62 letters",
    "ALLOWED_HOSTS": "palio.example.org",
}
"""An environment of the full mode, as settings accept it."""
DATABASES = ("sqlite", "postgresql")
DATABASE = os.environ.get("TEST_DATABASE", "sqlite")
"""Which database this run is for: a variable, since settings are read before pytest knows its options."""
SERVER = "TEST_POSTGRESQL"
"""The variable by which the workers of a run know its PostgreSQL: its address and its version."""

described = "database: SQLite"
"""A line about it for the header of the run."""

# What a developer may have exported for a service of their own must not reach the tests.
OURS = (
    *("DATABASE_URL", "CELERY_BROKER_URL", "SECRET_KEY", "ALLOWED_HOSTS", "HTTPS", "DEBUG"),
    *("TRUSTED_PROXIES", "BACKUP_ROOT", "PUBLISHED_ROOT"),
)


def prepare() -> None:
    """Set the environment up, compile the translations, and start PostgreSQL if this run is for it."""
    global described
    if DATABASE not in DATABASES:
        raise SystemExit(f"TEST_DATABASE is '{DATABASE}'; it can be {' or '.join(DATABASES)}.")
    for name in OURS:
        os.environ.pop(name, None)
    # Ended from outside, a run still stops its servers.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = Path(tempfile.mkdtemp(prefix="tendone-test-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    os.environ["TENDONE_VAR"] = str(folder)
    os.environ["LOG_LEVEL"] = "WARNING"
    catalogues.compile_missing()
    if DATABASE == "sqlite":
        return
    if SERVER not in os.environ:
        start_server()
    url, version = os.environ[SERVER].split()
    os.environ |= {
        "DATABASE_URL": url,
        "CONN_MAX_AGE": "0",
        "SECRET_KEY": "known to every reader of the tests, and so long that the deployment check likes it",
        "ALLOWED_HOSTS": "localhost,127.0.0.1,testserver",
        "CELERY_BROKER_URL": "memory://localhost",
        # The test client speaks plain HTTP.
        "HTTPS": "false",
        "STATIC_ROOT": str(folder / "static"),
        "PUBLISHED_ROOT": str(folder / "published"),
    }
    described = f"database: PostgreSQL {version}"


def start_server() -> None:
    """Start a PostgreSQL for this process and those that it starts."""
    try:
        server = postgresql.start()
    except postgresql.PostgreSQLMissingError as error:
        raise SystemExit(f"TEST_DATABASE=postgresql: {error}") from None
    atexit.register(server.stop)
    os.environ[SERVER] = f"{server.url} {server.version}"
