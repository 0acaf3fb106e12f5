"""The palio over several disciplines: the overall table, and its screens for the projector."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Subquery, Sum
from django.http import Http404, HttpRequest, HttpResponse

from games.models import WAITING, Game
from people.models import Event
from publishing.overall import OverallTableRow, overall_rows, steps
from publishing.place_history import day_of_palio
from publishing.responses import stamped_page
from publishing.subjects import event_parts, last_receipt, shows
from publishing.views.projector import Screen, parts, turning
from tournaments.models import OverallVersion, Palio, Tournament
from tournaments.queries.palio import over_now, overall_table


@dataclass(frozen=True, slots=True)
class PalioSubject:
    """A palio and its event. `looks` changes with all that the event's rows show; `stamp` also with its
    table, its tournaments' decisions, and the first card of each. It changes too when all of one is played.
    """

    event: Event
    palio: Palio
    looks: str
    stamp: str
    receipt: str


def find_palio(event_slug: str) -> PalioSubject:
    """The palio of the event of this slug; Http404 if there is none. One query."""
    newest = OverallVersion.objects.filter(palio=OuterRef("pk")).order_by("-number")
    decided = Tournament.objects.filter(event=OuterRef("event")).values("event").annotate(sum=Sum("version"))
    played = Game.objects.filter(scope=OuterRef("event")).exclude(phase=WAITING).values("scope")
    over = over_now().filter(tournament__event=OuterRef("event")).order_by().values("tournament__event")
    palio: Any = (
        Palio.objects.select_related("event")
        .filter(event__slug=event_slug)
        .annotate(
            number=Subquery(newest.values("number")[:1]),
            decided=Subquery(decided.values("sum")[:1]),
            begun=Subquery(played.annotate(begun=Count("group", distinct=True)).values("begun")),
            over=Subquery(over.annotate(sum=Sum("number")).values("sum")),
            receipt=last_receipt(),
            **event_parts(),
        )
        .first()
    )
    if palio is None or palio.number is None:
        raise Http404
    palio.event.announced = palio.announced
    computed = (palio.number, palio.decided, palio.begun, palio.over, palio.receipt)
    seen = (palio.pk, palio.version, palio.last_change, palio.looks, palio.announced, *computed)
    stamp = " ".join(map(str, seen))
    looks = f"{palio.last_change} {palio.looks} {palio.announced}"
    return PalioSubject(palio.event, palio, looks, stamp, palio.receipt or "")


shows_palio = shows(find_palio, "event_slug")
"""For a page about a palio, which the view gets as a `PalioSubject`."""


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
        "lines": overall_rows(table),
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
    return context | turning(screens or [Screen([], [])], number)
