"""Marks of answers that the middleware reads."""

from typing import Any

import pytest
from django.http import HttpResponse, HttpResponseBase
from django.test import RequestFactory

from config.middleware import OUT, ProtectionMiddleware
from publishing.response_marks import ResponseMarks, marks_of

FRONT_PAGE = RequestFactory().get("/")


def protected(response: HttpResponseBase) -> HttpResponseBase:
    return ProtectionMiddleware(lambda _request: response).process_response(FRONT_PAGE, response)


def test_answer_without_marks_is_kept_from_search_engines() -> None:
    response = HttpResponse()

    assert marks_of(response) == ResponseMarks(for_search_engines=False, is_published=False)
    assert protected(response)["X-Robots-Tag"] == OUT


def test_twin_marked_answer_is_let_in() -> None:
    response = HttpResponse()
    marks_of(response).for_search_engines = True

    assert "X-Robots-Tag" not in protected(response)


def test_mark_with_a_wrong_name_is_refused() -> None:
    marks: Any = marks_of(HttpResponse())

    with pytest.raises(AttributeError):
        marks.for_search_engine = True
