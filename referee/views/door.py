"""Where a table's code is typed."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from people.access import anyone, requires
from referee.codes import find_table, normalized
from referee.pages import door as door_page


@requires(anyone)
@require_safe
def door(request: HttpRequest) -> HttpResponseBase:
    """Ask for the code; with `?code=` go to its table."""
    typed = request.GET.get("code", "")
    if not normalized(typed):
        return door_page(request)
    table = find_table(typed)
    return redirect("referee:table", table.code) if table else door_page(request, typed, 404)
