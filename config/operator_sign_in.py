"""The operators' pages are entered by the desk's door: the same rate limits, the same second factor."""

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from people.access import anyone, requires


@requires(anyone)
def operators_door(request: HttpRequest) -> HttpResponseBase:
    """To the desk's door and back; 403 for an account that is in and no operator's."""
    if request.user.is_authenticated:
        if not request.user.is_staff:
            raise PermissionDenied
        return redirect("admin:index")
    wanted = request.GET.get("next", "")
    # Where it leads the desk's door checks by itself.
    return redirect_to_login(wanted or reverse("admin:index"))
