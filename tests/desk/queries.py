"""Counting the queries of a page."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.forms import (
    open_page,
)


def queries(client: Client, path: str) -> int:
    """How many queries a page costs."""
    with CaptureQueriesContext(connection) as captured:
        open_page(client, path)
    return len(captured)
