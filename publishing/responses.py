"""Public answers: the same bytes for everybody, with a tag by which a reader who has them gets a 304.

Pages are rendered without the request, so nothing of who asks (session, messages, account) can get into them.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from people.announcements import shown_announcements
from people.models import Event
from publishing.page_cache import KeptPage, Page
from publishing.response_marks import marks_of
from publishing.subjects import PageSubject
from rendering.text.active_language import reader_language

OPEN = "public, no-cache"
"""Everybody may keep it, and asks each time whether it still holds: a result is seen as soon as it stands."""
CLOSED = "private, no-store"
"""An event that isn't published is seen by its organizers and kept by nobody."""


def edition_files() -> Iterator[Path]:
    """The files that pages are made of beside data: templates, translations, all that our packages hold.

    All of it, since a list of the modules that have a part in pages would grow stale.
    """
    base = Path(settings.BASE_DIR)
    yield from sorted((base / "templates").rglob("*.html"))
    yield from sorted((base / "locale").rglob("*.mo"))
    packages = {app.name.partition(".")[0] for app in apps.get_app_configs()}
    for package in sorted(packages):
        # Of packages that aren't ours there is no folder.
        found = (base / package).rglob("*")
        yield from sorted(path for path in found if "__pycache__" not in path.parts and path.is_file())


@cache
def edition() -> str:
    """A hash of everything pages are made of beside data: `edition_files`, and the names of static files.

    A new edition of the service makes every tag new, since an old page would name old static files.
    """
    digest = hashlib.sha256(str(getattr(staticfiles_storage, "manifest_hash", "")).encode())
    for path in edition_files():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def tag(*parts: object) -> str:
    """A weak ETag for what these parts decide, in the active language and this edition."""
    text = "\n".join(map(str, (edition(), get_language(), *parts)))
    return f'W/"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def page(
    request: HttpRequest, event: Event | None, template: str, context: Mapping[str, Any]
) -> HttpResponse:
    """A page about an event (or None), tagged by its bytes: a reader who has them gets a 304."""
    made = _make(request, event, template, context)
    return _with_headers(_sent(request, made, tag(hashlib.sha256(made.plain).hexdigest())), event)


def paper(request: HttpRequest, event: Event | None, made: bytes, name: str) -> HttpResponse:
    """A PDF about an event (or None), shown in the browser and saved under `name`; tagged by its bytes."""
    etag = f'"{hashlib.sha256(made).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Content-Disposition": f'inline; filename="{name}"'}
    response = HttpResponse(made, content_type="application/pdf", headers=headers)
    return _with_headers(_conditional(request, etag, response), event)


CALENDAR = "text/calendar; charset=utf-8"


def calendar(request: HttpRequest, event: Event, text: str) -> HttpResponse:
    """A feed for calendars, tagged by its bytes."""
    made = Page.of(text)
    response = _with_headers(_sent(request, made, made.etag), event, for_search_engines=False)
    response["Content-Type"] = CALENDAR
    return response


def stamped_page(
    request: HttpRequest,
    event: Event,
    stamp: str,
    template: str,
    context: Callable[[], Mapping[str, Any]],
) -> HttpResponse:
    """A page of which `stamp` says beforehand whether it changed.

    The context is only put together where neither the reader nor this process has the page. The stamp has to
    be read before the context, so that a page is never older than its tag.
    """
    etag = tag(template, stamp, request.get_full_path())
    answer = _conditional(request, etag, HttpResponse(headers={"ETag": etag}))
    if answer.status_code == HTTPStatus.NOT_MODIFIED:
        return _with_headers(answer, event)
    made = _kept.of(etag, lambda: _make(request, event, template, {"mark": etag, **context()}))
    return _with_headers(_sent(request, made, etag), event)


def tournament_page(
    request: HttpRequest,
    subject: PageSubject,
    name: str,
    stamp: str,
    context: Callable[[], Mapping[str, Any]],
) -> HttpResponse:
    """A stamped page about a tournament, whose template and place in the navigation have this name."""
    about = {"tournament": subject.tournament, "is_shown": subject.is_shown, "clock": subject.clock}
    return stamped_page(
        request,
        subject.event,
        stamp,
        f"publishing/{name}.html",
        lambda: {**about, "here": name, **context()},
    )


_kept = KeptPage[Page](most=200)


def published_answer(request: HttpRequest, made: Page) -> HttpResponse:
    """A page from the store, which anybody may have; whether search engines may keep it it says itself."""
    response = _sent(request, made, made.etag)
    marks_of(response).is_published = True
    language = translation.get_language_from_path(request.path_info) or settings.LANGUAGE_CODE
    response["Content-Language"] = language
    # As the middleware does that these answers don't pass.
    response["Content-Length"] = str(len(response.content))
    response["Cache-Control"] = OPEN
    is_feed = request.path_info.endswith(".ics")
    if is_feed:
        response["Content-Type"] = CALENDAR
    may_be_found = not is_feed and _NOT_FOR_SEARCH_ENGINES not in made.plain
    marks_of(response).for_search_engines = may_be_found
    return response


_NOT_FOR_SEARCH_ENGINES = b'<meta name="robots" content="noindex, nofollow">'


def _make(request: HttpRequest, event: Event | None, template: str, context: Mapping[str, Any]) -> Page:
    """The page in the active language and the event's time zone."""
    given = {
        "path": request.get_full_path(),
        "event": event,
        "for_search_engines": is_for_search_engines(event),
        # Asked for by the pages alone that show them.
        "announcements": partial(shown_announcements, event, reader_language()) if event else (),
    }
    with timezone.override(event.time_zone if event else None):
        return Page.of(render_to_string(template, {**given, **context}))


def _sent(request: HttpRequest, made: Page, etag: str) -> HttpResponse:
    """The page as the reader takes it, or a 304."""
    compressed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(made.compressed if compressed else made.plain, headers={"ETag": etag})
    patch_vary_headers(response, ("Accept-Encoding",))
    if compressed:
        response["Content-Encoding"] = "gzip"
    return _conditional(request, etag, response)


def _conditional(request: HttpRequest, etag: str, response: HttpResponse) -> HttpResponse:
    # With a response to fall back on there is always an answer.
    return get_conditional_response(request, etag=etag, response=response) or response


def _with_headers(
    response: HttpResponse, event: Event | None, *, for_search_engines: bool = True
) -> HttpResponse:
    response["Cache-Control"] = OPEN if event is None or event.is_published else CLOSED
    # `config.middleware` keeps search engines out of all else.
    marks_of(response).for_search_engines = for_search_engines and is_for_search_engines(event)
    return response


def is_for_search_engines(event: Event | None) -> bool:
    """Whether search engines may keep pages about this event: only if its organizer said so."""
    return event is not None and event.is_published and event.allow_search_engines
