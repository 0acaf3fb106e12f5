"""Marks of an answer, which views set and the middleware reads."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpResponseBase

_ATTRIBUTE: Final = "response_marks"


@dataclass(slots=True)
class ResponseMarks:
    """What is known of an answer. One that nobody has marked is kept from search engines."""

    for_search_engines: bool = False
    """Search engines may keep it."""
    is_published: bool = False
    """It is a page from the store."""


def marks_of(response: HttpResponseBase) -> ResponseMarks:
    """The marks of an answer, to be read or set."""
    marks: ResponseMarks = vars(response).setdefault(_ATTRIBUTE, ResponseMarks())
    return marks
