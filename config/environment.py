"""Settings from environment variables: typed, and with a sentence instead of a traceback when one is wrong.

A message names the variable, what is wrong and what was expected; it never repeats a value that holds a
secret.
"""

import json
import logging
import os
import secrets
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from people import number_parsing

BASE_DIR = Path(__file__).resolve().parent.parent

TRUE, FALSE = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}
BROKERS = ("redis", "rediss", "amqp", "amqps", "memory")
SHORTEST_SECRET = 32
CONNECTED_WITHIN = 5
"""Seconds within which the database has to take a connection."""
SILENT_FOR, ASKED_EVERY, ASKED_TIMES = 15, 5, 3
"""A connection on which nothing came for so many seconds is asked so often whether it is still there."""
FEWEST_DIFFERENT = 10
"""Characters that differ, in a secret."""


class SettingError(ImproperlyConfigured):
    """A variable is missing or wrong; its text is one sentence for whoever starts the service."""

    @classmethod
    def missing(cls, name: str, why: str) -> "SettingError":
        """The error for a variable that has to be set."""
        return cls(f"The environment variable {name} is not set: {why}")

    @classmethod
    def wrong(cls, name: str, what: str) -> "SettingError":
        """The error for a variable that can't be what it is."""
        return cls(f"The environment variable {name} is wrong: {what}")


def text(name: str, default: str = "") -> str:
    """A text without blanks around it; a variable that is set to nothing counts as not set."""
    return os.environ.get(name, "").strip() or default


def boolean(name: str, *, default: bool) -> bool:
    """`true` or `false`, and what people write for them."""
    value = text(name).lower()
    if value and value not in TRUE | FALSE:
        raise SettingError.wrong(name, f"expected true or false, not '{value}'.")
    return value in TRUE if value else default


def number(name: str, default: float, *, least: float = 0) -> float:
    """A number that is at least `least`."""
    value = text(name)
    try:
        found = float(value) if value else default
    except ValueError:
        raise SettingError.wrong(name, f"expected a number, not '{value}'.") from None
    if not least <= found < float("inf"):
        raise SettingError.wrong(name, f"expected {least:g} or more, not '{value}'.")
    return found


def whole_number(name: str, default: int) -> int:
    """A whole number from 0."""
    value = text(name, str(default))
    found = number_parsing.whole_number(value)
    if found is None:
        raise SettingError.wrong(name, f"expected a whole number, not '{value}'.")
    return found


def one_of(name: str, choices: tuple[str, ...]) -> str:
    """One of these words; the first of them if nothing is set."""
    value = text(name, choices[0]).lower()
    if value not in choices:
        raise SettingError.wrong(name, f"expected one of {', '.join(choices)}, not '{value}'.")
    return value


def names(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Words divided by commas."""
    return [word for part in text(name).split(",") if (word := part.strip())] or list(default)


def folder(name: str, default: Path) -> Path:
    """A path; a relative one starts at the project's folder."""
    return BASE_DIR / text(name, str(default))


def log_level(name: str, default: str) -> str:
    """One of the names of Python's log levels."""
    value = text(name, default).upper()
    if value not in logging.getLevelNamesMapping():
        raise SettingError.wrong(name, f"expected DEBUG, INFO, WARNING or ERROR, not '{value}'.")
    return value


def public_address(name: str, hosts: list[str], *, https: bool) -> str:
    """Scheme and host that phones use (`https://palio.example.org`), or the empty text.

    They have to lead here: to one of our hosts, by HTTPS where spoken.
    """
    value = text(name).rstrip("/")
    if value:
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path or parts.query:
            raise SettingError.wrong(
                name, f"expected something like https://palio.example.org, not '{value}'."
            )
        if https and parts.scheme != "https":
            raise SettingError.wrong(name, f"phones come by HTTPS, and '{value}' isn't.")
        host = parts.hostname or ""
        if not any(
            each in {"*", host} or (each.startswith(".") and f".{host}".endswith(each)) for each in hosts
        ):
            raise SettingError.wrong(name, f"ALLOWED_HOSTS doesn't name '{host}': nobody would be answered.")
    return value


def endpoint(name: str) -> tuple[str, int] | None:
    """A host and a port (`127.0.0.1:9100`), or None."""
    value = text(name)
    if not value:
        return None
    host, _, port = value.rpartition(":")
    found = number_parsing.whole_number(port, 65_535)
    if not host or not found:
        raise SettingError.wrong(name, f"expected something like 127.0.0.1:9100, not '{value}'.")
    return host.strip("[]"), found


def required(name: str, why: str) -> str:
    """A text that has to be set; `why` says what it is for."""
    value = text(name)
    if not value:
        raise SettingError.missing(name, why)
    return value


def secret(name: str) -> str:
    """A secret that has to be set, long enough to be one."""
    value = required(name, "sessions are signed with it; make one with `openssl rand -base64 48`.")
    if len(value) < SHORTEST_SECRET:
        raise SettingError.wrong(
            name, f"it has {len(value)} characters, expected at least {SHORTEST_SECRET}."
        )
    if len(set(value)) < FEWEST_DIFFERENT:
        raise SettingError.wrong(name, "it can be guessed; make one with `openssl rand -base64 48`.")
    return value


def required_names(name: str, why: str) -> list[str]:
    """Words divided by commas, at least one."""
    found = names(name)
    if not found:
        raise SettingError.missing(name, why)
    return found


def broker(name: str) -> str:
    """The address of the message broker."""
    value = required(
        name, "standings are computed by workers, who are woken through it; for example redis://redis:6379/0."
    )
    if urlsplit(value).scheme not in BROKERS or "://" not in value:
        raise SettingError.wrong(name, "expected something like redis://redis:6379/0.")
    return value


def broker_options(url: str) -> dict[str, Any]:
    """How Celery talks to the broker at this address.

    A broker that is away costs the request that would wake a worker a second. There is no second attempt: the
    sweep finds what is due.
    """
    if url.startswith("memory:"):
        return {"polling_interval": 0.02}
    return {
        "socket_connect_timeout": 1,
        "socket_timeout": 1,
        "max_retries": 0,
        "socket_keepalive": True,
        "socket_keepalive_options": _keepalive_options(),
    }


def _keepalive_options() -> dict[int, int]:
    """Keep-alive options of a socket by their numbers, as far as this system knows them."""
    wanted = {"TCP_KEEPIDLE": SILENT_FOR, "TCP_KEEPINTVL": ASKED_EVERY, "TCP_KEEPCNT": ASKED_TIMES}
    return {getattr(socket, name): value for name, value in wanted.items() if hasattr(socket, name)}


def storage(name: str) -> dict[str, Any] | None:
    """A storage of Django's as JSON: `{"BACKEND": "…", "OPTIONS": {…}}`; None if none is named."""
    value = text(name)
    if not value:
        return None
    example = """expected something like {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": {…}}."""
    try:
        found = json.loads(value)
    except ValueError:
        raise SettingError.wrong(name, example) from None
    if not isinstance(found, dict) or not isinstance(found.get("BACKEND"), str):
        raise SettingError.wrong(name, example)
    return found


def postgresql(name: str) -> dict[str, Any]:
    """Django's description of the PostgreSQL database at an address."""
    example = "expected something like postgresql://tendone:password@host:5432/tendone."
    try:
        found = dict(dj_database_url.parse(text(name)))
    except (ValueError, dj_database_url.ParseError):
        raise SettingError.wrong(name, example) from None
    if found["ENGINE"] != "django.db.backends.postgresql" or not found["NAME"]:
        raise SettingError.wrong(name, example)
    # A machine that has vanished says nothing: neither a request nor a worker waits for it for minutes.
    options: dict[str, Any] = {
        "connect_timeout": CONNECTED_WITHIN,
        "keepalives_idle": SILENT_FOR,
        "keepalives_interval": ASKED_EVERY,
        "keepalives_count": ASKED_TIMES,
    }
    given: Any = found.get("OPTIONS", {})
    found["OPTIONS"] = options | given
    return found


def kept_secret(name: str, path: Path) -> str:
    """The secret key of the embedded mode: that of the environment, if it has one.

    Else one is made at the first start, and kept in a file that its owner alone can read.
    """
    if text(name):
        return secret(name)
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    kept = path.read_text().strip()
    if len(kept) < SHORTEST_SECRET:
        raise SettingError(f"The file {path} holds no secret key: delete it, and a new one is made.")
    return kept
