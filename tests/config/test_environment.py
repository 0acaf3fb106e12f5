"""A wrong or missing setting stops the start with one sentence that says which, and what was expected."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from config import environment
from config.environment import SettingError
from tests.support import ROOT
from tests.support.run.environment import GOOD

CASES = [
    (
        {"DATABASE_URL": "mysql://tendone:secret-password@localhost/tendone"},
        "The environment variable DATABASE_URL is wrong: "
        "expected something like postgresql://tendone:password@host:5432/tendone.",
    ),
    (
        {"DATABASE_URL": "tendone"},
        "The environment variable DATABASE_URL is wrong: "
        "expected something like postgresql://tendone:password@host:5432/tendone.",
    ),
    (
        {"DATABASE_URL": "postgresql://localhost:port/tendone"},
        "The environment variable DATABASE_URL is wrong: "
        "expected something like postgresql://tendone:password@host:5432/tendone.",
    ),
    (
        {"SECRET_KEY": ""},
        "The environment variable SECRET_KEY is not set: "
        "sessions are signed with it; make one with `openssl rand -base64 48`.",
    ),
    (
        {"SECRET_KEY": "short"},
        "The environment variable SECRET_KEY is wrong: it has 5 characters, expected at least 32.",
    ),
    (
        {"ALLOWED_HOSTS": " , "},
        "The environment variable ALLOWED_HOSTS is not set: "
        "name the hosts that the service answers to, divided by commas.",
    ),
    (
        {"CELERY_BROKER_URL": ""},
        "The environment variable CELERY_BROKER_URL is not set: standings are computed by workers, "
        "who are woken through it; for example redis://redis:6379/0.",
    ),
    (
        {"CELERY_BROKER_URL": "redis:6379"},
        "The environment variable CELERY_BROKER_URL is wrong: expected something like redis://redis:6379/0.",
    ),
    (
        {"DEBUG": "perhaps"},
        "The environment variable DEBUG is wrong: expected true or false, not 'perhaps'.",
    ),
    (
        {"SWEEP_SECONDS": "0"},
        "The environment variable SWEEP_SECONDS is wrong: expected 1 or more, not '0'.",
    ),
    (
        {"SWEEP_SECONDS": "nan"},
        "The environment variable SWEEP_SECONDS is wrong: expected 1 or more, not 'nan'.",
    ),
    (
        {"CONN_MAX_AGE": "long"},
        "The environment variable CONN_MAX_AGE is wrong: expected a number, not 'long'.",
    ),
    (
        {"METRICS_ADDRESS": "127.0.0.1:" + "9" * 5000},
        "The environment variable METRICS_ADDRESS is wrong: "
        f"expected something like 127.0.0.1:9100, not '127.0.0.1:{'9' * 5000}'.",
    ),
    (
        {"TRUSTED_PROXIES": "１"},
        "The environment variable TRUSTED_PROXIES is wrong: expected a whole number, not '１'.",
    ),
    (
        {"LOG_LEVEL": "loud"},
        "The environment variable LOG_LEVEL is wrong: expected DEBUG, INFO, WARNING or ERROR, not 'LOUD'.",
    ),
    (
        {"SECRET_KEY": "abc" * 20},
        "The environment variable SECRET_KEY is wrong: "
        "it can be guessed; make one with `openssl rand -base64 48`.",
    ),
    (
        {"PUBLIC_ADDRESS": "http://palio.example.org"},
        "The environment variable PUBLIC_ADDRESS is wrong: "
        "phones come by HTTPS, and 'http://palio.example.org' isn't.",
    ),
    (
        {"PUBLIC_ADDRESS": "https://other.example.org"},
        "The environment variable PUBLIC_ADDRESS is wrong: "
        "ALLOWED_HOSTS doesn't name 'other.example.org': nobody would be answered.",
    ),
    (
        {"PUBLIC_ADDRESS": "palio.example.org"},
        "The environment variable PUBLIC_ADDRESS is wrong: "
        "expected something like https://palio.example.org, not 'palio.example.org'.",
    ),
]


def run(*command: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run a Python command of the service in an environment that is good but for `changes`."""
    inherited = {name: os.environ[name] for name in ("PATH", "TENDONE_VAR", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=inherited | GOOD | changes,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


REFUSE = """
import json, os, sys
from config.environment import SettingError
given, refused = dict(os.environ), []
for changes in json.loads(sys.argv[1]):
    os.environ.clear()
    os.environ.update(given | changes)
    sys.modules.pop("config.settings", None)
    try:
        import config.settings
    except SettingError as error:
        refused.append(str(error))
    else:
        refused.append(None)
print(json.dumps(refused))
"""
"""Reads the settings again for each change of the environment; prints what they were refused with."""


@pytest.fixture(scope="module")
def refusals() -> list[str | None]:
    """What each of the cases is refused with, by one process: to start one takes longer than to read them."""
    ended = run("-c", REFUSE, json.dumps([changes for changes, _ in CASES]))
    assert (ended.stderr, ended.returncode) == ("", 0)
    found: list[str | None] = json.loads(ended.stdout)
    return found


@pytest.mark.parametrize(("changes", "sentence"), CASES)
def test_settings_refuse_a_wrong_variable_with_a_sentence(
    changes: dict[str, str], sentence: str, refusals: list[str | None]
) -> None:
    assert refusals[CASES.index((changes, sentence))] == sentence


@pytest.mark.parametrize(
    "command",
    [
        ("manage.py", "migrate"),
        ("manage.py", "check", "--deploy"),
        ("-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"),
        ("-c", "import config.wsgi"),
        ("-c", "import config.asgi"),
    ],
)
def test_start_with_a_wrong_variable_prints_the_sentence_alone(command: tuple[str, ...]) -> None:
    ended = run(*command, SECRET_KEY="short")
    assert ended.stderr == (
        "The environment variable SECRET_KEY is wrong: it has 5 characters, expected at least 32.\n"
    )
    assert (ended.stdout, ended.returncode) == ("", 1)


def test_celery_worker_names_a_missing_variable_at_the_end() -> None:
    ended = run("-m", "celery", "--app", "config", "worker", CELERY_BROKER_URL="")
    assert ended.returncode == 1
    assert "The environment variable CELERY_BROKER_URL is not set: " in ended.stderr.splitlines()[-1]


@pytest.mark.postgresql
def test_settings_in_order_pass_the_deployment_check() -> None:
    files = str(settings.STATIC_ROOT)
    ended = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", STATIC_ROOT=files)
    assert (ended.returncode, ended.stdout) == (0, "System check identified no issues (2 silenced).\n"), ended


def test_environment_list_ignores_blanks_and_empty_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", " a.example , ,b.example,")
    assert environment.names("ALLOWED_HOSTS") == ["a.example", "b.example"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("true", True), ("Yes", True), ("1", True), ("off", False), ("0", False), ("", True)],
)
def test_environment_boolean_is_read_as_people_write_it(
    written: str, *, meant: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS", written)
    assert environment.boolean("HTTPS", default=True) is meant


def test_secret_key_of_the_embedded_mode_is_made_once_and_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    path = tmp_path / "var" / "secret-key"
    made = environment.kept_secret("SECRET_KEY", path)

    assert len(made) >= environment.SHORTEST_SECRET
    assert environment.kept_secret("SECRET_KEY", path) == made
    assert path.stat().st_mode & 0o777 == 0o600


def test_secret_key_file_that_was_cut_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    path = tmp_path / "secret-key"
    path.touch()
    with pytest.raises(SettingError, match="delete it"):
        environment.kept_secret("SECRET_KEY", path)


def test_secret_key_of_the_environment_has_at_least_32_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret-key"
    monkeypatch.setenv("SECRET_KEY", "short")
    with pytest.raises(SettingError, match="at least 32"):
        environment.kept_secret("SECRET_KEY", path)
    monkeypatch.setenv("SECRET_KEY", "0123456789abcdef" * 2)

    assert environment.kept_secret("SECRET_KEY", path) == "0123456789abcdef" * 2
    assert not path.exists()


def test_database_url_sets_keepalives(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "postgresql://tendone@localhost/tendone?sslmode=require&connect_timeout=2"
    monkeypatch.setenv("DATABASE_URL", address)
    assert environment.postgresql("DATABASE_URL")["OPTIONS"] == {
        "sslmode": "require",
        "connect_timeout": 2,
        "keepalives_idle": 15,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }


def test_database_url_error_hides_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://tendone:secret-password@localhost/tendone")
    with pytest.raises(SettingError) as refused:
        environment.postgresql("DATABASE_URL")
    assert "secret-password" not in str(refused.value)
