"""Static files named by their content."""

from whitenoise.storage import (  # type: ignore[import-untyped]  # it has no types
    CompressedManifestStaticFilesStorage,
)


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """The same, and scripts that import one another find each other by these names, too."""

    support_js_module_import_aggregation = True


class OwnStorage(ModuleStorage):
    """For the embedded mode: the service's own files are compressed and named by their content, those of
    libraries stay where they lie, under their own names.
    """

    def stored_name(self, name: str) -> str:
        """The name by its content, if the file was collected."""
        found: str = self.hashed_files.get(self.hash_key(name), name)
        return found
