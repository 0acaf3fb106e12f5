"""A festival, a client for each role, and every answer compared with the description."""

from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from rest_framework.test import APIClient

from tests.api.described import faults_of_answer
from tests.support.clients import client_of_phone, client_of_token
from tests.support.festival import Festival, make_festival
from tests.support.worlds import remembered


@pytest.fixture(autouse=True)
def answers_are_as_described() -> Iterator[None]:
    """Compare every answer of the API with its description, whatever a test asks for."""
    request_of_client = APIClient.request

    def request(self: APIClient, **sent: Any) -> Any:
        answer: Any = request_of_client(self, **sent)
        found = faults_of_answer(sent["REQUEST_METHOD"], sent["PATH_INFO"], answer)
        assert found == [], f"{sent['REQUEST_METHOD']} {sent['PATH_INFO']}: {answer.status_code} {found}"
        return answer

    with mock.patch.object(APIClient, "request", request):
        yield


@pytest.fixture
def festival(db: None) -> Festival:
    """A published festival."""
    return remembered(make_festival)


@pytest.fixture
def public() -> APIClient:
    """Somebody of whom nothing is known."""
    return APIClient()


@pytest.fixture
def organizer(festival: Festival) -> APIClient:
    """A program of the festival's organizer, with a token for writing."""
    return client_of_token(festival.organizer)


@pytest.fixture
def phone(festival: Festival) -> APIClient:
    """An admitted phone of the festival."""
    return client_of_phone(festival.event)
