"""An event as files: its tables and logs, the whole event as an archive; and an archive taken in."""

import tempfile

from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.files import ZIP_TYPE, ArchiveParser, FilesAsAsked, streamed, whole
from api.permissions import EVENT, nothing_here, refuse
from api.problems import InvalidInput, Problem, field_problem
from api.schema import describes, lists
from api.shapes.events import EventShape
from api.shapes.exports import (
    EVERY,
    FORMATS,
    FULL,
    ArchiveInQuery,
    ArchiveQuery,
    ExportQuery,
    ExportShape,
    export_rows,
    formats_for,
)
from people.access import declares, organizes, reads_event, signed_in
from people.display_names import Reader, Viewer
from tournaments.transfer.archive.export import export_event
from tournaments.transfer.archive.intake import take_in
from tournaments.transfer.export.csv_and_json import TYPES, Form
from tournaments.transfer.export.exported_tables import Export
from tournaments.transfer.export.files import (
    NAMES,
    file_name,
    is_streamed,
    parts,
    type_and_ending,
    write_whole,
)

TAG = "exports"
SOME_BYTES = {"type": "string", "format": "binary", "minLength": 1}
TABLE_ROWS = {"type": "array", "items": {"type": "object", "additionalProperties": True}}


@declares(reads_event, EVENT)
class Exports(Endpoint):
    """What there is to take."""

    @lists("exports_list", TAG, ExportShape, "List what can be exported", in_pages=False)
    def list_all(self) -> Response:
        """Each with the formats and the kinds of names that the caller may take."""
        return Response(ExportShape(export_rows(is_organizer=self.is_organizer), many=True).data)


@declares(reads_event, EVENT)
class ExportFile(Endpoint):
    """A table, the logs or everything, as a file."""

    content_negotiation_class = FilesAsAsked

    @describes(
        "exports_download",
        TAG,
        {
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/json"): TABLE_ROWS,
            (200, TYPES[Form.XLSX][0]): OpenApiTypes.BINARY,
            (200, ZIP_TYPE): OpenApiTypes.BINARY,
        },
        "Download an export",
        query=ExportQuery,
    )
    def download(self) -> HttpResponseBase:
        """With names as everybody may see them, unless the event's organizer asks for full ones. Workbooks
        and zips are the organizer's.
        """
        table = self.kwargs["table"]
        if table not in NAMES:
            raise nothing_here()
        asked = self.query()
        if asked["names"] == FULL:
            self.for_organizers()
        form = FORMATS[self.format_of(table, asked.get("format"))]
        reader = Reader.DESK if asked["names"] == FULL else Reader.PUBLIC
        export = Export(self.event, Viewer(reader, self.event), every_version=asked["versions"] == EVERY)
        type_, ending = type_and_ending(form)
        name = file_name(self.event, export.viewer, table, ending)
        if is_streamed(form):
            return streamed(parts(export, table, Form(form)), name, type_)
        made = tempfile.TemporaryFile()  # noqa: SIM115  # the answer closes it
        write_whole(made, export, table, form)
        return whole(made, name, type_)

    def format_of(self, table: str, asked: str | None) -> str:
        """The format that is meant.

        422 for one that the table doesn't come in; 401 or 403 for one that it doesn't come in for this
        caller.
        """
        there = formats_for(table, is_organizer=True)
        if asked is not None and asked not in there:
            expected = _("Expected one of: %(formats)s.") % {"formats": ", ".join(there)}
            raise InvalidInput([field_problem("format", "invalid-choice", expected)])
        format_ = asked or there[0]
        if format_ not in formats_for(table, is_organizer=False):
            self.for_organizers()
        return format_

    def for_organizers(self) -> None:
        """Refuse everybody else, as an address that is theirs does."""
        if not self.is_organizer:
            refuse(self.actor, self.event)


@declares(organizes, EVENT)
class EventArchive(Endpoint):
    """The whole event as one file."""

    content_negotiation_class = FilesAsAsked

    @describes(
        "archives_download",
        TAG,
        {(200, ZIP_TYPE): OpenApiTypes.BINARY},
        "Download an event's archive",
        query=ArchiveQuery,
    )
    def download(self) -> HttpResponseBase:
        """For another installation to take in; without the names of its people unless they are asked for.
        The same event gives the same bytes.
        """
        with_people = self.query()["people"]
        made = tempfile.TemporaryFile()  # noqa: SIM115  # the answer closes it
        export_event(self.event, made, with_people=with_people)
        name = f"{self.event.slug}-archive{'' if with_people else '-without-names'}.zip"
        return whole(made, name, ZIP_TYPE)


@declares(signed_in)
class Archives(Endpoint):
    """Archives taken in."""

    parser_classes = [ArchiveParser]

    @describes(
        "archives_take_in",
        TAG,
        {201: EventShape, 200: EventShape},
        "Take an event's archive in",
        request={ZIP_TYPE: SOME_BYTES},
        query=ArchiveInQuery,
        writes=True,
        once=True,
        etag=True,
    )
    def take_in(self) -> Response:
        """All of it, checked and verified, or nothing. The caller's account organizes the event, which is
        unpublished. Sent again it is a 200 as long as nothing was changed here.
        """
        slug = self.query().get("slug")
        sent = self.request.data
        if not isinstance(sent, dict) or "file" not in sent:
            raise Problem(400, "no-archive", _("Send the archive as the body."))
        with sent["file"] as file:
            taken = take_in(file, self.actor, organizer=self.actor.account, slug=slug)
        if not taken.is_new and not reads_event.test(self.actor, taken.event):
            raise Problem(409, "event-here", _("This event is here already, and somebody else organizes it."))
        return self.answer(taken.event, EventShape, 201 if taken.is_new else 200)
