"""The version of the service, as in pyproject.toml."""

VERSION = "0.1.0"
