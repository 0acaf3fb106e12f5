"""Read settings from the environment, and stop the start with a sentence when one is wrong or missing."""

import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from environs import Env

BASE_DIR = Path(__file__).resolve().parent.parent

env = Env()


def missing(name: str, why: str) -> ImproperlyConfigured:
    """The error for a variable that has to be set by whoever runs the service."""
    return ImproperlyConfigured(f"The environment variable {name} is not set: {why}")


def kept_secret(path: Path) -> str:
    """The secret key of the embedded mode: made at the first start, readable by its owner alone."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()
