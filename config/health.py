"""Health (the process answers) and readiness (the database answers and refuses to alter facts)."""

from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.urls import path

from ledger.triggers import triggers_in_place
from people.access import anyone, requires


@requires(anyone)
def alive(request: HttpRequest) -> JsonResponse:
    """200 as long as the process serves requests."""
    return JsonResponse({"status": "ok"})


@requires(anyone)
def ready(request: HttpRequest) -> JsonResponse:
    """200 when requests can be served safely; 503 with the reason otherwise."""
    try:
        protected = triggers_in_place(connection)
    except Error:
        return JsonResponse({"status": "unavailable", "reason": "database"}, status=503)
    if not protected:
        return JsonResponse({"status": "unavailable", "reason": "facts-unprotected"}, status=503)
    return JsonResponse({"status": "ok"})


urlpatterns = [path("live/", alive, name="alive"), path("ready/", ready, name="ready")]
