"""The version of the service; `pyproject.toml` reads it here."""

VERSION = "0.1.0"
