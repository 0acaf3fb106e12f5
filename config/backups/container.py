"""One file that is a backup: written, and checked before anything is made of it.

It is written under another name and moved into place when it is whole.
"""

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from config.backup_folder import UNFINISHED
from config.version import VERSION

FORMAT = 1
MANIFEST = "manifest.json"
BLOCK = 1 << 20
# Cheap for the processor; names and JSON shrink to a fifth all the same.
LEVEL = 1


class BackupError(Exception):
    """A backup can't be made, isn't whole or can't be put back; its text is a sentence for the operator."""


class DamagedDatabaseError(BackupError):
    """The database itself is damaged, so that its copy can't be a backup."""


@dataclass(slots=True)
class Manifest:
    """What a backup says of itself."""

    database: str
    """`sqlite` or `postgresql`."""
    made_at: str
    """UTC, ISO 8601."""
    migrations: dict[str, list[str]] = field(default_factory=dict)
    """Those that were applied, by app."""
    tables: dict[str, int] = field(default_factory=dict)
    """How many rows each has."""
    columns: dict[str, list[str]] = field(default_factory=dict)
    """In the order in which they are in the table's file (PostgreSQL)."""
    facts: int = 0
    heads: str = ""
    """SHA-256 over every stream's id, length and last hash: equal for equal ledgers."""
    receipts: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The newest number and root of each scope."""
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Of each file of the container its `bytes` and `sha256`."""
    needs: int = 1
    """The reading version (`ledger.needed_code_version`)."""
    format: int = FORMAT
    version: str = VERSION


class Writing:
    """A container that is being written."""

    def __init__(self, archive: zipfile.ZipFile, manifest: Manifest) -> None:
        self._archive = archive
        self._manifest = manifest

    def add(self, name: str, blocks: Iterable[bytes | bytearray | memoryview]) -> str:
        """Write a file block by block; returns its SHA-256."""
        digest, size = hashlib.sha256(), 0
        with self._archive.open(name, "w", force_zip64=True) as file:
            for block in blocks:
                digest.update(block)
                size += len(block)
                file.write(block)
        self._manifest.files[name] = {"bytes": size, "sha256": digest.hexdigest()}
        return digest.hexdigest()


@contextmanager
def written(target: Path, manifest: Manifest) -> Iterator[Writing]:
    """Write a backup, readable by its owner alone, and read it back; there is none if anything goes wrong.

    What is read back may still come from memory. So the file and its folder are handed to the disk. Raises
    BackupError if what was read back isn't what was written.
    """
    unfinished = target.with_suffix(UNFINISHED)
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
            yield Writing(archive, manifest)
            archive.writestr(MANIFEST, json.dumps(asdict(manifest), sort_keys=True, indent=1))
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        with opened(unfinished):
            pass
        unfinished.replace(target)
        sync_folder(target.parent)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Have the disk keep a folder's names, where the system has that (Windows hasn't)."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def opened(path: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """A backup and its manifest, once every file in it is found to be what the manifest says.

    Raises BackupError for anything that isn't a whole backup.
    """
    with ExitStack() as stack:
        try:
            archive = stack.enter_context(zipfile.ZipFile(path))
            manifest = _manifest(archive)
            _check(archive, manifest)
        except FileNotFoundError:
            raise BackupError(f"There is no file {path}.") from None
        except PermissionError:
            raise BackupError(f"The account of the service may not read {path}.") from None
        except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, TypeError, OSError) as error:
            why = "it is damaged, cut off, or another file"
            raise BackupError(f"{path} is no whole backup: {why}.") from error
        yield archive, manifest


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    told = json.loads(archive.read(MANIFEST))
    if told.get("format") != FORMAT:
        raise BackupError(f"This backup has the format {told.get('format')}; known is {FORMAT}.")
    known = {each.name for each in fields(Manifest)}
    manifest = Manifest(**{name: value for name, value in told.items() if name in known})
    manifest.receipts = {scope: (number, root) for scope, (number, root) in manifest.receipts.items()}
    return manifest


def _check(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    if set(archive.namelist()) != {MANIFEST, *manifest.files}:
        raise BackupError("This backup doesn't hold the files that its manifest names.")
    for name, expected in manifest.files.items():
        digest = hashlib.sha256()
        for block in blocks_of(archive, name):
            digest.update(block)
        if digest.hexdigest() != expected["sha256"]:
            raise BackupError(f"This backup was altered or is damaged: {name} isn't what its manifest says.")


def blocks_of(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """A file of a container, block by block."""
    with archive.open(name) as file:
        while block := file.read(BLOCK):
            yield block


def describe_ledger(execute: Any, manifest: Manifest) -> None:
    """Fill in heads and receipts, by a function that runs a statement and gives its rows."""
    digest, facts = hashlib.sha256(), 0
    for stream, sequence, last in execute(
        "SELECT id, head_sequence, head_hash FROM ledger_stream ORDER BY id"
    ):
        facts += sequence
        digest.update(f"{str(stream).replace('-', '')} {sequence} {last}\n".encode())
    manifest.facts, manifest.heads = facts, digest.hexdigest()
    for scope, number, root in execute(
        "SELECT scope, number, root FROM ledger_receipt r WHERE number ="
        " (SELECT max(number) FROM ledger_receipt WHERE scope = r.scope) ORDER BY scope"
    ):
        manifest.receipts[str(scope).replace("-", "")] = (number, root)
    if "ledger_compatibility" in manifest.tables:
        for (needs,) in execute("SELECT needs FROM ledger_compatibility"):
            manifest.needs = needs
    for app, name in execute("SELECT app, name FROM django_migrations ORDER BY app, name"):
        manifest.migrations.setdefault(app, []).append(name)
