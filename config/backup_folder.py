"""A folder of backups: their names and order, the next number, which ones rotation removes.

A name is `tendone-NUMBER-TIME.backup`. The number orders them: it is one more than the highest in the folder,
so a clock that is set back changes nothing. Names without a number are those of earlier versions, and come
before all that have one.
"""

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from errno import ENOLCK, ENOSYS, EOPNOTSUPP
from pathlib import Path

from config.locks import FileLock, LockedError

SUFFIX = ".backup"
UNFINISHED = ".unfinished"
DAMAGED = ".damaged"
"""The last copy of a database that was found damaged: it is kept, and isn't a backup."""
SCRATCH = "unfinished-"
"""The names of temporary folders, in which a backup is made, begin so."""
LOCK = ".tendone-lock"
PATIENCE = 600.0
"""Seconds that one backup waits for another one into the same folder."""
STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"tendone-(?:([0-9]{6,})-)?([0-9]{8}T[0-9]{6}Z)(\.[a-z]+)", re.ASCII)

REMEMBERED = "backup-folder"
"""The file in the folder of data that names another folder of backups than its own."""

Removable = Callable[[datetime, Sequence[Path], Callable[[Path], bool]], list[Path]]
"""Given the time and backups, those that may be removed at that time: the clock may be wrong. The last
argument reads a backup and says whether it is good.
"""

KEEP_ALL = timedelta(hours=1)
KEEP_HOURLY = timedelta(days=1)
KEEP_DAILY = timedelta(days=30)


@dataclass(frozen=True, order=True, slots=True)
class BackupName:
    """What the name of a backup says; in the order in which backups were made."""

    number: int
    """From 1; 0 in names of earlier versions."""
    made_at: datetime
    """By the clock of that moment, UTC, in whole seconds."""

    def __str__(self) -> str:
        number = f"{self.number:06d}-" if self.number else ""
        return f"tendone-{number}{self.made_at.astimezone(UTC).strftime(STAMP)}"


def parse_name(path: Path, suffix: str = SUFFIX) -> BackupName | None:
    """The name of a backup, or of another file of ours by its suffix; None for a name that isn't one."""
    match = _NAME.fullmatch(path.name)
    if match is None or match[3] != suffix:
        return None
    try:
        made_at = datetime.strptime(match[2], STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None
    return BackupName(int(match[1] or 0), made_at)


def backups_in(folder: Path) -> list[Path]:
    """All finished backups in a folder, the oldest first; other files there are none of our business."""
    names = {path: name for path in folder.glob(f"*{SUFFIX}") if (name := parse_name(path))}
    return sorted(names, key=names.__getitem__)


def newest_backup_at(folder: Path) -> datetime | None:
    """When the newest backup in a folder was made, by the clock of then; None where there is none."""
    try:
        named = [name for path in backups_in(folder)[-1:] if (name := parse_name(path))]
    except OSError:
        return None
    return named[0].made_at if named else None


def remembered_folder(var: Path) -> Path:
    """The folder of backups of a folder of data: the last one that was named at a start, or its own."""
    try:
        named = (var / REMEMBERED).read_text().strip()
    except OSError:
        named = ""
    return Path(named) if named else var / "backup"


def remember_folder(var: Path, folder: Path) -> None:
    """Have later starts and commands look for backups where this start makes them."""
    if folder != remembered_folder(var):
        (var / REMEMBERED).write_text(f"{folder}\n")


def age_of_newest(folder: Path, now: datetime) -> float | None:
    """Seconds since the newest backup in a folder was made; None where there is none."""
    made_at = newest_backup_at(folder)
    return None if made_at is None else (now - made_at).total_seconds()


@contextmanager
def next_backup(folder: Path, now: datetime) -> Iterator[Path]:
    """The path of the next backup in a folder, where nobody else makes one meanwhile.

    The folder is made for its owner alone. What a backup left there that was killed is removed. Raises
    OSError if the folder can't be written, or another backup takes too long.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK, patience=PATIENCE)
    try:
        lock.acquire()
    except LockedError as error:
        raise TimeoutError(f"Another backup into {folder} takes too long.") from error
    except OSError as error:
        # Some sticks and network folders know no locks.
        if error.errno not in {ENOLCK, ENOSYS, EOPNOTSUPP}:
            raise
    try:
        remove_unfinished(folder)
        highest = max((found.number for found in _names_in(folder)), default=0)
        yield folder / f"{BackupName(highest + 1, now)}{SUFFIX}"
    finally:
        lock.close()


def _names_in(folder: Path) -> Iterator[BackupName]:
    for path in folder.iterdir():
        if name := parse_name(path, path.suffix):
            yield name


def remove_unfinished(folder: Path) -> None:
    """Remove what a killed backup left; whoever calls this holds the folder's lock."""
    for path in folder.glob(f"*{UNFINISHED}"):
        if parse_name(path, UNFINISHED):
            path.unlink(missing_ok=True)
    for path in folder.glob(f"{SCRATCH}*"):
        with suppress(OSError):
            shutil.rmtree(path)


def superfluous(backups: Iterable[Path], now: datetime, is_good: Callable[[Path], bool]) -> list[Path]:
    """Which backups to remove; `is_good` reads one and says whether it could be put back.

    Kept are all of the last hour. Of each hour of the last day, and of each of the last thirty days, the last
    good one is kept. None is removed unless a newer good one stays: in its hour or day, or anywhere if it is
    older than thirty days.
    """
    names = {path: name for path in backups if (name := parse_name(path))}
    newest_first = sorted(names, key=names.__getitem__, reverse=True)
    slots: dict[tuple[str, str], list[Path]] = {}
    for path in newest_first:
        age, made = now - names[path].made_at, names[path].made_at
        if age > KEEP_DAILY:
            slots.setdefault(("old", ""), []).append(path)
        elif age > KEEP_HOURLY:
            slots.setdefault(("day", made.strftime("%Y%m%d")), []).append(path)
        elif age > KEEP_ALL:
            slots.setdefault(("hour", made.strftime("%Y%m%d%H")), []).append(path)
    removed = []
    for (kind, _), paths in slots.items():
        candidates = newest_first if kind == "old" else paths
        if len(candidates) > 1:
            # Those that are newer than the one that stays are no good: they go when they are old.
            staying = next(
                (number for number, path in enumerate(candidates) if is_good(path)), len(candidates)
            )
            removed += [path for path in candidates[staying + 1 :] if path in paths]
    return removed


def rotate(
    folder: Path,
    now: datetime,
    is_good: Callable[[Path], bool],
    removable: Removable,
) -> None:
    """Remove what `superfluous` names, if anything, and `removable` agrees to."""
    removed = superfluous(backups_in(folder), now, is_good)
    if removed:
        for path in removable(now, removed, is_good):
            path.unlink(missing_ok=True)
