"""Answers to what a page sends: what of a batch is saved, and what stands in the way of the rest.

A script is answered in JSON, a form alone with pages.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _

from referee.pages import problem


def wants_json(request: Any) -> bool:
    """Whether a script asks, and reads the answer itself."""
    return str(request.headers.get("Accept", "")).startswith("application/json")


def saved(next_address: str, ids: Sequence[UUID], versions: dict[UUID, int]) -> JsonResponse:
    """All is stored: each entry with the game's version after it, and where the page goes on."""
    return _answer({"accepted": accepted(ids, versions), "next": next_address}, 200)


def not_saved(
    code: str,
    sentence: str,
    status: int,
    *,
    before: Sequence[dict[str, Any]] = (),
    **more: Any,
) -> JsonResponse:
    """Why the first entry that isn't in `before` (see `accepted`), and all after it, aren't stored."""
    return _answer({"accepted": list(before), "code": code, "sentence": sentence, **more}, status)


def unreadable(request: Any, back: str) -> HttpResponse:
    """What was sent isn't what a page of ours sends; `back` leads to the page."""
    text = _("Something in the form isn’t as the page sends it. Nothing was stored: go back and tap again.")
    if wants_json(request):
        return not_saved("unreadable", text, 400)
    return problem(request, _("This can’t be read"), text, 400, back)


def accepted(ids: Sequence[UUID], versions: dict[UUID, int]) -> list[dict[str, Any]]:
    """The entries at the beginning of a batch that are stored, each with the game's version after it."""
    found = []
    for id_ in ids:
        if id_ not in versions:
            break
        found.append({"id": str(id_), "version": versions[id_]})
    return found


def _answer(body: dict[str, Any], status: int) -> JsonResponse:
    response = JsonResponse(body, status=status)
    add_never_cache_headers(response)
    return response
