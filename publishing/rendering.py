"""A public page made without anybody asking for it: what the public would be answered at its address."""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import resolve
from django.utils.translation import override

from people.actors import Actor
from publishing.responses import OPEN


def in_language(path: str, language: str) -> str:
    """The address of a page in a language; `path` is that in the default one."""
    return path if language == settings.LANGUAGE_CODE else f"/{language}{path}"


def render(path: str, language: str) -> str | None:
    """The page of an address in the default language, in this one; None if the public is shown none there."""
    with override(language):
        address = in_language(path, language)
        view, args, kwargs = resolve(address)
        request = HttpRequest()
        request.method = "GET"
        request.path = request.path_info = address
        request.actor = Actor.public()  # type: ignore[attr-defined]  # the middleware's part
        response: HttpResponse = view(request, *args, **kwargs)
    if response.status_code != HTTPStatus.OK or response["Cache-Control"] != OPEN:
        return None
    return response.content.decode()
