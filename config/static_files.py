"""Static files named by their content, and what of them `collectstatic` hasn't collected yet."""

from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from whitenoise.storage import (  # type: ignore[import-untyped]  # it has no types
    CompressedManifestStaticFilesStorage,
)


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """The same, and scripts that import one another find each other by these names, too."""

    support_js_module_import_aggregation = True


class OwnStorage(ModuleStorage):
    """For the embedded mode: the service's own files are compressed and named by their content. Those of
    libraries stay where they lie, under their own names.
    """

    def stored_name(self, name: str) -> str:
        """The name by its content, if the file was collected."""
        found: str = self.hashed_files.get(self.hash_key(name), name)
        return found


def not_collected() -> list[str]:
    """The names of files that pages may ask for and that aren't in STATIC_ROOT: without them a page can't be
    rendered. None in the embedded mode, which collects its own at each start.
    """
    if settings.EMBEDDED or settings.STATIC_ROOT is None:
        return []
    names = {
        (Path(getattr(storage, "prefix", None) or "") / path).as_posix()
        for finder in finders.get_finders()
        for path, storage in finder.list([])
    }
    collected: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    folder = Path(settings.STATIC_ROOT)
    return sorted(each for each in names if each not in collected or not (folder / collected[each]).exists())


def complaint() -> str | None:
    """One sentence that says which command is to be run, or None where nothing is missing."""
    missing = not_collected()
    if not missing:
        return None
    return (
        f"{len(missing)} static files ({missing[0]}) are missing in {settings.STATIC_ROOT}, "
        "and pages can't be rendered without them: run `manage.py collectstatic --no-input` first."
    )
