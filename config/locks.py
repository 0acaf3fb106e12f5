"""Locks between processes, held on a file: `flock` where the system has it, `msvcrt.locking` on Windows."""

import importlib
import os
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

PAUSE = 0.05
"""Seconds between two attempts."""
LOCKED_BYTE = 1 << 30
"""The byte that Windows locks, far behind the text of the file, which stays readable so."""


SERVICE_LOCK = "service.lock"


class LockedError(Exception):
    """Another process holds the lock; `holder` is its id, if the file says one."""

    def __init__(self, path: Path, holder: int | None) -> None:
        self.path, self.holder = path, holder
        super().__init__(f"{path} is locked by process {holder or 'unknown'}.")


class FileLock:
    """A lock on a file, held until `close` or the end of the process and of those that it has forked.

    The file stays: to remove it would let two processes lock two files of one name.
    """

    def __init__(self, path: Path, *, patience: float = 0.0) -> None:
        self._path = path
        self._patience = patience
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock. Raises LockedError if another process holds it for longer than the patience (in
        seconds), and OSError if the file can't be opened or locked.
        """
        end = monotonic() + self._patience
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            while not try_lock(descriptor):
                if monotonic() >= end:
                    raise LockedError(self._path, _holder(descriptor))
                sleep(PAUSE)
            os.truncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, b"%d\n" % os.getpid())
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor

    def close(self) -> None:
        """Give the lock back."""
        if self._descriptor is not None:
            # Closing it is what releases it, on every system.
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _holder(descriptor: int) -> int | None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    text = os.read(descriptor, 32).strip()
    return int(text) if text.isdigit() else None


def try_flock(descriptor: int) -> bool:
    """Lock an open file on Linux or macOS; False if another process has it locked."""
    fcntl: Any = importlib.import_module("fcntl")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def try_msvcrt(descriptor: int) -> bool:
    """Lock an open file on Windows; False if another process has it locked."""
    msvcrt: Any = importlib.import_module("msvcrt")
    os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except PermissionError:
        return False
    return True


try_lock = try_msvcrt if os.name == "nt" else try_flock
"""The lock of this system."""


def lock_folder(var: Path) -> FileLock:
    """The lock of a folder of data: one service, or one command that replaces its database, at a time."""
    return FileLock(var / SERVICE_LOCK)


def who_holds(error: LockedError) -> str:
    """Who has locked a folder of data, as the beginning of a sentence."""
    process = f" (process {error.holder})" if error.holder else ""
    return f"Tendone is already running with its data in {error.path.parent}{process}"
