"""Files of entries: previewed, then confirmed."""

from typing import Any

from rest_framework.response import Response

from api.endpoint import Endpoint
from api.permissions import EVENT
from api.rows import of_event
from api.schema import changes
from api.shapes.imports import (
    ConfirmBody,
    ImportBody,
    ImportPreviewShape,
    ImportResultShape,
    import_problems,
    preview_row,
    result_row,
)
from people.access import declares, organizes
from people.entries import BadRowsError, confirm_import, preview_import
from people.models import Team

TAG = "entries"


@declares(organizes, EVENT)
class Import(Endpoint):
    """A file of entries for an event."""

    def with_team(self, said: dict[str, Any]) -> dict[str, Any]:
        """What was chosen with the file, with the team's row in place of its id."""
        if "team" in said:
            said["team"] = of_event(Team.objects.all(), self.event, said["team"], "team")
        return said

    @changes(
        "entries_preview_import",
        TAG,
        ImportPreviewShape,
        "Preview a file of entries",
        ImportBody,
        once=False,
        etag=False,
    )
    def preview(self, file: bytes, **said: Any) -> Response:
        """Says for each row what is wrong; stores nothing."""
        preview = preview_import(self.event, file, **self.with_team(said))
        return Response(ImportPreviewShape(preview_row(preview)).data)

    @changes(
        "entries_import",
        TAG,
        ImportResultShape,
        "Enter a previewed file",
        ConfirmBody,
        status=201,
        etag=False,
    )
    def enter(self, file: bytes, digest: str, **said: Any) -> Response:
        """All or nothing. Sent twice it is refused the second time (409 `preview-changed`)."""
        try:
            result = confirm_import(
                self.event, file, self.actor, expected_digest=digest, **self.with_team(said)
            )
        except BadRowsError as refused:
            refused.params["rows"] = import_problems(refused.preview.problems)
            raise
        return Response(ImportResultShape(result_row(result)).data, status=201)
