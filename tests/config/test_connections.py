"""Connections of requests that are refused before their body was read: the answer says that they end."""

import http.client
import os
from pathlib import Path
from typing import Any

import pytest

from config.http_connection_closing import MOST_UNREAD, announce_closing, has_large_body
from tests.support.services import embedded


class Response:
    """A server's response, as gunicorn's: it can be told to close the connection."""

    def __init__(self) -> None:
        self.begun: list[tuple[Any, ...]] = []
        self.is_closed = False

    def force_close(self) -> None:
        """Close the connection after the answer."""
        assert not self.begun, "told once the headers are written"
        self.is_closed = True

    def start_response(self, *begin: Any) -> None:
        """Take the status and the headers."""
        self.begun.append(begin)


def answered(status: str, environ: dict[str, Any]) -> Response:
    """The response of an application that answers so, without reading."""

    def application(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response(status, [])
        return []

    response = Response()
    announce_closing(application)(environ, response.start_response)
    return response


@pytest.mark.parametrize(
    ("status", "environ", "is_closed"),
    [
        ("413 Content Too Large", {"CONTENT_LENGTH": "6000000"}, True),
        ("401 Unauthorized", {"CONTENT_LENGTH": str(MOST_UNREAD)}, True),
        ("411 Length Required", {"HTTP_TRANSFER_ENCODING": "chunked"}, True),
        ("404 Not Found", {"CONTENT_LENGTH": "20"}, False),
        ("404 Not Found", {"CONTENT_LENGTH": ""}, False),
        ("404 Not Found", {}, False),
        ("200 OK", {"CONTENT_LENGTH": "6000000"}, False),
    ],
)
def test_refusal_of_a_large_request_closes_the_connection(
    status: str, environ: dict[str, Any], *, is_closed: bool
) -> None:
    response = answered(status, environ)

    assert response.is_closed == is_closed
    assert response.begun == [(status, [])]


@pytest.mark.parametrize("length", ["many", "-1", "٣", "9" * 5000])
def test_content_length_that_is_no_number_counts_as_large(length: str) -> None:
    assert has_large_body({"CONTENT_LENGTH": length})


def test_server_that_can_not_close_connections_is_left_alone() -> None:
    begun: list[str] = []

    def application(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response("413 Content Too Large", [])
        return [b"too large"]

    body = announce_closing(application)(
        {"CONTENT_LENGTH": "6000000"}, lambda status, _headers: begun.append(status)
    )

    assert (list(body), begun) == ([b"too large"], ["413 Content Too Large"])


@pytest.mark.sqlite
def test_embedded_service_closes_the_connection_of_a_large_refused_request(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "TENDONE_VAR": str(tmp_path / "var"), "HOME": str(tmp_path)}
    told = []
    with embedded.running(environment, tmp_path / "log", "--empty") as (_process, port):
        for size in (20, 4 * MOST_UNREAD):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("POST", "/api/v1/nowhere/", b" " * size, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            told.append((answer.status, answer.getheader("Connection")))
            connection.close()

    assert told == [(404, "keep-alive"), (404, "close")]
