"""The palio over several disciplines: the overall table, and its screens for the projector."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.db.models import Count, F, OuterRef, Subquery, Sum
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase

from games.models import Game
from ledger.models import Receipt
from people import announcements
from people.access import declares, reads_event, refuse
from people.models import AuditEntry, Event
from publishing.overall import OverallTableRow, lines, steps
from publishing.place_history import day_of_palio
from publishing.responses import stamped_page
from publishing.views.projector import SECONDS_FOR_A_SCREEN, Screen, parts
from tournaments.models import OverallVersion, Palio, Tournament
from tournaments.queries.palio import overall_table


@dataclass(frozen=True, slots=True)
class PalioSubject:
    """A palio and its event. `looks` changes with all that the event's rows show; `stamp` also with its
    table, its tournaments' decisions and the first card of each.
    """

    event: Event
    palio: Palio
    looks: str
    stamp: str
    receipt: str


def find_palio(event_slug: str) -> PalioSubject:
    """The palio of the event of this slug; Http404 if there is none. One query."""
    newest = OverallVersion.objects.filter(palio=OuterRef("pk")).order_by("-number")
    changes = AuditEntry.objects.filter(event=OuterRef("event"), is_seen=True).order_by("-at")
    receipts = Receipt.objects.filter(scope=OuterRef("event")).order_by("-number")
    decided = Tournament.objects.filter(event=OuterRef("event")).values("event").annotate(sum=Sum("version"))
    played = Game.objects.filter(scope=OuterRef("event"), version__gt=0).values("scope")
    palio: Any = (
        Palio.objects.select_related("event")
        .filter(event__slug=event_slug)
        .annotate(
            number=Subquery(newest.values("number")[:1]),
            decided=Subquery(decided.values("sum")[:1]),
            begun=Subquery(played.annotate(begun=Count("group", distinct=True)).values("begun")),
            last_change=Subquery(changes.values("pk")[:1]),
            looks=F("event__publication__looks"),
            receipt=Subquery(receipts.values("root")[:1]),
            announced=announcements.how_many(OuterRef("event")),
        )
        .first()
    )
    if palio is None or palio.number is None:
        raise Http404
    palio.event.announced = palio.announced
    computed = (palio.number, palio.decided, palio.begun, palio.receipt)
    seen = (palio.pk, palio.version, palio.last_change, palio.looks, palio.announced, *computed)
    stamp = " ".join(map(str, seen))
    looks = f"{palio.last_change} {palio.looks} {palio.announced}"
    return PalioSubject(palio.event, palio, looks, stamp, palio.receipt or "")


def event_of_palio(*, event_slug: str, **_: object) -> Event:
    """The event whose palio stands in the address."""
    return find_palio(event_slug).event


def shows_palio(view: Callable[..., HttpResponseBase]) -> Any:
    """`people.access.requires(reads_event)` for a page about a palio, which the view gets as a subject."""

    @wraps(view)
    def checked(request: Any, event_slug: str, **kwargs: Any) -> HttpResponseBase:
        subject = find_palio(event_slug)
        request.event = subject.event
        if not reads_event.test(request.actor, subject.event):
            return refuse(request, reads_event)
        return view(request, subject, **kwargs)

    return declares(reads_event, event_of_palio)(checked)


@shows_palio
def palio(request: HttpRequest, subject: PalioSubject) -> HttpResponse:
    """The overall table; eight queries, one for a reader who already has it."""
    return stamped_page(
        request, subject.event, subject.stamp, "publishing/palio.html", lambda: _context(subject)
    )


def _context(subject: PalioSubject) -> dict[str, Any]:
    table = overall_table(subject.event)
    if table is None:
        raise Http404
    return {
        "table": table,
        "version": table.version,
        "disciplines": table.disciplines,
        "lines": lines(table),
        "steps": steps(table),
        "has_jokers": bool(table.rules.jokers_each),
        # Of a final table its own, as on its sheet: another may be of before a correction. Else the newest.
        "receipt": table.version.receipt if table.version.is_final else subject.receipt,
    }


@shows_palio
def palio_projector(request: HttpRequest, subject: PalioSubject, screen: int = 1) -> HttpResponse:
    """One screen of the overall table, from 1; the first if that is gone."""
    return stamped_page(
        request,
        subject.event,
        subject.stamp,
        "publishing/palio_projector.html",
        lambda: _screen(subject, screen),
    )


def screens_of_palio(subject: PalioSubject) -> int:
    """How many screens the overall table has."""
    return len(_screen(subject, 1)["screens"])


def _screen(subject: PalioSubject, number: int) -> dict[str, Any]:
    context = _context(subject)
    rows: list[OverallTableRow] = context["lines"]
    screens = [Screen(context["steps"], [])] if context["steps"] else []
    screens += [Screen([], [], lines=part) for part in parts(rows)]
    day = day_of_palio(subject.event, context["disciplines"])
    screens += [Screen([], [], day=day)] if day is not None else []
    screens = screens or [Screen([], [])]
    here = number if 1 <= number <= len(screens) else 1
    return context | {
        "screen": screens[here - 1],
        "here_screen": here,
        "screens": range(1, len(screens) + 1),
        "next_screen": here % len(screens) + 1,
        "seconds": SECONDS_FOR_A_SCREEN,
    }
