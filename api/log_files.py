"""The game log as a file: `application/x-ndjson`, one event a line, and `text/plain` in notation."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer

from api.parsers import read_body

MEDIA_TYPE = "application/x-ndjson"
NOTATION_TYPE = "text/plain; charset=utf-8"


class LinesParser(BaseParser):
    """Takes a log file as it is: the engine reads it, line by line."""

    media_type = MEDIA_TYPE

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, bytes]:
        """The bytes, under `file`."""
        return {"file": read_body(stream)}


class LinesRenderer(JSONRenderer):
    """For whoever asks for a log as a file; what is answered beside it (a problem, a receipt of an upload) is
    JSON.
    """

    media_type = MEDIA_TYPE
    format = "jsonl"


class NotationRenderer(LinesRenderer):
    """As `LinesRenderer`, for a log in notation."""

    media_type = "text/plain"
    format = "txt"
