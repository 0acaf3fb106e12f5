"""Locks between processes: one holder, until it ends, on every system."""

import errno
import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from config import locks
from config.locks import FileLock, LockedError
from tests.support import ROOT

HOLD = "import sys; from config.locks import FileLock; from pathlib import Path; "
HOLD += "FileLock(Path(sys.argv[1])).acquire(); print('locked', flush=True); sys.stdin.read()"


def like_windows(descriptor: int, mode: int, count: int) -> None:
    """`msvcrt.locking`: some bytes from the file's position on; denied if anybody has locked them."""
    assert os.lseek(descriptor, 0, os.SEEK_CUR) == locks.LOCKED_BYTE
    try:
        # Of an open file, as on Windows, and not of the whole process.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PermissionError(errno.EACCES, "Permission denied") from None


@pytest.fixture(params=[locks.try_flock, locks.try_msvcrt])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each system's own lock; that of Windows on a stand-in for its module."""
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=like_windows, LK_NBLCK=2))
    monkeypatch.setattr(locks, "try_lock", request.param)


@pytest.mark.usefixtures("system")
def test_lock_refuses_a_second_holder_and_names_the_first(tmp_path: Path) -> None:
    with FileLock(tmp_path / "lock"), pytest.raises(LockedError) as caught:
        FileLock(tmp_path / "lock").acquire()
    assert caught.value.holder == os.getpid()

    with FileLock(tmp_path / "lock"):
        pass


def test_twin_lock_has_two_holders_without_the_system_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_locked: Callable[[int], bool] = lambda descriptor: True  # noqa: E731
    monkeypatch.setattr(locks, "try_lock", never_locked)
    with FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock"):
        pass


def test_lock_of_another_process_ends_when_it_is_killed(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "lock")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(LockedError) as caught:
            FileLock(tmp_path / "lock").acquire()
        assert caught.value.holder == holder.pid
        holder.kill()
        holder.wait()
        with FileLock(tmp_path / "lock"):
            pass


def test_lock_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    with FileLock(tmp_path / "lock"):
        assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600
