"""Subjects of public pages, found by their address with one query, and who may see them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.db.models import F, OuterRef, Subquery
from django.http import Http404, HttpResponseBase

from ledger.models import Receipt
from people import announcements
from people.access import declares, reads_event, refuse
from people.models import AuditEntry, Event
from publishing.page_cache import shared
from tournaments.models import OverallVersion, Stage, StandingsVersion, Tournament
from tournaments.queries.clocks import ClockView, clock_of, clock_planned_at


@dataclass(frozen=True, slots=True)
class PageSubject:
    """A tournament, its event and its clock as of now.

    `base` changes with the tournament's decisions, when the bell rings, and with everything that the event's
    rows show (names, consent, banners, settings). `stamp` changes also with its standings and the event's
    overall table. `receipt` is the root hash of the event's last receipt, empty before the first.

    `outlook` is the version of the standings from which somebody looked ahead last, None before.
    `is_looked_ahead` says whether those were the newest. If so, `first_is_decided` says whether the first
    place is decided.

    `overall` is the number of the event's overall table's last version, None without a palio. `stage` is the
    number of the stage that is on, and `stage_format` its format; 0 and empty before the draw.
    """

    event: Event
    tournament: Tournament
    clock: ClockView
    base: str
    stamp: str
    receipt: str
    outlook: int | None = None
    is_looked_ahead: bool = False
    first_is_decided: bool = False
    overall: int | None = None
    stage: int = 0
    stage_format: str = ""

    @property
    def is_shown(self) -> bool:
        """Whether the draw, and with it everything that follows, is for the public."""
        return self.tournament.status in Tournament.PUBLIC


def event_parts() -> dict[str, Any]:
    """Annotations of rows that have an event, for what its pages show of it.

    They are its last change, how often names and looks have changed, and how many announcements are up.
    """
    changes = AuditEntry.objects.filter(event=OuterRef("event"), is_seen=True).order_by("-at")
    return {
        "last_change": Subquery(changes.values("pk")[:1]),
        # Of two changes at once the one that is committed last isn't always the later one.
        "looks": F("event__publication__looks"),
        "announced": announcements.how_many(OuterRef("event")),
    }


def of_last_stage(field: str) -> Subquery:
    """A field of the last stage of a tournament."""
    stages = Stage.objects.filter(tournament=OuterRef("pk")).order_by("-number")
    return Subquery(stages.values(field)[:1])


def last_receipt() -> Subquery:
    """The root hash of the last receipt of the event that rows belong to."""
    return Subquery(Receipt.objects.filter(scope=OuterRef("event")).order_by("-number").values("root")[:1])


def find_subject(event_slug: str, tournament_slug: str) -> PageSubject:
    """The tournament of these slugs; Http404 if there is none. One query, none for one more page."""
    return shared(("subject", event_slug, tournament_slug), lambda: _found(event_slug, tournament_slug))


def _found(event_slug: str, tournament_slug: str) -> PageSubject:
    newest = StandingsVersion.objects.filter(tournament=OuterRef("pk")).order_by("-number")
    tables = OverallVersion.objects.filter(palio__event=OuterRef("event")).order_by("-number")
    tournaments: Any = Tournament.objects.select_related("event", "clock").annotate(
        standings=Subquery(newest.values("number")[:1]),
        receipt=last_receipt(),
        stage_number=of_last_stage("number"),
        stage_format=of_last_stage("format"),
        outlook_number=F("outlook__number"),
        first_is_decided=F("outlook__first_is_decided"),
        overall=Subquery(tables.values("number")[:1]),
        clock_planned_at=clock_planned_at(),
        **event_parts(),
    )
    tournament = tournaments.filter(slug=tournament_slug, event__slug=event_slug).first()
    if tournament is None:
        raise Http404
    tournament.event.announced = tournament.announced
    clock = clock_of(tournament)
    base = (
        tournament.pk,
        tournament.version,
        tournament.last_change,
        tournament.looks,
        clock.state,
        clock.planned_at,
        tournament.announced,
    )
    is_looked_ahead = tournament.outlook_number == tournament.standings
    computed = (tournament.standings, tournament.receipt, tournament.overall)
    return PageSubject(
        tournament.event,
        tournament,
        clock,
        " ".join(map(str, base)),
        " ".join(map(str, (*base, *computed))),
        tournament.receipt or "",
        tournament.outlook_number,
        is_looked_ahead,
        bool(tournament.first_is_decided) and is_looked_ahead,
        tournament.overall,
        tournament.stage_number or 0,
        tournament.stage_format or "",
    )


def shows(find: Callable[..., Any], *slugs: str) -> Callable[[Callable[..., HttpResponseBase]], Any]:
    """`people.access.requires(reads_event)` for a page about what `find` finds by these parts of the address.

    The view gets that, which has an `event`, in place of the slugs.
    """

    def event_of(**address: str) -> Event:
        found: Event = find(*(address[slug] for slug in slugs)).event
        return found

    def decorate(view: Callable[..., HttpResponseBase]) -> Any:
        @wraps(view)
        def checked(request: Any, **kwargs: Any) -> HttpResponseBase:
            subject = find(*(kwargs.pop(slug) for slug in slugs))
            request.event = subject.event
            if not reads_event.test(request.actor, subject.event):
                return refuse(request, reads_event)
            return view(request, subject, **kwargs)

        return declares(reads_event, event_of)(checked)

    return decorate


shows_tournament = shows(find_subject, "event_slug", "tournament_slug")
"""For a page about a tournament, which the view gets as a `PageSubject`."""
