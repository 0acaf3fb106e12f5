"""Answers to a referee's phone: never kept by anybody, and the page again where something was refused."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from people.access import page_of_form, referees, sees_published
from people.actors import Actor
from people.announcements import ShownAnnouncement, shown_announcements
from people.display_names import Reader, Viewer, referee_name
from people.models import Event, Pairing
from referee.device_status import DeviceStatus, clock_words, phone_of
from referee.next_tables import led_by
from referee.phone_files import edition, line_texts
from referee.practice.table import Practice
from referee.side_names import side_names
from rendering.text.active_language import reader_language
from tournaments.models import Table
from tournaments.queries.match_views import match_on
from tournaments.queries.matches import open_matches

_compress = GZipMiddleware(lambda _request: HttpResponse()).process_response
"""Where a phone takes it; its random padding keeps a secret's length from being told."""


class TableRequest(HttpRequest):
    """A request at a table, once it is certain that it may be made."""

    actor: Actor
    event: Event
    table: Table
    mark: str
    table_number: int
    practice: Practice | None
    """The practice table, if the request is made there: then nothing is stored."""
    writes: bool
    """Whether it is certain that this phone may write here."""


def page(request: Any, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """A page; about a table, if the request is. Its other language is that of the page with the form, if it
    answers one.
    """
    path = page_of_form(request) if request.method == "POST" else None
    practice = getattr(request, "practice", None)
    given = {
        "table": getattr(request, "table", None),
        "practice": practice,
        "mark": getattr(request, "mark", ""),
        "writes": getattr(request, "writes", False),
        "announcements": _announcements(request),
        "phone_clock": clock_off(request),
        "edition": edition(reader_language()),
        "line_texts": line_texts(reader_language()),
        "path": path,
        "writer": "" if practice else writer(request),
        **context,
    }
    response = render(request, f"referee/{template}.html", given, status=status)
    add_never_cache_headers(response)
    _compress(request, response)
    return response


def _announcements(request: Any) -> Callable[[], list[ShownAnnouncement]]:
    """What the organizers say to everybody; read by the pages alone that show it."""
    event = getattr(request, "event", None)
    return partial(shown_announcements, event, reader_language()) if event is not None else list


def writer(request: Any) -> str:
    """As whom this phone writes; empty for one that isn't in."""
    pairing: Pairing | None = request.actor.pairing
    return "" if pairing is None or pairing.admitted_at is None else referee_name(pairing.referee)


def clock_off(request: Any) -> str:
    """By how much this phone's clock is wrong, in a sentence; empty where it isn't."""
    if not getattr(request, "mark", "") or request.actor.pairing is None:
        return ""
    return clock_words(request.actor.pairing.clock_off)


def door(request: Any, typed: str = "", status: int = 200, limited: str = "") -> HttpResponse:
    """Where a table's code is typed; `typed` is the code that no table has, `limited` why none is looked for.
    A phone that is in is led.
    """
    pairing: Pairing | None = request.actor.pairing
    led = led_by(pairing) if pairing is not None and referees.test(request.actor, pairing.event) else None
    return page(request, "door", {"typed": typed, "led": led, "limited": limited}, status)


def phone_page(request: TableRequest, status: int = 200) -> HttpResponse:
    """The table for a phone that may not write at it: what is public of it, and how to be let in."""
    phone = phone_of(request, request.event)
    context: dict[str, Any] = {"standing": phone.standing.value, "pairing": phone.pairing}
    if phone.pairing is not None and phone.standing is DeviceStatus.WAITING:
        context["referee"] = referee_name(phone.pairing.referee)
    if sees_published.test(request.actor, request.event):
        if match := match_on(open_matches(request.table)):
            names = side_names(match, Viewer.public(request.event))
            context |= {"match": match, "sides": list(zip(match.sides, names, strict=True))}
        context["is_public"] = True
    return page(request, "phone", context, status)


def problem(request: TableRequest, title: str, text: str, status: int, back: str = "") -> HttpResponse:
    """What went wrong, and the way back."""
    return page(request, "problem", {"title": title, "text": text, "back": back}, status)


def viewer(request: TableRequest) -> Viewer:
    """As whom a table's pages read names: as a referee, the organizer too, since children look at the
    screen.
    """
    return Viewer(Reader.REFEREE, request.event)
