"""Many calls of the API at the same moment."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection
from rest_framework.test import APIClient

CALLERS = 6


def at_once(call: Callable[[APIClient], Any], clients: list[APIClient]) -> Counter[int]:
    """How many answers have which status when all clients call at the same moment."""
    start = Barrier(len(clients))

    def one(client: APIClient) -> int:
        start.wait()
        try:
            return int(call(client).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(clients)) as pool:
        return Counter(pool.map(one, clients))
