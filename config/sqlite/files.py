"""Identity of a database's file: notices that it was moved, replaced or deleted."""

from dataclasses import dataclass
from pathlib import Path

from ledger.outages import DatabaseMovedError


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """A file as the system knows it; another one in the same place has another identity."""

    device: int
    number: int


def identity_of(path: Path) -> FileIdentity | None:
    """The identity of the file in this place; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return FileIdentity(found.st_dev, found.st_ino)


_served: dict[Path, FileIdentity | None] = {}


def serve_only(path: Path) -> None:
    """From now on this process and those that it forks open no other file in this place."""
    _served[path] = identity_of(path)


def check_served(path: Path) -> None:
    """DatabaseMovedError if there is another file in this place than the one that is served, or none."""
    if path in _served:
        check_same(path, _served[path])


def check_same(path: Path, opened: FileIdentity | None) -> None:
    """DatabaseMovedError if the file in this place isn't the one that was opened."""
    if identity_of(path) != opened:
        raise DatabaseMovedError(f"The database {path} was moved, replaced or deleted while it was open.")
