"""Files of entries: previewed, then confirmed."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.problems import Problem
from api.rows import of_event
from api.schema import describes
from api.shapes.imports import (
    ConfirmBody,
    ImportBody,
    ImportPreviewShape,
    ImportResultShape,
    import_problems,
    preview_row,
    result_row,
)
from api.subjects import EVENT
from people.access import declares, organizes
from people.entries import BadRowsError, PreviewChangedError, confirm_import, preview_import
from people.models import Team

TAG = "entries"


class ImportEndpoint(Endpoint):
    """A file for an event."""

    def file(self, body: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The file and what was chosen with it."""
        said = self.body(body)
        if "team" in said:
            said["team"] = of_event(Team.objects.all(), self.event, said["team"], "team")
        return said


@declares(organizes, EVENT)
class ImportPreview(ImportEndpoint):
    """What a file would do."""

    @describes(
        "entries_preview_import",
        TAG,
        {200: ImportPreviewShape},
        request=ImportBody,
        summary="Preview a file of entries",
        has_key=False,
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """Says for each row what is wrong; stores nothing."""
        said = self.file(ImportBody)
        preview = preview_import(self.event, said.pop("file"), **said)
        return Response(ImportPreviewShape(preview_row(preview)).data)


@declares(organizes, EVENT)
class Import(ImportEndpoint):
    """Doing what a preview said."""

    @describes(
        "entries_import",
        TAG,
        {201: ImportResultShape},
        request=ConfirmBody,
        summary="Enter a previewed file",
    )
    def post(self, request: Request, **_kwargs: Any) -> Response:
        """All or nothing. Sent twice it is refused the second time (409 `preview-changed`)."""
        said = self.file(ConfirmBody)
        digest = said.pop("digest")
        try:
            result = confirm_import(self.event, said.pop("file"), self.actor, expected_digest=digest, **said)
        except PreviewChangedError as changed:
            raise Problem(
                409,
                "preview-changed",
                _("The file would no longer do what its preview said. Preview it again."),
                digest=changed.preview.digest,
            ) from changed
        except BadRowsError as refused:
            raise Problem(
                409,
                "bad-rows",
                _("Some rows have problems, and nobody decided to leave them out (`skip_bad`)."),
                rows=import_problems(refused.preview.problems),
            ) from refused
        return Response(ImportResultShape(result_row(result)).data, status=201)
