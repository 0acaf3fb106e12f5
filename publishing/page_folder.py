"""The folder of published pages: a reader finds the old page or the new one, never half of one."""

from pathlib import Path
from stat import S_IMODE
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.files.storage import FileSystemStorage

_MODE = 0o750
"""Of a folder that isn't there yet: a web server of its group may read it, nobody else."""
_READ_AND_WRITE = 0o666


class PublishedFolder(FileSystemStorage):
    """A folder in which a file that is saved again takes the place of the former one at once.

    An operator decides once who may read it. Folders within get its mode (with the group, where new files
    take over that of their folder), files the same without the right to execute. The umask has no say.
    """

    def __init__(self, location: Any = None, **options: Any) -> None:
        super().__init__(location, allow_overwrite=True, **options)

    def _save(self, name: str, content: Any) -> str:
        root, target = Path(self.location), Path(self.path(name))
        if not root.exists():
            root.mkdir(parents=True, exist_ok=True)
            root.chmod(_MODE)
        mode = S_IMODE(root.stat().st_mode)
        for part in reversed(target.relative_to(root).parents[:-1]):
            _make_folder(root / part, mode)
        with NamedTemporaryFile(dir=target.parent, prefix=".", delete=False) as file:
            file.writelines(content.chunks())
        written = Path(file.name)
        written.chmod(mode & _READ_AND_WRITE)
        written.replace(target)
        return name


def _make_folder(folder: Path, mode: int) -> None:
    try:
        folder.mkdir()
    except FileExistsError:
        return
    folder.chmod(mode)
