"""Permission for pages at a table: `people.access.requires` with the table in place of its code."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from rules.predicates import Predicate

from games.engine import ImpossibleStateError
from ledger.errors import OtherStreamError
from people import rate_limits
from people.access import declares, writes_results
from people.client_network import place_of
from people.rate_limits import RateLimit, RateLimitedError
from referee.answers import not_saved, wants_json
from referee.device_status import DeviceStatus, phone_of, phone_pairing
from referee.moved_match import ElsewhereError, gone, moved, not_playable, taken
from referee.pages import door, page, phone_page
from tournaments.commands.table_cards import FoundCard, find_card, normalized
from tournaments.queries.change_marks import table_mark

WRONG_CODES = RateLimit("table-codes", 100, timedelta(minutes=10))
"""Different codes that no table has, from one address; a tent's whole network is one."""


def refuse_guessing(request: Any, typed: str, card: FoundCard | None) -> HttpResponseBase | None:
    """Count a code that no table has; to be called before anything is told of a card that was found.

    Returns 429 where an address has guessed too often, right codes included, else None. Phones that are let
    in and organizers are never refused: they know codes by other means.
    """
    pairing = request.actor.pairing
    if request.actor.account is not None or (pairing is not None and pairing.admitted_at is not None):
        return None
    try:
        rate_limits.check(WRONG_CODES, place_of(request))
    except RateLimitedError as limited:
        return _too_many_codes(request, limited)
    if card is None:
        rate_limits.note_wrong(WRONG_CODES, place_of(request), normalized(typed))
    return None


def _too_many_codes(request: Any, limited: RateLimitedError) -> HttpResponseBase:
    """429: when codes are looked for again."""
    if wants_json(request):
        answer: HttpResponseBase = not_saved("too-many-codes", limited.sentence, 429)
    else:
        answer = door(request, status=429, limited=limited.sentence)
    answer["Retry-After"] = str(limited.wait)
    return answer


def at_table(check: Predicate = writes_results) -> Callable[[Callable[..., HttpResponseBase]], Any]:
    """Let a page at a table be opened only by whom the predicate admits.

    Who isn't admitted isn't sent to sign in, as at other pages, but told how this phone can be let in. A code
    that no table has is answered by asking for it again. A match or game that isn't here any more is answered
    by where it is. The request gets `event`, `table` and `table_number`. The page without its condition, for
    the practice table, is the view's attribute `page`.
    """

    def decorate(view: Callable[..., HttpResponseBase]) -> Any:
        @wraps(view)
        def checked(request: Any, code: str, **kwargs: Any) -> HttpResponseBase:
            card = find_card(code)
            if card is not None:
                # Where a phone was last seen is noted when it is looked up.
                request.table_number = card.table.number
            if refused := refuse_guessing(request, code, card):
                return refused
            if card is None:
                if wants_json(request):
                    return not_saved("no-table", _("No table has this code"), 404)
                return door(request, code, 404)
            request.table, request.event = card.table, card.table.event
            elsewhere = None if card.is_current else _by_old_card(request, kwargs)
            if elsewhere is not None:
                return elsewhere
            if request.method in ("GET", "HEAD"):
                request.mark = table_mark(card.table.pk, phone_pairing(request))
            if not check.test(request.actor, card.table.event):
                if wants_json(request):
                    return not_saved("not-admitted", _("This phone may not write at this event."), 403)
                return phone_page(request, 403)
            request.practice = None
            request.writes = check is writes_results
            try:
                return view(request, **kwargs)
            except ElsewhereError as error:
                return moved(request, error)
            except Http404:
                return gone(request)
            except OtherStreamError:
                return taken(request)
            except ImpossibleStateError:
                return not_playable(request)

        at_a_table = declares(check)(checked)
        at_a_table.page = view
        return at_a_table

    return decorate


def _by_old_card(request: Any, kwargs: dict[str, Any]) -> HttpResponseBase | None:
    """The answer to a code that was replaced: it opens nothing to strangers any more.

    A phone that was let in, or asks to be, goes on. For what it enters the answer is None, since no tap must
    be lost; otherwise it goes to the page at the new address. Who comes by the card itself is told to swap
    it.
    """
    if wants_json(request):
        # A phone's queue: it enters by the pairing, and is told like any other why it may not.
        return None
    match = request.resolver_match
    if phone_of(request, request.event).standing not in (DeviceStatus.ADMITTED, DeviceStatus.WAITING):
        return page(request, "old_card", {}, 410)
    if request.method not in ("GET", "HEAD"):
        return None
    if match.view_name == "referee:table":
        messages.warning(request, _("This card has an old code. Ask the desk for the new one and swap them."))
    address = reverse(match.view_name, kwargs={**kwargs, "code": request.table.code})
    query = request.META.get("QUERY_STRING", "")
    return redirect(f"{address}?{query}" if query else address)
