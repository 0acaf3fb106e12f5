"""The folder of published pages: a reader finds the old page or the new one, never half of one."""

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.files.storage import FileSystemStorage

_READABLE = 0o644
"""Another process, such as nginx under its own account, may serve them: they are for everybody."""


class PublishedFolder(FileSystemStorage):
    """A folder in which a file that is saved again takes the place of the former one at once."""

    def __init__(self, location: Any = None, **options: Any) -> None:
        super().__init__(location, allow_overwrite=True, **options)

    def _save(self, name: str, content: Any) -> str:
        target = Path(self.path(name))
        target.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=target.parent, prefix=".", delete=False) as file:
            file.writelines(content.chunks())
        written = Path(file.name)
        written.chmod(_READABLE)
        written.replace(target)
        return name
