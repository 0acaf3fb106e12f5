"""Lists in pages of `page_size` rows. A page number that is none is refused, not taken for the first."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request

from api.problems import InvalidInput, field_problem
from people.number_parsing import whole_number

MAX_PAGE_SIZE = 200
# A number above this would overflow the database's OFFSET.
MAX_PAGE = 1_000_000


class Pages(PageNumberPagination):
    """`?page=2&page_size=100`; the answer has `count`, `next`, `previous` and `results`."""

    page_query_param = "page"
    page_size_query_param = "page_size"
    max_page_size = MAX_PAGE_SIZE

    def get_page_size(self, request: Request) -> int:
        """The rows of a page: 1 to 200."""
        return number_asked(request, "page_size", self.page_size or 50, MAX_PAGE_SIZE)

    def get_page_number(self, request: Request, paginator: Any) -> int:
        """The page: from 1. One behind the last is a 404."""
        return number_asked(request, "page", 1, MAX_PAGE)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Both with their bounds."""
        return [
            {
                "name": name,
                "in": "query",
                "description": described,
                "schema": {"type": "integer", "minimum": 1, "maximum": most},
            }
            for name, most, described in (
                (self.page_query_param, MAX_PAGE, "Which page, from 1."),
                (self.page_size_query_param, MAX_PAGE_SIZE, "Rows of a page; 50 where nothing is said."),
            )
        ]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """All four members are always there; `next` and `previous` are null at the ends."""
        return {
            "type": "object",
            "required": ["count", "next", "previous", "results"],
            "properties": {
                "count": {"type": "integer", "description": "How many there are on all pages."},
                "next": _link("The page after this one; null on the last."),
                "previous": _link("The page before this one; null on the first."),
                "results": schema,
            },
        }


def _link(description: str) -> dict[str, Any]:
    return {"type": ["string", "null"], "format": "uri", "description": description}


def number_asked(request: Request, name: str, default: int, maximum: int) -> int:
    """A query parameter as a number from 1 to `maximum`."""
    values = request.query_params.getlist(name)
    if not values:
        return default
    number = whole_number(values[0], maximum) if len(values) == 1 else None
    if number:
        return number
    detail = _("`%(name)s` is a whole number from 1 to %(maximum)d.") % {"name": name, "maximum": maximum}
    raise InvalidInput([field_problem(name, "not-a-page", detail)])
