"""Files in both directions: tables and archives to take, and an archive that is sent."""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from typing import IO, Any

from django.http import FileResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from api.parsers import too_large
from people.number_parsing import whole_number
from tournaments.transfer.archive.container import MOST_PACKED

ZIP_TYPE = "application/zip"
CHUNK = 256 * 1024


class FilesAsAsked(DefaultContentNegotiation):
    """A file comes in the format that the address names, and a problem as JSON, whatever `Accept` says.
    `Accept` can hardly name the type of a workbook. `format` is the endpoint's own parameter here.
    """

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> tuple[Any, str]:
        """The only one that there is."""
        return renderers[0], renderers[0].media_type


def whole(made: IO[bytes], name: str, type_: str) -> HttpResponseBase:
    """A file that is made; the answer closes it."""
    made.seek(0)
    return _kept_nowhere(FileResponse(made, as_attachment=True, filename=name, content_type=type_))


def streamed(parts: Iterator[bytes], name: str, type_: str) -> HttpResponseBase:
    """A file that is written while it is read."""
    answer = StreamingHttpResponse(parts, content_type=type_)
    answer["Content-Disposition"] = content_disposition_header(True, name) or ""
    return _kept_nowhere(answer)


def _kept_nowhere(answer: HttpResponseBase) -> HttpResponseBase:
    answer["Cache-Control"] = "private, no-store"
    return answer


class ArchiveParser(BaseParser):
    """Takes a zip as it is, into a file of its own and no further than an archive can be."""

    media_type = ZIP_TYPE

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, IO[bytes]]:
        """The file, open at its beginning, under `file`; who reads it closes it."""
        if _told_length(parser_context) > MOST_PACKED:
            raise too_large(MOST_PACKED)
        file = tempfile.TemporaryFile()  # noqa: SIM115  # closed by who reads it, or below
        try:
            room = MOST_PACKED
            while part := stream.read(min(CHUNK, room + 1)):
                room -= len(part)
                if room < 0:
                    raise too_large(MOST_PACKED)
                file.write(part)
            file.seek(0)
        except BaseException:
            file.close()
            raise
        return {"file": file}


def _told_length(context: Mapping[str, Any] | None) -> int:
    """The length that the caller says; 0 where none is said."""
    told = context["request"].META.get("CONTENT_LENGTH", "") if context else ""
    return whole_number(told, sys.maxsize) or 0
