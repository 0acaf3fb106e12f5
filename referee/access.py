"""Who may open a page at a table: `people.access.requires` with the table in place of its code."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpResponseBase
from django.utils.translation import gettext as _
from rules.predicates import Predicate

from people.access import declares, writes_results
from referee.answers import not_saved, wants_json
from referee.codes import event_by_code, find_table
from referee.pages import door, phone_page
from referee.phones import phone_pairing
from tournaments.marks import table_mark


def at_table(check: Predicate = writes_results) -> Callable[[Callable[..., HttpResponseBase]], Any]:
    """Let a page at a table be opened only by whom the predicate admits.

    Unlike other pages' visitors, who isn't admitted isn't sent to sign in, but told how this phone can be let
    in; a code that no table has is answered by asking for it again. The request gets `event` and `table`. The
    page without its condition, for the practice table, is the view's attribute `page`.
    """

    def decorate(view: Callable[..., HttpResponseBase]) -> Any:
        @wraps(view)
        def checked(request: Any, code: str, **kwargs: Any) -> HttpResponseBase:
            table = find_table(code)
            if table is None:
                if wants_json(request):
                    return not_saved("no-table", _("No table has this code"), 404)
                return door(request, code, 404)
            request.table, request.event = table, table.event
            if request.method in ("GET", "HEAD"):
                request.mark = table_mark(table.pk, phone_pairing(request))
            if not check.test(request.actor, table.event):
                if wants_json(request):
                    return not_saved("not-admitted", _("This phone may not write at this event."), 403)
                return phone_page(request, 403)
            request.practice = None
            request.writes = check is writes_results
            try:
                return view(request, **kwargs)
            except Http404:
                if wants_json(request):
                    return not_saved("not-here", _("This game isn’t played at this table any more."), 404)
                raise

        at_a_table = declares(check, event_by_code)(checked)
        at_a_table.page = view
        return at_a_table

    return decorate
