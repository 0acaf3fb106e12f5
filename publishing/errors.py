"""The pages that say what went wrong: what happened, why, and what to do next.

They are rendered without the request, so that they ask neither database nor session: they have to work when
those don't.
"""

import sys
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ledger.outages import RETRY_AFTER, Outage, log_outage, outage_of
from people import request_ids
from people.access import anyone, declares


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """An answer's status with its title, its reason and what the reader can do."""

    status: int
    title: str | Promise
    why: str | Promise
    what_to_do: str | Promise


BAD_REQUEST = ErrorPage(
    400,
    _("This address can’t be read"),
    _("Something in the request isn’t as the service expects it."),
    _("Go back to the page you came from and try again from there."),
)
FORBIDDEN = ErrorPage(
    403,
    _("This page isn’t open to you"),
    _("You are signed in, or your phone is paired, but not for what this page is about."),
    _("If you help to run this event, ask its organizer to admit you."),
)
NOT_FOUND = ErrorPage(
    404,
    _("There is nothing at this address"),
    _("The page was never here, has been removed, or hasn’t been published yet."),
    _("Check the address, or start from the front page."),
)
NOT_ALLOWED = ErrorPage(
    405,
    _("This address only takes what a form sends"),
    _("It was opened by itself: loaded anew, say, or in another language. That stores nothing."),
    _("Go back to the page with the form; it shows what is stored."),
)
NO_MOMENT = ErrorPage(
    400,
    _("That is no moment in time"),
    _("The standings of an earlier moment are asked for with “at” and a date and time."),
    _("Write ?at=2026-09-05T15:40 or, for the event’s first day, ?at=15:40."),
)
SERVER_ERROR = ErrorPage(
    500,
    _("Something broke on our side"),
    _("It is not your fault, and nothing that was confirmed before is lost."),
    _("Wait a moment and load the page again. If it goes on, tell the organizers what you were doing."),
)
AWAY = ErrorPage(
    503,
    _("The service is away for a moment"),
    _("Its database doesn’t answer just now. Nothing that was confirmed before is lost."),
    _(
        "Wait a few seconds and load the page again. What you were just sending you can send once more: "
        "it counts once. A referee’s phone does so by itself."
    ),
)
DISK_FULL = ErrorPage(
    503,
    _("The service’s disk is full"),
    _("There is no room to store anything just now. Nothing that was confirmed before is lost."),
    _(
        "Tell the desk: somebody has to make room on the computer that the service runs on. What you were "
        "just sending you can send again then: it counts once. A referee’s phone does so by itself."
    ),
)
DATABASE_MOVED = ErrorPage(
    503,
    _("The service has lost its database"),
    _("Its file was moved, replaced or deleted while the service was running, so nothing is stored."),
    _(
        "Somebody at the computer of the service has to put the file back, or start the service anew. What "
        "you were just sending you can send again then: it counts once. A referee’s phone does so by itself."
    ),
)
OUTAGES = {Outage.AWAY: AWAY, Outage.DISK_FULL: DISK_FULL, Outage.DATABASE_MOVED: DATABASE_MOVED}
CSRF = ErrorPage(
    403,
    _("This form was open for too long"),
    _("To keep others from acting in your name, a form is only good for as long as you are signed in."),
    _("Go back, load the page again and send the form once more. Nothing was stored."),
)


def error_response(request: HttpRequest, page: ErrorPage) -> HttpResponse:
    """The page in the reader's language."""
    about = {"page": page, "path": request.get_full_path(), "request_id": request_ids.current()}
    html = render_to_string("errors/error.html", about)
    return HttpResponse(html, status=page.status)


@declares(anyone)
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400."""
    return error_response(request, BAD_REQUEST)


@declares(anyone)
def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403."""
    return error_response(request, FORBIDDEN)


@declares(anyone)
def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404."""
    return error_response(request, NOT_FOUND)


@declares(anyone)
def server_error(request: HttpRequest) -> HttpResponse:
    """500; 503 if nothing can be stored just now, with why and when to ask again; a script hears its code."""
    # Django calls this while it handles the exception, and doesn't hand it over.
    outage = outage_of(sys.exception())
    if outage is None:
        return error_response(request, SERVER_ERROR)
    log_outage(outage, sys.exception())
    shown = OUTAGES[outage]
    response: HttpResponse
    if request.headers.get("Accept", "").startswith("application/json"):
        response = JsonResponse({"code": outage.value, "sentence": str(shown.title)}, status=shown.status)
    else:
        response = error_response(request, shown)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    return response


@declares(anyone)
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403, for a form whose token is missing or too old. A page's own script is given a fresh one: another
    site's can't read it.
    """
    if request.headers.get("Accept", "").startswith("application/json"):
        fresh = {"code": "csrf", "sentence": str(CSRF.title), "token": get_token(request)}
        return JsonResponse(fresh, status=403, headers={"Cache-Control": "no-store"})
    return error_response(request, CSRF)
