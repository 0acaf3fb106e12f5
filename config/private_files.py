"""The embedded mode's folder of data, for the account alone that runs the service.

It holds names of children, hashes of passwords and the service's key; a laptop often has other accounts.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from config.environment import BASE_DIR
from config.locks import SERVICE_LOCK

UMASK = 0o077
FILE_MODE, FOLDER_MODE = 0o600, 0o700
OURS = {"secret-key", "tendone.sqlite3", "backup", "backup-folder", "certificate", SERVICE_LOCK}
"""Names of which at least one is in a folder of the service's own."""


class NotOwnFolderError(Exception):
    """The folder of data is used for other things too; its text is a sentence."""


def make_private() -> None:
    """Have this process, and those that it starts, make files and folders for its own account alone."""
    os.umask(UMASK)


def protect(folder: Path) -> list[str]:
    """Make a folder if it isn't there, and it and all in it readable by its owner alone.

    Returns sentences about what couldn't be protected. Raises NotOwnFolderError for a folder in which other
    things are, and OSError if it can't be made.
    """
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    if why := why_not_ours(folder):
        raise NotOwnFolderError(f"TENDONE_VAR: {folder} {why}. Name an empty folder of its own.")
    refused = [path for path in (folder, *_everything_in(folder)) if not _restrict(path)]
    if not refused:
        return []
    return [
        f"Other accounts of this machine may be able to read {refused[0]}"
        + (f" and {len(refused) - 1} more" if len(refused) > 1 else "")
        + ": it belongs to another account, or lies on a disk that knows no accounts."
    ]


def why_not_ours(folder: Path) -> str | None:
    """Why a folder can't be meant for the service's data alone, or None."""
    place = folder.resolve()
    if any(other.is_relative_to(place) for other in (BASE_DIR, Path.home())):
        return "holds the programs or the home of an account"
    if place.stat().st_mode & stat.S_ISVTX:
        return "is shared by all accounts"
    entries = {path.name for path in place.iterdir()}
    if entries and not entries & OURS:
        return "holds other things and no data of Tendone"
    return None


def _everything_in(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        # What a link leads to is somebody else's.
        if not path.is_symlink():
            yield path
            if path.is_dir():
                # Only now: a folder that its owner couldn't open is open when its turn comes.
                yield from _everything_in(path)


def _restrict(path: Path) -> bool:
    """Whether a file or folder is its owner's alone now."""
    try:
        mode = FOLDER_MODE if path.is_dir() else FILE_MODE
        if stat.S_IMODE(path.stat().st_mode) != mode:
            path.chmod(mode)
        return stat.S_IMODE(path.stat().st_mode) == mode
    except FileNotFoundError:
        return True
    except OSError:
        return False
