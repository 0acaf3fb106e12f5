"""Pairing this phone: choose who you are, then type the day's PIN or wait for the desk."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from people.access import anyone
from people.actors import Actor
from people.client_network import place_of
from people.display_names import referee_name
from people.models import Referee
from people.pairings import COOKIE, COOKIE_SECONDS, admit_by_pin, ask, pin_pause, revoke
from people.rate_limits import in_minutes
from people.refusals import Refused
from referee.access import at_table
from referee.device_status import DeviceStatus, phone_of
from referee.pages import TableRequest, page
from referee.post_only import sent_only


@at_table(anyone)
@require_http_methods(["GET", "HEAD", "POST"])
def pair(request: TableRequest) -> HttpResponseBase:
    """Choose a name; once that is done, the check word while the desk is waited for."""
    phone = phone_of(request, request.event)
    if phone.standing in (DeviceStatus.ADMITTED, DeviceStatus.OTHER_ACCOUNT):
        return redirect("referee:table", request.table.code)
    if phone.pairing is not None and phone.standing is DeviceStatus.WAITING:
        context = {
            "pairing": phone.pairing,
            "referee": referee_name(phone.pairing.referee),
            "has_pin": bool(request.event.day_pin),
        }
        return page(request, "waiting", context)
    if request.method != "POST":
        return _names(request)
    referee = _chosen(request)
    if referee is None:
        return _names(request, _("Choose your name from the list."), 422)
    try:
        _pairing, secret = ask(referee, place_of(request))
    except Refused as limited:
        answer = _names(request, str(limited), 429)
        answer["Retry-After"] = str(limited.wait)
        return answer
    answer = redirect("referee:pair", request.table.code)
    keep_secret(answer, secret)
    return answer


def keep_secret(answer: HttpResponse, secret: str) -> None:
    """Leave the pairing's secret on the phone, where no script can read it."""
    answer.set_cookie(
        COOKIE, secret, max_age=COOKIE_SECONDS, secure=settings.HTTPS, httponly=True, samesite="Lax"
    )


def _names(request: TableRequest, error: str = "", status: int = 200) -> HttpResponse:
    choices = [
        {"id": referee.pk, "name": referee_name(referee), "team": referee.team}
        for referee in request.event.referees.select_related("team")
    ]
    return page(request, "names", {"choices": choices, "error": error}, status)


def _chosen(request: TableRequest) -> Referee | None:
    try:
        wanted = UUID(request.POST.get("referee", ""))
    except ValueError:
        return None
    return request.event.referees.filter(pk=wanted).select_related("event").first()


@at_table(anyone)
@require_http_methods(["GET", "HEAD", "POST"])
def pin(request: TableRequest) -> HttpResponseBase:
    """Type the day's PIN; a page of its own, since the waiting one loads itself anew without scripts."""
    phone = phone_of(request, request.event)
    if phone.pairing is None or phone.standing is not DeviceStatus.WAITING:
        return redirect("referee:table", request.table.code)
    context: dict[str, Any] = {"pairing": phone.pairing}
    if request.method != "POST":
        return page(request, "pin", {**context, "minutes": in_minutes(pin_pause(request.event))})
    if not request.event.day_pin:
        return page(request, "pin", {**context, "has_none": True}, 422)
    typed = "".join(request.POST.get("pin", "").split())
    if admit_by_pin(phone.pairing, typed):
        return redirect("referee:table", request.table.code)
    if seconds := pin_pause(request.event):
        answer = page(request, "pin", {**context, "minutes": in_minutes(seconds)}, 429)
        answer["Retry-After"] = str(seconds)
        return answer
    return page(request, "pin", {**context, "is_wrong": True}, 422)


@at_table(anyone)
@sent_only("referee:pair")
def leave(request: TableRequest) -> HttpResponseBase:
    """Give the pairing back: another referee takes this phone, or the wrong name was chosen."""
    phone = phone_of(request, request.event)
    if phone.pairing is not None and phone.pairing.event_id == request.event.pk:
        revoke(phone.pairing, Actor.of_pairing(phone.pairing))
    return without_secret(redirect("referee:pair", request.table.code))


def without_secret(answer: HttpResponse) -> HttpResponse:
    """The same answer; the phone that gets it forgets its secret."""
    answer.delete_cookie(COOKIE, samesite="Lax")
    return answer
